"""Functions that read variables of their module which nothing changes."""

import dataclasses
import enum
import heapq
import json
import math
import operator
import re
import string

LIMITS = {"low": 1, "high": 9}
WORDS = ("a", "b")
PATTERN = re.compile(r"\d+")
ORDER = [3, 1, 2]
STEPS = {"up": operator.add, "down": operator.sub}
LETTERS = frozenset(string.ascii_lowercase)
WIDE = {word: len(word) for word in WORDS}
ROUTES = [("a", len), ("b", str.upper)]
SEEN = frozenset(WORDS + ("c",))
ALL = [*WORDS, "d"]
EMPTY = {}


class Level(enum.Enum):
    LOW = 1
    HIGH = 2


@dataclasses.dataclass
class Point:
    x: int = 0
    y: int = 0


class Box:
    size = 3
    names = ("a", "b")

    def __init__(self, n):
        self.n = n

    def more(self):
        self.n += self.size
        return self.n


def kept_limits(n):
    n += 1
    return min(n, LIMITS["high"])


def kept_words(n):
    n += 1
    return [word * n for word in WORDS]


def kept_pattern(n):
    n += 1
    return PATTERN.findall("a%db" % n)


def kept_order(n):
    n += 1
    return sorted(ORDER)[0] + n


def kept_steps(n):
    n += 1
    return STEPS["up"](n, 1)


def kept_letters(n):
    n += 1
    return "a" in LETTERS


def kept_widths(n):
    n += 1
    return WIDE.get("a", n)


def kept_libraries(n):
    n += 1
    return json.dumps([math.sqrt(n), operator.neg(n)])


def kept_joined(n):
    n += 1
    return ",".join(WORDS) + string.ascii_letters[n]


def kept_locals(n):
    items = [n]
    heapq.heappush(items, 1)
    return items


def kept_keys(n):
    n += 1
    return [key for key in LIMITS if key > "l"]


def kept_function(n):
    n += 1
    return lowered(n)


def lowered(n):
    return n - LIMITS["low"]


def kept_class(n):
    n += 1
    return isinstance(n, Box)


def kept_routes(n):
    n += 1
    return [name for name, route in ROUTES if route("a")]


def kept_in_both(n):
    n += 1
    return "b" in SEEN and "d" in ALL


def kept_level(n):
    n += 1
    return Level.HIGH.value + n


def kept_point(n):
    n += 1
    return placed(n).x + n


def placed(n):
    point = Point(n)
    point.x += 2
    return point


def kept_box(n):
    n += 1
    return Box(n).more() + len(Box.names)


def kept_copy(n):
    n += 1
    table = dict(LIMITS)
    table["n"] = n
    return sorted(table)


def kept_default(n, words=("x", "y"), options={"a": 1}):
    n += 1
    return words[0] * options.get("a", n)


def kept_merged(n):
    n += 1
    return {**LIMITS, "n": n}


def kept_empty(n):
    n += 1
    return len(EMPTY) or n


CALLS = [(name, ["6"]) for name in sorted(globals()) if name.startswith("kept_")]
