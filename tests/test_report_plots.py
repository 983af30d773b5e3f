"""The pictures of how often answers are made up."""

from __future__ import annotations

import builtins
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from judged_proposals import confirmed, refuted, several, unknown

from nsdbg.errors import UsageError
from nsdbg.measure.hallucination.rates import rates
from nsdbg.report.plots import check_plot, figure, write_plot
from nsdbg.report.rated import Rates


def drawn(found: Rates) -> Any:
    """Return the axes: rate and counts by horizon, then reliability and counts, where drawn."""
    pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'nsdbg[plot]'")
    return figure(found).axes


def heights(axes: Any) -> list[int]:
    return [int(patch.get_height()) for patch in axes.patches]


def test_every_axis_names_what_it_shows_and_its_unit() -> None:
    rate, believed, counts, said = drawn(rates(several()))
    assert rate.get_title() == "How often is an answer made up?"
    assert rate.get_ylabel() == "wrong answers (% of those checked)"
    assert counts.get_xlabel() == "horizon (states that the debugger's command passes over)"
    assert counts.get_ylabel() == said.get_ylabel() == "answers checked"
    assert believed.get_title() == "Can its own probability be believed?"
    assert believed.get_ylabel() == "confirmed answers (% of those checked)"
    assert said.get_xlabel() == "probability that the proposer gave its answer (%)"


def test_the_rates_are_drawn_where_their_horizon_is() -> None:
    judged = [refuted(horizon=0), confirmed(horizon=0), confirmed(horizon=5), refuted(horizon=None)]
    rate, counts = drawn(rates(judged))
    assert [one.get_text() for one in rate.get_xticklabels()] == ["0", "4-7", "call's\narguments"]
    assert counts.get_yscale() == "log"
    joined, lone = (container.lines[0] for container in rate.containers)
    assert list(joined.get_ydata()) == [50.0, 0.0]
    assert (list(lone.get_xdata()), list(lone.get_ydata())) == ([2.0], [100.0])
    assert lone.get_linestyle() == "None"
    assert heights(counts) == [2, 1, 1]


def test_intervals_stand_around_their_rates() -> None:
    found = rates(several())
    rate = drawn(found)[0]
    [group] = [one for one in found.by_proposer[0].by_horizon if one.name == "0"]
    segments = rate.containers[0].lines[2][0].get_segments()
    low, high = (end[1] / 100 for end in segments[0])
    assert group.raw.by_program == pytest.approx((low, high))


def test_each_proposer_has_its_own_marker_dash_and_colour() -> None:
    lines = [one.lines[0] for one in drawn(rates(several()))[0].containers]
    joined = [line for line in lines if line.get_linestyle() != "None"]
    looks = {(one.get_marker(), one.get_linestyle(), one.get_color()) for one in joined}
    assert len({marker for marker, _, _ in looks}) == len({dash for _, dash, _ in looks}) == 2
    legend = drawn(rates(several()))[0].get_legend()
    assert {one.get_text() for one in legend.get_texts()} == {"neural", "rules"}


def test_reliability_shows_the_error_and_how_many_answers_each_bin_has() -> None:
    found = rates(several())
    [neural] = [one for one in found.by_proposer if one.reliability]
    assert neural.reliability is not None
    _, believed, _, said = drawn(found)
    texts = [one.get_text() for one in believed.get_legend().get_texts()]
    error = f"{100 * neural.reliability.error:.1f}"
    assert texts == ["as sure as right", f"neural: calibration error {error} points"]
    assert heights(said) == [one.confirmed.n for one in neural.reliability.bins]


def test_without_probabilities_only_the_horizon_is_drawn() -> None:
    assert len(drawn(rates([confirmed(), refuted()]))) == 2


@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_the_same_rates_give_the_same_bytes(tmp_path: Path, ending: str) -> None:
    pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'nsdbg[plot]'")
    one, other = tmp_path / f"one{ending}", tmp_path / f"other{ending}"
    write_plot(rates(several()), one)
    write_plot(rates(several()), other)
    assert one.read_bytes() == other.read_bytes()
    if ending == ".png":
        assert one.read_bytes().startswith(b"\x89PNG")
    else:
        assert ElementTree.fromstring(one.read_text()).tag.endswith("svg")


def test_a_settings_file_of_the_user_changes_nothing(tmp_path: Path) -> None:
    matplotlib = pytest.importorskip(
        "matplotlib", reason="needs matplotlib: pip install 'nsdbg[plot]'"
    )
    plain, odd = tmp_path / "plain.svg", tmp_path / "odd.svg"
    write_plot(rates(several()), plain)
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.hashsalt": "x"}):
        write_plot(rates(several()), odd)
    assert plain.read_bytes() == odd.read_bytes()


def test_what_cannot_be_written_is_said_before_anything_is_measured(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"ends neither in \.png nor in \.svg"):
        check_plot(tmp_path / "a.pdf")
    with pytest.raises(UsageError, match="there is no folder"):
        check_plot(tmp_path / "nowhere" / "a.png")


def test_nothing_checked_is_no_picture(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing to draw"):
        figure(rates([unknown()]))


def test_without_matplotlib_one_line_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def importing(name: str, *given: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *given)

    monkeypatch.setattr(builtins, "__import__", importing)
    with pytest.raises(UsageError, match=r"^--plot needs matplotlib: pip install 'nsdbg\[plot\]'$"):
        check_plot(tmp_path / "a.png")
