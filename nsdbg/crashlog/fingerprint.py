"""A crash's fingerprint: equal for the same crash seen again, in another log or layout.

Line numbers, values in messages, folders of the machine and the log's format do not matter;
exception types, and the files and functions of the frames, do.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nsdbg.crashlog.report import CrashReport, LoggedException

_LENGTH = 16  # 64 bits: no collision to fear among the crashes one log can hold
_FRAMES = 5  # the innermost; outer ones differ between callers of the same fault


def fingerprint(report: CrashReport) -> str:
    """Return 16 hexadecimal digits that name the crash."""
    parts = [part for one in report.chain for part in _parts(one)]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:_LENGTH]


def _parts(one: LoggedException) -> list[str]:
    """Return what identifies an exception: its type's last name and its innermost places."""
    frames = [*one.frames, *([one.place] if one.place else [])]
    own = [frame for frame in frames if frame.kind.value == "user"] or frames
    places: list[str] = []
    for frame in own:
        place = f"{_base_name(frame.file)}:{_plain_name(frame.function)}"
        if not places or places[-1] != place:  # recursion of another depth is the same crash
            places.append(place)
    inner = [part for chain in one.members for member in chain[-1:] for part in _parts(member)]
    return [_plain_name(one.exception), *places[-_FRAMES:], *sorted(set(inner))]


def _base_name(file: str) -> str:
    """Return a file's name; `<ipython-input-3-1f2e>` and such are the same in the next run."""
    name = re.split(r"[\\/]", file)[-1]
    return re.sub(r"\d+|0x[0-9a-f]+|(?<=-)[0-9a-f]{8,}", "#", name) if "<" in name else name


def _plain_name(name: str | None) -> str:
    """Return the last part of a dotted name: layouts differ in how much they qualify."""
    return (name or "?").rsplit(".", 1)[-1]
