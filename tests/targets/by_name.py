"""Functions that change their module's variables by name, and read them in their last line."""

import sys

LEVEL = 0
NAMED: int = 0
HEAP = []


def left_by_globals(n):
    globals()["LEVEL"] = n
    n = 0
    return LEVEL


def left_by_update_of_globals(n):
    globals().update(LEVEL=n)
    n = 0
    return LEVEL


def left_by_vars_of_the_module(n):
    vars(sys.modules[__name__])["LEVEL"] = n
    n = 0
    return LEVEL


def left_in_the_module(n):
    sys.modules[__name__].LEVEL = n
    n = 0
    return LEVEL


def left_by_setattr_of_the_module(n):
    setattr(sys.modules[__name__], "NAMED", n)
    n = 0
    return NAMED


def left_by_exec(n):
    exec("LEVEL = n", globals(), {"n": n})
    exec("global LEVEL\nLEVEL = 7")
    n = 0
    return LEVEL


def left_in_what_globals_give(n):
    globals()["HEAP"].append(n)
    n = 0
    return len(HEAP)


def left_in_a_module_by_a_name(n):
    module = sys.modules[__name__]
    module.LEVEL = n
    n = 0
    return LEVEL


CALLS = [(name, ["6"]) for name in sorted(globals()) if name.startswith("left_")]
