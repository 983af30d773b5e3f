"""Python text as tokens, and tokens as Python text.

`spell` takes source (a line, an expression, a literal) and gives tokens; `text` is its inverse up
to layout, and total: what is no Python text is None.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator, Sequence
from functools import lru_cache

from nsdbg.propose.codec.vocabulary import (
    CHARACTER,
    FIRST_SLOT,
    IDS,
    OPERATOR,
    SLOTS,
    TEXT,
    WORD,
    ids,
    is_slot,
)

RESULT = "_nsdbg_result"  # what `<result>` is called in Python text
_STRINGS = {IDS["<str>"]: str, IDS["<bytes>"]: bytes}
_QUOTED = frozenset((*_STRINGS, IDS["<fstr>"]))
_CLOSE = IDS["</str>"]
_FSTRING_START = getattr(tokenize, "FSTRING_START", -1)
_FSTRING_END = getattr(tokenize, "FSTRING_END", -1)
_SKIPPED = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENCODING, tokenize.ENDMARKER}
_SPELLED = frozenset(CHARACTER.values())
_NUMERIC = set("0123456789.eEjJxXoObB_abcdfABCDF+-")


class Slots:
    """The names of one program as tokens, in the order in which they were first met.

    `shift` is where the numbering starts: training moves it, so that every slot is learned.
    """

    __slots__ = ("_by_name", "_by_token", "shift")

    def __init__(self, shift: int = 0) -> None:
        self.shift = shift
        self._by_name: dict[str, int] = {}
        self._by_token: dict[int, str] = {}

    def name(self, text: str) -> list[int]:
        """Return the tokens of a name: a word, a slot, or its spelling when slots run out."""
        if text == RESULT:
            return [IDS["<result>"]]
        if (token := WORD.get(text)) is not None:
            return [token]
        if (token := self._by_name.get(text)) is None:
            if len(self._by_name) >= SLOTS:
                return [IDS["<name>"], *characters(text), _CLOSE]
            token = FIRST_SLOT + (self.shift + len(self._by_name)) % SLOTS
            self._by_name[text], self._by_token[token] = token, text
        return [token]

    def named(self, token: int) -> str | None:
        """Return the name of a slot, or None when nothing has it."""
        return self._by_token.get(token)


def characters(text: str) -> list[int]:
    """Spell text by character; what is not printable ASCII by its code point in hex."""
    spelled: list[int] = []
    for char in text:
        token = CHARACTER.get(char)
        if token is None:
            spelled += (IDS["<u>"], *(CHARACTER[digit] for digit in f"{ord(char):06x}"))
        else:
            spelled.append(token)
    return spelled


def spell(source: str, slots: Slots) -> list[int]:
    """Return the tokens of an expression or of one line; raises ValueError for no Python text."""
    spelled: list[int] = []
    for _, tokens in lines(source, slots):
        spelled += tokens
    return spelled


def lines(source: str, slots: Slots) -> Iterator[tuple[int, list[int]]]:
    """Yield every physical line that has tokens, counted from 1, with its tokens.

    Comments are left out.  Raises ValueError where Python finds no tokens.
    """
    rows: dict[int, list[int]] = {}
    try:
        for row, tokens in _tokens(source, slots):
            rows.setdefault(row, []).extend(tokens)
    except (tokenize.TokenError, SyntaxError, RecursionError) as error:
        raise ValueError(f"not Python text: {error}") from error
    yield from sorted(rows.items())


def _tokens(source: str, slots: Slots) -> Iterator[tuple[int, list[int]]]:
    depth, start, begun = 0, (0, 0), 0  # of an f-string, which has tokens of its own since 3.12
    text = source.splitlines(keepends=True)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == _FSTRING_START:
            depth += 1
            if depth == 1:
                start, begun = token.start, token.start[0]
        elif token.type == _FSTRING_END:
            depth -= 1
            if not depth:
                yield begun, _string(_between(text, start, token.end), slots)
        elif not depth and token.type not in _SKIPPED:
            yield token.start[0], _one(token, slots)


def _between(text: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    if start[0] == end[0]:
        return text[start[0] - 1][start[1] : end[1]]
    first, last = text[start[0] - 1][start[1] :], text[end[0] - 1][: end[1]]
    return "".join([first, *text[start[0] : end[0] - 1], last])


def _one(token: tokenize.TokenInfo, slots: Slots) -> list[int]:
    if token.type == tokenize.NAME:
        return slots.name(token.string)
    if token.type == tokenize.NUMBER:
        return [CHARACTER[char] for char in token.string]
    if token.type == tokenize.STRING:
        return _string(token.string, slots)
    if token.type == tokenize.INDENT:
        return [IDS["<indent>"]]
    if token.type == tokenize.DEDENT:
        return [IDS["<dedent>"]]
    if token.string in OPERATOR:
        return [OPERATOR[token.string]]
    raise ValueError(f"not Python text: {token.string!r}")


def _string(text: str, slots: Slots) -> list[int]:
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError) as error:
        raise ValueError(f"not a string: {text[:40]!r}") from error
    if isinstance(node, ast.JoinedStr):
        return [IDS["<fstr>"], *_parts(node, slots), _CLOSE]
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
        return string(node.value)
    raise ValueError(f"not a string: {text[:40]!r}")


def string(value: str | bytes) -> list[int]:
    """Spell a string, or bytes as the characters of the same numbers."""
    mark = "<str>" if isinstance(value, str) else "<bytes>"
    plain = value if isinstance(value, str) else value.decode("latin-1")
    return [IDS[mark], *characters(plain), _CLOSE]


def _parts(node: ast.JoinedStr, slots: Slots) -> Iterator[int]:
    for part in node.values:
        if isinstance(part, ast.Constant):
            yield from characters(str(part.value))
        elif isinstance(part, ast.FormattedValue):
            yield IDS["<{>"]
            yield from spell(ast.unparse(part.value), slots)
            if part.conversion != -1:
                yield from (OPERATOR["!"], CHARACTER[chr(part.conversion)])
            if isinstance(part.format_spec, ast.JoinedStr):
                yield IDS["<spec>"]
                yield from _parts(part.format_spec, slots)
            yield IDS["<}>"]


class _Garbage(Exception):
    """Tokens that are no Python text."""


@lru_cache(maxsize=1)
def _marks() -> tuple[int, ...]:
    return tuple(ids("<fstr>", "<name>", "<{>", "<}>", "<spec>", "<u>", "<result>"))


def text(tokens: Sequence[int], slots: Slots) -> str | None:
    """Return tokens as Python text, or None when they are none.

    An f-string comes back as a join of `format` calls, which gives the same value.
    """
    try:
        return _Text(tokens, slots).whole()
    except (_Garbage, IndexError, RecursionError):
        return None


class _Text:
    """One reading of tokens, from left to right."""

    def __init__(self, tokens: Sequence[int], slots: Slots) -> None:
        self._tokens = tokens
        self._slots = slots
        self._at = 0

    def whole(self) -> str:
        return self._source(())

    def _source(self, until: tuple[int, ...]) -> str:
        pieces: list[str] = []
        while self._at < len(self._tokens) and (token := self._tokens[self._at]) not in until:
            pieces.append(self._strings() if token in _QUOTED else self._piece())
        return " ".join(pieces)

    def _strings(self) -> str:
        """Return strings that follow each other, which are one: an f-string only when joined."""
        found: list[str] = []
        joined = False
        while self._at < len(self._tokens) and self._tokens[self._at] in _QUOTED:
            joined = joined or self._tokens[self._at] == IDS["<fstr>"]
            found.append(self._piece())
        if joined and len(found) > 1:
            return f"''.join([{', '.join(found)}])"
        return " ".join(found)

    def _piece(self) -> str:
        fstring, name, _, _, _, _, result = _marks()
        token = self._tokens[self._at]
        if token in _SPELLED:
            return self._number()
        self._at += 1
        if is_slot(token):
            return self._known(token)
        if token in TEXT:
            return TEXT[token]
        if token in _STRINGS:
            return self._string(token)
        if token == fstring:
            return self._joined(_CLOSE)
        if token == name:
            return self._identifier()
        if token == result:
            return RESULT
        raise _Garbage

    def _known(self, token: int) -> str:
        name = self._slots.named(token)
        if name is None:
            raise _Garbage
        return name

    def _identifier(self) -> str:
        name = self._characters((_CLOSE,))
        self._at += 1
        if not name.isidentifier():
            raise _Garbage
        return name

    def _number(self) -> str:
        number = ""
        while self._at < len(self._tokens) and self._tokens[self._at] in _SPELLED:
            number += TEXT[self._tokens[self._at]]
            self._at += 1
        if not set(number) <= _NUMERIC:
            raise _Garbage
        return number

    def _characters(self, until: tuple[int, ...]) -> str:
        found: list[str] = []
        while (token := self._tokens[self._at]) not in until:
            self._at += 1
            if token == IDS["<u>"]:
                digits = "".join(TEXT.get(digit, "?") for digit in self._tokens[self._at :][:6])
                self._at += 6
                found.append(_character(digits))
            elif token in _SPELLED:
                found.append(TEXT[token])
            else:
                raise _Garbage
        return "".join(found)

    def _string(self, token: int) -> str:
        value = self._characters((_CLOSE,))
        self._at += 1
        if _STRINGS[token] is bytes:
            try:
                return repr(value.encode("latin-1"))
            except UnicodeEncodeError as error:
                raise _Garbage from error
        return repr(value)

    def _joined(self, until: int) -> str:
        _, _, opens, closes, spec, _, _ = _marks()
        parts: list[str] = []
        while self._tokens[self._at] != until:
            if self._tokens[self._at] != opens:
                parts.append(repr(self._characters((until, opens))))
                continue
            self._at += 1
            value = self._source((spec, closes, OPERATOR["!"]))
            if self._tokens[self._at] == OPERATOR["!"]:
                kind = {"r": "repr", "s": "str", "a": "ascii"}.get(
                    TEXT.get(self._tokens[self._at + 1], "")
                )
                if kind is None:
                    raise _Garbage
                value, self._at = f"{kind}({value})", self._at + 2
            layout = "''"
            if self._tokens[self._at] == spec:
                self._at += 1
                layout = self._joined(closes)
            else:
                self._at += 1
            parts.append(f"format({value}, {layout})")
        self._at += 1
        return f"''.join([{', '.join(parts)}])"


def _character(digits: str) -> str:
    try:
        return chr(int(digits, 16))
    except (ValueError, OverflowError) as error:
        raise _Garbage from error
