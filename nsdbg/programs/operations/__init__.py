"""What can be done with values of each kind, as a table of templates with typed holes."""

from nsdbg.programs.operations.operation import Operation
from nsdbg.programs.operations.tables import (
    CONSUMERS,
    MUTATIONS,
    OPERATIONS,
    PRODUCERS,
)

__all__ = ["CONSUMERS", "MUTATIONS", "OPERATIONS", "PRODUCERS", "Operation"]
