"""Generators: two alive at once, `yield from`, a value sent, and one that is closed early."""


def count(first, last):
    while first < last:
        yield first
        first += 1
    return last


def both(n):
    result = yield from count(0, n)
    yield result * 10


def echo():
    got = []
    try:
        while True:
            item = yield len(got)
            if item is None:
                break
            got.append(item)
    finally:
        got.append("closed")


def run():
    left, right = count(0, 3), count(1, 3)
    pairs = []
    for a, b in zip(left, right):
        pairs.append((a, b))
    total = 0
    for value in both(2):
        total += value
    talker = echo()
    next(talker)
    talker.send("x")
    talker.close()
    try:
        next(left)
    except StopIteration:
        total += 1000
    squares = sum(n * n for n in range(3))
    return pairs, total + squares
