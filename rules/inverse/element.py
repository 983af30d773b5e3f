"""Where `element` must speak, and where it must stay silent."""


def propose_a_place():
    x, i = [5, 6], 1
    return x[i]


def propose_a_key():
    x, i = {"a": 5}, "a"
    return x[i]


def propose_a_character():
    x, i = "abc", -1
    return x[i]


def silent_a_slice():
    x, i = [1, 2], 1
    return x[i:]
