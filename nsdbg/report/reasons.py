"""The reasons of verdicts in a user's words, for reports that count them."""

from __future__ import annotations

from nsdbg.claim import Reason

_WORDS = {
    Reason.GOAL_REACHED: "what was asked for happens",
    Reason.TRANSITION: "the step leads there",
    Reason.BAD_PROPOSAL: "no state that this program could have",
    Reason.BAD_START: "a start that cannot be made",
    Reason.LINE_NOT_REACHED: "the line is never reached",
    Reason.NO_EXCEPTION: "no exception is raised",
    Reason.OTHER_EXCEPTION: "another exception is raised",
    Reason.MESSAGE_DIFFERS: "the exception's message is another",
    Reason.STACK_DIFFERS: "other functions are being called",
    Reason.EVENT_DIFFERS: "something else happens there",
    Reason.LINE_DIFFERS: "another line comes",
    Reason.VALUE_DIFFERS: "another value is returned",
    Reason.LOCALS_DIFFER: "a variable has another value",
    Reason.CONSTRAINT_FALSE: "a condition does not hold",
    Reason.OUTPUT_DIFFERS: "something else is printed",
    Reason.TIMEOUT: "it did not end in time",
    Reason.SIDE_EFFECT: "the sandbox blocked what it did",
    Reason.NONDETERMINISTIC: "two runs of it disagree",
    Reason.START_NOT_REACHED: "the run could not be started there",
    Reason.HIDDEN_ITERATOR: "where a loop's iterator stands is not told",
    Reason.HIDDEN_ALIAS: "whether two names share an object is not told",
    Reason.UNBOUND_LOCALS: "a variable without a value cannot be restored",
    Reason.NO_SOURCE: "its source cannot be run here",
    Reason.OUT_OF_MEMORY: "it needed too much memory",
    Reason.PROCESS_DIED: "its process died",
    Reason.PROGRAM_EXITED: "it ended the program",
    Reason.NOT_A_LITERAL: "a value that no text stands for",
    Reason.TOO_LARGE: "too large to be compared",
    Reason.WEAK_GUARD: "the sandbox here is too weak for it",
    Reason.NOT_REPEATED: "seen once and not run again",
}
_BY_SLUG = {reason.slug: words for reason, words in _WORDS.items()}


def reason_words(slug: str) -> str:
    """Return a reason in words, its slug behind them; an unknown slug stands alone."""
    words = _BY_SLUG.get(slug)
    return slug if words is None else f"{words} ({slug})"
