"""HTML around a traceback: entities, once or twice escaped, `<br>` and tags."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from nsdbg.crashlog.carriers.wrapping import Carrier
from nsdbg.crashlog.clean import clean
from nsdbg.crashlog.lines import Line
from nsdbg.crashlog.seal import is_made

_SIGN = re.compile(r"File &(?:amp;)*(?:quot|#34|#x22);|&(?:amp;)*lt;module&(?:amp;)*gt;")
_ENTITY = re.compile(r"&(?:amp;)*(?:lt|gt|quot|nbsp|#x27|#39|#34);")
_TELLS = re.compile(r"call last\)|= (?:FAILURES|ERRORS) =|^E {3}")
_ENOUGH = 3  # lines with entities; source code may have one
_BREAK = re.compile(r"<br ?/?>\n?", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:html|head|title|body|pre|div|p|span|code|h\d|t[dhr]|table|tbody|li|ul|ol|b|i|em|strong"
    r"|a|samp|tt|font|textarea|hr)\b[^<>]*>",
    re.IGNORECASE,
)
_DEPTH = 3  # `&amp;amp;quot;` has been seen; more is somebody's test data


def _is_html(lines: Sequence[Line]) -> bool:
    entities = 0
    for line in lines:
        if "&" in line.text:
            if _SIGN.search(line.text):
                return True
            entities += bool(_ENTITY.search(line.text))
    return entities >= _ENOUGH and any(_TELLS.search(line.text) for line in lines)


def _unwrap(lines: Sequence[Line]) -> list[Line] | None:
    if not _is_html(lines):
        return None
    found: list[Line] = []
    for number, text in lines:
        if "<" in text or "&" in text:
            text = _TAG.sub("", _BREAK.sub("\n", text).removesuffix("\n"))
            for _ in range(_DEPTH):
                text = html.unescape(text)
                if "&" not in text:
                    break
        text = text.replace("\u00a0", " ")
        found += [Line(number, one) for one in text.split("\n")]
    return [one for line in found for one in ([line] if is_made(line) else clean([line]))]


CARRIER = Carrier(
    "html",
    "HTML: entities, escaped once or more, <br> line ends, tags around the block",
    _unwrap,
    (b"File &",),
)
