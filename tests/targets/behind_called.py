"""Functions whose callers and decorators change what they read: `left_*` calls `asked_*`.

A state is one of `asked_*`, and the call that passes it is that of `left_*`.
"""

import contextlib
import decimal
import functools


def precise(function):
    @functools.wraps(function)
    def wrapper(n):
        with decimal.localcontext() as context:
            context.prec = n
            return function(n)

    return wrapper


@contextlib.contextmanager
def precision(n):
    with decimal.localcontext() as context:
        context.prec = n
        yield


@precise
def left_in_a_decorator(n):
    n = 0
    return str(decimal.Decimal(1) / 3)


@precision(3)
def left_in_a_manager_that_decorates(n):
    n = 0
    return str(decimal.Decimal(1) / 3)


def asked_by_a_caller(n):
    n = 0
    return str(decimal.Decimal(1) / 3)


def left_by_a_caller(n):
    with decimal.localcontext() as context:
        context.prec = n
        return asked_by_a_caller(n)


def down(n):
    return 0 if n == 0 else down(n - 1)


def asked_deep_down(n):
    n = 30
    return down(n)


def dive(depth, n):
    return asked_deep_down(n) if depth == 0 else dive(depth - 1, n)


def left_deep_down(n):
    return dive(970, n)


# Not the deep one: a state of one frame does not say that it lies so deep.
CALLS = [
    (name, ["6"]) for name in sorted(globals()) if name.startswith("left_") and "deep" not in name
]
