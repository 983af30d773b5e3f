"""Where `reverse` must speak, and where it must stay silent."""


def propose_text():
    x = "abc"
    return x[::-1]


def propose_a_list():
    x = [1, 2]
    return x[::-1]


def silent_a_slice():
    x = "abc"
    return x[::2]
