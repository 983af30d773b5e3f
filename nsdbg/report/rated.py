"""What was measured of hallucinations, as data: rates with their intervals, and the smallest one.

Counts nothing (`nsdbg.measure.hallucination.rates` does) and shows nothing (`hallucination` does).
A *hallucination* is a proposal that re-execution refutes.
"""

from __future__ import annotations

from dataclasses import dataclass

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rate:
    """`hits` of `n`, about `programs` programs.

    `interval` is Wilson's of 95 %, as if each of the n stood for itself.  `by_program` allows for
    many of one program, which are right or wrong together; None of too few programs.
    """

    hits: int
    n: int
    interval: Interval
    by_program: Interval | None = None
    programs: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.n:
            raise ValueError(f"{self.hits} of {self.n} is no rate")

    @property
    def share(self) -> float | None:
        """The rate, 0 to 1; None of none."""
        return self.hits / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Group:
    """What became of the proposals that have `name` in common.

    `raw`: refuted, of those confirmed or refuted: what a proposer alone would have told wrongly.
    `residual`: wrong by the independent oracle, of those shown as CONFIRMED that it could judge;
    `silent` counts those it could not, and `unheld` those that it was not asked about.
    `unknown`: neither confirmed nor refuted, of all; they are in no other rate.
    """

    name: str
    raw: Rate
    residual: Rate
    unknown: Rate
    silent: int = 0
    unheld: int = 0


@dataclass(frozen=True, slots=True)
class Bin:
    """The proposals whose probability, by their proposer, lies from `low` to `high`.

    `confidence` is their mean probability, and `confirmed` the share that re-execution confirmed.
    """

    low: float
    high: float
    confidence: float
    confirmed: Rate


@dataclass(frozen=True, slots=True)
class Reliability:
    """How far a proposer's own probabilities, exp(logp), can be believed.

    `bins` are of equal width, without empty ones.  `error` is the expected calibration error: the
    distance between probability and confirmed share, averaged over bins by their n (Naeini and
    others, "Obtaining well calibrated probabilities using Bayesian binning", 2015), 0 to 1.
    `confidence` is the mean probability, and `confirmed` the share confirmed, over all bins.
    `without` counts confirmed or refuted proposals that came without a probability.
    """

    bins: tuple[Bin, ...]
    error: float
    confidence: float
    confirmed: Rate
    width: float
    without: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """The rates of one proposer, or of all together (`proposer` None).

    `whole` and the groups leave out aliased states, whose equals in the same run have another
    future (a hidden iterator); these are `aliased`.  `residual` is over all, aliased ones too.
    `fields`: wrong in that field, of those confirmed or refuted that have it.
    `wrong` and `undecided` count the reasons of the verdicts REFUTED and UNKNOWN, frequent ones
    first, aliased states left out.
    """

    proposer: str | None
    whole: Group
    aliased: Group
    residual: Rate
    by_action: tuple[Group, ...] = ()
    by_direction: tuple[Group, ...] = ()
    by_horizon: tuple[Group, ...] = ()
    fields: tuple[tuple[str, Rate], ...] = ()
    wrong: tuple[tuple[str, int], ...] = ()
    undecided: tuple[tuple[str, int], ...] = ()
    reliability: Reliability | None = None


@dataclass(frozen=True, slots=True)
class Rates:
    """All that was counted in one run: `every` proposer together, then each alone.

    `seed` is that of the bootstrap over programs.
    """

    seed: int
    proposals: int
    programs: int
    every: Section
    by_proposer: tuple[Section, ...]

    @property
    def raw(self) -> Rate:
        """The raw rate of all proposers together."""
        return self.every.whole.raw

    @property
    def residual(self) -> Rate:
        """The residual rate of all proposers together."""
        return self.every.residual

    @property
    def unknown(self) -> Rate:
        """The unknown rate of all proposers together."""
        return self.every.whole.unknown


@dataclass(frozen=True, slots=True)
class Smallest:
    """The smallest hallucination that was found, for a person to read; all of it is text.

    `program` is its source; `call` how it was started; `question` what was asked (`at line 2, with
    a = 3: where does next lead?`); `claim` what was proposed, and `really` what re-execution saw.
    """

    program: str
    call: str
    question: str
    claim: str
    really: str
    proposer: str = ""


@dataclass(frozen=True, slots=True)
class Measurement:
    """What one `nsdbg measure hallucination` found.

    `told` says of what, one pair a line; `versions` name what it ran with.  `stopped`: the user
    ended it, and the rates are of what was judged until then.  `wrong`: what was shown as
    CONFIRMED, and is not so by the oracle.
    """

    rates: Rates
    told: tuple[tuple[str, str], ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    smallest: Smallest | None = None
    stopped: bool = False
    wrong: tuple[Smallest, ...] = ()
