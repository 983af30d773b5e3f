"""What a claim and an observation have in common: values, exceptions, stacks, whole states.

Pure, and strict: types, structure and signs of zero count.  A text that does not stand for its
value (cut off, or no literal) shows nothing, so it can refute a claim and never bear it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nsdbg.claim import Difference, ExceptionClaim, Goal, Hit, Reason, Site, Status
from nsdbg.state import Event, Frame, State, Value
from nsdbg.verify.child.literals import NotALiteral, parse, same
from nsdbg.verify.child.matching import is_exception
from nsdbg.verify.child.values import MAX_CHARS

UNBOUND = "unbound"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing in which an observation does not bear a claim out, and the reason it gives."""

    reason: Reason
    difference: Difference


def worst(findings: Iterable[Finding]) -> Reason | None:
    """Return the reason that a verdict takes from its findings; None when there are none.

    A difference that was seen refutes, whatever else could not be compared.
    """
    reasons = [finding.reason for finding in findings]
    return next((r for r in reasons if r.status is Status.REFUTED), reasons[0] if reasons else None)


def likeness(claimed: str, seen: Value, *, trusted: bool = False) -> Reason | None:
    """Return None when a value is what a literal stands for, else the reason why not.

    `trusted`: the child compared the living value and found it alike, so that a text that is no
    literal of its own (`nan`, `set()`) is enough here.
    """
    try:
        expected = parse(claimed)
    except NotALiteral:
        return Reason.BAD_PROPOSAL
    if type(expected).__name__ != seen.type:
        return Reason.VALUE_DIFFERS
    if seen.truncated:
        return Reason.TOO_LARGE
    try:
        actual = parse(seen.repr)
    except NotALiteral:
        return Reason.NOT_A_LITERAL
    # A text that is no literal stands for something that no literal equals: a difference is real.
    if not same(expected, actual):
        return Reason.VALUE_DIFFERS
    return None if seen.literal or trusted else Reason.NOT_A_LITERAL


def _find(reason: Reason, field: str, claimed: object, observed: object) -> Finding:
    return Finding(reason, Difference(field, str(claimed), str(observed)))


def value_findings(claimed: str, seen: Value | None, *, trusted: bool) -> Iterator[Finding]:
    """Yield what speaks against a claimed return value."""
    if seen is None:
        yield _find(Reason.VALUE_DIFFERS, "value", claimed, "no value was returned")
        return
    reason = likeness(claimed, seen, trusted=trusted)
    if reason is not None:
        yield _find(reason, "value", claimed, seen.repr)


def local_findings(
    claimed: Iterable[tuple[str, str]], frame: Frame, *, trusted: bool
) -> Iterator[Finding]:
    """Yield what speaks against claimed locals; names that are not claimed are free."""
    for name, text in claimed:
        seen = frame.local(name)
        if frame.locals is None:
            yield _find(Reason.NOT_A_LITERAL, f"local {name}", text, "locals were not recorded")
        elif seen is None:
            yield _find(Reason.LOCALS_DIFFER, f"local {name}", text, UNBOUND)
        else:
            reason = likeness(text, seen, trusted=trusted)
            if reason is Reason.VALUE_DIFFERS:
                reason = Reason.LOCALS_DIFFER
            if reason is not None:
                yield _find(reason, f"local {name}", text, seen.repr)


def exception_findings(claim: ExceptionClaim, type_: str, message: str) -> Iterator[Finding]:
    """Yield what speaks against a claimed exception."""
    if not is_exception(claim.type, type_):
        yield _find(Reason.OTHER_EXCEPTION, "exception", claim.type, type_)
    if claim.message is None:
        return
    cut = len(message) >= MAX_CHARS
    alike = message.startswith(claim.message) if claim.message_prefix else message == claim.message
    if not alike:
        yield _find(Reason.MESSAGE_DIFFERS, "message", claim.message, message)
    elif cut and not claim.message_prefix:
        yield _find(Reason.TOO_LARGE, "message", claim.message, message)


def chain_findings(goal: Goal, stack: tuple[Frame, ...]) -> Iterator[Finding]:
    """Yield what speaks against a goal's chain.

    A decorator's wrappers may lie before the entry's first frame; with `exact_chain` False other
    frames may lie between the chain's.
    """
    chain = goal.chain
    first = next((at for at, frame in enumerate(stack) if _is_function(chain[0], frame)), None)
    seen = stack if first is None else stack[first:]
    if goal.exact_chain:
        alike = len(chain) == len(seen) and all(map(_is_function, chain, seen))
    else:
        inner = iter(seen[1:-1])
        alike = len(seen) >= len(chain) and _is_function(chain[-1], seen[-1])
        alike = alike and all(any(_is_site(s, frame) for frame in inner) for s in chain[1:-1])
    if first is None or not alike:
        claimed = " > ".join(site.function for site in chain)
        yield _find(Reason.STACK_DIFFERS, "stack", claimed, _names(stack))
        return
    ends = (0, -1) if not goal.exact_chain else range(len(chain))
    for place in ends:
        site, frame = chain[place], seen[place]
        if site.lineno not in (None, frame.lineno):
            yield _find(Reason.LINE_DIFFERS, "line", f"{site.function}:{site.lineno}", frame.lineno)


def _is_function(site: Site, frame: Frame) -> bool:
    return site.function == frame.function and site.file == frame.file


def _is_site(site: Site, frame: Frame) -> bool:
    return _is_function(site, frame) and site.lineno in (None, frame.lineno)


def _names(stack: tuple[Frame, ...]) -> str:
    return " > ".join(frame.function for frame in stack)


def hit_findings(goal: Goal, hit: Hit, *, trusted: bool = True) -> list[Finding]:
    """Return everything in which a visit is not the goal's state; nothing when it is.

    `trusted` says that the child found the visit to match, value by living value.
    """
    state = hit.state
    found: list[Finding] = []
    if state.event is not goal.event:
        found.append(_find(Reason.EVENT_DIFFERS, "event", goal.event.value, state.event.value))
    found += chain_findings(goal, state.stack)
    if goal.exception is not None:
        kind, text = (state.arg.type, state.arg.repr) if state.arg else ("none", "")
        found += exception_findings(goal.exception, kind, text)
    if goal.value is not None:
        found += value_findings(goal.value, state.arg, trusted=trusted)
    found += local_findings(goal.locals, state.frame, trusted=trusted)
    found += where_findings(goal, hit.where)
    return found


def where_findings(goal: Goal, truths: tuple[bool | None, ...]) -> Iterator[Finding]:
    """Yield the constraints that were not True; one that was not evaluated was not True."""
    for place, text in enumerate(goal.where):
        truth = truths[place] if place < len(truths) else None
        if truth is not True:
            seen = "it raised or was not evaluated" if truth is None else "False"
            yield _find(Reason.CONSTRAINT_FALSE, "where", text, seen)


def state_findings(predicted: State, seen: State) -> list[Finding]:
    """Return everything in which a state is not the predicted one, field by field.

    A predicted frame with locals names all that literals can name; with locals None, and with
    `arg` None, nothing is claimed of them.
    """
    found: list[Finding] = []
    if predicted.event is not seen.event:
        found.append(_find(Reason.EVENT_DIFFERS, "event", predicted.event.value, seen.event.value))
    claimed, stack = predicted.stack, seen.stack
    if [(f.file, f.function) for f in claimed] != [(f.file, f.function) for f in stack]:
        found.append(_find(Reason.STACK_DIFFERS, "stack", _names(claimed), _names(stack)))
    for one, other in zip(reversed(claimed), reversed(stack), strict=False):
        found += _frame_findings(one, other)
    found += _arg_findings(predicted, seen)
    if predicted.output != seen.output:
        found.append(_find(Reason.OUTPUT_DIFFERS, "output", predicted.output, seen.output))
    return found


def _frame_findings(claimed: Frame, seen: Frame) -> Iterator[Finding]:
    where = f"{claimed.function}:{claimed.lineno}"
    if claimed.lineno != seen.lineno:
        yield _find(Reason.LINE_DIFFERS, "line", where, f"{seen.function}:{seen.lineno}")
    if claimed.locals is None:
        return
    for name, value in claimed.locals:
        yield from _local_findings(name, value, seen)
    names = {name for name, _ in claimed.locals}
    for name, value in seen.locals or ():
        if name not in names and value.literal:
            yield _find(Reason.LOCALS_DIFFER, f"local {name}", UNBOUND, value.repr)


def _local_findings(name: str, value: Value, frame: Frame) -> Iterator[Finding]:
    """Yield what speaks against one predicted local.

    Of a value written as opaque (its type is `object`) only the name is claimed, and that no text
    stands for it.
    """
    seen = frame.local(name)
    if value.type == "object" and seen is not None:
        if _is_told(seen):
            yield _find(Reason.LOCALS_DIFFER, f"local {name}", value.repr, seen.repr)
        return
    if value.literal or seen is None or _is_literal(value.repr):
        yield from local_findings([(name, value.repr)], frame, trusted=False)
    else:
        reason = Reason.NOT_A_LITERAL if value.type == seen.type else Reason.LOCALS_DIFFER
        yield _find(reason, f"local {name}", value.repr, seen.repr)


def _is_literal(text: str) -> bool:
    try:
        parse(text)
    except NotALiteral:
        return False
    return True


def _is_told(seen: Value) -> bool:
    """Tell whether a text stands for a value that was seen: a literal, or `set()`, or `-inf`."""
    if seen.literal or seen.truncated:
        return seen.literal
    try:
        return type(parse(seen.repr)).__name__ == seen.type
    except NotALiteral:
        return False


def _arg_findings(predicted: State, seen: State) -> Iterator[Finding]:
    claimed = predicted.arg
    if claimed is None or predicted.event is not seen.event:
        return
    if predicted.event is Event.EXCEPTION:
        kind, text = (seen.arg.type, seen.arg.repr) if seen.arg else ("none", "")
        yield from exception_findings(ExceptionClaim(claimed.type, claimed.repr), kind, text)
    elif predicted.event is Event.RETURN and claimed.type == "object":
        # As of a local: what is claimed is that no text stands for it; its own shows nothing.
        told = seen.arg is None or _is_told(seen.arg)
        reason = Reason.VALUE_DIFFERS if told else Reason.NOT_A_LITERAL
        text = seen.arg.repr if seen.arg else "no value was returned"
        yield _find(reason, "value", claimed.repr, text)
    elif predicted.event is Event.RETURN:
        yield from value_findings(claimed.repr, seen.arg, trusted=False)
