"""Where `sort` must speak, and where it must stay silent."""


def propose_numbers():
    x = [3, 1, 2]
    return sorted(x)


def propose_downwards():
    x = [3, 1, 2]
    return sorted(x, reverse=True)


def silent_what_is_not_sorted():
    x = [3, 1, 2]
    return list(x)
