"""`pytest --nsdbg`: what a failing test's report gains, and what must not happen to a run."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import ANY

import pytest

from nsdbg.crashlog import read
from nsdbg.crashlog.report import CrashReport
from nsdbg.localize.examine import Examination, examine
from nsdbg.pytest_plugin import answering, hooks
from nsdbg.pytest_plugin.answering import answered
from nsdbg.pytest_plugin.asking import Asking, Order
from nsdbg.pytest_plugin.taking import Failure, failure_of
from nsdbg.workbench import Workbench

pytest_plugins = ["pytester"]

SHOP = """
def find(rows, name):
    for row in rows:
        if row[0] == name:
            return row


def price_of(rows, name):
    return find(rows, name)[1]


def total(prices):
    amount = 1
    for price in prices:
        amount += price
    return amount
"""


class Orders(list[Order]):
    """What was asked; the answer names the test."""

    answer: Callable[[Order], str] = staticmethod(lambda order: f"likely at fault: {order.test}")


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Orders:
    """The orders of runs in this process, none of which starts another one."""
    asked = Orders()

    def ask(asking: Asking, order: Order) -> str:
        asked.append(order)
        asking.spent_s += 1.0
        return asked.answer(order)

    monkeypatch.setattr(Asking, "ask", ask)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return asked


@pytest.fixture
def run(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., pytest.RunResult]:
    """Runs a test file in this process with the plugin, and no other that is installed here."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    def started(text: str, *options: str) -> pytest.RunResult:
        pytester.makepyfile(test_it=text)
        return pytester.runpytest_inprocess(
            "-p", "nsdbg.pytest_plugin", "-p", "no:cacheprovider", "--nsdbg", *options
        )

    return started


def told(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if line.startswith("likely at fault: ")]


CRASHES = "def test_a():\n    {}['x']\n"


@pytest.mark.parametrize("style", ["auto", "long", "short", "line", "native", "no"])
def test_every_style_of_traceback_shows_the_section_once(
    orders: Orders, run: Callable[..., pytest.RunResult], style: str
) -> None:
    result = run(CRASHES, f"--tb={style}")
    result.assert_outcomes(failed=1)
    assert told(result) == ["likely at fault: test_it.py::test_a"]


@pytest.mark.parametrize("shown", ["no", "stdout", "all"])
def test_it_is_shown_whatever_is_shown_of_captured_output(
    orders: Orders, run: Callable[..., pytest.RunResult], shown: str
) -> None:
    assert len(told(run(CRASHES, f"--show-capture={shown}"))) == 1


@pytest.mark.parametrize("style", ["auto", "line", "no"])
def test_errors_of_fixtures_have_a_section_too(
    orders: Orders, run: Callable[..., pytest.RunResult], style: str
) -> None:
    text = """
    import pytest

    @pytest.fixture
    def before():
        {}["before"]

    @pytest.fixture
    def after():
        yield
        {}["after"]

    def test_before(before): pass
    def test_after(after): pass
    """
    result = run(text, f"--tb={style}")
    result.assert_outcomes(errors=2, passed=1)
    assert told(result) == [
        "likely at fault: test_it.py::test_before", "likely at fault: test_it.py::test_after",
    ]  # fmt: skip


def test_unittest_parameters_and_subtests_are_seen(
    orders: Orders, run: Callable[..., pytest.RunResult]
) -> None:
    text = """
    import unittest
    import pytest

    class TestCase(unittest.TestCase):
        def test_equal(self):
            self.assertEqual(1, 2)

        def test_parts(self):
            for number in (0, 1):
                with self.subTest(number=number):
                    1 / number

    @pytest.mark.parametrize("number", [0, 1])
    def test_number(number):
        1 / number
    """
    run(text)
    names = {order.test.partition("::")[2] for order in orders}
    assert names >= {"TestCase::test_equal", "test_number[0]"}
    parts = [order for order in orders if order.test.endswith("test_parts")]
    assert all("ZeroDivisionError" in order.record for order in parts)


def test_a_module_that_cannot_be_imported_has_a_section(
    orders: Orders, run: Callable[..., pytest.RunResult]
) -> None:
    result = run("{}['x']\n")
    result.assert_outcomes(errors=1)
    assert told(result) == ["likely at fault: test_it.py"]


def test_what_passes_is_expected_or_was_called_a_failure_is_not_examined(
    orders: Orders, run: Callable[..., pytest.RunResult]
) -> None:
    text = """
    import pytest

    def test_passes(): pass

    @pytest.mark.xfail
    def test_expected(): {}["x"]

    @pytest.mark.xfail(strict=True)
    def test_unexpected(): pass

    def test_called(): pytest.fail("no")

    def test_skipped(): pytest.skip()

    def test_without_fixture(nothing): pass
    """
    result = run(text)
    result.assert_outcomes(passed=1, failed=2, xfailed=1, skipped=1, errors=1)
    assert orders == []


def test_an_error_of_ours_is_one_line_and_the_run_goes_on(
    orders: Orders, run: Callable[..., pytest.RunResult]
) -> None:
    def broken(order: Order) -> str:
        raise RuntimeError("it\nbroke")

    orders.answer = broken
    result = run(f"{CRASHES}def test_b(): pass\n")
    result.assert_outcomes(failed=1, passed=1)
    (line,) = [line for line in result.outlines if "could not examine" in line]
    assert line == "nsdbg could not examine this: RuntimeError('it\\nbroke')"


def test_ctrl_c_ends_the_run_with_the_failure_told_and_fixtures_torn_down(
    orders: Orders, run: Callable[..., pytest.RunResult]
) -> None:
    def stopped(order: Order) -> str:
        raise KeyboardInterrupt

    orders.answer = stopped
    text = """
    import pytest

    @pytest.fixture
    def resource():
        yield
        print("torn down")

    def test_a(resource): {}["x"]
    def test_b(): pass
    """
    result = run(text, "-s")
    result.assert_outcomes(failed=1)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert "nsdbg was interrupted" in result.outlines
    result.stdout.fnmatch_lines(["*torn down*", "*Ctrl-C while nsdbg examined a failure*"])


@pytest.mark.parametrize("text", ["time.sleep(600)", "threading.Event().wait()"])
def test_a_value_that_hangs_holds_nothing_up(
    orders: Orders,
    run: Callable[..., pytest.RunResult],
    monkeypatch: pytest.MonkeyPatch,
    text: str,
) -> None:
    monkeypatch.setattr(hooks, "TAKING_S", 0.05)
    result = run(f"""
    import threading, time

    class Hangs:
        def __repr__(self): {text}

    def test_a():
        hangs = Hangs()
        hangs.missing
    """)
    result.assert_outcomes(failed=1)
    (order,) = orders
    assert "Hangs object" in order.record


def test_what_a_value_prints_is_shown_nowhere(
    orders: Orders, run: Callable[..., pytest.RunResult]
) -> None:
    text = """
    class Prints:
        def __repr__(self):
            print("printed" + " here")
            return "Prints"

    def test_a():
        prints = Prints()
        assert False
    """
    assert "printed here" not in run(text, "-s").stdout.str()
    assert "Prints" in orders[0].record


def test_the_same_failure_is_examined_once(
    orders: Orders, run: Callable[..., pytest.RunResult]
) -> None:
    text = """
    import pytest

    @pytest.mark.parametrize("name", "ab")
    def test_a(name): {}[name]
    """
    result = run(text)
    assert [order.test for order in orders] == ["test_it.py::test_a[a]"]
    assert "as for test_it.py::test_a[a]:" in result.outlines
    assert len(told(result)) == 2


def test_when_the_time_for_all_is_spent_the_rest_is_counted(
    orders: Orders, run: Callable[..., pytest.RunResult]
) -> None:
    text = "".join(f"def test_{name}(): {{}}[{name!r}]\n" for name in "abcd")
    result = run(text, "--nsdbg-total-budget", "1.5")
    assert len(orders) == 2
    result.stdout.fnmatch_lines(["nsdbg: 2 failures were examined in 2.? s; 2 more were not: *"])


def test_no_failure_may_take_more_than_is_left_for_all(
    orders: Orders, run: Callable[..., pytest.RunResult]
) -> None:
    text = "".join(f"def test_{name}(): {{}}[{name!r}]\n" for name in "abc")
    run(text, "--nsdbg-total-budget", "2.5", "--nsdbg-budget", "2")
    assert [order.budget for order in orders] == [2.0, pytest.approx(1.3, abs=0.2), ANY]
    assert orders[2].budget < 0.5


def test_a_test_that_is_run_again_is_not_told_as_another(
    orders: Orders, run: Callable[..., pytest.RunResult], pytester: pytest.Pytester
) -> None:
    pytester.makeconftest("""
    from _pytest.runner import runtestprotocol

    def pytest_runtest_protocol(item, nextitem):
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        runtestprotocol(item, log=False, nextitem=nextitem)
        runtestprotocol(item, log=True, nextitem=nextitem)
        return True
    """)
    result = run(CRASHES)
    assert len(orders) == 1
    assert told(result) == ["likely at fault: test_it.py::test_a"]
    assert not [line for line in result.outlines if line.startswith("as for")]


def test_the_options_come_from_the_command_line_else_the_settings(
    orders: Orders, run: Callable[..., pytest.RunResult], pytester: pytest.Pytester
) -> None:
    pytester.makepyprojecttoml(
        "[tool.nsdbg]\nbudget = 2.5\nno-exec = true\n[tool.nsdbg.pytest]\ntop = 7\n"
        "[tool.nsdbg.gate]\nnot-read-here = 1\n"
    )
    run(CRASHES, "--nsdbg-budget", "4")
    (order,) = orders
    assert (order.budget, order.no_exec, order.top) == (4.0, True, 7)


def test_a_broken_configuration_is_one_line(
    orders: Orders, run: Callable[..., pytest.RunResult], pytester: pytest.Pytester
) -> None:
    pytester.makepyprojecttoml("[tool.nsdbg.pytest]\nbudgte = 1\n")
    result = run(CRASHES)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["nsdbg could not examine this: pyproject.toml:2: * budget?*"])


@pytest.mark.parametrize("given", ["--nsdbg-budget=0", "--nsdbg-budget=nan", "--nsdbg-top=0"])
def test_an_option_that_cannot_be_is_an_error_of_usage(
    run: Callable[..., pytest.RunResult], given: str
) -> None:
    assert run(CRASHES, given).ret == pytest.ExitCode.USAGE_ERROR


def test_junit_has_the_failure_as_without(
    orders: Orders, run: Callable[..., pytest.RunResult], pytester: pytest.Pytester
) -> None:
    run(CRASHES, "--junitxml=out.xml")
    written = (pytester.path / "out.xml").read_text()
    assert "KeyError" in written
    assert "likely at fault" not in written


def test_without_the_option_nothing_of_it_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import sys\n"
        "def test_a():\n"
        "    ours = sorted(name for name in sys.modules if name.startswith('nsdbg'))\n"
        "    assert ours == ['nsdbg', 'nsdbg.pytest_plugin']\n"
    )
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", str(tmp_path)],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout


def test_it_works_in_a_worker_of_xdist_with_runs_under_guard(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "test_it.py").write_text(
        "import os\nfrom shop import price_of\n\n"
        "def test_a(monkeypatch, tmp_path):\n"
        "    monkeypatch.chdir(tmp_path)\n"
        "    monkeypatch.setenv('PATH', '')\n"
        "    price_of([('a', 1)], 'b')\n"
    )
    before = {path: path.read_bytes() for path in tmp_path.glob("*.py")}
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "--nsdbg", "-n1", "-q",
         "-p", "no:cacheprovider", "--nsdbg-budget", "20"],
        capture_output=True, text=True, check=False, cwd=tmp_path, env={"HOME": str(tmp_path)},
    )  # fmt: skip
    assert "likely at fault:" in ran.stdout, ran.stdout + ran.stderr
    assert "shop.py:9" in ran.stdout
    assert "which raises TypeError" in ran.stdout
    assert "    from shop import price_of\n    price_of(" in ran.stdout
    assert {path: path.read_bytes() for path in tmp_path.glob("*.py")} == before


# What is taken of a living exception


@pytest.fixture
def shop(tmp_path: Path) -> ModuleType:
    """A module of a project, imported here as pytest does."""
    return module(tmp_path, "shop", SHOP)


def module(folder: Path, name: str, text: str) -> ModuleType:
    path = folder / f"{name}.py"
    path.write_text(textwrap.dedent(text))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def raised(call: Callable[[], Any]) -> BaseException:
    try:
        call()
    except BaseException as error:
        return error
    raise AssertionError("it did not raise")


def failure(call: Callable[[], Any], root: Path) -> Failure:
    error = raised(call)
    found = failure_of(error, error.__traceback__, root)
    assert found is not None
    return found


def report_of(found: Failure) -> CrashReport:
    (report,) = read(found.record("test_it.py::test_a").encode())
    return report


def test_the_record_has_the_values_of_the_frames(shop: ModuleType, tmp_path: Path) -> None:
    report = report_of(failure(lambda: shop.price_of([("a", 1)], "b"), tmp_path))
    frame = report.innermost_user_frame
    assert frame is not None
    assert (frame.function, frame.lineno) == ("price_of", 9)
    assert frame.local("rows") is not None
    assert report.exception == "TypeError"


def test_the_same_lines_have_the_same_key(shop: ModuleType, tmp_path: Path) -> None:
    def key(name: str) -> object:
        return failure(lambda: shop.price_of([], name), tmp_path).key

    assert key("a") == key("b")
    assert key("a") != failure(lambda: shop.find(1, ""), tmp_path).key


def test_what_rewriting_put_into_a_message_is_taken_out(tmp_path: Path) -> None:
    text = "def f(): raise AssertionError({!r})"
    for said, meant in [
        ("assert 1 == 2\n +  where 1 = f()", ""),
        ("the sum\nassert 1 == 2", "the sum"),
        ("asserted", "asserted"),
    ]:
        made = module(tmp_path, "made", text.format(said))
        assert report_of(failure(made.f, tmp_path)).message == said
        vars(made)["@pytest_ar"] = None
        assert report_of(failure(made.f, tmp_path)).message == meant


def test_temporary_names_of_rewriting_are_taken_out(tmp_path: Path) -> None:
    code = compile("raise KeyError(x)", str(tmp_path / "a.py"), "exec")
    names = {"x": 1, "@py_assert1": 2}
    error = raised(lambda: exec(code, {}, names))
    assert error.__traceback__ is not None
    inner = error.__traceback__.tb_next
    found = failure_of(error, inner and inner.tb_next, tmp_path)
    assert found is not None
    assert "@py_assert1" not in found.record("test_it.py::test_a")
    assert '"x"' in found.record("test_it.py::test_a")


def test_a_failure_without_a_line_of_the_project_is_left(tmp_path: Path) -> None:
    error = raised(lambda: [][0])
    assert failure_of(error, error.__traceback__, tmp_path) is None


def test_secrets_are_not_taken(tmp_path: Path) -> None:
    made = module(tmp_path, "made", "def f(password): raise KeyError(password)\n")
    found = failure(lambda: made.f("hunter2hunter2"), tmp_path)
    assert "hunter2" not in found.record("test_it.py::test_a")


# What the process says


NOTHING = Failure(ValueError(), None, ())


def order(found: Failure, root: Path, **changes: Any) -> Order:
    test = "test_it.py::test_a"
    values: dict[str, Any] = {
        "record": found.record(test), "test": test, "root": str(root),
        "folder": str(root), "budget": 20.0, "top": 2, "no_exec": False,
    }  # fmt: skip
    return Order(**{**values, **changes})


def test_a_crash_is_told_with_lines_reasons_and_a_confirmed_call(
    shop: ModuleType, tmp_path: Path
) -> None:
    found = failure(lambda: shop.price_of([("a", 1)], "b"), tmp_path)
    lines = answered(order(found, tmp_path)).splitlines()
    assert lines[0] == "likely at fault:"
    assert lines[1].split(maxsplit=3)[:2] == ["1.", "shop.py:9"]
    assert lines[1].endswith("return find(rows, name)[1]")
    assert lines[2] == "     traceback: the line that raised"
    assert lines[3].split()[:2] == ["2.", "shop.py:3"]
    assert lines[5:7] == [
        "to see it yourself, confirmed by 2 runs under guard:", "    from shop import price_of",
    ]  # fmt: skip
    assert lines[7].startswith("    price_of(")
    assert lines[8] == "which raises TypeError: 'NoneType' object is not subscriptable"
    assert max(map(len, lines)) <= 80


def test_a_failed_assertion_names_lines_of_the_function_it_judged(
    shop: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "shop", shop)
    text = "from shop import total\n\ndef test_a():\n    assert total([1, 2]) == 3\n"
    found = failure(module(tmp_path, "test_it", text).test_a, tmp_path)
    text = answered(order(found, tmp_path, no_exec=True, top=5))
    assert "shop.py:13" in text
    assert "Nothing was run: running was not asked for (--no-exec)." in text


def test_what_does_not_look_at_the_clock_is_stopped_and_what_is_known_is_told(
    shop: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*args: Any, bench: Workbench, **more: Any) -> Examination:
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            stopped.append(bench)
        return examine(*args, bench=None, **more)

    stopped: list[Workbench] = []
    monkeypatch.setattr(answering, "examine", endless)
    monkeypatch.setattr(answering, "LATE_S", 0.05)
    found = failure(lambda: shop.price_of([], "b"), tmp_path)
    assert "1. shop.py:9" in answered(order(found, tmp_path, budget=0.0))
    assert len(stopped) == 1


def test_reading_that_does_not_end_is_stopped_and_told(
    shop: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "examine", lambda *args, **more: threading.Event().wait())
    monkeypatch.setattr(answering, "LATE_S", 0.05)
    found = failure(lambda: shop.price_of([], "b"), tmp_path)
    with pytest.raises(KeyboardInterrupt, match=r"reading was not done after 0\.05 s"):
        answered(order(found, tmp_path, budget=0.0))


def test_files_are_named_from_the_folder_where_the_user_stands(
    shop: ModuleType, tmp_path: Path
) -> None:
    found = failure(lambda: shop.price_of([], "b"), tmp_path)
    told = answered(order(found, tmp_path, no_exec=True, folder=str(tmp_path / "inner")))
    assert "1. ../shop.py:9" in told


def test_control_characters_of_a_program_are_only_shown(tmp_path: Path) -> None:
    made = module(tmp_path, "made", "def f(text):\n    raise KeyError(text)\n")
    found = failure(lambda: made.f("\x1b[31m\n::error::x"), tmp_path)
    text = answered(order(found, tmp_path))
    assert "\x1b" not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("print('nonsense')", "it ended without an answer"),
        ("raise KeyError('gone')", "it ended without an answer: KeyError: 'gone'"),
        ("""print('{"problem": "no such thing"}')""", "no such thing"),
    ],
)
def test_a_process_that_does_not_answer_is_told(code: str, says: str, tmp_path: Path) -> None:
    asking = Asking((sys.executable, "-c", code))
    with pytest.raises(ValueError, match=says), asking.counted():
        asking.ask(order(NOTHING, tmp_path))
    assert asking.spent_s > 0


def test_a_process_that_does_not_end_is_ended(tmp_path: Path) -> None:
    asking = Asking((sys.executable, "-c", "import signal; signal.pause()"))
    with pytest.raises(ValueError, match="no answer within"):
        asking.ask(order(NOTHING, tmp_path, budget=-14.8))
