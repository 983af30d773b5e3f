"""Lessons: the answers to be learned lead to what was recorded, and nearly every step has one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from recorded import of_code, recorded

from nsdbg.episode import Episode
from nsdbg.model.samples import goal_of
from nsdbg.model.teach.inverse import arguments_lesson, backward_lesson
from nsdbg.model.teach.lessons import forward_lesson
from nsdbg.programs import Level
from nsdbg.propose.codec import answer as answers
from nsdbg.propose.codec import arguments, backward, forward
from nsdbg.propose.codec.alike import alike, same_locals, same_place, same_return
from nsdbg.propose.codec.pointing import HERE, spelled_out
from nsdbg.propose.codec.track import situations, without_comprehensions
from nsdbg.propose.codec.view import View, literals
from nsdbg.propose.codec.vocabulary import END, IDS, words
from nsdbg.state import Action, ActionKind, Event, Value
from nsdbg.verify.walk import Walk

STEP, NEXT = Action(ActionKind.STEP), Action(ActionKind.NEXT)


class Class:
    """An episode as the teacher has it before it."""

    def __init__(self, episode: Episode) -> None:
        self.episode = replace(episode, trace=without_comprehensions(episode.trace))
        self.view = View(episode.listings, literals(episode.names))
        self.situations = situations(self.view, self.episode)
        self.walk = Walk(self.episode.trace)

    def lesson(self, at: int, action: Action, *, follow: bool = False) -> str | None:
        """Return the lesson at a state for people, after it was held against what was recorded."""
        to = self.walk.after(at, action)
        if to is None:
            return "nowhere"
        way = self.situations[at : to + 1]
        found = forward_lesson(self.view, way, action, follow=follow)
        if found is None:
            return None
        ids = answers.write(found)
        assert ids[-1] == END
        assert answers.read(ids) == found
        told = forward.read(self.view, way[0], action, ids)
        printed = "".join(each.state.output for each in way[1:])
        truth = replace(way[-1].state, output=printed)
        jumps = action.kind is ActionKind.RETURN and truth.event is Event.RETURN
        assert same_return(told, truth) if jumps else alike(told, truth)
        whole = spelled_out(self.view, way[0], found)
        assert whole is not None
        return self.shown(answers.write(whole))

    def shown(self, ids: Sequence[int]) -> str:
        """Write tokens with the names and the lines for which they stand."""
        return " ".join(self._word(token) for token in ids[:-1])

    def _word(self, token: int) -> str:
        place = self.view.place(token)
        name = self.view.slots.named(token) or words([token])
        return name if place is None else f"L{place[1]}"

    def at(self, lineno: int, event: Event = Event.LINE) -> int:
        """Return the index of the first stop at a line."""
        stops = [(each.state.frame.lineno, each.state.event) for each in self.situations]
        return stops.index((lineno, event))


def taught(code: str, call: str) -> Class:
    return Class(of_code(code, call)[0])


def shares(episodes: Sequence[Episode], seed: int) -> Counter[tuple[str, bool]]:
    """Return how many stops of episodes have a lesson, by the command."""
    rng = random.Random(seed)
    found: Counter[tuple[str, bool]] = Counter()
    for episode in episodes:
        lessons = Class(episode)
        stops = range(len(lessons.situations) - 1)
        for at in rng.sample(stops, min(len(stops), 12)):
            lineno = lessons.situations[at].state.frame.lineno
            for action in (STEP, NEXT, Action(ActionKind.RETURN),
                           Action(ActionKind.UNTIL, lineno + 2)):  # fmt: skip
                lesson = lessons.lesson(at, action)
                if lesson != "nowhere":
                    found[action.kind.value, lesson is not None] += 1
    return found


def share(found: Counter[tuple[str, bool]], kind: str) -> float:
    return found[kind, True] / (found[kind, True] + found[kind, False])


def test_every_lesson_leads_where_the_program_went_and_nearly_every_step_has_one() -> None:
    episodes = [*recorded(5000, 10, Level.LINES), *recorded(5000, 5, Level.PROGRAM)]
    found = shares(episodes, 0)
    assert found["step", True] > 200
    assert share(found, "step") > 0.96
    assert share(found, "next") > 0.96
    assert share(found, "return") > 0.85
    assert share(found, "until") > 0.85


@pytest.mark.slow
def test_of_two_hundred_programs_nearly_every_step_has_a_lesson() -> None:
    episodes = [*recorded(9000, 100, Level.LINES), *recorded(9000, 100, Level.PROGRAM)]
    found = shares(episodes, 1)
    assert share(found, "step") >= 0.97
    assert share(found, "next") >= 0.97


CODE = """
def g(a, b=2):
    return a * b

def f(xs, n):
    total = 0
    for i, x in enumerate(xs):
        total += x
        if total > n:
            break
    assert total
    y = g(total, b=3)
    print('y', y)
    xs.append(y)
    try:
        n = int('7')
    finally:
        del i
    return xs[::-1]
"""


@pytest.mark.parametrize(
    ("lineno", "action", "told"),
    [
        (6, STEP, "<at-line> L7 <do> total = 0 ;"),
        (7, STEP, "<at-line> <each> i , x in enumerate ( xs ) ; L8 L11"),
        (8, STEP, "<at-line> L9 <do> total = total + x ;"),
        (9, STEP, "<at-line> <if> total > n ; L10 L7"),
        (11, STEP, "<at-line> <if> total ; L12 <raise> <arg> AssertionError ( ) ;"),
        (12, STEP, "<at-call> L2 <do> a = total ; <do> b = 3 ;"),
        (12, NEXT, "<at-line> L13 <do> y = 1 8 ;"),
        (13, STEP, "<at-line> L14 <print> <str> y </str> , y ;"),
        (14, STEP, "<at-line> L15 <do> xs . append ( y ) ;"),
        (15, STEP, "<at-line> L16"),
        (16, STEP, "<at-line> L18 <do> n = int ( <str> 7 </str> ) ;"),
        (18, STEP, "<at-line> L19 <del> i ;"),
        (19, STEP, "<at-return> L19 <arg> xs [ : : - 1 ] ;"),
    ],
)
def test_a_statements_own_words_are_the_lesson(lineno: int, action: Action, told: str) -> None:
    lessons = taught(CODE, "[1, 5, 9], 4")
    assert lessons.lesson(lessons.at(lineno), action) == told


def test_a_statement_that_does_what_it_says_is_pointed_at() -> None:
    lessons = taught(CODE, "[1, 5, 9], 4")
    at = lessons.at(9)
    found = forward_lesson(lessons.view, lessons.situations[at : at + 2], STEP, follow=False)
    assert found is not None
    assert found.guard is not None
    assert found.guard.test == HERE
    assert lessons.shown(answers.write(found)) == "<at-line> <if> <here> ; L10 L7"


def test_a_return_into_the_caller_is_told_over_the_value_returned() -> None:
    lessons = taught(CODE, "[1, 5, 9], 4")
    found = lessons.lesson(lessons.at(3, Event.RETURN), STEP)
    assert found == "<up> <at-line> L13 <do> y = <result> ;"


def test_an_exception_is_told_by_the_statement_that_raises_it() -> None:
    lessons = taught("def f(x):\n    y = 1 // x\n    return y", "0")
    assert lessons.lesson(lessons.at(2), STEP) == "<at-line> L3 <do> y = 1 // x ;"
    raised = lessons.at(2, Event.EXCEPTION)
    assert lessons.lesson(raised, STEP) == "<unwind>"


def test_a_jump_is_told_by_an_expression_over_the_state_before_it() -> None:
    text = "def f(s, n):\n  t = s.upper()\n  u = t[::-1]\n  if n:\n    u = u * n\n  return u"
    lessons = taught(text, "'abcdefgh', 3")
    back = lessons.lesson(lessons.at(2), Action(ActionKind.RETURN))
    assert back == "<at-return> L6 <arg> s . upper ( ) [ : : - 1 ] * n ;"


def test_where_the_text_leads_there_the_lesson_is_to_follow_it() -> None:
    lessons = taught("def f(x):\n    y = hash(x) % 1\n    z = x + y\n    return z", "3")
    assert lessons.lesson(lessons.at(2), STEP, follow=True) == "<at-line> L3 <do> y = 0 ;"
    assert lessons.lesson(lessons.at(3), STEP, follow=True) == "<follow>"
    assert lessons.lesson(lessons.at(3), Action(ActionKind.RETURN), follow=True) == "<follow>"


def test_what_no_expression_gives_is_spelled() -> None:
    lessons = taught("def f(x):\n    y = hash(x) % 1\n    return y", "3")
    assert lessons.lesson(lessons.at(2), STEP) == "<at-line> L3 <do> y = 0 ;"


def test_backward_lessons_lead_to_the_state_before() -> None:
    checked = 0
    for episode in recorded(5000, 10, Level.LINES):
        lessons = Class(episode)
        for earlier, later in zip(lessons.situations, lessons.situations[1:], strict=False):
            lesson = backward_lesson(lessons.view, earlier, later)
            if lesson is None:
                continue
            told = backward.read(lessons.view, later, answers.write(lesson))
            assert told is not None
            assert same_place(told.state, earlier.state)
            assert same_locals(told.state, earlier.state)
            checked += 1
    assert checked > 100


@pytest.mark.parametrize(
    ("statement", "call", "told"),
    [
        ("x = x + y", "[1], [2, 3]", "x [ : - len ( y ) ]"),
        ("x.append(y)", "[1], 3", "x [ : - 1 ]"),
        ("x = x - y", "12, 34", "x + ( y )"),
        ("x = y + x", "'ab', 'cde'", "x [ len ( y ) : ]"),
        ("x = x[::-1]", "'abc', 0", "x [ : : - 1 ]"),
        ("x = x * y", "1234, 56", "x // ( y )"),
    ],
)
def test_a_step_back_is_told_over_the_later_state(statement: str, call: str, told: str) -> None:
    lessons = taught(f"def f(x, y):\n    {statement}\n    return x", call)
    at = lessons.at(2)
    found = backward_lesson(lessons.view, *lessons.situations[at : at + 2])
    assert found is not None
    assert lessons.shown(answers.write(found)) == f"<at-line> L2 <do> x = {told} ;"


def gives_the_same(episode: Episode, told: tuple[tuple[str, str], ...] | None) -> bool:
    """Whether a call with other arguments returns what the recorded one did, when it is run."""
    text = "\n".join(f"{name} = {value}" for name, value in episode.names)
    names: dict[str, Any] = {}
    exec(text + "\n" + "\n".join(one.text for one in episode.listings), names)
    called = names[episode.function](**{name: eval(value) for name, value in told or ()})
    arg = episode.trace.states[-1].arg
    return arg is not None and (type(called), called) == (type(eval(arg.repr)), eval(arg.repr))


def test_arguments_of_which_one_is_the_result_are_taught_where_they_lead_to_it() -> None:
    lessons = taught("def f(s, n):\n    return s.strip()[:n]", "' abc ', 3")
    goal = goal_of(lessons.situations, len(lessons.situations) - 1, "f")
    assert goal is not None
    found = arguments_lesson(lessons.view, goal, lessons.episode.arguments)
    assert found is not None
    assert lessons.shown(answers.write(found)) == "<at-call> L1 <do> s = <result> ; <do> n = 3 ;"


def test_lessons_for_arguments_give_the_arguments_or_others_with_the_same_end() -> None:
    checked = over_result = 0
    for episode in [*recorded(5000, 10, Level.LINES), *recorded(5000, 10, Level.OPERATION)]:
        lessons = Class(episode)
        last = len(lessons.situations) - 1
        goal = goal_of(lessons.situations, last, episode.function)
        if goal is None:
            continue
        lesson = arguments_lesson(lessons.view, goal, episode.arguments)
        if lesson is None:
            continue
        ids = answers.write(lesson)
        told = arguments.read(lessons.view, goal, ids)
        given = tuple((name, value.repr) for name, value in episode.arguments)
        assert told == given or gives_the_same(episode, told)
        checked += 1
        over_result += IDS["<result>"] in ids
    assert checked > 20
    assert over_result > 0


def test_a_value_is_alike_only_with_type_and_text() -> None:
    lessons = taught(CODE, "[1, 5, 9], 4")
    found = lessons.situations[lessons.at(9)]
    assert alike(found, found.state)
    frame = found.state.frame
    for name, other in (("n", Value("4", "float")), ("n", Value("5", "int", True))):
        pairs = tuple(
            (each, other if each == name else value) for each, value in frame.locals or ()
        )
        changed = replace(found.state, stack=(replace(frame, locals=pairs),))
        assert not alike(replace(found, state=changed), found.state)
    assert not alike(replace(found, state=replace(found.state, output="x")), found.state)
    assert not alike(None, found.state)
