"""Tables of patterns: how their holes are read and filled, and that every one of them fits."""

from __future__ import annotations

import random

import pytest

from nsdbg.programs import modules
from nsdbg.programs.kinds import KINDS
from nsdbg.programs.operations.operation import ROLES
from nsdbg.programs.patterns import Pattern, patterns, weave
from nsdbg.programs.patterns.pattern import Hole, pieces
from nsdbg.programs.patterns.weave import known_names
from nsdbg.programs.scope import Scope
from nsdbg.programs.statements import STRETCHES

WITHIN_REACH = (
    ("text", "str"), ("words", "list[str]"), ("nums", "list[int]"), ("d", "dict[str, int]"),
    ("n", "int"), ("m", "list[list[int]]"),
)  # fmt: skip


def scope_with(seed: int, *variables: tuple[str, str]) -> Scope:
    scope = Scope(random.Random(seed), 0.0)
    for name, kind in variables:
        scope.used.add(name)
        scope.bind(name, kind, filled=True)
    return scope


def woven(table: str, *variables: tuple[str, str], seed: int = 1) -> list[str]:
    """Return the lines that a pattern becomes."""
    scope = scope_with(seed, *variables)
    (pattern,) = set(patterns(table))
    assert weave(scope, pattern) is not None
    return [line.text for line in scope.lines]


def test_a_hole_with_a_dollar_takes_a_variable_that_is_there() -> None:
    assert woven("# x\n<s$str>.strip()\n<s>.upper()", ("text", "str")) == [
        "text.strip()",
        "text.upper()",
    ]


def test_a_letter_stands_for_the_items_of_the_list_that_was_taken() -> None:
    scope = scope_with(1, ("nums", "list[int]"))
    (pattern,) = patterns("# x\nfor <x+T> in <xs$list[T]>:\n    <?x>")
    assert weave(scope, pattern) is not None
    assert scope.lines[0].text.endswith(" in nums:")
    assert [variable.name for variable in scope.variables] == ["nums"]


def test_a_pattern_that_does_not_fit_leaves_the_scope_as_it_was() -> None:
    scope = scope_with(1, ("n", "int"))
    (pattern,) = patterns("# x\n<a+int> = <=int>\n<xs$list[int]>.clear()")
    assert weave(scope, pattern) is None
    assert scope.lines == []
    assert [(variable.name, variable.reads) for variable in scope.variables] == [("n", 0)]


def test_a_new_variable_is_read_from_the_next_line_on() -> None:
    first, second = woven("# x\n<a+int> = <!small>\nprint(<=int>)", seed=5)
    name, _, value = first.partition(" = ")
    assert value.isdigit()
    assert name in second


def test_a_variable_with_a_dot_is_seen_when_the_pattern_has_ended() -> None:
    scope = scope_with(2)
    (pattern,) = patterns("# x\n<a.int> = 0\nprint(<=int>)")
    assert weave(scope, pattern) is not None
    assert scope.variables[0].name not in scope.lines[1].text
    assert scope.variables[0].unread


def test_what_a_loop_changes_is_out_of_sight_within_it() -> None:
    table = "# x\nfor <i+int> in range(len(<xs$list[str]>)):\n    <xs>[<i>] = <=str>"
    for seed in range(30):
        _, line = woven(table, ("words", "list[str]"), seed=seed)
        assert line.count("words") == 1


def test_one_of_several_texts_is_chosen() -> None:
    found = {woven("# x\nprint(<1|2|3>)", seed=seed)[0] for seed in range(30)}
    assert found == {"print(1)", "print(2)", "print(3)"}


def test_features_and_weights_are_read_from_the_first_line() -> None:
    found = patterns("# for loop # list.append *3\npass")
    assert [pattern.features for pattern in found] == [frozenset({"for loop", "list.append"})] * 3


def test_a_piece_without_a_signature_is_refused() -> None:
    with pytest.raises(ValueError, match="signature of a piece"):
        pieces("# x\ndef <f>(): pass")


@pytest.mark.parametrize(
    "pattern",
    sorted(set(STRETCHES), key=STRETCHES.index),
    ids=lambda found: " ".join(sorted(found.features)),
)
def test_every_stretch_fits_and_compiles(pattern: Pattern) -> None:
    fitting = 0
    for seed in range(20):
        scope = scope_with(seed, *WITHIN_REACH)
        if weave(scope, pattern) is None:
            continue
        fitting += 1
        assert (scope.depth, scope.loops) == (1, 0)
        text = scope.text("def f(text, words, nums, d, n, m):")
        compile(text, "pattern", "exec")
    assert fitting


def test_every_piece_compiles_and_its_call_names_what_it_defines() -> None:
    for table in modules.PIECES:
        for piece in table:
            scope = Scope(random.Random(str(piece.pattern.features)), 0.0)
            scope.depth, scope.loops = 0, 1
            woven = weave(scope, piece.pattern, known_names(scope))
            assert woven is not None
            text = scope.text("")
            module: dict[str, object] = {}
            exec(compile(text, "piece", "exec"), module)
            given = {name: variable.name for name, variable in woven.named.items()}
            call = piece.operation({**woven.known, **given}, scope.choose)
            assert call.template.split("(")[0] in {*module, "list", "sum", "''.join", "next"}
            assert all(param in KINDS or param in ROLES for param in call.params)
            assert call.result in KINDS


def test_every_hole_names_a_kind_or_a_role() -> None:
    kinds = {
        part.kind
        for pattern in STRETCHES
        for row in pattern.rows
        for part in row.parts
        if isinstance(part, Hole) and part.kind
    }
    known = KINDS | set(ROLES) | {"any"}
    assert {kind for kind in kinds if not any(letter in kind for letter in "TKV")} <= known
