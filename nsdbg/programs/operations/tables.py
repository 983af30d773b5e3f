"""The tables read and sorted: by the kind that an operation gives, and by that of its subject."""

from __future__ import annotations

from nsdbg.programs.kinds import Kind
from nsdbg.programs.operations import library, lists, mappings, mutations, numbers, text
from nsdbg.programs.operations.operation import Operation, operations

OPERATIONS: tuple[Operation, ...] = tuple(
    operations(text.TABLE)
    + operations(numbers.TABLE)
    + operations(lists.TABLE)
    + operations(mappings.TABLE)
    + operations(library.TABLE)
)


def by_kind(found: tuple[Operation, ...], subject: bool) -> dict[Kind, tuple[Operation, ...]]:
    """Return the operations of each kind, each as often as its weight says."""
    sorted_out: dict[Kind, list[Operation]] = {}
    for operation in found:
        kind = operation.params[0] if subject else operation.result
        sorted_out.setdefault(kind, []).extend([operation] * operation.weight)
    return {kind: tuple(operations) for kind, operations in sorted_out.items()}


PRODUCERS = by_kind(OPERATIONS, subject=False)
CONSUMERS = by_kind(OPERATIONS, subject=True)
# Statements that change their subject in place; the result named in the table is the subject's.
MUTATIONS = by_kind(tuple(operations(mutations.TABLE)), subject=True)
