"""The layouts that are read, each a module with a `DIALECT`; the first that answers wins."""

from nsdbg.crashlog.dialects import chained, cpython, headless
from nsdbg.crashlog.dialects.layout import Dialect

DIALECTS: tuple[Dialect, ...] = (chained.DIALECT, cpython.DIALECT, headless.DIALECT)
