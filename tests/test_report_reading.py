"""A crash is read in one sentence, with whose fault it looks like."""

from __future__ import annotations

import pytest

from nsdbg import crashlog
from nsdbg.report.reading import Reading, reading
from nsdbg.rulebook import Rulebook
from nsdbg.rulebook.answers import Blame

RULES = Rulebook()
OWN = '  File "/app/run.py", line 7, in main\n    go()\n'
LIBRARY = (
    '  File "/venv/lib/python3.12/site-packages/grid/core.py", line 9, in cut\n'
    '    raise GridError("too wide")\n'
)
PYTHON = '  File "/usr/lib/python3.12/shlex.py", line 9, in split\n    raise ValueError("open")\n'
CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n"


def read(*parts: str) -> Reading:
    log = "".join(f"Traceback (most recent call last):\n{part}" for part in parts)
    (report,) = crashlog.read(log.encode())
    return reading(report, RULES)


@pytest.mark.parametrize(
    ("part", "sentence", "fault", "whose"),
    [
        (
            f"{OWN}KeyError: 'bolt'\n",
            "The key 'bolt' is not in the dict (or other mapping) that was asked for it.",
            Blame.LINE, "your line /app/run.py:7",
        ),
        (
            f"{OWN}{LIBRARY}grid.GridError: too wide\n",
            "The library grid raised GridError on purpose: too wide",
            Blame.LIBRARY, "the library grid, called from your line /app/run.py:7",
        ),
        (
            f"{LIBRARY}grid.GridError: too wide\n",
            "The library grid raised GridError on purpose: too wide",
            Blame.LIBRARY,
            "the library grid, or what it was given: the log names no line of yours",
        ),
        (
            f"{PYTHON}ValueError: No closing quotation\n",
            "Python's own library raised ValueError on purpose: No closing quotation",
            Blame.LIBRARY,
            "Python's own library, or what it was given: the log names no line of yours",
        ),
        (
            f"{OWN}{PYTHON}ValueError: No closing quotation\n",
            "Python's own library raised ValueError on purpose: No closing quotation",
            Blame.INPUT, "your input, as it came to your line /app/run.py:7",
        ),
        (
            f"{OWN}requests.exceptions.ReadTimeout: no answer in 5 s\n",
            "Something took longer than it may: no answer in 5 s",
            Blame.ENVIRONMENT, "the environment, met at your line /app/run.py:7",
        ),
        (
            f"{OWN}KeyboardInterrupt\n",
            "The program was stopped from outside, by Ctrl-C or SIGINT.",
            Blame.ENVIRONMENT, "the environment, met at your line /app/run.py:7",
        ),
        (
            f"{OWN}ImportError: /lib/libx.so: undefined symbol: _ZN\n",
            None, Blame.VERSION, "versions that do not fit together",
        ),
        (
            f"{OWN}ImportError: cannot import name 'x' from 'shop' (/app/shop.py)\n",
            None, Blame.LINE, "your line /app/run.py:7",
        ),
    ],
)  # fmt: skip
def test_a_crash_is_read_in_a_sentence(
    part: str, sentence: str | None, fault: Blame, whose: str
) -> None:
    found = read(part)
    assert found == Reading(sentence or found.sentence, fault, whose)


def test_a_missing_environment_variable_is_named() -> None:
    frames = '  File "/usr/lib/python3.12/os.py", line 685, in __getitem__\n'
    found = read(f"{OWN}{frames}    raise KeyError(key) from None\nKeyError: 'HOST'\n")
    assert found.sentence == "The environment variable HOST is not set."
    assert found.fault is Blame.ENVIRONMENT


def test_the_cause_is_read_and_not_its_wrapper() -> None:
    found = read(f"{OWN}ZeroDivisionError: division by zero\n{CAUSE}", f"{OWN}shop.Odd: failed\n")
    assert found.sentence == "A number was divided by zero."


def test_what_was_raised_while_another_was_handled_is_read_itself() -> None:
    context = "\nDuring handling of the above exception, another exception occurred:\n\n"
    found = read(f"{OWN}ZeroDivisionError: division by zero\n{context}", f"{OWN}KeyError: 1\n")
    assert found.sentence.startswith("The key 1 is not in")


def test_a_log_that_names_no_exception_is_no_one_s_fault() -> None:
    found = read(OWN)
    assert found == Reading("The log ends before it says what was raised.")


def test_a_cause_that_django_does_not_name_is_passed_over() -> None:
    link = "\nThe above exception ('gear') was the direct cause of the following exception:\n"
    below = "\nException Type: StockError at /\nException Value: unknown goods\n"
    found = read(f"{OWN}{link}{OWN}{below}")
    assert found.sentence == "Your code failed with StockError: unknown goods"


def test_a_long_message_is_shortened() -> None:
    assert len(read(f"{OWN}shop.Odd: {'x' * 5000}\n").sentence) < 250
