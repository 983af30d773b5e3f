"""A call as it is pasted into Python: `reproduce.pasted`, and what only triage calls."""

from __future__ import annotations

from nsdbg.claim import Call
from nsdbg.reproduce.pasted import expression, imports_of, is_async, is_generator
from nsdbg.source import Subject, call_text
from nsdbg.triage.pair import is_property

_ALL = "async def _all(items): return [item async for item in items]"


def pasted(subject: Subject, call: Call) -> str:
    """Return an expression that does all that a call does: a property is read, what an
    asynchronous generator gives is collected."""
    if is_property(subject):
        return call_text(subject, call).removesuffix("()")
    if _gives_later(subject):
        return f"asyncio.run(_all({call_text(subject, call)}))"
    return expression(subject, call)


def imports_for(subject: Subject, call: Call) -> tuple[str, ...]:
    """Return the statements that a pasted call needs; whose names it uses comes last."""
    *needed, own = imports_of(subject, call)
    return (*needed, _ALL, own) if _gives_later(subject) else (*needed, own)


def _gives_later(subject: Subject) -> bool:
    """Whether a function is an asynchronous generator."""
    return is_async(subject.node) and is_generator(subject.node)
