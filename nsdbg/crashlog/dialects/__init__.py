"""The layouts that are read, each a module with a `DIALECT`; the first that answers wins."""

from nsdbg.crashlog.dialects import cpython, headless
from nsdbg.crashlog.dialects.layout import Dialect

DIALECTS: tuple[Dialect, ...] = (cpython.DIALECT, headless.DIALECT)
