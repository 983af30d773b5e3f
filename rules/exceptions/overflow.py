"""Where `overflow` must speak, and where it must stay silent."""

import math


def propose_an_exponential():
    steps = 1000
    return math.exp(steps)


def propose_a_power_of_floats():
    base = 10.0
    return base ** 400


def propose_a_huge_quotient():
    total = 10 ** 400
    return total / 3


def propose_a_huge_number_as_a_float():
    return float(10 ** 400)


def propose_infinity():
    limit = float("inf")
    return int(limit)


def propose_not_a_number():
    mean = float("nan")
    return round(mean)


def propose_a_repetition():
    return range(10 ** 30)[10 ** 29] and "a" * 10 ** 30


def silent_a_large_number():
    return 10 ** 400


def silent_a_domain():
    return math.sqrt(-1)
