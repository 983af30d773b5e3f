"""What a Python file prints when it fails, as its own Python prints it: run once, in the sandbox.

Says nothing of why it fails, and confirms nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nsdbg.claim import Ending, Goal, Script, Site
from nsdbg.source import MODULE, load_subject
from nsdbg.state import Event
from nsdbg.verify.runner import Runner

# Stands between what the program prints and its traceback.
_MARK = "=== nsdbg: its traceback follows ==="
_TELLER = """\
import sys
import traceback

sys.path.insert(0, {folder!r})
with open({file!r}, encoding="utf-8") as opened:
    code = compile(opened.read(), {file!r}, "exec")
try:
    exec(code, {{"__name__": "__main__", "__file__": {file!r}}})
except Exception as error:
    print("\\n" + {mark!r})
    traceback.print_exception(type(error), error, error.__traceback__.tb_next, file=sys.stdout)
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """How a file ran: `ending` of the run, and the `traceback` of what it did not handle."""

    ending: Ending
    traceback: str | None = None


def run_file(runner: Runner, file: Path, teller: Path) -> Ran:
    """Run a file as `__main__` and return its traceback, if it fails.

    teller: a file to be written, in a folder apart from the program's.
    """
    text = _TELLER.format(folder=str(file.parent), file=str(file), mark=_MARK)
    teller.write_text(text, encoding="utf-8")
    ref = load_subject(teller, MODULE, teller.parent).ref
    goal = Goal(ref, Event.RETURN, (Site(ref.file, None, MODULE),))
    seen = runner.single(goal, Script(), trace=False)
    _, marked, traceback = seen.output.rpartition(_MARK + "\n")
    return Ran(seen.ending, traceback if marked else None)
