"""Where `slice` must speak, and where it must stay silent."""


def propose_a_copy():
    x = [1, 2]
    return x[:]


def propose_the_middle():
    x, i, j = "abcd", 1, 3
    return x[i:j]


def propose_every_second():
    x, k = [1, 2, 3], 2
    return x[::k]


def silent_the_opposite():
    x, k = "abc", -1
    return x[::k]
