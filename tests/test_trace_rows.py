"""Rows of the corpus: an activation of which nothing was recorded is no row."""

from __future__ import annotations

import sys
from pathlib import Path

from nsdbg.model.trace.worker.recorder import Activation, Recorder
from nsdbg.model.trace.worker.rows import Sources, row


def test_an_activation_whose_time_ended_at_once_is_left_out() -> None:
    activation = Activation(sys._getframe(), Recorder(lambda file: True))
    sources = Sources(lambda file: Path(__file__).read_text(encoding="utf-8"))
    assert row(activation, sources, lambda file: "m.py", {}) == "nothing recorded"
