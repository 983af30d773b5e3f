"""What passes between the parent and the launcher: the plan of one process, and lines about it.

Data only.  As text of the plainest kind: `json` and `dataclasses` take longer to import than the
launcher has.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as long as `typing`
if TYPE_CHECKING:
    from typing import List, Optional, Tuple

_LISTS = ("read", "write", "allow", "without")
_NUMBERS = (
    "uid", "memory_bytes", "cpu_s", "processes", "file_bytes", "status", "life",
)  # fmt: skip


class Plan:
    """The plan.  Paths are absolute and resolved; `uid` None means to stay who one is.

    `read` may be read and executed, `write` is what the user allowed to be written; `scratch` is
    writable in any case.  `without` names layers that are left out on purpose.  `status` and
    `life` are descriptors: one for the launcher's lines, one that ends when the parent does.
    """

    __slots__ = ("scratch", *_LISTS, *_NUMBERS)

    scratch: str
    read: Tuple[str, ...]
    write: Tuple[str, ...]
    allow: Tuple[str, ...]
    without: Tuple[str, ...]
    uid: Optional[int]
    memory_bytes: int
    cpu_s: int
    processes: int
    file_bytes: int
    status: int
    life: int

    def dump(self) -> List[str]:
        """Return the plan as arguments of a command, of which the first tells how many follow."""
        words = [self.scratch]
        words += ["" if (value := getattr(self, name)) is None else str(value) for name in _NUMBERS]
        for name in _LISTS:
            values = getattr(self, name)
            words += [str(len(values)), *values]
        return [str(len(words)), *words]


def load(words: List[str]) -> Tuple[Plan, List[str]]:
    """Read what `dump` wrote; return the plan and the words after it."""
    plan = Plan()
    rest = words[1:]
    plan.scratch = rest.pop(0)
    for name in _NUMBERS:
        word = rest.pop(0)
        setattr(plan, name, int(word) if word else None)
    for name in _LISTS:
        count = int(rest.pop(0))
        setattr(plan, name, tuple(rest[:count]))
        del rest[:count]
    return plan, rest


def line(*words: str) -> bytes:
    """Return words as one line: parts are separated by tabs."""
    clean = [word.replace("\t", " ").replace("\n", " ") for word in words]
    return "\t".join(clean).encode("utf-8", "surrogateescape") + b"\n"
