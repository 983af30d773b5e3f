"""Where `divide` must speak, and where it must stay silent."""


def propose_a_half():
    left, right = 7, 2
    return left / right


def silent_a_whole_division():
    left, right = 7, 2
    return left // right
