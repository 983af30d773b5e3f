"""Where `length` must speak, and where it must stay silent."""


def propose_a_text():
    x = "abc"
    return len(x)


def propose_nothing():
    x = []
    return len(x)


def silent_a_sum():
    x = [1, 2]
    return sum(x)
