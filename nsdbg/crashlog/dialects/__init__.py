"""The layouts that are read, each a module with a `DIALECT`; the first that answers wins."""

from nsdbg.crashlog.dialects import (
    chained,
    cpython,
    faulthandler,
    headless,
    ipython,
    pytest_report,
    snakemake,
)
from nsdbg.crashlog.dialects.layout import Dialect

DIALECTS: tuple[Dialect, ...] = (
    chained.DIALECT,
    cpython.DIALECT,
    faulthandler.DIALECT,
    ipython.DIALECT,
    pytest_report.DIALECT,
    snakemake.DIALECT,
    headless.DIALECT,
)
