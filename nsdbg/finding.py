"""A finding: one thing to look at before a change goes in, with how it came to be known.

Data for triage, gate, the pytest plugin and every report format.  Nothing here runs, reads or
writes; whoever makes a finding says in `status` whether runs stand behind it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import Enum, unique

from nsdbg.claim import Status


class Level(Enum):
    """How much a finding weighs; only an ERROR fails a gate."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@unique
class Rule(Enum):
    """The kinds of findings.  Slugs are for good: baselines, comments and SARIF name them."""

    NEW_CRASH = (
        "new-crash", Level.ERROR, "The change adds a crash",
        "A call that worked before the change raises now. The call was run in both versions, twice "
        "each; it is printed so that it can be pasted into Python.",
    )  # fmt: skip
    LOGGED_CRASH = (
        "logged-crash", Level.ERROR, "A log holds a crash",
        "A traceback in a log that was handed to the gate. The line named is the likeliest one; "
        "whether the crash was reproduced is said with it.",
    )  # fmt: skip
    FAILED_TEST = (
        "failed-test", Level.ERROR, "A test failed",
        "A test report (pytest's output or JUnit XML) holds a failure or an error. The line named "
        "is the likeliest one of the project's own.",
    )  # fmt: skip
    RAW_HALLUCINATION = (
        "raw-hallucination", Level.ERROR, "The model makes up too many states",
        "The share of the model's proposals that running the program refutes lies above the limit "
        "in [tool.nsdbg.gate].",
    )  # fmt: skip
    RESIDUAL_HALLUCINATION = (
        "residual-hallucination", Level.ERROR, "A wrong state was shown as confirmed",
        "An independent debugger found a state that nsdbg had confirmed to be wrong, more often "
        "than [tool.nsdbg.gate] allows.",
    )  # fmt: skip
    GROWN_BASELINE = (
        "grown-baseline", Level.ERROR, "The change adds to the baseline",
        "With --ratchet the baseline may only shrink, and the change accepts a finding that was "
        "not accepted before.",
    )  # fmt: skip
    UNUSED_IGNORE = (
        "unused-ignore", Level.WARNING, "A suppression is not needed any more",
        "A comment `# nsdbg: ignore[...]` stands on a line on which there is nothing to ignore.",
    )  # fmt: skip

    def __init__(self, slug: str, level: Level, title: str, help_text: str) -> None:
        self.slug = slug
        self.level = level
        self.title = title
        self.help_text = help_text


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file: `file` is relative to the repository's root, with forward slashes.

    `text` is the line without its indentation, "" where the file is not there; `function` is a
    qualified name or `<module>`, None where it is not known.
    """

    file: str
    lineno: int
    text: str = ""
    function: str | None = None


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A line that may be at fault: `score` in 0..1, `reasons` a sentence each, strongest first."""

    place: Place
    score: float
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One state on the way to what was found: where, pdb's event, and locals as bounded reprs.

    `changed` names the locals that are new or differ from the step before; `arg` is the repr of
    what is returned, or the exception as printed.
    """

    place: Place
    event: str
    locals: tuple[tuple[str, str], ...] = ()
    changed: tuple[str, ...] = ()
    arg: str | None = None


@dataclass(frozen=True, slots=True)
class Tried:
    """One proposal and what became of it: a call as text, who proposed it, verdict and evidence.

    `reason` is a slug of `claim.Reason`; `evidence` says in a sentence what was seen.
    """

    call: str
    source: str
    status: Status
    reason: str
    evidence: str = ""
    runs: int = 0
    logp: float | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding.

    `message` is one sentence for a person, with everything that matters in it.  `fingerprint`
    (see there) stays when lines move.  `status` is CONFIRMED when runs of our own stand behind it,
    UNKNOWN when it is only read, from a log or a test report.  `origin` says where it comes from
    (`triage`, a log's or a report's path).  `call` is an expression to paste after `imports`
    (statements); `before` and `now` say what it did in the two versions.  `evidence` is a sentence
    on the runs; `count` how often it was seen.
    """

    rule: Rule
    message: str
    fingerprint: str
    place: Place | None = None
    status: Status = Status.UNKNOWN
    origin: str = ""
    exception: str | None = None
    exception_message: str | None = None
    call: str | None = None
    imports: tuple[str, ...] = ()
    before: str | None = None
    now: str | None = None
    evidence: str = ""
    count: int = 1
    touched: bool | None = None  # whether the diff touches the line or its function; None: no diff
    suspects: tuple[Suspicion, ...] = ()
    path: tuple[Step, ...] = ()
    tried: tuple[Tried, ...] = ()
    level: Level | None = None  # None: the rule's own

    @property
    def weight(self) -> Level:
        """The level that counts: the finding's own, else its rule's."""
        return self.level if self.level is not None else self.rule.level


@dataclass(frozen=True, slots=True)
class Limit:
    """A measured share (`count` of `of`, 0..1) against its limit in [tool.nsdbg.gate]."""

    name: str
    measured: float
    limit: float
    count: int
    of: int

    @property
    def kept(self) -> bool:
        """Whether the number stays within its limit."""
        return self.measured <= self.limit


@dataclass(frozen=True, slots=True)
class Findings:
    """What a run of triage or gate has to say.

    `findings` are what is new; `known` are accepted by the baseline and `ignored` by a comment.
    `notes` are sentences on what was skipped or could not be asked.  `examined` counts functions
    that were run, and `called` names those of a change, file and qualified name, of which a call
    came to an end; `logs` counts the reports and logs that were read.  `sources` maps the files
    that findings name (relative, as in `Place`) to their text, for excerpts and the HTML page.
    """

    findings: tuple[Finding, ...] = ()
    known: tuple[Finding, ...] = ()
    ignored: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    examined: int = 0
    logs: int = 0
    seconds: float = 0.0
    called: tuple[tuple[str, str], ...] = ()

    @property
    def failed(self) -> bool:
        """Whether a gate has to fail."""
        return any(one.weight is Level.ERROR for one in self.findings)


def fingerprint(rule: Rule, *parts: str) -> str:
    """Return 16 hexadecimal digits for a finding; name in `parts` what stays when lines move.

    Customary parts: file, function, exception type, and the text of the line.
    """
    text = "\x00".join((rule.slug, *(" ".join(part.split()) for part in parts)))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
