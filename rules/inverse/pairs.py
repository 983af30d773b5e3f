"""Where `pairs` must speak, and where it must stay silent."""


def propose_places():
    x = ["a", "b"]
    return enumerate(x)


def propose_two_lists():
    left, right = [1, 2], ["a", "b"]
    return zip(left, right)


def propose_a_range():
    n = 3
    return range(n)


def silent_items():
    x = {"a": 1}
    return x.items()
