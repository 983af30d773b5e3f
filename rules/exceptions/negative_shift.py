"""Where `negative_shift` must speak, and where it must stay silent."""


def propose_a_shift():
    bits = -1
    return 1 << bits


def propose_an_assignment():
    mask, bits = 8, 3
    mask >>= bits - 4
    return mask


def silent_a_shift():
    return 1 << 3


def silent_another_value():
    return int("-")
