"""HTML around a traceback: entities, once or twice escaped, `<br>` and tags."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from nsdbg.crashlog.carriers.wrapping import Carrier
from nsdbg.crashlog.clean import clean
from nsdbg.crashlog.lines import Line

_SIGN = re.compile(r"File &(?:amp;)*(?:quot|#34|#x22);|&(?:amp;)*lt;module&(?:amp;)*gt;")
_BREAK = re.compile(r"<br ?/?>\n?", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:html|head|title|body|pre|div|p|span|code|h\d|t[dhr]|table|tbody|li|ul|ol|b|i|em|strong"
    r"|a|samp|tt|font|textarea|hr)\b[^<>]*>",
    re.IGNORECASE,
)
_DEPTH = 3  # `&amp;amp;quot;` has been seen; more is somebody's test data


def _unwrap(lines: Sequence[Line]) -> list[Line] | None:
    if not any("&" in line.text and _SIGN.search(line.text) for line in lines):
        return None
    found: list[Line] = []
    for number, text in lines:
        if "<" in text or "&" in text:
            text = _TAG.sub("", _BREAK.sub("\n", text).removesuffix("\n"))
            for _ in range(_DEPTH):
                text = html.unescape(text)
                if "&" not in text:
                    break
        found += [Line(number, one) for one in text.split("\n")]
    return list(clean(found))


CARRIER = Carrier(
    "html",
    "HTML: entities, escaped once or more, <br> line ends, tags around the block",
    _unwrap,
    (b"File &",),
)
