"""How often answers were made up, as text of 80 columns for who does not know our words.

What matters most stands first: what a proposer alone would have told wrongly, what nsdbg let
through, what could not be decided, and one example.  JSON is `hallucination_json`, markdown
`hallucination_markdown`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from nsdbg.report.columns import WIDTH, cut, wrapped
from nsdbg.report.escape import Paint, plain, plain_lines, unpainted
from nsdbg.report.rated import (
    Group,
    Interval,
    Measurement,
    Rate,
    Rates,
    Reliability,
    Section,
    Smallest,
)
from nsdbg.report.reasons import reason_words

_NAME, _SHARE, _COUNT, _INTERVAL = 25, 8, 16, 14
_MOST_REASONS = 6
MOST_WRONG = 5
_MOST_LINES = 40  # of a program; the smallest one has few

WORDS = {
    "forward": "forward (what comes)",
    "inverse": "inverse (what was)",
    "arguments": "arguments of the call",
}


def hallucination_text(found: Measurement, paint: Paint = unpainted) -> str:
    """Return the report; `paint` colours a text in a named style: title, good or bad."""
    lines = list(_head(found))
    if found.rates.proposals:
        lines += ["", *_raw(found.rates, paint), "", *_residual(found.rates, paint)]
        lines += ["", *_unknown(found.rates, paint)]
    for one in found.wrong[:MOST_WRONG]:
        lines += ["", *_told_lines("Shown as CONFIRMED, yet wrong", one, paint)]
    if found.smallest is not None:
        lines += ["", *smallest_lines(found.smallest, paint)]
    for section in found.rates.by_proposer:
        lines += ["", *_details(section, paint)]
        if section.reliability is not None:
            lines += ["", *_reliability(section.reliability, str(section.proposer), paint)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def percent(share: float | None) -> str:
    """Return a share in percent: one digit behind the point, or the first two that tell."""
    if share is None:
        return "-"
    value = 100 * share
    if value == 0:
        return "0"
    return f"{value:.1f}" if value >= 1 else f"{value:.2g}"


def between(interval: Interval | None) -> str:
    """Return an interval in percent."""
    return "-" if interval is None else f"{percent(interval[0])}-{percent(interval[1])}"


def hits_of(rate: Rate) -> str:
    """Return `hits of n`, or a word where there is none."""
    return f"{rate.hits:,} of {rate.n:,}" if rate.n else "none"


def _head(found: Measurement) -> Iterator[str]:
    rates = found.rates
    answers = f"{rates.proposals:,} answers about {rates.programs:,} programs"
    yield f"How often is an answer made up?  {answers}, seed {rates.seed}"
    yield from _wrapped(summary(rates))
    if found.stopped:
        yield "  stopped: this is of what was judged until then"
    for name, what in found.told:
        yield from _wrapped(f"{name}: {what}")
    if found.versions:
        yield from _wrapped(", ".join(f"{name} {version}" for name, version in found.versions))


def summary(rates: Rates) -> str:
    """Return what was found in one sentence."""
    if not rates.proposals:
        return "Nothing was asked, so nothing is known."
    asked = [one for one in rates.by_proposer if one.whole.raw.n]
    alone = ", ".join(f"{one.proposer} {percent(one.whole.raw.share)} %" for one in asked)
    residual = rates.residual
    return (
        f"Wrong if believed unchecked: {alone or 'nobody, as nothing was decided'}. Wrong of "
        f"{residual.n:,} answers that nsdbg showed as CONFIRMED: {residual.hits:,}."
    )


def _raw(rates: Rates, paint: Paint) -> Iterator[str]:
    yield paint("What a proposer alone would have told you wrongly (raw rate)", "title")
    yield _columns("", "wrong", "of", "95 %", "by program")
    for section in rates.by_proposer:
        yield _row(plain(str(section.proposer)), section.whole.raw)
    yield from _wrapped(
        "wrong: running the program refutes it. 95 %: where the rate may lie (Wilson). by "
        "program: the same, allowing for answers about one program being right or wrong together."
    )


def _residual(rates: Rates, paint: Paint) -> Iterator[str]:
    yield paint("What nsdbg let through: shown as CONFIRMED, yet wrong (residual rate)", "title")
    yield _columns("", "wrong", "of", "95 %", "by program")
    for section in rates.by_proposer:
        yield _row(plain(str(section.proposer)), section.residual)
    hits = rates.residual.hits
    if hits:
        yield "  " + paint(f"{hits:,} WRONG: this must be 0; please report them", "bad")
    silent = sum(one.silent for one in (rates.every.whole, rates.every.aliased))
    unheld = sum(one.unheld for one in (rates.every.whole, rates.every.aliased))
    told = "judged by a debugger that shares no code with nsdbg"
    told += f"; {silent:,} more it could not judge" if silent else ""
    told += f"; {unheld:,} more it was not asked about" if unheld else ""
    yield from _wrapped(told)


def _unknown(rates: Rates, paint: Paint) -> Iterator[str]:
    yield paint("What could not be decided, and is in no rate above (unknown rate)", "title")
    yield _columns("", "open", "of", "95 %", "by program")
    for section in rates.by_proposer:
        yield _row(plain(str(section.proposer)), section.whole.unknown)
    yield from _reasons(rates.every.undecided, "  ")


def smallest_lines(one: Smallest, paint: Paint = unpainted) -> Iterator[str]:
    """Yield the smallest hallucination, its program with line numbers."""
    yield from _told_lines("The smallest hallucination", one, paint)


def _told_lines(title: str, one: Smallest, paint: Paint) -> Iterator[str]:
    of = f" of {plain(one.proposer)}" if one.proposer else ""
    yield paint(f"{title}{of}", "title")
    program = plain_lines(one.program)
    for number, line in enumerate(program[:_MOST_LINES], 1):
        yield f"  {number:>3} | {cut(line, WIDTH - 8)}".rstrip()
    if len(program) > _MOST_LINES:
        yield f"      | ... {len(program) - _MOST_LINES} more lines"
    for name, text in (
        ("called", one.call), ("asked", one.question), ("claimed", one.claim),
        ("really", one.really),
    ):  # fmt: skip
        yield from wrapped(plain(text), f"  {name + ':':<9}")


def _details(section: Section, paint: Paint) -> Iterator[str]:
    title = plain(f"{section.proposer}: wrong by", _NAME)
    columns = _columns("", "wrong", "of", "95 %", "by program")
    yield paint(title, "title") + columns[len(title) :]
    for name, groups in grouped(section):
        yield f"  {name}"
        yield from (_row("  " + group_name(group), group.raw) for group in groups)
    if section.fields:
        yield "  field that is wrong, where it is asked for"
        yield from (_row("  " + plain(name), rate) for name, rate in section.fields)
    if section.aliased.unknown.n:
        yield "  apart: states met twice with different futures"
        yield _row("  aliased states", section.aliased.raw)
    if section.wrong:
        yield "  in what way"
        yield from _reasons(section.wrong, "    ")


def grouped(section: Section) -> list[tuple[str, Sequence[Group]]]:
    """Return the groups of a section with what they are by, those alone of their kind left out."""
    found: list[tuple[str, Sequence[Group]]] = [
        ("command", section.by_action),
        ("direction", section.by_direction),
        ("horizon: states that the command passes over, or what was before", section.by_horizon),
    ]
    return [(name, groups) for name, groups in found if len(groups) > 1]


def group_name(group: Group) -> str:
    """Return the name of a group in words."""
    return plain(WORDS.get(group.name, group.name))


def _reliability(found: Reliability, proposer: str, paint: Paint) -> Iterator[str]:
    yield paint(f"Can {plain(proposer)}'s own probability be believed?", "title")
    yield _columns("it said", "was right", "of", "95 %", "by program")
    for one in found.bins:
        edges = f"{100 * one.low:.0f}-{100 * one.high:.0f}"
        yield _row(f"{edges:>7} %, mean {percent(one.confidence)}", one.confirmed)
    yield from _wrapped(reliability_sentence(found))


def reliability_sentence(found: Reliability) -> str:
    """Return what the calibration error says, in a sentence or two."""
    sure = found.confidence - (found.confirmed.share or 0.0)
    lean = "too sure" if sure > 0 else "too modest"
    left = f" {found.without:,} answers came without a probability." if found.without else ""
    return (
        f"Expected calibration error {100 * found.error:.1f} points: what it says and what was "
        f"confirmed lie that far apart, on average over {found.confirmed.n:,} confirmed or refuted "
        f"answers in bins of {100 * found.width:.0f} points (0 would be honest). In all it is "
        f"{lean} by {abs(100 * sure):.1f} points. Its probability is exp(logp) of the whole "
        f"answer.{left}"
    )


def _reasons(reasons: Sequence[tuple[str, int]], indent: str) -> Iterator[str]:
    width = max((len(f"{count:,}") for _, count in reasons), default=0)
    for slug, count in reasons[:_MOST_REASONS]:
        yield f"{indent}{count:>{width},}  {plain(reason_words(slug))}"
    rest = sum(count for _, count in reasons[_MOST_REASONS:])
    if rest:
        yield f"{indent}{rest:>{width},}  for other reasons"


def _columns(name: str, share: str, count: str, interval: str, by_program: str) -> str:
    shown = name if len(name) <= _NAME else name[: _NAME - 3] + "..."
    return (
        f"  {shown:<{_NAME}}{share:>{_SHARE}}{count:>{_COUNT}}{interval:>{_INTERVAL}}"
        f"{by_program:>{_INTERVAL}}"
    )


def _row(name: str, rate: Rate) -> str:
    share = f"{percent(rate.share)} %" if rate.n else "-"
    interval = between(rate.interval) if rate.n else "-"
    return _columns(name, share, hits_of(rate), interval, between(rate.by_program))


def _wrapped(text: str) -> Iterable[str]:
    return wrapped(plain(text), "  ")
