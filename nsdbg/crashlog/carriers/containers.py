"""Prefixes that containers, CI systems and system loggers put before every line.

They are taken off when nearly all lines have one, the lines of each source together; a logger's
own prefix, which only some lines have, is the margin of a block (`lines.Margin`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from nsdbg.crashlog.carriers.wrapping import Carrier
from nsdbg.crashlog.lines import BOUNDARY, SOURCE, Line, prefix_pattern
from nsdbg.crashlog.text import ART

_SHARE = 0.8  # of the lines must have the prefix
_END = re.compile(r"[\]:>)|-] ")
_ANCHOR = re.compile(r"call (?:last|first)\)|File \"|\u2771|(?:^|\s)E {3}\S|-> \d")
_LEAST = 2  # lines; a long one may have been written in two parts
_TRIED = 12  # lines whose beginnings are compared
_LONGEST = 160  # characters of a prefix
_SHORTEST = 12
_STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)"
_SYSLOG = r"(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|" + _STAMP + ")"
_PREFIXES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_STAMP} (?P<source>stdout|stderr) (?P<part>[FP]) ?",
        rf"(?P<source>[\w.-]+) *\| (?:{_STAMP} ?)?",
        rf"\[(?P<source>pod/[^\]\s]+)\] (?:{_STAMP} ?)?",
        rf"{_STAMP} (?P<source>(?:app|heroku)\[[\w.-]+\]): ?",
        r"[A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d(?:am|pm) (?P<source>\S+ \S+) ?",
        rf"(?:<\d+>\d? ?)?{_SYSLOG} (?P<host>[\w.:-]+) (?P<source>[\w./@-]+(?:\[\d+\])?): ?",
        r"\((?P<source>[\w.:]+ pid=\d+(?:, ip=[\d.]+)?)\) ?",
        r"\[(?P<source>rank\d+)\]: ?",
        r"\[(?P<source>\d+)\]:(?:stdout|stderr|ERROR): ?",
        rf"\[{_STAMP}\] ?(?!\{{)",
        rf"(?:[^\t]+\t[^\t]+\t)?{_STAMP} (?:\d\d[OE][ +]?|##\[(?:error|warning|debug)\])?",
        r"\[(?P<source>\d+,\d+)\]<std(?:out|err)>:",
        r"\[(?:ERROR|CRITICAL|FATAL|WARN|WARNING|INFO|DEBUG|STDERR|stderr|stdout)\]:? ",
        r"#> ?",
        r"> ?(?=\S|  |$)",
        r"\*{3} ",
    )
)


def _unwrap(lines: Sequence[Line]) -> list[Line] | None:
    changed = False
    for _ in range(2):  # compose around a kubelet's, a CI's around compose
        wanted = [line.text for line in lines if line.text.strip() and line.text[:1] != BOUNDARY]
        if len(wanted) < _LEAST:
            break
        some = _some(wanted)
        prefix = next((one for one in _PREFIXES if _fits(one, some)), None) or _common(wanted, some)
        if prefix is None:
            break
        lines = _strip(lines, prefix)
        changed = True
    return list(lines) if changed else None


def _some(texts: list[str]) -> tuple[list[str], list[str]]:
    """Return lines to try a prefix on: of all kinds, and those that look like a crash's."""
    sample = texts if len(texts) < 400 else texts[:: len(texts) // 200]
    return sample, [text for text in texts if _ANCHOR.search(text)]


def _fits(prefix: re.Pattern[str], some: tuple[list[str], list[str]]) -> bool:
    """Whether nearly all lines have a prefix, and so have those that look like a crash's.

    A logger's lines around a traceback have one that the traceback has not.
    """
    return all(
        sum(prefix.match(text) is not None for text in texts) >= _SHARE * len(texts)
        for texts in some
    )


def _common(texts: list[str], some: tuple[list[str], list[str]]) -> re.Pattern[str] | None:
    """Return a pattern for the beginning that nearly all lines share but for their numbers.

    A logger's prefix on every line, or the indentation of a paste.
    """
    indent = min(len(text) - len(text.lstrip(" \t")) for text in texts)
    if any(ART.match(text) and not text[: indent + 1].isspace() for text in texts):
        indent -= 2  # a group's art stands two to the right by itself
    if indent >= 2:
        return re.compile(r"[ \t]{%d}" % indent)  # noqa: UP031
    first = [re.sub(r"\d", "0", text[:_LONGEST]) for text in texts[:_TRIED]]
    pairs = {_own_end(_shared(one, other)) for one, other in pairwise(first)}
    for shared in sorted(pairs, key=len, reverse=True):
        if len(shared) >= _SHORTEST and "0" in shared:
            text = next(text for text, shape in zip(texts, first, strict=False)
                        if shape.startswith(shared))  # fmt: skip
            prefix = prefix_pattern(text[: len(shared)])
            if _fits(prefix, some):
                return prefix
    return None


def _own_end(shared: str) -> str:
    """Return what two lines share up to the mark that ends a prefix.

    Indentation and words that the program's own lines have in common are not part of it, nor is
    the bar of a group's art, which stands after two spaces.
    """
    ends = [found for found in _END.finditer(shared)
            if not (found[0][0] == "|" and shared[: found.start()].endswith("  "))]  # fmt: skip
    return shared[: ends[-1].start() + 2] if ends else ""


def _source(prefix: str) -> str:
    """Return what in a prefix tells the process or thread that wrote the line."""
    return " ".join(SOURCE.findall(prefix))


def _shared(one: str, other: str) -> str:
    """Return what two texts begin with."""
    ends = (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return one[: next(ends, min(len(one), len(other)))]


def _strip(lines: Sequence[Line], prefix: re.Pattern[str]) -> list[Line]:
    """Return the lines of each source in turn, sources in the order of their first line."""
    sources: dict[str, list[Line]] = {}
    partial: dict[str, str] = {}
    last = ""
    for number, text in lines:
        found = prefix.match(text)
        groups = found.groupdict() if found else {}
        source = groups.get("source") or (_source(found[0]) if found else last)
        own = text[found.end() :] if found else text
        last = source
        own = partial.pop(source, "") + own
        if groups.get("part") == "P":
            partial[source] = own
        else:
            sources.setdefault(source, []).append(Line(number, own))
    for source, own in partial.items():
        sources.setdefault(source, []).append(Line(lines[-1].number, own))
    found_lines: list[Line] = []
    for own_lines in sources.values():
        if found_lines:
            found_lines.append(Line(own_lines[0].number, BOUNDARY))
        found_lines += own_lines
    return found_lines


CARRIER = Carrier(
    "prefix",
    "prefixes on all lines: docker compose, kubectl, CRI, syslog, journald, Heroku, Ray, CI stamps",
    _unwrap,
)
