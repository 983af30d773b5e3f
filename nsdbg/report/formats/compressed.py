"""How large a report is when it is compressed for an upload, counted while it grows."""

from __future__ import annotations

import zlib


class Compressed:
    """The size of texts in gzip's format, with the effort that `gzip` takes by default."""

    def __init__(self) -> None:
        self._stream = zlib.compressobj(6)
        self._out_bytes = 0
        self._waiting_bytes = 0

    @property
    def size_bytes(self) -> int:
        """How large it is at most: what the compressor still holds back counts in full."""
        return self._out_bytes + self._waiting_bytes

    def add(self, text: str) -> None:
        """Count one more text."""
        given = text.encode("utf-8", "surrogatepass")
        out = len(self._stream.compress(given))
        self._out_bytes += out
        # It gives out a block when that is full and holds back what came since.
        self._waiting_bytes = len(given) if out else self._waiting_bytes + len(given)
