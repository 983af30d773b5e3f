"""Where `floor_divide` must speak, and where it must stay silent."""


def propose_numbers():
    left, right = 17, 5
    return left // right


def propose_nothing_left():
    left, right = 3, 5
    return left // right


def silent_floats():
    left, right = 7.5, 2
    return left // right
