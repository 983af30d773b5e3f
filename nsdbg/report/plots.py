"""Two pictures of how often answers are made up: by horizon, and against their own probability.

PNG or SVG by the file's ending, the same bytes for the same rates and matplotlib.  Colours are
those of Okabe and Ito ("Color universal design", 2008), and lines differ in marker and dash, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any

from nsdbg.errors import UsageError
from nsdbg.report.hallucination import summary
from nsdbg.report.rated import Group, Interval, Rate, Rates, Reliability, Section

ENDINGS = (".png", ".svg")
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS, _DASHES = "osD^vPX", ("-", "--", "-.", ":")
_STYLE = {
    "font.size": 11, "axes.titlesize": 13, "axes.labelsize": 11, "legend.frameon": False,
    "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "grid.color": "#d9d9d9", "svg.hashsalt": "nsdbg",
}  # fmt: skip
_PANEL_INCHES, _HEIGHT_INCHES, _DPI = 7.0, 6.4, 150
_ALL = 0.8  # of the distance between two bins, what the proposers' bars share
_INK = "#444444"


def check_plot(path: Path) -> None:
    """Raise UsageError when no picture can be written there: before anything is measured."""
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"--plot: {path} ends neither in .png nor in .svg, and must tell which")
    if not path.resolve().parent.is_dir():
        raise UsageError(f"--plot: there is no folder {path.parent}")
    _matplotlib()


def write_plot(rates: Rates, path: Path) -> None:
    """Write the pictures; raises UsageError as `check_plot` does, and when nothing was checked."""
    check_plot(path)
    with _style():
        made = figure(rates)
        # Without them the file would say when it was made, and by which version.
        unsaid = {".png": ("Software",), ".svg": ("Date", "Creator")}[path.suffix.lower()]
        told = {"Title": "How often answers are made up", "Description": summary(rates)}
        try:
            made.savefig(path, dpi=_DPI, metadata={**told, **dict.fromkeys(unsaid)})
        except OSError as error:
            raise UsageError(f"--plot: {path} cannot be written: {error.strerror}") from error


def figure(rates: Rates) -> Any:
    """Return a matplotlib Figure: rate by horizon and, where probabilities came, reliability."""
    shown = [one for one in rates.by_proposer if one.whole.raw.n]
    if not shown:
        raise UsageError("--plot: no answer was confirmed or refuted, so there is nothing to draw")
    matplotlib = _matplotlib()
    believed = [(place, one) for place, one in enumerate(shown) if one.reliability is not None]
    panels = 2 if believed else 1
    made = matplotlib.figure.Figure(
        figsize=(_PANEL_INCHES * panels, _HEIGHT_INCHES), layout="constrained"
    )
    grid = made.subplots(2, panels, squeeze=False, height_ratios=(3.4, 1))
    _by_horizon(grid[0][0], grid[1][0], shown)
    if believed:
        _reliability(grid[0][1], grid[1][1], believed)
    about = (
        "Bars: where the true rate may lie (95 %), answers about one program taken together.",
        f"{rates.proposals:,} answers, {rates.programs:,} programs, seed {rates.seed}.",
    )
    made.supxlabel((" " if panels > 1 else "\n").join(about), fontsize=9, color=_INK)
    return made


def _matplotlib() -> Any:
    try:
        import matplotlib.figure
        import matplotlib.style
    except ImportError as error:
        raise UsageError("--plot needs matplotlib: pip install 'nsdbg[plot]'") from error
    return matplotlib


def _style() -> Any:
    """Return the context in which the pictures look the same, whatever the user's own settings."""
    return _matplotlib().style.context(["default", _STYLE])


def _by_horizon(rates: Any, counts: Any, shown: Sequence[Section]) -> None:
    """Draw the raw rate over the horizon, and below it how many answers it is of."""
    found = {group.name: None for one in shown for group in one.by_horizon}
    names = sorted(found, key=_first_number)
    width = _ALL / len(shown)
    for place, section in enumerate(shown):
        groups = {group.name: group for group in section.by_horizon if group.raw.n}
        at = [names.index(name) for name in names if name in groups]
        shift = (place - (len(shown) - 1) / 2) * width
        chosen = [groups[names[one]] for one in at]
        _line(rates, place, section, [one + shift / 2 for one in at], chosen)
        counts.bar(
            [one + shift for one in at], [one.raw.n for one in chosen], width * 0.9,
            color=_colour(place),
        )  # fmt: skip
    _percent_axis(rates, "wrong answers (% of those checked)")
    rates.set_title("How often is an answer made up?")
    labels = [_label(name) for name in names]
    for axes in (rates, counts):
        axes.set_xticks(range(len(names)), labels)
        axes.set_xlim(-0.6, len(names) - 0.4)
    rates.legend(loc="best")
    _count_axis(counts)
    counts.set_xlabel("horizon (states that the debugger's command passes over)")


def _line(
    axes: Any, place: int, section: Section, at: Sequence[float], groups: Sequence[Group]
) -> None:
    """Draw one proposer; what was before has no horizon, and no line leads there."""
    joined = [one for one in range(len(groups)) if _has_horizon(groups[one].name)]
    lone = [one for one in range(len(groups)) if not _has_horizon(groups[one].name)]
    for chosen, dash in ((joined, _DASHES[place % len(_DASHES)]), (lone, "none")):
        if chosen:
            _points(
                axes, place, [at[one] for one in chosen], [groups[one].raw for one in chosen],
                dash, section.proposer if chosen is joined or not joined else None,
            )  # fmt: skip


def _points(
    axes: Any, place: int, at: Sequence[float], rates: Sequence[Rate], dash: str, label: str | None
) -> None:
    """Draw rates with their intervals; a bootstrap's may end short of the rate itself."""
    shares = [100 * (one.share or 0.0) for one in rates]
    between = [_interval(one) for one in rates]
    below = [max(0.0, share - 100 * low) for share, (low, _) in zip(shares, between, strict=True)]
    above = [max(0.0, 100 * high - share) for share, (_, high) in zip(shares, between, strict=True)]
    axes.errorbar(
        at, shares, yerr=[below, above], color=_colour(place), linestyle=dash,
        marker=_MARKERS[place % len(_MARKERS)], markersize=7, capsize=3, linewidth=1.8,
        elinewidth=1.2, label=label,
    )  # fmt: skip


def _reliability(shares: Any, counts: Any, believed: Sequence[tuple[int, Section]]) -> None:
    """Draw the confirmed share over the probability said, and below it how many answers said so."""
    shares.plot([0, 100], [0, 100], color=_INK, linestyle=":", label="as sure as right")
    for number, (place, section) in enumerate(believed):
        found = section.reliability
        assert found is not None
        said = [100 * one.confidence for one in found.bins]
        label = f"{section.proposer}: calibration error {100 * found.error:.1f} points"
        confirmed = [one.confirmed for one in found.bins]
        _points(shares, place, said, confirmed, _DASHES[place % len(_DASHES)], label)
        counts.bar(*_bars(found, number, len(believed)), color=_colour(place), align="edge")
    _percent_axis(shares, "confirmed answers (% of those checked)")
    shares.set_title("Can its own probability be believed?")
    shares.legend(loc="best")
    for axes in (shares, counts):
        axes.set_xlim(0, 100)
        axes.set_xticks(range(0, 101, 20))
    _count_axis(counts)
    counts.set_xlabel("probability that the proposer gave its answer (%)")


def _bars(found: Reliability, number: int, of: int) -> tuple[list[float], list[int], float]:
    """Return left edges, heights and the width of the bars of one proposer among several."""
    width = 90 * found.width / of
    lefts = [100 * one.low + 5 * found.width + number * width for one in found.bins]
    return lefts, [one.confirmed.n for one in found.bins], width


def _percent_axis(axes: Any, label: str) -> None:
    axes.set_ylabel(label)
    axes.set_ylim(-2, 102)  # a point at either end is shown whole
    axes.grid(axis="y")


def _count_axis(axes: Any) -> None:
    """Count in powers of ten: what matters is whether a point rests on 5 answers or on 500."""
    axes.set_ylabel("answers checked")
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.7)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.grid(axis="y")


def _interval(rate: Rate) -> Interval:
    return rate.by_program if rate.by_program is not None else rate.interval


def _colour(place: int) -> str:
    return _COLOURS[place % len(_COLOURS)]


def _has_horizon(name: str) -> bool:
    return name[:1].isdigit()


def _label(name: str) -> str:
    """Return the name of a bin in two lines where it has several words."""
    words = name.removeprefix("a ").split()
    return name if len(words) == 1 else "\n".join([" ".join(words[:-1]), words[-1]])


def _first_number(name: str) -> tuple[float, str]:
    """Return what puts bins in order, those without a horizon last."""
    digits = name.rstrip("+").partition("-")[0]
    return (int(digits) if digits.isdigit() else inf, name)
