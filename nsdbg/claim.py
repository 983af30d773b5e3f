"""What is asked, what is proposed, and what became of it: Goal, Proposal, Evidence, Verdict.

Nothing here runs or reads code.  A proposer makes a `Proposal`, the verifier an `Observation` of
a run and the judge a `Verdict`; only a Verdict may say CONFIRMED.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from nsdbg.state import Action, Event, State, Trace, Value


@dataclass(frozen=True, slots=True)
class FunctionRef:
    """A function on disk.

    `file` is an absolute path, `qualname` as Python spells it (`Order.total`, `outer.<locals>.f`;
    `<module>` for the file run as a script), `module` the dotted name under which it is imported
    with `root` on `sys.path`.
    """

    file: str
    qualname: str
    module: str
    root: str


@dataclass(frozen=True, slots=True)
class Site:
    """A line of a function, as one line of a traceback names it; `lineno` None means any line."""

    file: str
    lineno: int | None
    function: str


@dataclass(frozen=True, slots=True)
class ExceptionClaim:
    """An exception as it is printed: its type's name, and its message when that is known.

    `message_prefix` is set when only the beginning of the message is known.
    """

    type: str
    message: str | None = None
    message_prefix: bool = False


@dataclass(frozen=True, slots=True)
class Goal:
    """A state to explain, and the function from which a run has to reach it.

    `entry` is called (or run, for `<module>`).  `event` happens in the frame `chain[-1]`, and the
    frames from the entry's to that one are `chain`, oldest first; frames of libraries between them
    are not part of it.  With `exact_chain` False other frames of the project may lie between too.
    With `previous` True what is wanted is not a call but the state one step earlier: a `Middle` and
    the action (`step` or `next`) that leads from it to this state.
    `locals` maps names to Python literals as text; names not given are free.  `where` holds Python
    expressions that are true in that frame.  `value` is the literal text of the return value.
    """

    entry: FunctionRef
    event: Event
    chain: tuple[Site, ...]
    locals: tuple[tuple[str, str], ...] = ()
    where: tuple[str, ...] = ()
    value: str | None = None
    exception: ExceptionClaim | None = None
    exact_chain: bool = True
    previous: bool = False

    def __post_init__(self) -> None:
        if not self.chain:
            raise ValueError("a goal names at least the frame in which it lies")
        if self.value is not None and self.event is not Event.RETURN:
            raise ValueError(f"a return value goes with a return event, not {self.event.value}")
        if self.exception is not None and self.event is not Event.EXCEPTION:
            raise ValueError(f"an exception goes with its event, not {self.event.value}")


@dataclass(frozen=True, slots=True)
class Call:
    """A start: call the entry with these arguments.

    Each argument is a parameter's name and a Python expression as text, evaluated in the child in
    the namespace of the target's module after `imports` (statements) were executed there.  The
    receiver of a method is its first parameter.  `*args` and `**kwargs` are named with their stars
    and hold a tuple and a dict.  Parameters that are left out take their defaults.
    `of_state`: the texts are those of a state's values, which tell nothing of a set's order.
    """

    arguments: tuple[tuple[str, str], ...] = ()
    imports: tuple[str, ...] = ()
    of_state: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """A start: run the entry's file as `__main__` with these arguments and this standard input."""

    argv: tuple[str, ...] = ()
    stdin: str = ""


@dataclass(frozen=True, slots=True)
class Middle:
    """A start: a state in the middle of the entry's function; its locals are set, then it goes on.

    Locals are literal text; a local that is not in the state is unbound.  `remaining` maps the
    line of a `for` statement around the state to the items its iterator has yet to give, as the
    text of a list: locals and a line do not tell them.  With `shared`, equal mutable values are
    one object: locals do not tell that either.
    """

    state: State
    remaining: tuple[tuple[int, str], ...] = ()
    shared: bool = False


Start = Call | Script | Middle


@dataclass(frozen=True, slots=True)
class Proposal:
    """Somebody's answer to a goal, not yet checked.

    From `start` the goal is reached; or, with an `action`, that command leads from `start` (a
    `Middle`) to `predicted`, or, when `predicted` is None, to a state that matches the goal (its
    named locals; others are free).  `source` names the proposer: `neural:<sha>`, `rule:<id>`,
    `search:<seed>`.  `logp` is in nats.
    """

    start: Start
    source: str
    action: Action | None = None
    predicted: State | None = None
    logp: float | None = None

    def __post_init__(self) -> None:
        if self.predicted is not None and self.action is None:
            raise ValueError("a predicted state needs the action that leads to it")


class Ending(Enum):
    """How one run ended.  All but RETURNED, RAISED and EXITED leave the goal's truth open."""

    RETURNED = "returned"
    RAISED = "raised"
    EXITED = "exited"
    BAD_START = "bad-start"
    TIMED_OUT = "timed-out"
    BLOCKED = "blocked"
    OUT_OF_MEMORY = "out-of-memory"
    DIED = "died"
    NOT_STARTED = "not-started"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Raised:
    """An uncaught exception of a run.

    `type` is the name a traceback would print (`KeyError`, `pkg.errors.Bad`), `sites` the frames
    below the entry as the traceback lists them, oldest first, libraries included.
    """

    type: str
    message: str
    sites: tuple[Site, ...]


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """Lines and arcs executed in one file, and the lines its code objects say are possible."""

    file: str
    lines: tuple[int, ...]
    arcs: tuple[tuple[int, int], ...]
    possible: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """One visit of the goal's site: the state, and which of `where` were true (None: it raised)."""

    state: State
    where: tuple[bool | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Miss:
    """A comparison of a run that was not true (or a `!=`, `not in` that was), as literals.

    `operator` is named as in `ast` (`Eq`, `Lt`, `In`), or is a method (`startswith`).
    """

    operator: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Observation:
    """What one run showed, as the child reported it; nothing in it is a verdict.

    `hits` are visits of the goal's site that matched in the child, at most a few; `near` is the
    visit that came nearest when none matched.  `visits` counts all.  `distance` is 0.0 when the
    child found the goal matched and grows with how far the run was from it; None when it was not
    measured.  `path` holds the sites executed in order in the target's own files, cut at a limit.
    `misses` are the first few comparisons that failed in the instrumented twin (`probe` only).
    `blocked` lists refused events as `event:detail`.  `detail` is one line on an odd ending.
    `drawn` stands for the state of `random` after a run that drew from it: runs agree in it when
    the program itself seeded it.
    """

    ending: Ending
    seconds: float
    value: Value | None = None
    raised: Raised | None = None
    hits: tuple[Hit, ...] = ()
    near: Hit | None = None
    visits: int = 0
    distance: float | None = None
    path: tuple[Site, ...] = ()
    coverage: tuple[FileCoverage, ...] = ()
    output: str = ""
    blocked: tuple[str, ...] = ()
    detail: str = ""
    trace: Trace | None = None
    misses: tuple[Miss, ...] = ()
    drawn: int | None = None


class Status(Enum):
    """The three verdicts.  UNKNOWN is never counted as success and never hidden."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


class Reason(Enum):
    """Why a verdict is what it is; each reason belongs to exactly one status."""

    GOAL_REACHED = ("goal-reached", Status.CONFIRMED)
    TRANSITION = ("transition", Status.CONFIRMED)

    BAD_PROPOSAL = ("bad-proposal", Status.REFUTED)
    BAD_START = ("bad-start", Status.REFUTED)
    LINE_NOT_REACHED = ("line-not-reached", Status.REFUTED)
    NO_EXCEPTION = ("no-exception", Status.REFUTED)
    OTHER_EXCEPTION = ("other-exception", Status.REFUTED)
    MESSAGE_DIFFERS = ("message-differs", Status.REFUTED)
    STACK_DIFFERS = ("stack-differs", Status.REFUTED)
    EVENT_DIFFERS = ("event-differs", Status.REFUTED)
    LINE_DIFFERS = ("line-differs", Status.REFUTED)
    VALUE_DIFFERS = ("value-differs", Status.REFUTED)
    LOCALS_DIFFER = ("locals-differ", Status.REFUTED)
    CONSTRAINT_FALSE = ("constraint-false", Status.REFUTED)
    OUTPUT_DIFFERS = ("output-differs", Status.REFUTED)

    TIMEOUT = ("timeout", Status.UNKNOWN)
    SIDE_EFFECT = ("side-effect", Status.UNKNOWN)
    NONDETERMINISTIC = ("nondeterministic", Status.UNKNOWN)
    START_NOT_REACHED = ("start-not-reached", Status.UNKNOWN)
    HIDDEN_ITERATOR = ("hidden-iterator", Status.UNKNOWN)
    HIDDEN_ALIAS = ("hidden-alias", Status.UNKNOWN)
    UNBOUND_LOCALS = ("unbound-locals", Status.UNKNOWN)
    NO_SOURCE = ("no-source", Status.UNKNOWN)
    OUT_OF_MEMORY = ("out-of-memory", Status.UNKNOWN)
    PROCESS_DIED = ("process-died", Status.UNKNOWN)
    PROGRAM_EXITED = ("program-exited", Status.UNKNOWN)
    NOT_A_LITERAL = ("not-a-literal", Status.UNKNOWN)
    TOO_LARGE = ("too-large", Status.UNKNOWN)
    WEAK_GUARD = ("weak-guard", Status.UNKNOWN)
    NOT_REPEATED = ("not-repeated", Status.UNKNOWN)

    def __init__(self, slug: str, status: Status) -> None:
        self.slug = slug
        self.status = status


@dataclass(frozen=True, slots=True)
class Difference:
    """One field in which the run was not as claimed: where it lies, the claim, what was seen."""

    field: str
    claimed: str
    observed: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a verdict rests on.

    `runs` counts fresh processes; `observed` is the state at the goal's site, or the nearest;
    `layers` are the sandbox layers that were active; `python` is the interpreter's version.
    """

    runs: int
    observed: State | None = None
    value: Value | None = None
    raised: Raised | None = None
    coverage: tuple[FileCoverage, ...] = ()
    path: tuple[Site, ...] = ()
    output: str = ""
    distance: float | None = None
    blocked: tuple[str, ...] = ()
    detail: str = ""
    seconds: float = 0.0
    layers: tuple[str, ...] = ()
    python: str = ""
    misses: tuple[Miss, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judge's answer to one proposal.  CONFIRMED rests on two agreeing fresh runs."""

    proposal: Proposal
    reason: Reason
    evidence: Evidence
    differences: tuple[Difference, ...] = ()

    def __post_init__(self) -> None:
        if self.status is Status.CONFIRMED and self.evidence.runs < 2:
            raise ValueError("nothing is confirmed by fewer than two runs")

    @property
    def status(self) -> Status:
        """The status to which the reason belongs."""
        return self.reason.status


@dataclass(frozen=True, slots=True)
class Stats:
    """What answering a goal took; the counts are of proposals, `seconds` of wall time."""

    proposed: int = 0
    executed: int = 0
    confirmed: int = 0
    refuted: int = 0
    unknown: int = 0
    seconds: float = 0.0
    unknown_reasons: tuple[tuple[str, int], ...] = field(default=())
