"""The layouts that are read, each a module with a `DIALECT`; the first that answers wins."""

from nsdbg.crashlog.dialects import (
    airflow,
    bare,
    cgitb,
    chained,
    cpython,
    debugger,
    faulthandler,
    headless,
    ipython,
    pretty_errors,
    pytest_report,
    record,
    rich_box,
    snakemake,
    stackprinter,
)
from nsdbg.crashlog.dialects.layout import Dialect

DIALECTS: tuple[Dialect, ...] = (
    record.DIALECT,
    cgitb.DIALECT,
    chained.DIALECT,
    cpython.DIALECT,
    faulthandler.DIALECT,
    airflow.DIALECT,
    ipython.DIALECT,
    rich_box.DIALECT,
    pytest_report.DIALECT,
    pretty_errors.DIALECT,
    snakemake.DIALECT,
    stackprinter.DIALECT,
    debugger.DIALECT,
    headless.DIALECT,
    bare.DIALECT,
)
