"""Where `set_with` must speak, and where it must stay silent."""


def propose_a_union():
    left, right = {1}, {2}
    return left | right


def propose_bits():
    left, right = 6, 3
    return left ^ right


def silent_a_sum():
    left, right = 1, 2
    return left + right
