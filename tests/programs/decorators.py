"""Decorators, with arguments and of classes, comprehensions of every kind, and partials."""

import functools


def counted(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        calls = len(args) + len(kwargs)
        return function(*args, **kwargs) + calls

    return wrapper


def scaled(by):
    def decorate(function):
        def wrapper(n):
            found = function(n)
            return found * by

        return wrapper

    return decorate


@counted
@scaled(3)
def triple(n):
    m = n + 1
    return m


def registered(kind):
    kind.names = sorted(name for name in vars(kind) if not name.startswith("_"))
    return kind


@registered
class Shape:
    def __init__(self, side):
        self.side = side

    @property
    def area(self):
        side = self.side
        return side * side

    @staticmethod
    def unit(n):
        return n or 1

    @classmethod
    def of(cls, n):
        side = cls.unit(n)
        return cls(side)


def comprehensions(limit):
    squares = [n * n for n in range(limit) if n % 2]
    table = {n: [m for m in range(n)] for n in range(2)}
    letters = {letter.upper() for letter in "aba"}
    lazy = (n + 1 for n in squares)
    total = sum(lazy)
    return len(squares) + len(table) + len(letters) + total


def partials(n):
    add = functools.partial(lambda a, b: a + b, n)
    found = [add(m) for m in (1, 2)]
    return max(found, key=lambda item: -item)


def run():
    total = triple(1) + triple(2)
    total += Shape.of(2).area + Shape.of(0).area
    total += comprehensions(4)
    return total + partials(3)
