"""Where `drop_last` must speak, and where it must stay silent."""


def propose_text():
    x, i = "abc", 2
    return x[:i]


def propose_all_but_one():
    x, i = [1, 2, 3], -1
    return x[:i]


def silent_the_rest():
    x, i = "abc", 1
    return x[i:]
