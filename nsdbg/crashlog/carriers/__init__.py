"""What crash text is wrapped in, each a module with a `CARRIER`; they are taken off in order."""

from nsdbg.crashlog.carriers import (
    containers,
    escaped,
    flattened,
    hard_wrapped,
    html_page,
    json_records,
    junit_xml,
    powershell,
    spelled,
    suffixes,
    table,
)
from nsdbg.crashlog.carriers.wrapping import Carrier

CARRIERS: tuple[Carrier, ...] = (
    junit_xml.CARRIER,
    json_records.CARRIER,
    powershell.CARRIER,
    suffixes.CARRIER,
    table.CARRIER,
    containers.CARRIER,
    spelled.CARRIER,
    html_page.CARRIER,
    escaped.CARRIER,
    flattened.CARRIER,
    hard_wrapped.CARRIER,
)
