"""Data files of functions with calls: each item is executed as a module and its calls are made.

An item is `{"id", "code", "entry", "calls", "licence", ...}`, a call the text of its arguments.
"""

from __future__ import annotations

import sys
from functools import partial

from nsdbg.model.trace.worker.collecting import Collector
from nsdbg.verify.child.limits import ALARM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    Item = dict[str, Any]

# What code objects of items name as their file; no file has such a name.
PREFIX = "<nsdbg>/"
MODULE = "solution"


def work(job: dict[str, Any], write: Callable[[str], None]) -> None:
    """Record every item of a job."""
    texts: dict[str, str] = {}
    collector = Collector(write, _is_item, texts.get, _label, job["most"], job["cpu_s"])
    for number, item in job["items"]:
        collector.begin(number)
        collector.forget()
        file = f"{PREFIX}{item.get('module', MODULE)}.py"
        texts[file] = item["code"]
        _record(item, file, collector, job)
        collector.end()


def _is_item(file: str) -> bool:
    return file.startswith(PREFIX)


def _label(file: str) -> str:
    return file.rpartition("/")[2]


def _record(item: Item, file: str, collector: Collector, job: dict[str, Any]) -> None:
    module = type(sys)(item.get("module", MODULE))
    if not collector.run(lambda: _load(module, item["code"], file), job["load_s"], recorded=False):
        collector.leave_out("items that fail to load")
        return
    name = f"{job['source']}/{item['id']}"
    for call in item["calls"]:
        try:
            code = compile(f"{item['entry']}({call})", "<call>", "eval", dont_inherit=True)
        except (SyntaxError, ValueError):
            collector.leave_out("calls that do not parse")
            continue
        collector.run(partial(eval, code, module.__dict__), job["call_s"])
        if ALARM.expired:
            collector.leave_out("calls that take too long")
        collector.hand_over(job["source"], item.get("package", ""), item["licence"], name)


def _load(module: ModuleType, text: str, file: str) -> None:
    """Execute a text as a module that is found under its name, as dataclasses need it."""
    sys.modules[module.__name__] = module
    exec(compile(text, file, "exec", dont_inherit=True), module.__dict__)
