"""The file of a network is edited so that tokens see what they are told to see."""

from __future__ import annotations

import contextlib

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("onnxruntime")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from tiny_network import onnx_bytes, tiny  # noqa: E402

from nsdbg.errors import ModelError  # noqa: E402
from nsdbg.propose.neural.network import open_network  # noqa: E402
from nsdbg.propose.neural.rewire import rewired  # noqa: E402

NET = tiny()
CONTENT = onnx_bytes(NET)


def test_a_network_that_was_edited_has_no_mask_of_its_own() -> None:
    edited = rewired(CONTENT)
    assert b"attention_bias" in edited
    assert b"attention_mask" not in edited
    assert b"CumSum" not in edited
    assert rewired(edited) == edited


def test_a_token_sees_what_it_is_told_to_see() -> None:
    """Three continuations of one text in a single cache are what each alone would be."""
    network = open_network(CONTENT, "cpu")
    text, ways = [5, 9, 300], [[7, 8], [7, 30], [200, 4]]
    _, cache = network.read(np.array([text]), network.empty())
    seen = np.ones((1, 3), bool)
    for depth in range(2):
        seen = np.concatenate(
            [seen[[0] * 3 if depth == 0 else [0, 1, 2]], np.eye(3, dtype=bool)], 1
        )
        ids = np.array([[way[depth] for way in ways]])
        positions = np.full((1, 3), 3 + depth)
        logits, cache = network.read(ids, cache, seen=seen[None], positions=positions)
    for way, row in zip(ways, logits[0], strict=True):
        assert row == pytest.approx(NET.logits([*text, *way])[-1], abs=1e-3)


def test_tokens_follow_one_another_when_nothing_is_told() -> None:
    network = open_network(CONTENT, "cpu")
    text = [5, 9, 300, 4, 4]
    first, cache = network.read(np.array([text[:2]]), network.empty())
    then, cache = network.read(np.array([text[2:]]), cache)
    assert cache.length == 5
    whole = NET.logits(text)
    assert np.concatenate([first[0], then[0]]) == pytest.approx(whole, abs=1e-3)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(CONTENT)), st.binary(max_size=4), st.integers(0, 3))
def test_a_damaged_file_is_refused_or_edited_but_never_a_crash(
    at: int, put: bytes, cut: int
) -> None:
    damaged = CONTENT[:at] + put + CONTENT[at + cut :]
    with contextlib.suppress(ModelError):
        assert b"attention_bias" in rewired(damaged)
