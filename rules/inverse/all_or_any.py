"""Where `all_or_any` must speak, and where it must stay silent."""


def propose_all():
    x = [1, 1]
    return all(x)


def propose_none():
    x = [0]
    return any(x)


def silent_a_sum():
    x = [1]
    return sum(x)
