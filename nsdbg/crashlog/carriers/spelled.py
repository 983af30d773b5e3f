r"""Control characters that a logger spelled out: rsyslog's `#011`, Apache's `\t` and `\r`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nsdbg.crashlog.carriers.wrapping import Carrier
from nsdbg.crashlog.lines import Line

_OCTAL = re.compile(r"#011|\\011")
_RETURN = re.compile(r"(?:\\r|#015|\^M)$")
_ENOUGH = 2  # lines that end in a spelled carriage return; one may be a message's own


def _unwrap(lines: Sequence[Line]) -> list[Line] | None:
    returns = sum(bool(_RETURN.search(line.text)) for line in lines) >= _ENOUGH
    octal = any("011" in line.text and _OCTAL.search(line.text) for line in lines)
    if not returns and not octal:
        return None
    found: list[Line] = []
    for number, text in lines:
        if returns:
            text = _RETURN.sub("", text)
        found.append(Line(number, _OCTAL.sub("\t", text) if octal else text))
    return found


CARRIER = Carrier(
    "spelled", "control characters spelled out: #011 for a tab, \\r at line ends", _unwrap
)
