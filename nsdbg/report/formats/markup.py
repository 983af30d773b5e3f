"""Foreign text in GitHub's Markdown: shown as it is, and nothing that Markdown or GitHub obeys.

GitHub looks for mentions, issues, commits, addresses and emoji in the text that comes out of
Markdown, so that a backslash does not help against them; it leaves out what is code.  Foreign text
is therefore code, but for plain words.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence

from nsdbg.report.escape import plain
from nsdbg.report.formats.sentences import brief

_LETTERS = r"[^\W\d_]+(?:['-][^\W\d_]+)*"
_NUMBER = r"\d{1,6}(?:[.,]\d{1,3})*"
_WORD = re.compile(
    rf"\(?(?:{_LETTERS}|{_NUMBER})\)?(?:[,.;:!?]?|\.\.\.)|%[.,;:]?|\(|[).,;:]{{1,3}}"
)
# What may be a commit's name.
_COMMIT = re.compile(r"[0-9a-f]{7,40}")
_SPACES = re.compile(r"( +)")


def code(text: str, limit: int, *, cell: bool = False) -> str:
    """Return foreign text as a code span; `cell`: within a table."""
    shown = brief(text, limit)
    if not shown:
        return "(empty)"
    if cell and "|" in shown:
        # A backslash before `|` splits no cell, but a text that has one of its own does.
        return f"<code>{_entities(shown)}</code>"
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    ticks = "`" * (longest + 1)
    stripped = shown[0] == " " == shown[-1] and shown.strip()  # such spaces would be taken away
    pad = " " if stripped or "`" in (shown[0], shown[-1]) else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def code_element(text: str, limit: int) -> str:
    """Return foreign text as an HTML element, for where Markdown is not read (`<summary>`)."""
    return f"<code>{html.escape(brief(text, limit))}</code>"


def prose(text: str, limit: int, names: Iterable[str | None] = (), *, cell: bool = False) -> str:
    """Return a sentence: plain words stay, what is more becomes code.

    `names` are texts that are code as a whole where the sentence has them: a call, a place.  What
    the sentence has in backticks is code without them.
    """
    shown = brief(text, limit).strip()
    parts, end = [], 0
    for match in _either(names, limit).finditer(shown):
        parts += [_words(shown[end : match.start()], limit, cell),
                  code(match["ticked"] or match["named"], limit, cell=cell)]  # fmt: skip
        end = match.end()
    return "".join([*parts, _words(shown[end:], limit, cell)]) or "(empty)"


def _either(names: Iterable[str | None], limit: int) -> re.Pattern[str]:
    """Return a pattern for names, and for what a sentence has in backticks of its own.

    Two spans of code side by side would be read as one: only what stands alone matches.
    """
    wanted = {plain(name).strip() for name in names if name and len(name) <= limit}
    odd = [name for name in wanted if name and not _is_plain(name)]
    longest_first = sorted(odd, key=lambda name: (-len(name), name))
    named = "|".join(map(re.escape, longest_first)) or "(?!)"
    return re.compile(rf"(?<![^ (])(?:`(?P<ticked>[^`]+)`|(?P<named>{named}))(?=[,.;:)]*(?: |$))")


def _words(text: str, limit: int, cell: bool) -> str:
    """Make code of the words that are not plain, neighbours together."""
    parts: list[str] = []
    odd = ""
    for place, part in enumerate(_SPACES.split(text)):
        # A number at the start may begin a list.
        if part.isspace() or not _is_plain(part) or (place == 0 and part[0].isdigit()):
            odd += part
            continue
        parts += [*_spaced(odd, limit, cell), part]
        odd = ""
    return "".join([*parts, *_spaced(odd, limit, cell)])


def _spaced(text: str, limit: int, cell: bool) -> Iterator[str]:
    """Yield odd words as code, without the spaces around them and the comma or period behind."""
    words = text.strip(" ")
    before = len(text) - len(text.lstrip(" "))
    yield text[:before]
    if not words:
        return
    comma = words[-1] if words[-1] in ",;." and len(words) > 1 and words[-2] != "." else ""
    yield code(words.removesuffix(comma), limit, cell=cell)
    yield comma + text[before + len(words) :]


def _is_plain(word: str) -> bool:
    return bool(_WORD.fullmatch(word)) and not _COMMIT.search(word)


def fence(lines: Sequence[str], language: str = "") -> Iterator[str]:
    """Yield harmless lines as a block of code, its fence longer than any within."""
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    ticks = "`" * max(3, longest + 1)
    yield ticks + language
    yield from lines
    yield ticks


def _entities(text: str) -> str:
    """Spell out everything but letters, digits and spaces.

    GitHub looks for addresses of mail in text that has been read already, in pieces of it that no
    element parts: `@` is therefore an element.
    """
    return "".join(
        one if one == " " or (one.isascii() and one.isalnum())
        else "<span>@</span>" if one == "@" else f"&#{ord(one)};"
        for one in text
    )  # fmt: skip
