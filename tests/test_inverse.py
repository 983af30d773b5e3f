"""The rules proposer: what it proposes first reaches the goal, for operations of every kind."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from nsdbg.claim import Call, ExceptionClaim, Goal, Middle, Proposal, Site
from nsdbg.propose.evaluate import evaluate
from nsdbg.propose.inverse import RulesProposer
from nsdbg.propose.inversion import shapes  # noqa: F401  it fills the table of shapes
from nsdbg.propose.inversion.cases import Inverses
from nsdbg.propose.inversion.combine import ranked_choices
from nsdbg.propose.inversion.expression import Inverter
from nsdbg.propose.inversion.normal import normalised
from nsdbg.rulebook import Rulebook
from nsdbg.source import Subject, load_subject
from nsdbg.state import ActionKind, Event

BOOK = Rulebook()
PROPOSER = RulesProposer(BOOK)
INVERSES = Inverses(BOOK.inverse)


def subject_of(tmp_path: Path, source: str) -> Subject:
    file = tmp_path / "mod.py"
    file.write_text(source)
    return load_subject(file, "f")


def returning(subject: Subject, value: object) -> Goal:
    site = Site(subject.ref.file, None, "f")
    return Goal(subject.ref, Event.RETURN, (site,), value=repr(value))


def first(goal: Goal, subject: Subject) -> Proposal:
    proposals = PROPOSER.start(goal, subject, 0).ask(2)
    assert proposals, "nothing was proposed"
    return proposals[0]


def arguments(proposal: Proposal) -> dict[str, Any]:
    assert isinstance(proposal.start, Call)
    return {name: ast.literal_eval(text) for name, text in proposal.start.arguments}


def run(source: str, given: dict[str, Any]) -> Any:
    names: dict[str, Any] = {}
    exec(source, names)
    return names["f"](**given)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("return x + 3", 10),
        ("return x * 7 - 1", 48),
        ("return -x // 2", -21),
        ("return [x % 10, x // 10]", [4, 371]),
        ("return x.upper() + '!'", "ABC!"),
        ("return x[::-1].strip('_')", "kool"),
        ("return ', '.join(x[1:])", "b, c"),
        ("return x.replace('-', ' ').title()", "Ann Lee"),
        ("return f'<{x}> ({y})'", "<box> (12)"),
        ("return '{}={}'.format(x, y)", "k=v"),
        ("return '%s:%d' % (x, y)", "at:9"),
        ("return x.encode('utf-8')", b"\xc3\xa9t\xc3\xa9"),
        ("return [c * 2 for c in x if c != 'b']", ["aa", "cc"]),
        ("return {k: v + 1 for k, v in x.items()}", {"a": 2, "b": 8}),
        ("return dict(zip(x, y))", {"p": 1, "q": 2}),
        ("return list(map(lambda i: i * i, x))", [49, 81]),
        ("return sorted(x, reverse=True)[:3]", [9, 7, 7]),
        ("return (x.count('a'), x.count('b'), len(x))", (2, 3, 5)),
        ("return x.find('needle')", 14),
        ("return tuple(x.partition('=')) if '=' in x else None", ("k", "=", "v")),
        ("return x.get('name', 'none')", "Ann"),
        ("return int(x) + int(y)", 1234),
        ("return chr(ord(x) + 1)", "d"),
        ("return x.zfill(6)", "-00042"),
        ("return x + [y, 5]", [3, 4, 5]),
        ("return len(x) > 3 and x[0] == 'z'", True),
    ],
)
def test_one_expression_is_inverted_at_the_first_attempt(
    tmp_path: Path, body: str, value: object
) -> None:
    source = (
        f"def f(x, y={1!r}):\n    {body}\n" if "y" not in body else f"def f(x, y):\n    {body}\n"
    )
    subject = subject_of(tmp_path, source)
    assert run(source, arguments(first(returning(subject, value), subject))) == value


LOOPS = {
    "gather": (
        """
def f(text):
    out = []
    for c in text:
        if c.isdigit():
            out.append(int(c) * 2)
        else:
            out.append(c.upper())
    return out
""",
        ["A", 14, "Q", 0],
    ),
    "by place": (
        """
def f(words):
    line = ''
    for i in range(len(words)):
        line += words[i].swapcase() + ';'
    return line
""",
        "aB;Zz;",
    ),
    "while": (
        """
def f(n):
    digits = ''
    while n > 0:
        digits = str(n % 2) + digits
        n //= 2
    return digits
""",
        "1101",
    ),
    "count": (
        """
def f(text):
    n = 0
    for c in text:
        if c in 'xyz' and c != 'x':
            n += 3
    return n
""",
        12,
    ),
    "tally": (
        """
def f(items):
    seen = {}
    for item in items:
        seen[item] = seen.get(item, 0) + 1
    return seen
""",
        {"b": 2, "a": 1, "q": 3},
    ),
    "items": (
        """
def f(table):
    out = {}
    for key, value in table.items():
        out[key.lower()] = value - 1
    return out
""",
        {"ann": 41, "bob": 7},
    ),
    "changed in place": (
        """
def f(xs, at, x):
    xs.insert(at, x)
    xs.reverse()
    xs.pop()
    return xs
""",
        [9, 8, 7],
    ),
    "elements changed": (
        """
def f(line):
    parts = line.split('|')
    for i, part in enumerate(parts):
        parts[i] = '<' + part + '>'
    return parts
""",
        ["<a>", "<>", "<b c>"],
    ),
    "branches": (
        """
def f(a, b):
    if len(a) > len(b):
        return 'long'
    total = a + b
    if total.startswith('no'):
        return None
    first, _, last = total.partition(':')
    return last + '/' + first
""",
        "right/left",
    ),
    "return within a loop": (
        """
def f(xs, limit):
    for x in xs:
        if x > limit:
            return x * 10
    return -1
""",
        420,
    ),
}


@pytest.mark.parametrize("name", sorted(LOOPS))
def test_statements_are_inverted_at_the_first_attempt(tmp_path: Path, name: str) -> None:
    source, value = LOOPS[name]
    subject = subject_of(tmp_path, source)
    assert run(source, arguments(first(returning(subject, value), subject))) == value


def test_the_source_names_the_rules_from_the_result_back(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, "def f(x):\n    y = x[::-1]\n    return 'q'.join(y) + '???'\n")
    proposal = first(returning(subject, "brqn???"), subject)
    assert proposal.source.startswith("rule:")
    assert arguments(proposal) in ({"x": ["n", "br"]}, {"x": "n" + "br"[::-1]})


def test_proposals_differ_and_end(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, "def f(x):\n    return x.no_such_thing(x)\n")
    session = PROPOSER.start(returning(subject, 5), subject, 0)
    every = [proposal for _ in range(60) for proposal in session.ask(20)]
    assert len(set(every)) == len(every)
    assert session.ask(20) == []


def test_a_function_the_evaluator_does_not_know_still_gets_proposals(tmp_path: Path) -> None:
    source = "import re\ndef f(x):\n    y = re.sub('a', 'b', x)\n    return y + '!'\n"
    subject = subject_of(tmp_path, source)
    session = PROPOSER.start(returning(subject, "bc!"), subject, 0)
    values = [arguments(proposal)["x"] for proposal in session.ask(20)]
    assert "bc" in values


@pytest.mark.parametrize(
    ("source", "lineno", "type", "message"),
    [
        ("def f(d, k):\n    return d[k]\n", 2, "KeyError", "'price'"),
        ("def f(rows):\n    best = rows[0]\n    return best\n", 2, "IndexError",
         "list index out of range"),
        ("def f(a, b):\n    c = a - b\n    return 9 / c\n", 3, "ZeroDivisionError",
         "division by zero"),
        ("def f(t):\n    u = t.get('name')\n    return u.strip()\n", 3, "AttributeError",
         "'NoneType' object has no attribute 'strip'"),
        ("def f(s):\n    if len(s) > 4:\n        return int(s)\n", 3, "ValueError",
         "invalid literal for int() with base 10: '12.50'"),
        ("def f(s):\n    a, b = s.split(',')\n    return b\n", 2, "ValueError",
         "not enough values to unpack (expected 2, got 1)"),
        ("def f(a):\n    return a + 'x'\n", 2, "TypeError",
         "unsupported operand type(s) for +: 'int' and 'str'"),
    ],
)  # fmt: skip
def test_the_first_proposal_for_a_crash_crashes_so(
    tmp_path: Path, source: str, lineno: int, type: str, message: str
) -> None:
    subject = subject_of(tmp_path, source)
    site = Site(subject.ref.file, lineno, "f")
    goal = Goal(subject.ref, Event.EXCEPTION, (site,), exception=ExceptionClaim(type, message))
    with pytest.raises(Exception) as caught:  # noqa: PT011  its type and message are looked at
        run(source, arguments(first(goal, subject)))
    assert (caught.type.__name__, str(caught.value)) == (type, message)


def test_locals_at_a_line_lead_to_arguments(tmp_path: Path) -> None:
    source = "def f(a, b):\n    c = a + b\n    d = [c, a]\n    return d\n"
    subject = subject_of(tmp_path, source)
    site = Site(subject.ref.file, 4, "f")
    goal = Goal(subject.ref, Event.LINE, (site,), locals=(("d", "[9, 4]"),), where=("b == 5",))
    assert arguments(first(goal, subject)) == {"a": 4, "b": 5}


def previous(subject: Subject, lineno: int, **locals: str) -> list[tuple[int, dict[str, str]]]:
    site = Site(subject.ref.file, lineno, "f")
    goal = Goal(subject.ref, Event.LINE, (site,), locals=tuple(locals.items()), previous=True)
    found = []
    for proposal in PROPOSER.start(goal, subject, 0).ask(10):
        assert isinstance(proposal.start, Middle)
        assert proposal.action is not None
        assert proposal.action.kind is ActionKind.STEP
        frame = proposal.start.state.frame
        found.append((frame.lineno, {name: value.repr for name, value in frame.locals or ()}))
    return found


STEPS = """
def f(xs):
    total = 0
    for x in xs:
        if x > 2:
            total += x
    kept = [total]
    kept.append(xs)
    return kept
"""


def test_an_assignment_is_stepped_back_over(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, STEPS)
    assert previous(subject, 8, kept="[7]", total="7") == [(7, {"total": "7"})]
    assert previous(subject, 9, kept="[7, [1]]") == [(8, {"kept": "[7]", "xs": "[1]"})]


def test_the_head_of_a_loop_comes_after_its_body_and_after_what_is_before_it(
    tmp_path: Path,
) -> None:
    subject = subject_of(tmp_path, STEPS)
    lines = [lineno for lineno, _ in previous(subject, 4, total="0", x="1", xs="[1]")]
    assert set(lines) == {3, 5, 6}


def test_a_loop_is_entered_with_the_element_it_still_had(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, STEPS)
    site = Site(subject.ref.file, 5, "f")
    goal = Goal(subject.ref, Event.LINE, (site,), locals=(("x", "6"),), previous=True)
    start = first(goal, subject).start
    assert isinstance(start, Middle)
    assert start.state.frame.lineno == 4
    assert start.remaining == ((4, "[6]"),)
    assert start.state.frame.local("x") is None


def test_every_inverse_rule_holds_for_the_operations_of_its_program() -> None:
    for rule in BOOK.inverse:
        own = Inverses([rule])
        for name, operation, known in programs(rule.program):
            result = evaluate(operation, known)
            if not isinstance(result, (str, bytes, list, tuple, dict, set, int, float)):
                result = list(result)
            found = [
                value
                for fit in own.fitting(operation)
                for value in fit.preimages(
                    result, {each: evaluate(part, known) for each, part in fit.others.items()}
                )
            ]
            assert bool(found) is name.startswith("propose_"), f"{rule.id}: {name}"


def programs(path: Path) -> list[tuple[str, ast.expr, dict[str, Any]]]:
    """Return each function's name, the operation it returns, and its locals."""
    found = []
    for node in ast.parse(path.read_text()).body:
        if not isinstance(node, ast.FunctionDef):
            continue
        known: dict[str, Any] = {}
        *bindings, last = node.body
        for binding in bindings:
            assert isinstance(binding, ast.Assign)
            names = [part.id for part in ast.walk(binding.targets[0]) if isinstance(part, ast.Name)]
            value = evaluate(binding.value, {})
            known.update(zip(names, value if len(names) > 1 else [value], strict=True))
        assert isinstance(last, ast.Return)
        assert last.value is not None
        found.append((node.name, last.value, known))
    return found


def test_there_are_inverse_rules_for_every_kind_of_value() -> None:
    assert len(BOOK.inverse) >= 40
    assert sum(len(rule.cases) for rule in BOOK.inverse) >= 300


def test_effort_bounds_a_hopeless_inversion() -> None:
    inverter = Inverter(INVERSES, lambda name: [1, 2], lambda name, value: True, effort=500)
    node = ast.parse("a + b + c + (d + e) * (g + h) + len(i) + j", mode="eval").body
    assert len(list(inverter.solve(node, 1000, {}))) < 10_000
    assert inverter.effort < 0


def test_loops_by_place_are_seen_as_loops_by_element() -> None:
    node = ast.parse("def f(xs):\n    for i in range(len(xs)):\n        g(xs[i], i)\n").body[0]
    assert isinstance(node, ast.FunctionDef)
    assert "for i, xs[i] in enumerate(xs):" in ast.unparse(normalised(node))
    assert "range" in ast.unparse(node)


def test_ranked_choices_come_by_the_sum_of_their_places() -> None:
    assert list(ranked_choices([2, 3], 10)) == [(0, 0), (0, 1), (1, 0), (0, 2), (1, 1), (1, 2)]
    assert list(ranked_choices([2, 3], 2)) == [(0, 0), (0, 1)]
    assert list(ranked_choices([], 5)) == [()]


def test_what_a_dict_held_before_keys_were_added_is_guessed(tmp_path: Path) -> None:
    source = "def f(x):\n    for k in list(x):\n        x[k * 2] = k\n    return x\n"
    subject = subject_of(tmp_path, source)
    goal = returning(subject, {"a": 1, "b": 2, "aa": "a", "bb": "b"})
    proposals = PROPOSER.start(goal, subject, 0).ask(60)
    assert {"x": {"a": 1, "b": 2}} in [arguments(proposal) for proposal in proposals]
