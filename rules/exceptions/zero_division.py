"""Where `zero_division` must speak, and where it must stay silent."""

from fractions import Fraction


def propose_the_mean_of_nothing():
    rows = []
    return sum(rows) / len(rows)


def propose_floor_division():
    total, parts = 7, 0
    return total // parts


def propose_a_remainder():
    return 7 % (3 - 3)


def propose_floats():
    total = 1.5
    total /= 0.0
    return total


def propose_a_float_remainder():
    return 1.5 % 0.0


def propose_floats_without_rest():
    return 1.5 // 0.0


def propose_divmod():
    return divmod(7, 0)


def propose_divmod_of_floats():
    return divmod(7.5, 0)


def propose_one_of_two_divisions():
    width, height = 4, 0
    return 8 / width + 8 / height


def propose_a_complex_number():
    return (1 + 2j) / 0


def propose_a_power():
    base = 0
    return base ** -1


def propose_a_fraction():
    low = 0
    return Fraction(3, low)


def silent_a_division():
    return 7 / 2


def silent_words():
    raise ValueError("division by zero")
