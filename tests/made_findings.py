"""Findings as triage and gate make them, and findings that nobody should have to print.

For the tests of every report format and of the page.
"""

from __future__ import annotations

from hypothesis import strategies as st

from nsdbg.claim import Status
from nsdbg.finding import (
    Finding,
    Findings,
    Level,
    Limit,
    Place,
    Rule,
    Step,
    Suspicion,
    Tried,
    fingerprint,
)

ROWS = '''\
"""Rows of a table."""


def parse_row(text):
    """Return the first cell of a row."""
    cells = []
    for part in text.split(","):
        part = part.strip()
        if part:
            cells.append(part)
    # an empty row has no cells
    total = len(cells)
    if total >= 0:
        return cells[0]
    return None
'''

# What a log, a program or a tree can hold: each once did harm to some reader.
ODD_TEXTS = (
    "",
    " ",
    "\x00\x01\x07\x1b[31mred\x1b[0m\x7f\x85\u2028",
    "half \ud800 and \udfff, joined \ud83d\ude00",
    "right\u202eto left\u2066 and \u200b none",
    "::error file=x.py,line=1,title=t::owned",
    "two\n::error::owned\r\n  ::stop-commands::x\n##[error]owned\n##vso[task.x]\n##teamcity[x]",
    "100% %0A%0D::add-mask::x",
    "<script>alert(1)</script><img src=x onerror=alert(1)> &lt;b&gt; &#64;",
    "</details></summary></td></table></code></pre>",
    "]]> <!-- --> <!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]> &e;",
    "@octocat, @org/team, #123, GH-1, owner/repo#2, !3, ~label, $x$, :smile:",
    "https://evil.example/x www.evil.example me@evil.example [a](javascript:alert(1)) ![i](//x)",
    "a|b me@evil.example xmpp:a@evil.example/x mailto:a@evil.example",
    "`one` ``two`` ```three``` |a|b\\|c\\\\|d| \\` \\",
    "```",
    "# heading\n\n- item\n> quote\n\n    code\n---\n| a |\n|---|",
    "*bold* _it_ ~~no~~ __init__ [x] [x](1) [0](2)",
    "{0} {x} {{}} %s %(x)s $HOME `id` $(id)",
    "größe 大きさ 😀 \u0301\u0301",
    "\ufffe\uffff\U0001ffff\ue000",
    "x" * 200,
)


def crash() -> Finding:
    """A new crash as triage finds it, with everything a finding can have."""
    place = Place("src/rows.py", 14, "return cells[0]", "parse_row")
    return Finding(
        Rule.NEW_CRASH,
        "parse_row('') now raises IndexError at src/rows.py:14; before this commit it returned "
        "None",
        fingerprint(Rule.NEW_CRASH, "src/rows.py", "parse_row", "IndexError", "return cells[0]"),
        place,
        Status.CONFIRMED,
        "triage",
        "IndexError",
        "list index out of range",
        "parse_row('')",
        ("from rows import parse_row",),
        "returned None",
        "raises IndexError: list index out of range",
        "each version was run twice, in fresh processes, on Python 3.11",
        touched=True,
        suspects=(
            Suspicion(
                Place("src/rows.py", 13, "if total >= 0:", "parse_row"), 0.83,
                ("the condition lets an empty list through", "this line was changed"),
            ),
            Suspicion(Place("src/rows.py", 9, "if part:", "parse_row"), 0.21, ("data flow",)),
        ),
        path=(
            Step(Place("src/rows.py", 4, "def parse_row(text):", "parse_row"), "call",
                 (("text", "''"),), ("text",)),
            Step(Place("src/rows.py", 6, "cells = []", "parse_row"), "line", (("text", "''"),)),
            Step(Place("src/rows.py", 12, "total = len(cells)", "parse_row"), "line",
                 (("text", "''"), ("cells", "[]"), ("part", "''")), ("cells", "part")),
            Step(place, "exception",
                 (("text", "''"), ("cells", "[]"), ("part", "''"), ("total", "0")), ("total",),
                 "IndexError: list index out of range"),
        ),
        tried=(
            Tried("parse_row('')", "rule:empty-sequence", Status.CONFIRMED, "goal-reached",
                  "raised IndexError here and returned None before", 4, -0.25),
            Tried("parse_row('a')", "search:0", Status.REFUTED, "no-exception",
                  "returned 'a' in both", 2),
            Tried("parse_row(open('x').read())", "search:0", Status.UNKNOWN, "side-effect",
                  "the guard refused open", 1),
        ),
    )  # fmt: skip


def logged() -> Finding:
    """A crash that was only read, with a suspect and no call."""
    return Finding(
        Rule.LOGGED_CRASH,
        "KeyError: 'vat' at shop/orders.py:27 in total (3 times)",
        fingerprint(Rule.LOGGED_CRASH, "shop/orders.py", "total", "KeyError"),
        Place("shop/orders.py", 27, "return rates[kind] * net", "Order.total"),
        origin="ci.log",
        exception="KeyError",
        exception_message="'vat'",
        count=3,
        touched=False,
        suspects=(Suspicion(Place("shop/rates.py", 3), 0.5, ("the key is made here",)),),
    )


def failed_test() -> Finding:
    """A failure in a test report."""
    return Finding(
        Rule.FAILED_TEST,
        "tests/test_rows.py::test_empty failed: AssertionError: assert 'a' == ''",
        fingerprint(Rule.FAILED_TEST, "tests/test_rows.py", "test_empty"),
        Place("tests/test_rows.py", 8, "assert parse_row('a') == ''", "test_empty"),
        origin="report.xml",
        exception="AssertionError",
    )


def hallucination() -> Finding:
    """A limit that was not kept: a finding that has no place."""
    return Finding(
        Rule.RAW_HALLUCINATION,
        "raw hallucination is 52.3 % (523 of 1,000), above the limit of 50 %",
        fingerprint(Rule.RAW_HALLUCINATION, "all"),
        status=Status.CONFIRMED,
        origin="measure",
    )


def unused_ignore() -> Finding:
    """A finding that fails nothing."""
    return Finding(
        Rule.UNUSED_IGNORE,
        "there is nothing to ignore on this line",
        fingerprint(Rule.UNUSED_IGNORE, "src/rows.py", "total = len(cells)"),
        Place("src/rows.py", 12, "total = len(cells)  # nsdbg: ignore[new-crash] old", None),
    )


LIMITS = (
    Limit("raw-hallucination", 0.523, 0.5, 523, 1000),
    Limit("residual-hallucination", 0.0, 0.0, 0, 640),
)


def ordinary() -> Findings:
    """One finding of each kind, one known, one ignored, notes and limits."""
    return Findings(
        (unused_ignore(), crash(), logged(), failed_test(), hallucination()),
        known=(logged(),),
        ignored=(crash(),),
        notes=("explore.ipynb is a notebook and was left out", "old.py does not parse: line 3"),
        limits=LIMITS,
        sources=(("src/rows.py", ROWS),),
        examined=12,
        logs=2,
        seconds=1.25,
    )


def clean() -> Findings:
    """Nothing new."""
    return Findings(examined=12, logs=1, seconds=0.41)


def odd(text: str) -> Finding:
    """A finding that holds a text wherever there is room for one."""
    place = Place(text, 0, text, text)
    return Finding(
        Rule.NEW_CRASH, text, text, place, Status.CONFIRMED, text, text, text, text, (text, text),
        text, text, text, suspects=(Suspicion(place, 0.5, (text, text)),),
        path=(Step(place, text, ((text, text),), (text,), text),),
        tried=(Tried(text, text, Status.UNKNOWN, text, text, 1, -1.0),),
    )  # fmt: skip


def all_odd(text: str) -> Findings:
    """Findings that hold nothing but a text."""
    one = odd(text)
    return Findings(
        (one, one), (one,), (one,), (text,), (Limit(text, 1.5, 0.1, 3, 2),), ((text, text),),
    )  # fmt: skip


def many(number: int) -> Findings:
    """So many findings, all different, the last of them a warning."""
    one = crash()
    made = [
        Finding(
            one.rule, f"parse_row('{n}') now raises IndexError; before it returned None",
            fingerprint(one.rule, str(n)), Place(f"src/rows_{n % 97}.py", n + 1, "return cells[0]"),
            Status.CONFIRMED, "triage", "IndexError", "list index out of range",
            f"parse_row('{n}')", one.imports, "returned None", one.now, one.evidence,
            suspects=one.suspects, path=one.path, tried=one.tried,
        )
        for n in range(number - 1)
    ]  # fmt: skip
    return Findings((*made, unused_ignore()), known=(logged(),), examined=number, seconds=9.0)


texts = st.one_of(
    st.sampled_from(ODD_TEXTS),
    st.text(st.characters(), max_size=30),
    st.text("`|<>&@#:[]()!\\\n\r\t \"'=%,{}*_~-ab\x1b\u202e\ud800", max_size=40),
)
places = st.builds(Place, texts, st.integers(-1, 1 << 33), texts, st.none() | texts)
steps = st.builds(
    Step, places, texts, st.lists(st.tuples(texts, texts), max_size=3).map(tuple),
    st.lists(texts, max_size=2).map(tuple), st.none() | texts,
)  # fmt: skip
suspicions = st.builds(Suspicion, places, st.floats(0, 1), st.lists(texts, max_size=2).map(tuple))
trials = st.builds(
    Tried, texts, texts, st.sampled_from(Status), texts, texts, st.integers(0, 9),
    st.none() | st.floats(),
)  # fmt: skip
single = st.builds(
    Finding, st.sampled_from(Rule), texts, texts, st.none() | places, st.sampled_from(Status),
    texts, st.none() | texts, st.none() | texts, st.none() | texts,
    st.lists(texts, max_size=2).map(tuple), st.none() | texts, st.none() | texts, texts,
    st.integers(1, 9), st.none() | st.booleans(), st.lists(suspicions, max_size=2).map(tuple),
    st.lists(steps, max_size=2).map(tuple), st.lists(trials, max_size=2).map(tuple),
    st.none() | st.sampled_from(Level),
)  # fmt: skip
limits = st.builds(
    Limit, texts, st.floats(0, 1), st.floats(0, 1), st.integers(0, 9), st.integers(0, 9)
)
anything = st.builds(
    Findings, st.lists(single, max_size=3).map(tuple), st.lists(single, max_size=1).map(tuple),
    st.lists(single, max_size=1).map(tuple), st.lists(texts, max_size=2).map(tuple),
    st.lists(limits, max_size=2).map(tuple),
    st.lists(st.tuples(texts, texts), max_size=1).map(tuple),
    st.integers(0, 9), st.integers(0, 9), st.floats(0, 9),
)  # fmt: skip
