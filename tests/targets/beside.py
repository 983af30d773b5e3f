"""What another file holds."""

LEVEL = 0
TABLE = []


class Base:
    held = []


def put(n):
    global LEVEL
    if n > 4:
        LEVEL = n


def size():
    return len(TABLE)
