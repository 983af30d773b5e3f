"""What crash text is wrapped in, each a module with a `CARRIER`; they are taken off in order."""

from nsdbg.crashlog.carriers.wrapping import Carrier

CARRIERS: tuple[Carrier, ...] = ()
