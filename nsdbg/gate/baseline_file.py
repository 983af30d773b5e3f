"""The baseline's file: JSON, nsdbg.baseline/1, sorted so that a diff of it says what changed.

A file that cannot be read for certain is never written over; writing is atomic and one at a time.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

from nsdbg.errors import BaselineError
from nsdbg.finding import Rule
from nsdbg.gate.baseline import Accepted, Baseline

SCHEMA = "nsdbg.baseline/1"
DEFAULT_NAME = "nsdbg-baseline.json"
WAIT_S = 10.0
_POLL_S = 0.05
SIZE_LIMIT = 64 << 20  # bytes
_FIELDS = {one.name: int if one.name == "count" else str for one in fields(Accepted)}
_ORDER = ("rule", "fingerprint", "file", "function", "exception", "text", "count")
_MARKS = ("<<<<<<< ", "||||||| ", "=======", ">>>>>>> ")
# File systems of other machines may know no locks on folders; then nobody can be waited for.
_NO_LOCKS = (errno.ENOLCK, errno.EBADF, errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS)


def read_baseline(path: Path) -> Baseline | None:
    """Return the baseline of a file, None when there is no file.

    Raises BaselineError for what cannot be read, is no baseline, is of another version, was left
    with the marks of a merge, or says something twice.
    """
    try:
        with open(path, "rb", opener=_without_waiting) as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise BaselineError(f"cannot read {path}: it is no file")
            data = stream.read(SIZE_LIMIT + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BaselineError(f"cannot read {path}: {error.strerror or error}") from error
    if len(data) > SIZE_LIMIT:
        raise BaselineError(f"{path} is larger than {SIZE_LIMIT >> 20} MB: that is no baseline")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _broken(path, f"it is no UTF-8 at byte {error.start}") from error
    return parse_baseline(text, path)


def _without_waiting(path: str, flags: int) -> int:
    """Open without waiting for the other end, should the file be a pipe."""
    return os.open(path, flags | os.O_NONBLOCK)


def baseline_text(baseline: Baseline) -> str:
    """Return the text of a baseline's file; half a surrogate pair stays an escape."""
    blocks = [json.dumps(_record(one), indent=2, ensure_ascii=False) for one in baseline.entries]
    body = ",\n".join("    " + block.replace("\n", "\n    ") for block in blocks)
    inside = f"[\n{body}\n  ]" if blocks else "[]"
    return f'{{\n  "schema": "{SCHEMA}",\n  "findings": {inside}\n}}\n'


def write_baseline(
    path: Path, change: Callable[[Baseline], Baseline], wait_s: float = WAIT_S
) -> Baseline:
    """Change what a file holds, or begin one, and return what it holds now.

    `change` gets what is there when nobody else writes.  Raises BaselineError when the file is
    broken, cannot be written, or is being written by somebody else for longer than `wait_s`; what
    was there is then there still.
    """
    path = Path(os.path.realpath(path))  # a link stays a link
    with _alone(path, wait_s):
        before = read_baseline(path)
        after = change(before or Baseline())
        if before is None or after != before:
            _replace(path, baseline_text(after))
    return after


def _record(one: Accepted) -> dict[str, str | int]:
    return {name: getattr(one, name) for name in _ORDER}


def _broken(path: Path, why: str) -> BaselineError:
    return BaselineError(
        f"the baseline {path} is broken: {why}. Take it from version control again, or delete it "
        "and run with --write-baseline"
    )


def parse_baseline(text: str, path: Path) -> Baseline:
    """Return the baseline that a file's text holds; raises BaselineError, which names `path`."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith(_MARKS):
            raise BaselineError(
                f"{path}:{number} has the marks of a merge: keep the entries of both sides, or "
                "take one side and run with --write-baseline"
            )
    try:
        value = json.loads(text, object_pairs_hook=_once)
    except _TwiceError as error:
        raise _broken(path, f"an object has the key {error} twice") from error
    except (ValueError, RecursionError) as error:
        raise _broken(path, str(error)) from error
    if not isinstance(value, dict) or "schema" not in value:
        raise _broken(path, "it has no schema, so it may be something else")
    if value["schema"] != SCHEMA:
        raise BaselineError(
            f"{path} is of another version: schema {value['schema']!r}, and this is {SCHEMA!r}. "
            "Use the nsdbg that wrote it, or delete it and run with --write-baseline"
        )
    findings = value.get("findings")
    if not isinstance(findings, list) or set(value) != {"schema", "findings"}:
        raise _broken(path, "beside its schema it has to have a list of findings and nothing else")
    try:
        return Baseline(tuple(_accepted(one) for one in findings))
    except ValueError as error:
        raise _broken(path, str(error)) from error


def _accepted(value: object) -> Accepted:
    """Return an entry; raises ValueError for what is none."""
    if not isinstance(value, dict) or set(value) != set(_FIELDS):
        keys = sorted(value) if isinstance(value, dict) else value
        raise ValueError(f"an entry has to have the keys {', '.join(_ORDER)}: {str(keys)[:200]}")
    for name, kind in _FIELDS.items():
        if type(value[name]) is not kind:
            raise ValueError(f"{name} has to be {kind.__name__}: {str(value[name])[:80]!r}")
    if value["rule"] not in {rule.slug for rule in Rule}:
        raise ValueError(f"there is no rule {value['rule']!r}")
    return Accepted(**value)


class _TwiceError(Exception):
    """A key that an object has twice: with one of the values something would be lost."""


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise _TwiceError(repr(key))
        found[key] = value
    return found


@contextmanager
def _alone(path: Path, wait_s: float) -> Iterator[None]:
    """Hold a lock on the file's folder: one on the file would go with it when it is replaced."""
    try:
        folder = os.open(path.parent, os.O_RDONLY)
    except OSError as error:
        raise BaselineError(f"cannot write {path}: {error.strerror or error}") from error
    try:
        _lock(folder, path, wait_s)
        yield
    finally:
        os.close(folder)  # gives the lock back


def _lock(folder: int, path: Path, wait_s: float) -> None:
    ends = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= ends:
                raise BaselineError(
                    f"{path} is being written by another nsdbg gate, and was for {wait_s:g} s: "
                    "nothing was written; run again when that one has ended"
                ) from None
            time.sleep(_POLL_S)
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise BaselineError(f"cannot lock {path.parent}: {error.strerror}") from error
            return
        else:
            return


def _replace(path: Path, text: str) -> None:
    """Put a whole new file in the place of the old one, with its permissions."""
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
    name = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode("utf-8", "backslashreplace"))
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except OSError as error:
        if name is not None:
            with contextlib.suppress(OSError):
                os.unlink(name)
        raise BaselineError(f"cannot write {path}: {error.strerror or error}") from error


def _umask() -> int:
    """Return the process's mask, which can be read only by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
