"""A whole traceback on one line, its line ends turned into spaces or markers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nsdbg.crashlog.carriers.wrapping import Carrier
from nsdbg.crashlog.lines import BOUNDARY, Line
from nsdbg.crashlog.patterns import CERTAIN_TYPE, HEADER, is_exception_line

_FRAME = re.compile(r' *File "(?P<file>[^"]+)", line (?P<lineno>\d+), in (?P<rest>\S.*)$')
_SPLIT = re.compile(r'(?=\bFile "[^"]+", line \d+, in )')
# A mark that stands where the line ends were: `#012`, `|`, an arrow.
_SEPARATED = re.compile(
    r'Traceback \(most recent call last\):\s*(?P<mark>[^\s\w"]\S{0,5}?)\s*File "'
)
_TYPE = re.compile(r"(?:^|(?<=[\s.^~)\]'\"]))(?P<type>(?:[^\W\d][\w]*\.)*[A-Z]\w+)(?::(?= |$)|$)")
_ABOVE = re.compile(r"\[ERROR\]\s+(?P<said>\S.*)$")
_CARETS = re.compile(r"\s[~^]*\^[~^]*(?=\s|$)|\s~{2,}(?=\s|$)")
_LINK = re.compile(
    r"\s*(?=During handling of the above exception, another|The above exception was the direct)"
    r"|(?<=another exception occurred:)\s*|(?<=of the following exception:)\s*"
)


def _unwrap(lines: Sequence[Line]) -> list[Line] | None:
    found: list[Line] = []
    changed = False
    for line in lines:
        expanded = _expand(line) if 'File "' in line.text else None
        changed |= expanded is not None
        found += expanded or [line]
    return found if changed else None


def _expand(line: Line) -> list[Line] | None:
    """Return the lines of a traceback that stands on one line, None for other lines."""
    number, text = line
    header = HEADER.search(text)
    if (
        header
        and (header["rest"] or "").startswith("File ")
        and not _SEPARATED.search(text)
        and _SPLIT.search(header["rest"])
    ):
        start = header.start()
    elif (stack := text.find("Stack: ")) >= 0 and text.count('File "') > 1:
        start = stack
    elif (header := _SEPARATED.search(text)) is not None:
        start = header.start()
    else:
        return None
    head, body = text[:start], text[start:]
    separated = _SEPARATED.match(body)
    if separated:
        texts = [_indented(one) for one in body.split(separated["mark"])]
    else:
        texts = [one for part in _LINK.split(body) for one in _flat(part)]
    inner = [Line(number, one) for one in texts]
    if "Exception: " in head:
        return [*_azure(head, number), *inner]
    above = None if _named(texts[-1]) else _ABOVE.search(head)
    if above and _named(above["said"]):  # as AWS Lambda prints it
        before = Line(number, head[: above.start()])
        return [before, Line(number, f"[ERROR] {above['said'].strip()}"), *inner]
    return [Line(number, head), Line(number, BOUNDARY), *inner, Line(number, BOUNDARY)]


def _named(text: str) -> bool:
    """Whether a text begins with what names an exception."""
    return is_exception_line(text.strip(), certain=True)


def _indented(text: str) -> str:
    """Return a line with its indentation, of which separators leave one space too many or few."""
    bare = text.strip()
    if bare.startswith('File "'):
        return f"  {bare}"
    return (
        f"    {bare}" if text[:2].isspace() or (text[:1] == " " and not _TYPE.match(bare)) else bare
    )


def _azure(head: str, number: int) -> list[Line]:
    """Return the exception that stands before `Stack:` on its own line."""
    before, _, named = head.rpartition("Exception: ")
    return [Line(number, before), Line(number, f"Exception: {named.strip()}")]


def _flat(text: str) -> list[str]:
    """Return the lines of one flattened traceback."""
    pieces = _SPLIT.split(text)
    found = [pieces[0].rstrip()] if pieces[0].strip() else []
    for piece in pieces[1:]:
        frame = _FRAME.match(piece)
        if frame is None:
            found.append(piece)
            continue
        function, _, rest = frame["rest"].partition(" ")
        found.append(f'  File "{frame["file"]}", line {frame["lineno"]}, in {function}')
        found += _source(rest.strip(), last=piece is pieces[-1])
    return found


def _source(text: str, last: bool) -> list[str]:
    """Part what follows a frame into its source and, behind the last one, the exception."""
    carets = _CARETS.search(f" {text}")
    if not last:
        source = text[: carets.start()] if carets else text
        return [f"    {source.strip()}"] if source.strip() else []
    if carets:
        source, ending = (
            text[: max(0, carets.start() - 1) or carets.start()],
            text[carets.end() - 1 :],
        )
    else:
        named = next(
            (one for one in _TYPE.finditer(text) if CERTAIN_TYPE.search(one["type"])), None
        )
        at = named.start("type") if named else len(text)
        source, ending = text[:at], text[at:]
    return [one for one in (f"    {source.strip()}", ending.strip()) if one.strip()]


CARRIER = Carrier(
    "flattened",
    "a whole traceback on one line: Home Assistant, Azure, rsyslog's #012",
    _unwrap,
    (b'Stack: File "',),
)
