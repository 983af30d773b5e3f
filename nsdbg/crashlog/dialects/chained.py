"""Chains whose first exception has no traceback of its own: a remote process's, JAX's filter."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nsdbg.crashlog.dialects.cpython import report_of
from nsdbg.crashlog.dialects.layout import Dialect, Found
from nsdbg.crashlog.lines import Block, Line, margin_at
from nsdbg.crashlog.patterns import link_of
from nsdbg.crashlog.traceback import read_chain

_REMOTE = re.compile(r"(?P<type>(?:[^\W\d]\w*\.)*\w*(?:Traceback|Error|Exception)\w*): ?$")
_NAMED = re.compile(r"(?P<type>(?:[^\W\d]\w*\.)+[A-Z]\w*): \S.*$")


def _read(lines: Sequence[Line], i: int) -> Found | None:
    if i + 1 >= len(lines):
        return None
    text, below = lines[i].text, lines[i + 1].text.rstrip()
    if below.endswith(('"""', "'''")):
        found = _REMOTE.search(text)
    elif not below.strip() and i + 2 < len(lines) and link_of(lines[i + 2].text):
        found = _NAMED.match(text)
    else:
        return None
    if found is None:
        return None
    block = Block(lines, i, margin_at(lines, i, found.start()), text[found.start() :])
    chain = read_chain(block, 0)
    if len(chain.exceptions) < 2 and not chain.exceptions[0].embedded:
        return None
    return Found(report_of(chain, lines, i, "cpython"), max(i + 1, block.ends(chain.end)))


DIALECT = Dialect(
    "chained",
    "chain that begins without a traceback: multiprocessing, billiard, JAX",
    (),
    _read,
)
