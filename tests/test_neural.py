"""What the network's answers become: proposals, predictions, values and surprise."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from scripted_engine import (
    Scripted,
    assign,
    call_answer,
    engine_of,
    line_answer,
    model_of,
    return_answer,
)

from nsdbg.claim import Call, Goal, Middle, Proposal, Site
from nsdbg.errors import ModelError
from nsdbg.propose.codec import answer as answers
from nsdbg.propose.codec import arguments, backward, values
from nsdbg.propose.codec import forward as forward_codec
from nsdbg.propose.codec.answer import Answer, Guard, GuardKind
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.view import View
from nsdbg.propose.codec.vocabulary import IDS
from nsdbg.propose.neural import predict, situations
from nsdbg.propose.neural.leads import leads
from nsdbg.propose.neural.model import Model
from nsdbg.propose.neural.predict import follow, next_state, next_states, run
from nsdbg.propose.neural.proposer import NeuralProposer, NeuralSession
from nsdbg.propose.neural.surprise import guesses, surprise
from nsdbg.source import Subject, load_subject
from nsdbg.state import Action, ActionKind, Event, Frame, State, Value

SOURCE = '''\
def join(words, sep="-"):
    """Join words."""
    out = ""
    for word in words:
        out = out + word + sep
    return out[:-1]


def twice(n):
    m = double(n)
    return m


def double(n):
    return n * 2


class Order:
    def total(self, price, *more, **named):
        return price


class Bought(Order):
    def __init__(self, price):
        self.price = price

    def total(self, price):
        return price
'''
STEP, NEXT = Action(ActionKind.STEP), Action(ActionKind.NEXT)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.py"
    path.write_text(SOURCE)
    return path


def returning(subject: Subject, value: str, lineno: int | None = None) -> Goal:
    site = Site(subject.ref.file, lineno, subject.ref.qualname.rpartition(".")[2])
    return Goal(subject.ref, Event.RETURN, (site,), value=value)


def earlier(subject: Subject, lineno: int, **locals: str) -> Goal:
    site = Site(subject.ref.file, lineno, subject.ref.qualname)
    names = tuple(locals.items())
    return Goal(subject.ref, Event.LINE, (site,), locals=names, previous=True)


def session(
    file: Path, goal: Goal, subject: Subject, said: Sequence[Sequence[int]]
) -> NeuralSession:
    """Begin on a goal with an engine that says the same at every question."""
    model = model_of(Scripted(lambda prompt, number: said))
    return NeuralProposer(model).start(goal, subject, 0)


def calls(proposals: Sequence[Proposal]) -> list[dict[str, str]]:
    starts = [one.start for one in proposals]
    return [dict(start.arguments) for start in starts if isinstance(start, Call)]


def local(**texts: object) -> tuple[tuple[str, Value], ...]:
    return tuple((name, Value(repr(v), type(v).__name__, True)) for name, v in texts.items())


def at(file: Path, lineno: int, name: str, event: Event = Event.LINE, **texts: object) -> Situation:
    frame = Frame(str(file), lineno, name, local(**texts))
    return Situation(State(event, (frame,)), ((),))


def test_arguments_that_the_evaluator_confirms_come_first(file: Path) -> None:
    subject = load_subject(file, "join")
    view = View.of_subject(subject)
    said = [
        call_answer(view, words="['x']"),
        call_answer(view, words="[open('x')]"),
        call_answer(view, words="['a', 'b']"),
        call_answer(view, words="_nsdbg_result.split('-')", sep="'-'"),
    ]
    goal = returning(subject, "'a-b'")
    asked = session(file, goal, subject, said)
    found = [*asked.ask(2), *asked.ask(5)]
    assert calls(found) == [
        {"words": "['a', 'b']"},
        {"words": "['a', 'b']", "sep": "'-'"},
        {"words": "['x']"},
    ]
    assert [one.logp for one in found] == [-3.0, -4.0, -1.0]
    assert asked.ask(5) == []


def test_the_question_is_the_one_that_was_trained(file: Path) -> None:
    subject = load_subject(file, "join")
    engine = Scripted(lambda prompt, number: [])
    for lineno in (None, 6):
        goal = returning(subject, "'a-b'", lineno)
        NeuralProposer(model_of(engine)).start(goal, subject, 0).ask(1)
    trained = arguments.prompt(View.of_subject(subject), returning(subject, "'a-b'"))
    assert engine.prompts
    assert all(prompt == trained for prompt in engine.prompts)


def test_arguments_that_the_function_does_not_have_are_not_proposed(file: Path) -> None:
    subject = load_subject(file, "join")
    view = View.of_subject(subject)
    said = [
        call_answer(view, sep="'-'"),  # words is required
        call_answer(view, words="[]", other="1"),
        [*call_answer(view, words="[]")[:-1]],  # without an end
        [],
        line_answer(view, 5, words="[]"),
    ]
    assert session(file, returning(subject, "'a'"), subject, said).ask(9) == []


def test_stars_and_a_receiver_are_put_to_the_arguments(file: Path) -> None:
    subject = load_subject(file, "Order.total")
    view = View.of_subject(subject)
    said = [call_answer(view, price="3", more="(4,)", named="{'k': 5}")]
    found = session(file, returning(subject, "3"), subject, said).ask(1)
    expected = {"self": "Order()", "price": "3", "*more": "(4,)", "**named": "{'k': 5}"}
    assert calls(found) == [expected]


def test_a_receiver_that_has_to_be_built_is_left_to_the_search(file: Path) -> None:
    subject = load_subject(file, "Bought.total")
    said = [call_answer(View.of_subject(subject), price="3")]
    assert session(file, returning(subject, "3"), subject, said).ask(1) == []


def test_another_round_is_drawn_when_the_first_is_used_up(file: Path) -> None:
    subject = load_subject(file, "double")
    view = View.of_subject(subject)
    engine = Scripted(lambda prompt, number: [call_answer(view, n=str(number))])
    asked = NeuralProposer(model_of(engine)).start(returning(subject, "4"), subject, 0)
    assert calls(asked.ask(1)) == [{"n": "0"}]
    assert len(engine.prompts) == 1
    assert [calls(asked.ask(9)) for _ in range(2)] == [[{"n": "1"}], []]
    assert len(engine.prompts) == 2


def test_a_session_may_wait_for_others_to_try_what_costs_less(file: Path) -> None:
    subject = load_subject(file, "double")
    engine = Scripted(lambda prompt, number: [call_answer(View.of_subject(subject), n="2")])
    asked = NeuralProposer(model_of(engine), patience=2).start(returning(subject, "4"), subject, 0)
    assert (asked.ask(1), asked.ask(1), engine.prompts) == ([], [], [])
    assert calls(asked.ask(1)) == [{"n": "2"}]


def test_the_state_before_a_line_is_proposed_with_its_command(file: Path) -> None:
    subject = load_subject(file, "join")
    view = View.of_subject(subject)
    goal = earlier(subject, 4, words="['a']", sep="'-'", word="'a'", out="'xa-'")
    said = [
        line_answer(view, 5, out="''"),
        line_answer(view, 5, out="out[:-2]"),
        line_answer(view, 3),
    ]
    found = session(file, goal, subject, said).ask(9)
    assert [one.action for one in found] == [STEP] * 3
    starts = [one.start for one in found]
    assert all(isinstance(start, Middle) for start in starts)
    first = starts[0]
    assert isinstance(first, Middle)
    assert first.state.frame.lineno == 5
    assert first.state.frame.local("out") == Value("'x'", "str", True)
    assert first.remaining == ((4, "[]"),)


def test_a_line_that_calls_a_function_in_view_is_left_by_next(file: Path) -> None:
    subject = load_subject(file, "twice")
    view = View.of_subject(subject)
    goal = earlier(subject, 11, n="2", m="4")
    answer = answers.write(
        Answer(Event.LINE, view.line(str(file), 10), changes=((answers.ChangeKind.DELETE,
               tuple(view.slots.name("m"))),))
    )  # fmt: skip
    [found] = session(file, goal, subject, [answer]).ask(3)
    assert found.action == NEXT
    assert isinstance(found.start, Middle)
    assert dict(found.start.state.frame.locals or ()).keys() == {"n"}


def test_an_item_taken_by_the_step_is_what_the_loop_has_yet_to_give(file: Path) -> None:
    subject = load_subject(file, "join")
    view = View.of_subject(subject)
    goal = earlier(subject, 5, words="['a', 'b']", sep="'-'", word="'b'", out="'a-'")
    [found] = session(file, goal, subject, [line_answer(view, 4, word="'a'")]).ask(1)
    assert isinstance(found.start, Middle)
    assert found.start.remaining == ((4, "['b']"),)


def test_loops_are_counted_by_what_remains_else_by_values(file: Path) -> None:
    view = View.of_subject(load_subject(file, "join"))
    inside = at(file, 5, "join", words=["a", "b", "c"], word="b").state.frame
    assert situations.counted(view, inside, {}) == ((4, 2),)
    assert situations.counted(view, inside, {4: "[]"}) == ((4, 3),)
    fresh = at(file, 4, "join", words=["a", "b"], out="").state.frame
    assert situations.counted(view, fresh, {}) == ((4, 0),)
    unknown = at(file, 5, "join", word="b").state.frame
    assert situations.counted(view, unknown, {}) == ((4, 1),)


@pytest.mark.parametrize(
    ("lineno", "known", "goal", "told"),
    [
        (3, {"words": ["a"]}, {"lineno": 4, "out": "''"}, True),
        (3, {"words": ["a"]}, {"lineno": 4, "out": "'x'"}, False),
        (3, {"words": ["a"]}, {"lineno": 6, "out": "''"}, False),
        (5, {"out": "x", "word": "a", "sep": ","}, {"lineno": 4, "out": "'xa,'"}, True),
        (5, {"out": "x", "word": 3, "sep": ","}, {"lineno": 4, "out": "'xa,'"}, False),
        (5, {"out": "x", "word": "a"}, {"lineno": 4, "out": "'xa,'"}, None),
        (4, {"words": ["a"]}, {"lineno": 5, "word": "'a'"}, None),
    ],
)
def test_the_evaluator_tells_where_one_step_leads(
    file: Path, lineno: int, known: dict[str, object], goal: dict[str, str | int], told: bool | None
) -> None:
    subject = load_subject(file, "join")
    view = View.of_subject(subject)
    frame = at(file, lineno, "join", Event.LINE, **known).state.frame
    names = {name: str(text) for name, text in goal.items() if name != "lineno"}
    assert leads(view, frame, earlier(subject, int(goal["lineno"]), **names)) is told


def test_without_a_model_nothing_is_proposed_and_one_is_told_once(
    file: Path, tmp_path: Path
) -> None:
    told: list[str] = []
    proposer = NeuralProposer(Model(tmp_path / "nowhere", tell=told.append))
    for name in ("join", "double"):
        subject = load_subject(file, name)
        asked = proposer.start(returning(subject, "4"), subject, 0)
        assert asked.ask(3) == []
        assert asked.ask(3) == []
    [message] = told
    assert message.startswith("going on without a model: there is no model in")


def test_who_cannot_go_on_without_a_model_gets_the_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no model"):
        Model(tmp_path / "nowhere").opened()


def test_the_next_state_is_the_greedy_answer(file: Path) -> None:
    view = View.of_subject(load_subject(file, "join"))
    here = at(file, 3, "join", words=["a"], sep="-")
    engine = Scripted(lambda prompt, number: [line_answer(view, 4, out="''")])
    found = next_state(engine_of(engine), view, here, STEP)
    assert found is not None
    assert found.logp == -1.0
    assert found.situation.state == State(
        Event.LINE, (Frame(str(file), 4, "join", local(words=["a"], sep="-", out="")),)
    )
    assert engine.prompts == [forward_codec.prompt(view, here, STEP)]


def test_garbage_is_no_prediction(file: Path) -> None:
    view = View.of_subject(load_subject(file, "join"))
    here = at(file, 3, "join", words=["a"], sep="-")
    for said in ([], [5], [IDS["<end>"]], list(range(50))):
        engine = engine_of(Scripted(lambda prompt, number, said=said: [said]))  # type: ignore[misc]
        assert next_state(engine, view, here, STEP) is None
        assert list(follow(engine, view, here, [STEP])) == []


def test_where_the_likeliest_answer_cannot_be_read_the_next_one_is_taken(file: Path) -> None:
    view = View.of_subject(load_subject(file, "join"))
    here = at(file, 3, "join", words=["a"], sep="-")
    said = [[5, 6], line_answer(view, 3, out="''")]
    engine = engine_of(Scripted(lambda prompt, number: said))
    found = next_state(engine, view, here, STEP)
    assert found is not None
    assert found.logp == -2.0
    way = list(follow(engine, view, here, [STEP, STEP]))
    assert [one.situation.state.frame.lineno for one in way] == [3, 3]


def test_different_answers_with_one_meaning_are_one_prediction(file: Path) -> None:
    view = View.of_subject(load_subject(file, "join"))
    here = at(file, 3, "join", words=["a"], sep="-")
    said = [line_answer(view, 4, out=text) for text in ("''", "str()", "'x'")]
    found = next_states(engine_of(Scripted(lambda prompt, number: said)), view, here, STEP, 3)
    assert [one.situation.state.frame.local("out") for one in found] == [
        Value("''", "str", True), Value("'x'", "str", True),
    ]  # fmt: skip


def loop_answers(view: View, file: Path) -> list[list[int]]:
    """Return what to say at each step of join(['a', 'b'])."""
    five, six = view.line(str(file), 5), view.line(str(file), 6)
    assert five is not None
    assert six is not None
    [(_, test)] = assign(view, word="words")
    each = (*test[:1], IDS["w:in"], *test[2:])
    head = answers.write(Answer(Event.LINE, guard=Guard(GuardKind.EACH, each, five, six)))
    body = line_answer(view, 4, out="out + word + sep")
    return [
        line_answer(view, 3), line_answer(view, 4, out="''"),
        head, body, head, body, head, return_answer(view, 6, "out[:-1]"),
    ]  # fmt: skip


def test_a_call_is_followed_to_its_value_in_one_cache(file: Path) -> None:
    view = View.of_subject(load_subject(file, "join"))
    start = at(file, 1, "join", Event.CALL, words=["a", "b"], sep="-")
    said = loop_answers(view, file)
    engine = Scripted(lambda prompt, number: [said[number]])
    found = run(engine_of(engine), view, start)
    assert found == predict.Predicted(True, 8, -8.0, Value("'a-b'", "str", True))
    text = engine.prompts[0]
    assert text == forward_codec.prompt(view, start, STEP)
    for before, after in zip(engine.prompts, engine.prompts[1:], strict=False):
        assert after[: len(before)] == before
        assert IDS["<step>"] in after[len(before) :]


def test_what_does_not_end_is_given_up(file: Path) -> None:
    view = View.of_subject(load_subject(file, "join"))
    start = at(file, 1, "join", Event.CALL, words=["a"], sep="-")
    engine = engine_of(Scripted(lambda prompt, number: [line_answer(view, 4)]))
    found = run(engine, view, start, most_steps=30)
    assert (found.ended, found.steps, found.value) == (False, 30, None)


def test_an_exception_that_leaves_the_call_is_its_end(file: Path) -> None:
    view = View.of_subject(load_subject(file, "join"))
    start = at(file, 1, "join", Event.CALL, words=[1], sep="-")
    raising = line_answer(view, 4, out="'' + 1")
    unwind = answers.write(Answer(Event.RETURN, unwind=True))
    said = [line_answer(view, 5), raising, unwind]
    found = run(engine_of(Scripted(lambda prompt, number: [said[number]])), view, start)
    assert found.ended
    assert found.value is None
    assert found.raised is not None
    assert found.raised.type == "TypeError"


def test_a_long_way_is_asked_in_several_caches(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Training sequences have ten commands at most; what is longer begins anew."""
    view = View.of_subject(load_subject(file, "join"))
    start = at(file, 1, "join", Event.CALL, words=["a"], sep="-")
    monkeypatch.setattr(predict, "MOST_IN_CACHE", 3)
    engine = Scripted(lambda prompt, number: [line_answer(view, 4)])
    list(follow(engine_of(engine), view, start, [STEP] * 7))
    fresh = [prompt.count(IDS["<step>"]) for prompt in engine.prompts]
    assert fresh == [1, 2, 3, 1, 2, 3, 1]


def test_a_value_is_as_surprising_as_it_is_less_likely(file: Path) -> None:
    view = View.of_subject(load_subject(file, "join"))
    here = at(file, 4, "join", out="zz")
    likely = values.spell(view, Value("''", "str", True))
    assert likely is not None
    engine = Scripted(lambda prompt, number: [likely])
    found = surprise(engine_of(engine), view, here, "out")
    spelt = values.spell(view, Value("'zz'", "str", True))
    assert spelt is not None
    assert found is not None
    assert found.expected == Value("''", "str", True)
    assert found.nats == pytest.approx(sum(spelt) / 100 - 1.0)
    expected = at(file, 4, "join", out="")
    same = surprise(engine_of(engine), view, expected, "out")
    assert same is not None
    assert same.nats == 0.0
    assert surprise(engine_of(engine), view, here, "nobody") is None


def test_a_guess_at_a_value_is_one_of_those_that_can_be_told(file: Path) -> None:
    view = View.of_subject(load_subject(file, "join"))
    here = at(file, 4, "join", words=["a"])
    texts = ("''", "str()", "words[0]", "words[9]")
    said = [values.spell(view, Value(text, "str")) or [] for text in texts]
    found = guesses(engine_of(Scripted(lambda prompt, number: said)), view, here, "out", 4)
    assert [one.value.repr for one in found] == ["''", "'a'"]


def test_a_question_about_the_step_before_is_the_one_that_was_trained(file: Path) -> None:
    subject = load_subject(file, "join")
    engine = Scripted(lambda prompt, number: [])
    goal = earlier(subject, 5, words="['a', 'b']", sep="'-'", word="'b'", out="'a-'")
    NeuralProposer(model_of(engine)).start(goal, subject, 0).ask(1)
    view = View.of_subject(subject)
    later = at(file, 5, "join", words=["a", "b"], sep="-", word="b", out="a-")
    later = Situation(later.state, (((4, 2),),))
    assert engine.prompts[0] == backward.prompt(view, later, Action(ActionKind.STEP, inverse=True))
