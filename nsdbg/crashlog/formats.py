"""The list of what is read, for `nsdbg parse --formats` and `docs/formats.md`."""

from __future__ import annotations

from collections.abc import Sequence

from nsdbg.crashlog.carriers import CARRIERS
from nsdbg.crashlog.carriers.wrapping import Carrier
from nsdbg.crashlog.dialects import DIALECTS
from nsdbg.crashlog.dialects.layout import Dialect


def formats_text() -> str:
    """Return the dialects and carriers, one line each."""
    rows = [("Layouts of a crash:", "")]
    rows += [(f"  {one.name}", one.title) for one in DIALECTS]
    rows.append(("What they may be wrapped in:", ""))
    rows += [(f"  {one.name}", one.title) for one in CARRIERS]
    width = max(len(name) for name, title in rows if title) + 2
    return "\n".join(f"{name:<{width}}{title}".rstrip() for name, title in rows)


def formats_markdown() -> str:
    """Return the text of `docs/formats.md`."""
    return "\n".join((_HEAD, *_table(DIALECTS), _CARRIERS, *_table(CARRIERS), _FOOT))


def _table(entries: Sequence[Dialect] | Sequence[Carrier]) -> list[str]:
    rows = ["| name | what |", "|---|---|"]
    for one in entries:
        title = one.title.replace("|", "\\|").replace("<", "&lt;")
        rows.append(f"| `{one.name}` | {title} |")
    return rows


_HEAD = """\
# Crash formats

Made from the list in the code by `python -m nsdbg.crashlog.formats`; a test holds them equal.

## Layouts of a crash

Each is one module in `nsdbg/crashlog/dialects/`, with its samples in `tests/logs/`.
`format` in the JSON of `nsdbg parse` is one of these names, or a finer one of the same module.
"""
_CARRIERS = """
## What they may be wrapped in

Each is one module in `nsdbg/crashlog/carriers/`. They are taken off in this order, and
`carrier` in the JSON names those that were.

"""
_FOOT = """
## Adding one

Write a module with a `DIALECT` (or a `CARRIER`), put it into the list in the package's
`__init__.py`, add a log that the real tool printed to `tests/logs/` with what is right to
`tests/logs/index.jsonl`, and make this page again.
"""

if __name__ == "__main__":
    print(formats_markdown(), end="")
