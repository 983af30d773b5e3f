"""Functions whose last line reads its module's variables by their names."""

import sys

import behind_names as me

LEVEL = 0


def put(n):
    global LEVEL
    if n > 4:
        LEVEL = n


def left_for_eval(n):
    put(n)
    n = 0
    return eval("LEVEL")


def left_for_globals(n):
    put(n)
    n = 0
    return globals()["LEVEL"]


def left_for_the_module(n):
    put(n)
    n = 0
    return sys.modules[__name__].LEVEL


def left_for_itself_as_a_module(n):
    put(n)
    n = 0
    return me.LEVEL


CALLS = [(name, ["6"]) for name in sorted(globals()) if name.startswith("left_")]
