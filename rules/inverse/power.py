"""Where `power` must speak, and where it must stay silent."""


def propose_a_cube():
    x, k = 5, 3
    return x ** k


def propose_a_negative_base():
    x, k = -2, 3
    return x ** k


def silent_a_root():
    x, k = 2, 0.5
    return x ** k
