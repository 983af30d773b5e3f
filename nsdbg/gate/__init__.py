"""The gate: logs, test reports, a change, a baseline and measured limits become one decision."""

from nsdbg.gate.baseline_file import DEFAULT_NAME
from nsdbg.gate.decide import FAIL_ON, Interrupted, Wanted, gate
from nsdbg.gate.measured import Measuring
from nsdbg.gate.settle import Book

__all__ = ["DEFAULT_NAME", "FAIL_ON", "Book", "Interrupted", "Measuring", "Wanted", "gate"]
