"""Functions that change what `beside.py` holds."""

import beside
from beside import *
from beside import TABLE as SAME
from beside import Base


class Own(Base):
    pass


def left_in_another_file(n):
    if n > 4:
        SAME.append(n)
    n = 0
    return len(SAME)


def left_in_a_starred_name(n):
    if n > 4:
        TABLE.append(n)
    n = 0
    return len(TABLE)


def left_in_a_local_of_another_file(n):
    table = SAME
    table.append(n)
    return len(SAME)


def left_for_another_file(n):
    if n > 4:
        beside.TABLE.append(n)
    n = 0
    return beside.size()


def left_by_another_file(n):
    beside.put(n)
    n = 0
    return beside.LEVEL


def left_in_a_base_of_another_file(n):
    if n > 4:
        Own.held.append(n)
    n = 0
    return len(Own.held)


CALLS = [(name, ["6"]) for name in sorted(globals()) if name.startswith("left_")]
