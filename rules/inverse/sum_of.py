"""Where `sum_of` must speak, and where it must stay silent."""


def propose_a_sum():
    x = [1, 2, 3]
    return sum(x)


def propose_nothing():
    x = []
    return sum(x)


def silent_the_largest():
    x = [1, 2]
    return max(x)
