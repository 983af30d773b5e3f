r"""Control characters that a logger spelled out: rsyslog's `#011`, Apache's `\t` and `\r`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nsdbg.crashlog.carriers.wrapping import Carrier
from nsdbg.crashlog.lines import BOUNDARY, Line

_OCTAL = re.compile(r"#011|\\011")
_RETURN = re.compile(r"(?:\\r|#015|\^M)$")
_CURLY = re.compile(
    'File [\u201c\u201d\u201e\u00ab]([^\u201c\u201d\u00bb"]+)[\u201c\u201d\u00bb], line'
)
_DOUBLED = re.compile(r'File ""([^"]+)"", line')
_ENOUGH = 2  # lines that end in a spelled carriage return; one may be a message's own


def _unwrap(lines: Sequence[Line]) -> list[Line] | None:
    quoted = [_quotes(line.text) for line in lines]
    if any(_DOUBLED.search(line.text) for line in lines):
        lines = [one for line in lines for one in _csv(line)]
        return _spelled(lines) or list(lines)
    if any(new != line.text for new, line in zip(quoted, lines, strict=True)):
        lines = [Line(line.number, new) for new, line in zip(quoted, lines, strict=True)]
        return _spelled(lines) or list(lines)
    return _spelled(lines)


def _csv(line: Line) -> Iterator[Line]:
    """Yield a line of a quoted field; a quote without its pair ends the field at a line's end."""
    text = line.text.replace('""', "\0")
    ends = text.count('"') % 2 and text.endswith('"')
    yield Line(line.number, text.removesuffix('"' if ends else "").replace("\0", '"'))
    if ends:
        yield Line(line.number, BOUNDARY)


def _quotes(text: str) -> str:
    """Return a `File` line with plain quotes, which an editor made curly."""
    return _CURLY.sub(r'File "\1", line', text) if "File" in text else text


def _spelled(lines: Sequence[Line]) -> list[Line] | None:
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
    "spelled",
    "what a tool spelled its own way: #011 for a tab, \\r at line ends, curly and doubled quotes",
    _unwrap,
)
