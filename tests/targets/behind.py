"""Functions whose way to a state leaves what no rehearsal of it leaves, or no text of its locals.

Those of exceptions are wrong at the exception event, and in the handler with `error` as opaque.
"""

import decimal
import gc
import inspect
import os
import pickle
import subprocess
import sys
import threading
import time
import weakref


class Text(str):
    pass


class Guard:
    def __init__(self, box):
        self.box = box

    def __del__(self):
        self.box.append(1)


class Shown:
    def __init__(self, n):
        self.n = n

    def __repr__(self):
        return "Shown()"

    def __str__(self):
        return str(self.n)


def closing(box):
    try:
        yield
    finally:
        box.append(1)


def third():
    return str(decimal.Decimal(1) / 3)


# The way takes too long: the run of before is told of once more.
def left_after_a_pause(n):
    time.sleep(0.3)
    decimal.getcontext().prec = n
    return str(decimal.Decimal(1) / 3)


def left_after_much_work(n):
    total = sum(range(n * 10**7))
    decimal.getcontext().prec = n
    total = 0
    return third(), total


# The line is passed before: the way stops there the first time.
def left_in_an_earlier_round(n):
    while True:
        found = third()
        if n == 0:
            return found
        decimal.getcontext().prec = n
        n = 0


def left_by_a_list_used_up(n):
    words = [("prec", n)]
    while words:
        setattr(decimal.getcontext(), *words.pop())
    return third()


def left_in_a_recursion(n):
    if n == 0:
        n = 7
        return third()
    decimal.getcontext().prec = n
    return left_in_a_recursion(0)


# The way cannot be gone with what the arguments are now.
def left_by_a_deleted_argument(n):
    decimal.getcontext().prec = n
    del n
    return third()


def left_by_a_default(n, prec=5):
    decimal.getcontext().prec = prec
    del prec
    return third()


def left_by_an_argument_of_another_type(n):
    n = f"prec={n}"
    name, _, value = n.partition("=")
    setattr(decimal.getcontext(), name, int(value))
    name = _ = value = None
    return third()


def left_under_a_name_of_its_own(n):
    os.environ[f"LEFT{n}"] = "a"
    n = 0
    return "LEFT6" in os.environ


def left_in_some_of_the_rounds(n):
    for one in range(n, n + 3):
        if one > 7:
            decimal.getcontext().prec = one
    one = n = 0
    return third(), one


def left_after_another_program(n):
    subprocess.run(["true"], check=True)
    decimal.getcontext().prec = n
    n = 0
    return third()


# Values of which some are one object, and some are only equal.
def left_in_two_of_three_rows(n):
    row = [0]
    rows = [row, row, [0]]
    row = n = 0
    rows[0].append(1)
    found = rows[1] == rows[2]
    rows = row = 0
    return found


def left_in_two_of_three_names(n):
    first = [n]
    second = first
    third = list(reversed(first))
    first.append(1)
    found = second == third
    first = second = third = n = 0
    return found


def left_in_one_text_or_two(n):
    word = f"ab{n}"
    words = [word, word]
    word = n = 0
    return len(pickle.dumps(words)), word


# What a container was before, and who calls.
def left_in_the_size_of_a_dict(n):
    table = dict.fromkeys(range(20))
    for key in range(19):
        del table[key]
    key = n = 0
    return sys.getsizeof(table), key


def left_to_the_caller(n):
    n = 0
    return sys._getframe(1).f_code.co_name


def left_to_all_callers(n):
    n = 0
    return len(inspect.stack()) > 5


# Locals that nobody names any more, and that act all the same.
def left_to_a_guard(n):
    box = [n]
    guard = Guard(box)
    n = 0
    guard = None
    return box


def left_to_a_generator(n):
    box = [n]
    steps = closing(box)
    next(steps)
    n = 0
    steps = None
    return box


def left_to_a_finalizer(n):
    held, box = Shown(n), [n]
    weakref.finalize(held, box.append, 1)
    n = 0
    held = None
    return box


def left_to_a_thread(n):
    box = [n]
    thread = threading.Timer(0.05, box.append, [1])
    thread.start()
    n = 0
    time.sleep(0.2)
    return box


def left_to_a_hook(n):
    box = [n]
    sys.addaudithook(lambda event, _: box.append(1) if event == "left" else None)
    n = 0
    sys.audit("left")
    return box


def left_in_shown_locals(n):
    shown = Shown(n)
    n = 0
    return "%(shown)s" % locals()


# Lists of a library, and of caches.
def left_in_the_path(n):
    found = sys.path
    found.append("left")
    return "left" in sys.path


def left_in_the_arguments_of_the_program(n):
    given = sys.argv
    given.append("left")
    return "left" in sys.argv


def left_in_a_list_of_garbage(n):
    found = gc.garbage
    found.append(n)
    return len(gc.garbage)


# What an exception holds.
def left_on_an_exception(n):
    try:
        raise ValueError("a")
    except ValueError as error:
        error.extra = n
        n = 0
        return getattr(error, "extra", n)


def left_in_the_name_of_an_attribute_error(n):
    try:
        return n.nothing
    except AttributeError as error:
        n = 0
        return error.name


def left_in_the_arguments_of_an_exception(n):
    items = [n]
    try:
        raise ValueError(items)
    except ValueError as error:
        error.args[0].append(1)
        return items


def left_in_the_type_of_an_argument(n):
    try:
        raise ValueError(Text("a"))
    except ValueError as error:
        return type(error.args[0]).__name__


def left_in_the_notes_of_an_exception(n):
    try:
        raise ValueError(n).with_traceback(None)
    except ValueError as error:
        vars(error)["left"] = n
        n = 0
        return list(vars(error))


def left_in_a_number(n):
    try:
        raise ValueError(5)
    except ValueError as error:
        return error.args


def left_in_two_arguments(n):
    try:
        raise KeyError(n, "a")
    except KeyError as error:
        return error.args


def left_in_no_arguments(n):
    try:
        raise ValueError
    except ValueError as error:
        return error.args


def left_in_a_status(n):
    try:
        raise SystemExit(n)
    except SystemExit as error:
        return error.code


CALLS = [(name, ["6"]) for name in sorted(globals()) if name.startswith("left_")]
