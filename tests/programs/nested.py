"""Nested functions, cells, comprehensions, decorators, lambdas and classes."""


def twice(function):
    def wrapper(value):
        first = function(value)
        return function(first)

    return wrapper


@twice
def increment(value):
    return value + 1


class Counter:
    made = 0

    def __init__(self, start):
        self.value = start

    def bump(self, by):
        self.value += by
        return self.value

    @property
    def double(self):
        return self.value * 2

    @staticmethod
    def plain(a, b):
        return a - b


def accumulate(items):
    total = 0

    def add(item):
        nonlocal total
        total += item
        return total

    sums = [add(item) for item in items]
    pairs = {item: add(item) for item in items if item > 1}
    return sums, pairs, total


def run():
    counter = Counter(1)
    counter.bump(2)
    words = sorted(["bb", "a"], key=lambda word: len(word))
    value = increment(3)
    grid = [[row * col for col in range(2)] for row in range(2)]
    return counter.double, words, value, grid, accumulate([1, 2]), Counter.plain(3, 1)
