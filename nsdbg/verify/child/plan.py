"""What the launcher is told: the plan of one process in a sandbox, as JSON.

Data only; the parent makes it (`nsdbg.verify.sandbox`), the launcher follows it.
"""

import json
from typing import NamedTuple, Optional, Tuple


class Plan(NamedTuple):
    """The plan.  Paths are absolute and resolved; `uid` None means to stay who one is.

    `read` may be read and executed, `write` is what the user allowed to be written; `scratch` is
    writable in any case.  `without` names layers that are left out on purpose.  `status` and
    `life` are descriptors: one for the launcher's lines, one that ends when the parent does.
    """

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

    def dump(self) -> str:
        """Return the plan as JSON."""
        return json.dumps(self._asdict())


def load(text: str) -> Plan:
    """Read what `dump` wrote."""
    fields = json.loads(text)
    lists = ("read", "write", "allow", "without")
    fields.update({name: tuple(fields[name]) for name in lists})
    return Plan(**fields)
