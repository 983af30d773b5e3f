"""Whether a living frame is the state that a goal asks for.

Decides nothing final: it reports visits that matched, and the nearest one, for the judge.
"""

from __future__ import annotations

from types import CodeType, FrameType
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .bytecode import is_generator_code, is_return
from .literals import NotALiteral, parse, same
from .states import (
    MAX_NEAR_CHARS,
    MAX_STATE_CHARS,
    Place,
    code_name,
    describe_exception,
    record_locals,
    record_state,
    stack_of,
)
from .values import MAX_CHARS, Snapshot, snapshot

MAX_HITS = 3
# The name of a goal's file, a line or None, and the function.
Link = Tuple[str, Optional[int], str]
_NOTHING = object()


class Goal:
    """A goal as it crossed the wire, with its literals read and its expressions compiled."""

    def __init__(self, wire: Dict[str, Any]) -> None:
        self.event: str = wire["event"]
        self.chain: List[Link] = [(file, line, name) for file, line, name in wire["chain"]]
        self.exact: bool = wire["exact"]
        self.exception: Optional[Dict[str, Any]] = wire["exception"]
        self.locals = [(name, _expected(text)) for name, text in wire["locals"]]
        self.where_texts: List[str] = list(wire["where"])
        self.where = [_condition(text) for text in self.where_texts]
        self.qualname: str = wire["entry"]["qualname"]
        self.has_value = wire["value"] is not None
        self.value = _expected(wire["value"]) if self.has_value else None

    @property
    def site(self) -> Link:
        """The innermost link of the chain."""
        return self.chain[-1]

    def is_site(self, code: CodeType) -> bool:
        """Whether a code object is the function in which the goal lies."""
        file, _, function = self.site
        return code.co_name == function and code_name(code)[0] == file


def _expected(text: str) -> Any:
    try:
        return parse(text)
    except NotALiteral:
        return _NOTHING  # like nothing at all: `same` finds no type equal to its type


def _condition(text: str) -> Optional[CodeType]:
    try:
        return compile(text.strip(), "<where>", "eval", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def is_link(link: Link, frame: FrameType, lineno: int) -> bool:
    """Whether a frame, standing at a line, is the one that a link of a chain names."""
    file, line, function = link
    code = frame.f_code
    return code.co_name == function and line in (None, lineno) and code_name(code)[0] == file


def follows(
    chain: Sequence[Link], exact: bool, places: Sequence[Place], entry: Optional[CodeType]
) -> bool:
    """Whether own frames, oldest first, are a goal's chain.

    They may begin at the entry's first frame: what lies before it are its decorators' wrappers.
    """
    if _is_chain(chain, exact, places):
        return True
    first = next((at for at, place in enumerate(places) if place[0].f_code is entry), 0)
    return first > 0 and _is_chain(chain, exact, places[first:])


def _is_chain(chain: Sequence[Link], exact: bool, places: Sequence[Place]) -> bool:
    if exact:
        return len(chain) == len(places) and all(
            is_link(link, *place) for link, place in zip(chain, places)
        )
    if len(places) < len(chain) or not is_link(chain[0], *places[0]):
        return False
    if not is_link(chain[-1], *places[-1]):
        return False
    between = iter(places[1:-1])
    return len(chain) <= 2 or all(
        any(is_link(link, *place) for place in between) for link in chain[1:-1]
    )


class Watch:
    """Collects the visits of a goal's site during one run at a time."""

    def __init__(self, goal: Goal, own: Callable[[str], bool], deep: bool) -> None:
        self.goal = goal
        self._own = own
        self._deep = deep
        self.begin(None, None)

    @property
    def wanted(self) -> str:
        """The trace event to be told of; none when the exception has to leave the entry."""
        return "" if self.goal.exception is not None else self.goal.event

    def begin(self, entry: Optional[CodeType], base: Optional[FrameType]) -> None:
        """Forget the run before.  `base` is our own frame that calls the entry."""
        self._entry = entry
        self._base = base
        self._last_return: Optional[Tuple[int, Dict[str, Any], List[Optional[bool]]]] = None
        self._best = -1
        self.hits: List[List[Any]] = []
        self.near: Optional[List[Any]] = None
        self.visits = 0
        self._meddled = False

    @property
    def collects(self) -> bool:
        """Whether the entry is a generator whose items, as a list, are the value to compare."""
        goal, entry = self.goal, self._entry
        return (
            entry is not None
            and goal.event == "return"
            and goal.site[1] is None
            and len(goal.chain) == 1
            and is_generator_code(entry)
        )

    def visit(self, frame: FrameType, event: str, arg: Any) -> None:
        """Look at a frame at whose event the goal may be reached."""
        line = self.goal.site[1]
        if (line is not None and line != frame.f_lineno) or self._base is None:
            return
        collects = self.collects and frame.f_code is self._entry
        if collects and not is_return(frame):
            return
        places = self._matching_stack(frame)
        if places is None:
            return
        # Before constraints are evaluated: they may change what they look at.
        alike = self.goal.has_value and same(self.goal.value, arg)
        score, where = self._score(frame)
        if collects and arg is None:
            state = record_state(event, places, None, self._deep)
            self._last_return = (score, state, where)
            return
        score += alike

        def take(chars: int) -> Dict[str, Any]:
            return record_state(event, places, _arg(event, arg, chars), self._deep, chars)

        self._note(score, where, take)

    def _matching_stack(self, frame: FrameType) -> Optional[List[Place]]:
        assert self._base is not None
        chain = self.goal.chain
        if self.goal.exact and self._entry is not None and frame.f_code is self._entry:
            # Most visits of a recursive function are not the entry's own: its caller tells.
            above = frame.f_back
            if len(chain) == 1 and above is not None and above.f_code is self._entry:
                return None
        places = stack_of(frame, self._base, self._own)
        return places if follows(chain, self.goal.exact, places, self._entry) else None

    def finish_value(self, value: Any) -> None:
        """Take the list of a generator's items, which is what its call gives back."""
        if self._last_return is None:
            return
        score, state, where = self._last_return
        if self.goal.has_value:
            score += same(self.goal.value, value)
        state["a"] = snapshot(value)
        self._note(score, where, lambda chars: state)

    def finish_raised(self, error: BaseException, places: Sequence[Place]) -> None:
        """Take the exception that left the entry, and the own frames of its traceback."""
        claim = self.goal.exception
        if claim is None or not places:
            return
        if not follows(self.goal.chain, self.goal.exact, places, self._entry):
            return
        frame = places[-1][0]
        score, where = self._score(frame)
        taken = describe_exception(type(error), error)
        score += is_exception(claim["type"], taken.type)
        score += is_message(claim, taken.repr)

        def take(chars: int) -> Dict[str, Any]:
            return record_state("exception", places, taken, self._deep, chars)

        self._note(score, where, take)

    def _score(self, frame: FrameType) -> Tuple[int, List[Optional[bool]]]:
        """Count constraints on locals that hold; also return the truth of each `where`."""
        goal = self.goal
        if not goal.locals and not goal.where:
            return 0, []
        names = frame.f_locals
        score = sum(name in names and same(expected, names[name]) for name, expected in goal.locals)
        where = self._truths(frame) if goal.where else []
        return score + sum(truth is True for truth in where), where

    def _truths(self, frame: FrameType) -> List[Optional[bool]]:
        """Evaluate the constraints; from one that changes a local on, none is true.

        What one changes elsewhere shows in a run without constraints, which is compared.
        """
        before = record_locals(frame, MAX_NEAR_CHARS)
        truths = [_truth(code, frame) for code in self.goal.where]
        self._meddled = self._meddled or record_locals(frame, MAX_NEAR_CHARS) != before
        return [None] * len(truths) if self._meddled else truths

    def _note(
        self, score: int, where: List[Optional[bool]], take: Callable[[int], Dict[str, Any]]
    ) -> None:
        """Note a visit; `take` records its state, its locals bounded by so many characters."""
        self.visits += 1
        if score == self._full_score():
            if len(self.hits) < MAX_HITS:
                self.hits.append([take(MAX_STATE_CHARS), where])
        elif score > self._best and not self.hits:
            self._best = score
            self.near = [take(MAX_STATE_CHARS if self._deep else MAX_NEAR_CHARS), where]

    def _full_score(self) -> int:
        goal = self.goal
        exception = 2 if goal.exception is not None else 0
        return len(goal.locals) + len(goal.where) + goal.has_value + exception


def _arg(event: str, arg: Any, chars: int) -> Optional[Snapshot]:
    if event == "exception":
        return describe_exception(arg[0], arg[1])
    return snapshot(arg, min(chars, MAX_CHARS)) if event == "return" else None


def _truth(code: Optional[CodeType], frame: FrameType) -> Optional[bool]:
    if code is None:
        return None
    # A comprehension inside the expression sees globals alone, so these hold the locals too;
    # `locals()` gives those of the frame.
    names = dict(frame.f_globals)
    names.update(frame.f_locals)
    try:
        return bool(eval(code, names, dict(frame.f_locals)))
    except Exception:
        return None


def is_exception(claimed: str, printed: str) -> bool:
    """Whether a claimed exception name may mean the printed one.

    The module in which a program's own class lies depends on how the program was started
    (`__main__` prints none, another root prints other packages), so a dotted tail is enough; a
    builtin exception's name means only the builtin.
    """
    if claimed == printed:
        return True
    if _is_builtin(claimed) or _is_builtin(printed):
        return False
    if claimed.startswith("builtins."):  # Python prints no module for what lies there
        return False
    shorter, longer = sorted((claimed, printed), key=len)
    return longer.endswith("." + shorter)


def _is_builtin(name: str) -> bool:
    found = _BUILTINS.get(name)
    return isinstance(found, type) and issubclass(found, BaseException)


def is_message(claim: Dict[str, Any], message: str) -> bool:
    """Whether a message is the claimed one, or begins as claimed."""
    claimed = claim["message"]
    if claimed is None:
        return True
    return message.startswith(claimed) if claim["prefix"] else message == claimed


_BUILTINS: Dict[str, Any] = dict(vars(__import__("builtins")))
