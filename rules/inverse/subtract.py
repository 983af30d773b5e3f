"""Where `subtract` must speak, and where it must stay silent."""


def propose_numbers():
    left, right = 7, 3
    return left - right


def propose_sets():
    left, right = {1, 2}, {2}
    return left - right


def silent_a_sum():
    left, right = 7, 3
    return left + right
