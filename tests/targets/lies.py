"""What a liar tells of these is nearly true."""

import collections
import contextlib
import enum
import functools
import itertools
import os
import random
import sys
import time

LIMIT = 3
COUNT = 0
CACHE = {}
TICK = itertools.count(5)


class Text(str):
    pass


class Number(int):
    pass


class Real(float):
    pass


class Level(enum.IntEnum):
    LOW = 1


Pair = collections.namedtuple("Pair", "x y")


class Liar:
    def __repr__(self):
        return "'a'"

    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash("a")


class KeyError(Exception):
    pass


class Sub(ValueError):
    pass


class Thing:
    def __init__(self, number):
        self.number = number


def give(what):
    return {
        "frozen text": {frozenset({Text("a")})},
        "frozen liar": {frozenset({Liar()})},
        "frozen number": frozenset({frozenset({Number(3)})}),
        "frozen real": {frozenset({Real(1.5)})},
        "nan in a tuple": {(Real("nan"),)},
        "liar": [Liar()],
        "text": Text("a"),
        "level": Level.LOW,
        "pair": Pair(1, 2),
        "ordered": collections.OrderedDict(a=1),
        "counter": collections.Counter("a"),
        "true": True,
        "one": 1,
        "real": 1.0,
        "below": -0.0,
        "nan": float("nan"),
        "array": bytearray(b"a"),
        "bytes": b"a",
        "order": {"b": 1, "a": 2},
        "deep": [[[1, (True,)]]],
        "big": 10**5000,
        "long": "a" * 70000,
        "exception": ValueError("a"),
        "view": {"a": 1}.keys(),
        "range": range(3),
    }[what]


def _own_set():
    class set:
        def __repr__(self):
            return "set()"

    return set()


def _own_float():
    class float:
        def __repr__(self):
            return "nan"

    return float()


def swaps(make):
    def decorate(function):
        @functools.wraps(function)
        def wrapper():
            function()
            return make()

        return wrapper

    return decorate


@swaps(_own_set)
def empty():
    return set()


@swaps(_own_float)
def no_number():
    return float("nan")


def first_word():
    return next(iter({"apple", "pear"}))


def by_address():
    return [thing.number for thing in {Thing(1), Thing(2)}]


def mostly():
    return random.random() < 0.99


def seeded():
    random.seed(7)
    return random.random() < 0.9


def is_watched():
    return sys.gettrace() is not None


def caller():
    return sys._getframe(1).f_code.co_name


def room():
    return sys.getrecursionlimit()


def folder():
    return os.getcwd()


def helper(number):
    return number + 1


def target(number):
    return helper(number)


def below_limit(number):
    return number < LIMIT


def total(numbers):
    return sum(numbers)


def apply(function):
    return function()


def fails(number):
    raise ValueError(number)


def count_up(items):
    found = len(items)
    return items


def own_error():
    raise KeyError("a")


def sub_error():
    raise Sub("a")


def in_finally(number):
    try:
        raise ValueError(number)
    finally:
        raise TypeError(number)


def down(number):
    if number == 0:
        raise ValueError("down")
    return down(number - 1)


def counted(number):
    global COUNT
    COUNT += 1
    seen = COUNT
    return seen + number


def cached(key):
    CACHE[key] = len(CACHE)
    found = CACHE.get(key)
    return found


def ticking(number):
    next(TICK)
    found = next(TICK)
    return found


def defaulted(number, seen=[]):
    seen.append(number)
    if number:
        defaulted(number - 1)
    size = len(seen)
    return size


def one_line(queue, found):
    while queue.pop(): found.append(1)
    return found


def alias(number):
    one = [number]
    two = one
    one.append(1)
    size = len(two)
    return size


def same_states(items):
    found = 0
    for item in items:
        found = item
        found = 0
    return found


def several(number):
    one = number + 1; two = one * 2; number = two
    return number


def outer(number):
    found = 0

    def inner(step):
        nonlocal found
        found += step
        return found

    inner(number)
    inner(2)
    return found


def made(number):
    for item in range(number):
        yield item
        number = item * 2


def talks(number):
    print("so", number)
    for item in [1, 1]:
        print(item)
    return number


def caught(number):
    try:
        if number:
            raise ValueError(number)
        found = 1
    except ValueError as error:
        found = 2
    finally:
        number = 9
    return found


def suppressed(number):
    with contextlib.suppress(ValueError):
        number += 1
        raise ValueError(number)
    return number


def unbound(number):
    found = number
    del found
    other = number
    found = other
    return found


def handled(number):
    try:
        raise ValueError(number)
    except ValueError:
        number = 2
        found = told()
    return found


def told():
    try:
        raise
    except Exception as error:
        return str(error)


def two_raised(number):
    try:
        try:
            raise LookupError(number)
        except LookupError:
            raise ValueError(number)
    except ValueError as error:
        found = error.__context__ is None
    return found


def one_object(number):
    one = number * 1000
    two = number * 999 + number
    found = one is two
    return found


def timed(number):
    before = time.monotonic()
    found = time.monotonic() - before > number
    return found


def diced(number):
    found = random.random() < 0.99
    return found


def squares(number):
    found = [item * item for item in range(number)]
    return [item for item in found
            if item > 1]


CALLS = [
    ("target", ["3"]),
    ("below_limit", ["2"]),
    ("total", ["[1, 2]"]),
    ("total", ["[1, 'a']"]),
    ("in_finally", ["1"]),
    ("sub_error", []),
    ("own_error", []),
    ("down", ["2"]),
    ("counted", ["3"]),
    ("cached", ["'a'"]),
    ("ticking", ["1"]),
    ("defaulted", ["1"]),
    ("one_line", ["[0, 1, 1, 1]", "[]"]),
    ("one_line", ["[1, 0, 1, 1]", "[]"]),
    ("alias", ["1"]),
    ("same_states", ["[0, 0, 0]"]),
    ("several", ["2"]),
    ("outer", ["3"]),
    ("made", ["3"]),
    ("talks", ["3"]),
    ("caught", ["0"]),
    ("caught", ["1"]),
    ("suppressed", ["1"]),
    ("unbound", ["1"]),
    ("handled", ["1"]),
    ("two_raised", ["1"]),
    ("one_object", ["3"]),
    ("squares", ["4"]),
]
