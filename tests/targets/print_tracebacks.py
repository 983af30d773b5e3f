"""Run by every interpreter from 3.8 on: prints tracebacks of its own, and what is in them, as JSON.

Not a test; `test_crashlog_versions.py` runs it and reads the tracebacks back.  Syntax of 3.8.
"""

import json
import random
import sys
import traceback

MESSAGES = [
    "",
    "plain",
    "two\nlines",
    "with: colon",
    "'quoted'",
    "é→四",
    "a\n\n  deep\nend",
    "x" * 90,
]


class Odd(Exception):
    """An exception whose name tells nothing."""

    class Inner(Exception):
        """One with a qualified name."""


def local_type():
    class Deep(ValueError):
        pass

    return Deep


KINDS = [ValueError, KeyError, OSError, RuntimeError, Odd, Odd.Inner, local_type()]


def nested(rng, error, depth):
    if depth > 0:
        return [nested(rng, error, depth - 1) for _ in range(1)]  # a call over two lines
    raise error


def recurse(number):
    return recurse(number + 1)


def plain(rng):
    error = rng.choice(KINDS)(rng.choice(MESSAGES))
    if hasattr(error, "add_note") and rng.random() < 0.3:
        error.add_note("a note")
        error.add_note("another\n  with two lines")
    return error


def raised(rng, error):
    try:
        nested(rng, error, rng.randrange(4))
    except BaseException as caught:
        return caught


def chained(rng, depth):
    if depth == 0:
        return raised(rng, grouped(rng) if rng.random() < 0.3 else plain(rng))
    first = chained(rng, depth - 1)
    second = plain(rng)
    try:
        try:
            raise first
        except BaseException:
            if rng.random() < 0.5:
                raise second from first
            raise second
    except BaseException as caught:
        return caught


def grouped(rng):
    if sys.version_info < (3, 11):
        return plain(rng)
    members = [chained(rng, rng.randrange(2)) for _ in range(rng.randrange(1, 4))]
    return BaseExceptionGroup("several", members)


def others():
    for source in (
        "x = (1,\n",
        "if x = 1:\n    pass\n",
        "def f():\n\treturn 1\n        return 2\n",
    ):
        try:
            compile(source, "broken.py", "exec")
        except SyntaxError as error:
            yield error
    try:
        recurse(0)
    except RecursionError as error:
        yield error
    try:
        exec("1 / 0")
    except ZeroDivisionError as error:
        yield error


def told(te):
    name = te.exc_type.__qualname__
    if te.exc_type.__module__ not in ("__main__", "builtins"):
        name = te.exc_type.__module__ + "." + name
    return {
        "exception": name,
        "text": "\n".join([str(te), *(getattr(te, "__notes__", None) or [])]),
        "frames": [[one.filename, one.lineno, one.name] for one in te.stack],
        "lines": [(one.line or "").strip() for one in te.stack],
        "members": [chain(one) for one in getattr(te, "exceptions", None) or []],
        "place": [te.filename, int(te.lineno)] if isinstance_syntax(te) else None,
    }


def isinstance_syntax(te):
    return issubclass(te.exc_type, SyntaxError) and te.lineno is not None


def chain(te):
    if te.__cause__ is not None:
        before, link = chain(te.__cause__), "cause"
    elif te.__context__ is not None and not te.__suppress_context__:
        before, link = chain(te.__context__), "context"
    else:
        before, link = [], None
    return [*before, dict(told(te), link=link)]


def main():
    rng = random.Random(int(sys.argv[1]))
    errors = [chained(rng, rng.randrange(4)) for _ in range(60)]
    found = []
    for error in [*errors, *others()]:
        te = traceback.TracebackException(type(error), error, error.__traceback__)
        text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        found.append([text, chain(te)])
    json.dump(found, sys.stdout)


main()
