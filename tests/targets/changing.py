"""Functions that change what none of their locals holds, and read it in their last line."""

import bisect
import builtins
import collections
import contextlib
import contextvars
import csv
import decimal
import enum
import functools
import heapq
import io
import itertools
import json
import logging
import math
import operator
import os
import random
import re
import string
import sys
import time
import types
import warnings
from random import random as draw
from time import monotonic as clock

ZEROS = [0] * 3
HEAP = []
FIRST, SECOND = [], {}
EITHER = [] or []
if len(sys.path) >= 0:
    CHOSEN = []
else:
    CHOSEN = None
try:
    TRIED = {}
except ImportError:
    TRIED = None
ROWS = [[0], [0]]
NESTED = {"a": {"b": [0]}}
LEVEL = 0
NAMED: int = 0
SPACE = types.SimpleNamespace(n=0)
COUNTS = collections.Counter()
QUEUE = collections.deque()
NUMBERS = enum.Enum("NUMBERS", "A B")
SEEN_ONCE = contextvars.ContextVar("SEEN_ONCE", default=1)
CONTEXT = contextvars.ContextVar("CONTEXT", default=0)
BUFFER = io.StringIO()
SORTED = [5, 9]
ALIASED = [0]
OTHER_NAME = ALIASED
ITEMS = iter(range(100))
MERGED = {}
CHAIN = collections.ChainMap({}, MERGED)
PUSH = HEAP.append


class Box:
    x = 0
    held = []
    table = {}

    def __init__(self, n):
        self.n = n

    @classmethod
    def count(cls, n):
        cls.x += n

    def hold(self, n):
        self.held.append(n)


def fill(into, n):
    into.append(n)


def mark(kind, n):
    kind.x = n


def outer():
    total = [0]

    def add(n):
        total[0] += n

    def seen():
        return total[0]

    return add, seen


ADD, SEEN = outer()


def left_in_a_repeated_list(n):
    ZEROS[0] += n
    n = 0
    return ZEROS[0]


def left_on_a_heap(n):
    heapq.heappush(HEAP, n)
    n = 0
    return len(HEAP)


def left_in_the_first_of_two(n):
    FIRST.append(n)
    n = 0
    return list(FIRST)


def left_in_the_second_of_two(n):
    SECOND[n] = n
    n = 0
    return len(SECOND)


def left_in_either(n):
    EITHER.append(n)
    n = 0
    return EITHER == []


def left_in_what_was_chosen(n):
    CHOSEN.append(n)
    n = 0
    return CHOSEN[:1]


def left_in_what_was_tried(n):
    TRIED[n] = n
    n = 0
    return sorted(TRIED)


def left_in_a_row(n):
    for row in ROWS:
        row[0] += n
    n = 0
    return ROWS[1][0]


def left_by_a_name_of_a_row(n):
    row = ROWS[0]
    row.append(n)
    n = 0
    return len(ROWS[0])


def left_deep_down(n):
    NESTED["a"].setdefault("b", []).append(n)
    n = 0
    return len(NESTED["a"]["b"])


def left_by_setattr(n):
    setattr(Box, "x", n)
    n = 0
    return Box.x


def left_by_a_setter_of_types(n):
    type.__setattr__(Box, "x", n)
    n = 0
    return Box.x


def left_by_a_name_of_a_class(n):
    kind = Box
    kind.x = n
    n = 0
    return Box.x


def left_by_a_function_given_a_class(n):
    mark(Box, n)
    n = 0
    return Box.x


def left_by_a_class_method(n):
    Box.count(n)
    n = 0
    return Box.x


def left_by_an_object(n):
    Box(n).hold(n)
    n = 0
    return len(Box.held)


def left_in_a_table_of_a_class(n):
    Box(n).table[n] = n
    n = 0
    return len(Box(n).table)


def left_in_a_space(n):
    SPACE.n += n
    n = 0
    return SPACE.n


def left_in_counts(n):
    COUNTS.update([n])
    n = 0
    return sum(COUNTS.values())


def left_in_a_queue(n):
    QUEUE.extendleft([n])
    n = 0
    return len(QUEUE)


def left_in_a_context(n):
    CONTEXT.set(n)
    n = 0
    return CONTEXT.get()


def left_in_a_buffer(n):
    BUFFER.write("x" * n)
    n = 0
    return BUFFER.getvalue()


def left_in_order(n):
    bisect.insort(SORTED, n)
    n = 0
    return SORTED[0]


def left_under_another_name(n):
    OTHER_NAME[0] += n
    n = 0
    return ALIASED[0]


def left_by_keyword(n):
    fill(into=HEAP, n=n)
    n = 0
    return len(HEAP)


def left_by_star(n):
    fill(*[HEAP, n])
    n = 0
    return len(HEAP)


def left_by_the_type(n):
    list.append(HEAP, n)
    n = 0
    return len(HEAP)


def left_by_a_bound_method(n):
    PUSH(n)
    n = 0
    return len(HEAP)


def left_by_a_mapped_method(n):
    list(map(HEAP.append, [n]))
    n = 0
    return len(HEAP)


def left_by_an_operator(n):
    operator.setitem(SECOND, "n", n)
    n = 0
    return len(SECOND)


def left_in_what_a_chain_joins(n):
    CHAIN.maps[1]["n"] = n
    n = 0
    return len(MERGED)


def left_in_a_closure(n):
    ADD(n)
    n = 0
    return SEEN()


def left_of_an_iterator(n):
    next(ITEMS)
    n = 0
    return next(ITEMS)


def left_of_an_iterator_by_a_slice(n):
    list(itertools.islice(ITEMS, n))
    n = 0
    return next(ITEMS)


def left_in_a_default(n, seen=[0]):
    seen[0] += n
    n = 0
    return left_in_a_default.__defaults__[0][0]


def left_at_a_function(n):
    left_at_a_function.n = n
    n = 0
    return getattr(left_at_a_function, "n", 0)


def left_on_condition(n):
    if n > 4:
        ZEROS[1] = n
        n = 0
    return ZEROS[1]


def left_until_it_is_mended(n):
    ZEROS[2] = n
    try:
        n = 0
        return ZEROS[2]
    finally:
        ZEROS[2] = 0


def left_in_the_precision(n):
    decimal.getcontext().prec = n
    n = 0
    return str(decimal.Decimal(1) / 3)


def left_in_a_context_of_decimals(n):
    with decimal.localcontext() as context:
        context.prec = n
        n = 0
        return str(decimal.Decimal(1) / 3)


def left_in_the_environment(n):
    os.environ["NSDBG_LEFT"] = str(n)
    n = 0
    return os.environ.get("NSDBG_LEFT")


def left_in_a_limit(n):
    csv.field_size_limit(n)
    n = 0
    return csv.field_size_limit()


def left_in_the_depth(n):
    sys.setrecursionlimit(5000 + n)
    n = 0
    return sys.getrecursionlimit() > 4000


def left_in_digits(n):
    getattr(sys, "set_int_max_str_digits", sys.setswitchinterval)(1000 + n)
    n = 0
    return getattr(sys, "get_int_max_str_digits", sys.getswitchinterval)()


def left_in_another_module(n):
    math.nsdbg_left = n
    n = 0
    return getattr(math, "nsdbg_left", 0)


def left_in_the_name_of_a_builtin(n):
    builtins.abs = lambda _: 5
    n = 0
    return abs(n)


def left_on_the_path(n):
    sys.path.append(str(n))
    n = 0
    return len(sys.path)


def left_in_a_cache(n):
    remembered(n)
    n = 0
    return remembered.cache_info().currsize


@functools.lru_cache(maxsize=None)
def remembered(n):
    return n


def left_in_the_dice(n):
    random.seed(n)
    n = 0
    return random.random() < 0.5


def left_to_chance(n):
    n = 0
    return draw() < 0.999


def left_to_the_clock(n):
    n = 0
    return clock() > 0


def left_to_the_clock_by_a_name(n):
    now = time.monotonic
    n = 0
    return now() > 0


def left_in_a_dialect(n):
    csv.register_dialect("left", delimiter=";")
    n = 0
    return "left" in csv.list_dialects()


def left_in_an_encoder(n):
    json.encoder.FLOAT_REPR = n
    n = 0
    return hasattr(json.encoder, "FLOAT_REPR")


def left_aside(n):
    with contextlib.suppress(KeyError):
        del SECOND["n"]
    SECOND.setdefault("n", n)
    n = 0
    return SECOND["n"]


def left_in_the_precision_on_condition(n):
    if n > 5:
        decimal.getcontext().prec = n
        n = 0
    return str(decimal.Decimal(1) / 3)


def left_in_a_context_on_condition(n):
    if n > 5:
        CONTEXT.set(n)
        n = 0
    return CONTEXT.get()


def left_in_the_environment_on_condition(n):
    if n > 5:
        os.environ["NSDBG_LEFT"] = str(n)
        n = 0
    return os.environ.get("NSDBG_LEFT")


def left_where_it_is_printed(n):
    with contextlib.redirect_stdout(io.StringIO()):
        n = 0
        return print(n)


def left_with_a_type(n):
    if n > 5:
        described.register(int, str)
        n = 0
    return described(n)


@functools.singledispatch
def described(n):
    return n


def left_to_the_warnings_on_condition(n):
    if n > 5:
        warnings.simplefilter("error")
        n = 0
    return is_warned()


def is_warned():
    try:
        return warnings.warn("left")
    except UserWarning:
        return 1


def left_to_the_logging_on_condition(n):
    while n > 5:
        logging.disable(50)
        n = 0
    return logging.getLogger().isEnabledFor(40)


def left_in_a_file_on_condition(n):
    name = "left-by-nsdbg"
    if n < 0:
        return 0
    elif n > 5:
        with contextlib.suppress(OSError), open(name, "w") as file:
            file.write("x")
        n = 0
    return os.path.exists(name)


def left_in_the_members_on_condition(n):
    for _ in range(n - 5):
        NUMBERS._member_map_["C"] = NUMBERS.A
        n = 0
    return len(NUMBERS.__members__)


def left_in_the_defaults_on_condition(n):
    try:
        n // (n - 6)
    except ZeroDivisionError:
        by_default.__defaults__ = (5,)
        n = 0
    return by_default()


def by_default(n=1):
    return n


def left_by_a_function_on_condition(n):
    sets_precision(n)
    n = 0
    return str(decimal.Decimal(1) / 7)


def sets_precision(n):
    if n > 5:
        decimal.getcontext().prec = n


def left_by_what_is_asked(n):
    if n > 5 and SEEN_ONCE.get() and sets_rounding(n):
        pass
    n = 0
    return str(decimal.Decimal("2.5").quantize(decimal.Decimal(1)))


def sets_rounding(n):
    decimal.getcontext().rounding = "ROUND_CEILING"


CALLS = [(name, ["6"]) for name in sorted(globals()) if name.startswith("left_")]
