"""Recursion: equal frames stacked, mutual calls, and an exception through several of them."""


def power(base, exponent):
    if exponent == 0:
        return 1
    rest = power(base, exponent - 1)
    return base * rest


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def walk(tree, depth=0):
    if not tree:
        return depth
    best = depth
    for child in tree:
        found = walk(child, depth + 1)
        if found > best:
            best = found
    return best


def fall(n):
    if n == 0:
        raise IndexError("bottom")
    fall(n - 1)


def run():
    value = power(2, 3)
    flag = even(4)
    depth = walk([[], [[]], []])
    try:
        fall(2)
    except IndexError:
        value += 1
    return value, flag, depth
