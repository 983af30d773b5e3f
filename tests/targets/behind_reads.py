"""Functions whose last lines read a variable in a way that is not seen as one."""

import operator

LEVEL = 0
SIGNED = 0
QUEUE = []
ERRORS = (KeyError,)


class Matched:
    part = 0


class Valued:
    value = 0


class Formatted:
    shown = 0


class Fetched:
    got = 0


class Listed:
    entry = 0


class Lazily:
    read = staticmethod(lambda: LEVEL)


READ = lambda: LEVEL


def put(n):
    global LEVEL
    if n > 4:
        LEVEL = n


def stop(n):
    global QUEUE, SIGNED
    if n > 4:
        QUEUE, SIGNED = None, "a"


def widen(n):
    global ERRORS
    if n > 4:
        ERRORS = (KeyError, ValueError)


def left_for_a_keyword(n):
    put(n)
    n = 0
    found = {}
    found.update(level=LEVEL)
    return found


def left_for_a_guard(n):
    put(n)
    n = 0
    match n:
        case 0 if LEVEL:
            return "high"
    return "low"


def left_for_a_pattern_of_a_class(n):
    if n > 4:
        Matched.part = n
    n = 0
    match Matched():
        case Matched(part=found):
            return found


def left_for_a_pattern_of_a_value(n):
    if n > 4:
        Valued.value = n
    n = 0
    match n:
        case Valued.value:
            return "same"
    return "other"


def left_for_a_handler(n):
    widen(n)
    n = 0
    try:
        raise ValueError(n)
    except ERRORS:
        return "caught"


def left_for_a_lambda(n):
    put(n)
    n = 0
    return READ()


def left_for_a_lambda_of_a_class(n):
    put(n)
    n = 0
    return Lazily.read()


def left_for_a_comprehension_of_that_name(n):
    put(n)
    n = 0
    found = [n for LEVEL in ()]
    return LEVEL, found


def left_for_an_inner_local_of_that_name(n):
    put(n)
    n = 0

    def inner():
        LEVEL = 5
        return LEVEL

    return LEVEL


def left_for_a_silent_call(n):
    stop(n)
    n = 0
    QUEUE.append(n)
    return "put"


def left_for_a_silent_sum(n):
    global SIGNED
    stop(n)
    n = 0
    SIGNED += 1
    return "put"


def left_for_a_format(n):
    if n > 4:
        Formatted.shown = n
    n = 0
    return "{0.shown}".format(Formatted)


def left_for_a_getter(n):
    if n > 4:
        Fetched.got = n
    n = 0
    return operator.attrgetter("got")(Fetched)


def left_for_the_dict_of_a_class(n):
    if n > 4:
        Listed.entry = n
    n = 0
    return Listed.__dict__["entry"]


CALLS = [(name, ["6"]) for name in sorted(globals()) if name.startswith("left_")]
