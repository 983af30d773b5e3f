"""The examination of a crash with real runs: which of its exceptions is reproduced."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from nsdbg import crashlog
from nsdbg.claim import Call
from nsdbg.localize.examine import Examination, examine
from nsdbg.report.examination import examination_text
from nsdbg.rulebook import Rulebook
from nsdbg.workbench import Options, Workbench

# The decorator catches what `get` raises: no call of anything lets the cause out.
RETRY = """\
    import functools


    def retried(function):
        @functools.wraps(function)
        def wrapper(*args):
            try:
                return function(*args)
            except ConnectionError as error:
                raise RuntimeError("gave up") from error
        return wrapper


    @retried
    def get(port):
        if not port:
            raise ConnectionError("bad port")
        return port


    def main(port):
        return get(port)
    """
LOG = """\
    Traceback (most recent call last):
      File "/app/retry.py", line 8, in wrapper
        return function(*args)
      File "/app/retry.py", line 17, in get
        raise ConnectionError("bad port")
    ConnectionError: bad port

    The above exception was the direct cause of the following exception:

    Traceback (most recent call last):
      File "/app/retry.py", line 22, in main
        return get(port)
      File "/app/retry.py", line 10, in wrapper
        raise RuntimeError("gave up") from error
    RuntimeError: gave up
    """


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project").resolve()
    (folder / "retry.py").write_text(dedent(RETRY))
    return folder


@pytest.fixture(scope="module")
def found(project: Path) -> Iterator[Examination]:
    report = next(iter(crashlog.read(dedent(LOG).encode())))
    with Workbench(Options(roots=(project,))) as bench:
        yield examine(report, [project], Rulebook(), bench=bench, budget_s=6.0)


def test_a_cause_that_nothing_lets_out_is_reproduced_by_what_it_became(found: Examination) -> None:
    assert found.inquiry.primary is not None
    assert found.inquiry.primary.raised.exception == "ConnectionError"
    best = found.reproduction
    assert best is not None
    assert isinstance(best.verdict.proposal.start, Call)
    assert best.level.subject.ref.qualname == "main"
    raised = best.verdict.evidence.raised
    assert raised is not None
    assert (raised.type, raised.message) == ("RuntimeError", "gave up")


def test_the_report_says_which_exception_of_a_chain_was_reproduced(found: Examination) -> None:
    text = " ".join(examination_text(found, 3).split())
    assert "the RuntimeError with which it ended, through all 2 frames" in text
