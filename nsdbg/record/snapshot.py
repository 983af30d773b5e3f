"""A living exception as `nsdbg.crash/1`: its chain, groups, notes and frames with their values.

Only text, numbers and lists come out, bounded in size and time; nothing of the exception changes.
Values of the program's own frames come first, from the innermost outward, until either is used up.
Python 3.8, standard library only.
"""

from __future__ import annotations

import linecache
import os
import sys
from itertools import islice
from time import monotonic

from .secrecy import REDACTED, without_secrets
from .values import LONGEST, text_of

TYPE_CHECKING = False  # `typing` takes as long to import as all else here
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType, TracebackType
    from typing import Any

    Json = dict[str, Any]

SCHEMA = "nsdbg.crash/1"

MOST_FRAMES = 200  # of one exception, as many of the outermost as a quarter of it
MOST_LOCALS = 100  # of one frame
MOST_EXCEPTIONS = 60  # of one record, with causes and members
LONGEST_MESSAGE = 16_000
LONGEST_SOURCE = 400
ALL_VALUES = 400_000  # characters of one record
LIMIT_S = 2.0
SHORTEST_SECRET = 8  # characters; shorter ones are parts of ordinary words
FOLDED_AFTER = 3  # as CPython prints recursion

_LIBRARIES = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep, "<frozen ")
_STANDARD = os.path.join(os.path.dirname(os.__file__), "")


class _Place:
    """A frame, and where it stood when the exception left it."""

    __slots__ = ("frame", "lasti", "lineno")

    def __init__(self, frame: FrameType, lineno: int, lasti: int) -> None:
        self.frame = frame
        self.lineno = lineno
        self.lasti = lasti


class _Taking:
    """What is left of one record's allowance, and the frames whose values are still wanted."""

    def __init__(self, show_secrets: bool) -> None:
        self.show_secrets = show_secrets
        self.secrets: set[str] = set()
        self.seen: set[int] = set()
        self.wanted: list[tuple[FrameType, Json]] = []
        self._left = ALL_VALUES
        self._ends = monotonic() + LIMIT_S

    def exhausted(self) -> bool:
        """Whether another exception would be one too many."""
        return len(self.seen) >= MOST_EXCEPTIONS

    def take_values(self) -> None:
        """Fill in the values of the frames, the program's own first."""
        done: dict[int, Json] = {}
        for own in (True, False):
            for frame, entry in self.wanted:
                if _is_own(entry["file"]) is own:
                    entry["locals"] = done.get(id(frame)) or self._values(frame)
                    done[id(frame)] = entry["locals"]

    def _values(self, frame: FrameType) -> Json | None:
        if self._left <= 0 or monotonic() > self._ends:
            return None
        found: Json = {}
        module = frame.f_code.co_name == "<module>"
        for name, value in list(frame.f_locals.items()):
            if len(found) >= MOST_LOCALS or self._left <= 0 or monotonic() > self._ends:
                break
            if type(name) is str and not _is_noise(name, value, module):
                found[name] = self._value(name, value)
        return found

    def _value(self, name: str, value: Any) -> Json:
        text = text_of(name, value, min(LONGEST, self._left), self.show_secrets)
        self._left -= len(text.repr) + len(name)
        self.secrets.update(one for one in text.secrets if len(one) >= SHORTEST_SECRET)
        entry: Json = {"repr": text.repr, "type": text.type}
        if text.truncated:
            entry["truncated"] = True
        return entry


def snapshot(
    error: BaseException, traceback: TracebackType | None = None, secrets: bool = False
) -> Json:
    """Return an exception as the `chain` of a record, oldest first.

    `traceback`: that of `error` itself, where it is another one than it holds.  `secrets`: keep
    what looks like one.
    """
    taking = _Taking(secrets)
    chain = _chain(error, traceback or error.__traceback__, taking)
    taking.take_values()
    if secrets:
        return {"chain": chain}
    found: Json = _cleaned({"chain": chain}, sorted(taking.secrets, key=len, reverse=True))
    return found


def _chain(error: BaseException, traceback: TracebackType | None, taking: _Taking) -> list[Json]:
    """Return the exceptions that are printed for one, with why each is followed by the next."""
    found: list[Json] = []
    link: str | None = None
    one: BaseException | None = error
    while one is not None and id(one) not in taking.seen and not taking.exhausted():
        taking.seen.add(id(one))
        entry = _exception(one, traceback, taking)
        if link is not None:
            found[0]["link"] = link
        found.insert(0, entry)
        cause = one.__cause__
        link = "cause" if cause is not None else "context"
        one = cause if cause is not None else (
            None if one.__suppress_context__ else one.__context__)  # fmt: skip
        traceback = one.__traceback__ if one is not None else None
    return found


def _exception(one: BaseException, traceback: TracebackType | None, taking: _Taking) -> Json:
    entry: Json = {"type": printed_type(type(one)), "message": _message(one)}
    notes = getattr(one, "__notes__", None)
    if isinstance(notes, (list, tuple)) and notes:
        entry["notes"] = [_text(note)[:LONGEST_MESSAGE] for note in notes[:20]]
    places = list(_places(traceback))
    entry.update(_frames(places, taking))
    if isinstance(one, SyntaxError) and one.filename is not None and one.lineno is not None:
        source = _text(one.text or "").strip()[:LONGEST_SOURCE]
        entry["place"] = {"file": _text(one.filename), "lineno": one.lineno, "source": source}
    members = getattr(one, "exceptions", None)
    if type(one).__name__.endswith("Group") and isinstance(members, (list, tuple)):
        entry.update(_members(members, taking))
    return entry


def _members(members: Any, taking: _Taking) -> Json:
    found: list[list[Json]] = []
    for one in members:
        if not isinstance(one, BaseException) or id(one) in taking.seen or taking.exhausted():
            break
        found.append(_chain(one, one.__traceback__, taking))
    return {"members": found, "hidden": len(members) - len(found)}


def _message(one: BaseException) -> str:
    if isinstance(one, SyntaxError) and one.msg:
        return _text(one.msg)[:LONGEST_MESSAGE]
    return _text(one)[:LONGEST_MESSAGE]


def _text(value: Any) -> str:
    """Return `str(value)`, or what `traceback` prints when that fails."""
    try:
        return str.__str__(str(value))
    except BaseException:
        return "<exception str() failed>"


def printed_type(kind: type) -> str:
    """Return the name of an exception's class as a traceback prints it."""
    name: str = type.__dict__["__qualname__"].__get__(kind)
    module = kind.__dict__.get("__module__")
    if type(module) is not str or module in ("builtins", "__main__"):
        return name
    return f"{module}.{name}"


def _places(traceback: TracebackType | None) -> Iterator[_Place]:
    while traceback is not None:
        yield _Place(traceback.tb_frame, traceback.tb_lineno, traceback.tb_lasti)
        traceback = traceback.tb_next


def _frames(places: list[_Place], taking: _Taking) -> Json:
    """Return frames as CPython prints them, recursion folded, and how many were left out."""
    kept: list[_Place] = []
    repeated = run = 0
    last: tuple[CodeType, int] | None = None
    for place in places:
        same = (place.frame.f_code, place.lineno)
        run = run + 1 if same == last else 1
        last = same
        if run > FOLDED_AFTER:
            repeated += 1
        else:
            kept.append(place)
    omitted = max(0, len(kept) - MOST_FRAMES)
    if omitted:
        head = MOST_FRAMES // 4
        kept = kept[:head] + kept[head + omitted :]
    entries = [_frame(place) for place in kept]
    taking.wanted += [(kept[at].frame, entries[at]) for at in reversed(range(len(kept)))]
    found: Json = {"frames": entries}
    if repeated:
        found["repeated"] = repeated
    if omitted:
        found["omitted"] = omitted
    return found


def _frame(place: _Place) -> Json:
    code = place.frame.f_code
    entry: Json = {"file": code.co_filename, "lineno": place.lineno, "function": code.co_name}
    line = linecache.getline(code.co_filename, place.lineno, place.frame.f_globals).rstrip()
    source = line.strip()
    if source:
        entry["source"] = source[:LONGEST_SOURCE]
        carets = _columns(place, line)
        if carets is not None and carets[1] <= len(entry["source"]):
            entry["carets"] = list(carets)
    return entry


def _columns(place: _Place, line: str) -> tuple[int, int] | None:
    """Return what of a line was being run, as characters of its own text; 3.11 and newer tell."""
    positions = getattr(place.frame.f_code, "co_positions", None)
    if positions is None or place.lasti < 0:
        return None
    found = next(islice(positions(), place.lasti // 2, None), None)  # two bytes an instruction
    if found is None:
        return None
    lineno, end_lineno, start, end = found
    if lineno != place.lineno or end_lineno != lineno or start is None or end is None:
        return None
    shift = len(line) - len(line.lstrip())
    data = line.encode("utf-8", "replace")
    ends = [len(data[:at].decode("utf-8", "replace")) - shift for at in (start, end)]
    whole = (0, len(line) - shift)
    return (ends[0], ends[1]) if 0 <= ends[0] < ends[1] and (ends[0], ends[1]) != whole else None


def _is_own(file: str) -> bool:
    """Whether a file is the program's own, and neither a library's nor generated."""
    if file.startswith("<") or any(part in file for part in _LIBRARIES):
        return False
    return not file.startswith(_STANDARD)


def _is_noise(name: str, value: Any, module: bool) -> bool:
    """Whether a name tells nothing of the state: modules, and what a module defines."""
    kind = type(value)
    if kind is type(sys) or name.startswith("."):
        return True
    if not module:
        return False
    return (name.startswith("__") and name.endswith("__")) or issubclass(
        kind, (type, type(_is_noise), type(len))
    )


def _cleaned(value: Any, secrets: list[str]) -> Any:
    """Return a record in whose texts no secret is left, wherever else it stands."""
    if type(value) is str:
        for secret in secrets:
            if secret in value:
                value = value.replace(secret, REDACTED)
        return value
    if type(value) is list:
        return [_cleaned(one, secrets) for one in value]
    if type(value) is not dict:
        return value
    found = {key: _cleaned(one, secrets) for key, one in value.items()}
    for key in ("message", "source"):
        if type(found.get(key)) is str:
            found[key] = without_secrets(found[key])
    if type(found.get("notes")) is list:
        found["notes"] = [without_secrets(one) for one in found["notes"]]
    if found.get("source") != value.get("source"):  # half a line is none: it would look changed
        found = {key: one for key, one in found.items() if key not in ("source", "carets")}
    return found
