"""Where `negate` must speak, and where it must stay silent."""


def propose_a_negation():
    x = 4
    return -x


def propose_a_size():
    x = -4
    return abs(x)


def silent_a_complement():
    x = 4
    return ~x
