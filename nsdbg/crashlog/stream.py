"""The parts of a log that are near a crash, found on bytes, in bounded memory.

Knows markers and windows; what is a crash is decided later, on lines.
"""

from __future__ import annotations

import codecs
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from nsdbg.crashlog.lines import Line

_BLOCK = 1 << 20
_BEFORE = 8 << 10  # bytes of context before a marker
_AFTER = 32 << 10  # and behind it: a message of 200 long lines
_LINE_LIMIT = 16 << 20  # a line without end is cut here
_GZIP_LIMIT = 2 << 30  # unpacked bytes
_GZIP = b"\x1f\x8b"
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# A file that begins like JSON or JUnit XML is read as one document up to this size in bytes; a test
# report holds what passed tests printed, too, and its text can be read in no other way.
DOCUMENT_LIMIT = 8 << 20
REPORT_LIMIT = 64 << 20


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive lines of a log.

    `follows`: they go on where the part before ended.  `document`: they may be a piece of one JSON
    or XML document, which can be read only whole.
    """

    lines: list[Line]
    follows: bool = False
    document: bool = False


def parts(stream: BinaryIO, markers: Sequence[bytes]) -> Iterator[Part]:
    """Yield the lines of a log that are near one of the markers.

    Never raises on what the bytes are.  A crash longer than a block may be spread over parts that
    follow each other.
    """
    finder = _Finder(markers)
    for block in _whole_lines(_decoded(stream)):
        yield from finder.feed(block)


class _Finder:
    """Cuts windows around markers out of blocks of whole lines."""

    def __init__(self, markers: Sequence[bytes]) -> None:
        self._markers = markers
        self._line = 1  # the number of the next block's first line
        self._before = b""  # the end of the last block, when no window took it
        self._left = 0  # bytes that an open window still wants
        self._seen = 0  # bytes
        self._whole = 0  # bytes up to which every line is wanted
        self._touched = False  # the last part went to the end of its block

    def feed(self, block: bytes) -> Iterator[Part]:
        """Yield what is near a marker in the next block."""
        if self._line == 1:
            self._whole = _size_of_document(block)
        self._seen += len(block)
        if self._seen > self._whole:
            self._whole = 0
        if self._before:
            self._touched = False
        data, number = self._before + block, self._line - self._before.count(b"\n")
        taken = len(self._before)
        windows = self._windows(data, taken)
        if not windows:
            self._touched = False
        for start, end in windows:
            start_line = number + data.count(b"\n", 0, start)
            lines = split_lines(data[start:end], start_line)
            yield Part(lines, start == 0 and self._touched, self._whole > 0)
            self._touched = end == len(data)
        self._line += block.count(b"\n")

    def _windows(self, data: bytes, fresh: int) -> list[tuple[int, int]]:
        """Return the wanted ranges of `data`, whose bytes before `fresh` were offered before."""
        if self._whole:
            self._before, self._left = b"", 0
            return [(0, len(data))]
        wanted = [(fresh, fresh + self._left)] if self._left else []
        wanted += [(hit - _BEFORE, hit + _AFTER) for hit in self._hits(data, fresh)]
        merged: list[tuple[int, int]] = []
        for start, end in wanted:
            start = max(0, start)
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((start, end))
        self._left = max(0, merged[-1][1] - len(data)) if merged else 0
        self._before = b"" if self._left else _last_lines(data, merged[-1][1] if merged else 0)
        return [_to_lines(data, start, end) for start, end in merged]

    def _hits(self, data: bytes, fresh: int) -> list[int]:
        """Return where markers stand, a few for each window."""
        hits: list[int] = []
        for marker in self._markers:
            at = data.find(marker, fresh)
            while at >= 0:
                hits.append(at)
                at = data.find(marker, at + _AFTER // 2)
        return sorted(hits)


def _size_of_document(block: bytes) -> int:
    """Return how large a log may be that begins like this, to be read as a whole; 0 for none.

    Such a log begins like JSON, a document or lines of it, or like a test report in XML.
    """
    begin = block.lstrip()[:1000]
    if begin[:1] == b"<" and b"<testsuite" in begin:
        return REPORT_LIMIT
    return DOCUMENT_LIMIT if begin[:1] in (b"{", b"[") else 0


def _last_lines(data: bytes, taken: int) -> bytes:
    """Return the last whole lines of a block that no window took."""
    start = max(taken, len(data) - _BEFORE)
    if start and start != taken:
        start = data.find(b"\n", start) + 1 or len(data)
    return data[start:]


def _to_lines(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Widen a range to whole lines."""
    start = data.rfind(b"\n", 0, start) + 1 if start > 0 else 0
    if end >= len(data):
        return start, len(data)
    after = data.find(b"\n", end)
    return start, len(data) if after < 0 else after + 1


def split_lines(data: bytes, number: int) -> list[Line]:
    """Return lines with their numbers; a line that is no UTF-8 is taken for Windows' Latin."""
    pieces = data.split(b"\n")
    if not pieces[-1]:
        pieces.pop()
    return [Line(number + at, _text(one)) for at, one in enumerate(pieces)]


def _text(piece: bytes) -> str:
    try:
        return piece.decode("utf-8")
    except UnicodeDecodeError:
        return piece.decode("cp1252", "replace")


def _whole_lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the same bytes in pieces that end with a line."""
    rest: list[bytes] = []
    size = 0
    for chunk in chunks:
        cut = chunk.rfind(b"\n") + 1
        if not cut and size + len(chunk) < _LINE_LIMIT:
            rest.append(chunk)
            size += len(chunk)
            continue
        yield b"".join((*rest, chunk[:cut] or chunk))
        rest = [chunk[cut:]] if cut else []
        size = len(chunk) - cut if cut else 0
    if any(rest):
        yield b"".join(rest)


def _decoded(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the log as UTF-8, unpacked; what is no text passes through as it is."""
    first = stream.read(_BLOCK)
    if first.startswith(_GZIP):
        chunks = _unpacked(first, stream)
        first = next(chunks, b"")
    else:
        chunks = iter(lambda: stream.read(_BLOCK), b"")
    encoding = _encoding(first)
    if encoding is None:
        yield first
        yield from chunks
        return
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    yield decoder.decode(first).lstrip("\ufeff").encode("utf-8", "replace")
    for chunk in chunks:
        yield decoder.decode(chunk).encode("utf-8", "replace")


def _encoding(first: bytes) -> str | None:
    """Return the encoding that a byte order mark, or every second byte being NUL, shows."""
    for bom, name in _BOMS:
        if first.startswith(bom):
            return name
    sample = first[:4096]
    if len(sample) > 16 and sample.count(b"\0") * 3 > len(sample):
        return "utf-16-le" if sample[1::2].count(0) > sample[::2].count(0) else "utf-16-be"
    return None


def _unpacked(first: bytes, stream: BinaryIO) -> Iterator[bytes]:
    """Yield what a gzip file holds, up to the limit; a broken end is the end."""
    unpacker = zlib.decompressobj(wbits=31)
    total = 0
    data = first
    while data and total < _GZIP_LIMIT:
        try:
            out = unpacker.decompress(data, _BLOCK)
        except zlib.error:
            return
        total += len(out)
        if out:
            yield out
        data = unpacker.unconsumed_tail
        if unpacker.eof:  # another member may follow, as in a log that was rotated and joined
            data, unpacker = unpacker.unused_data, zlib.decompressobj(wbits=31)
        data = data or stream.read(_BLOCK)
