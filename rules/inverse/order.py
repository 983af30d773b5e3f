"""Where `order` must speak, and where it must stay silent."""


def propose_less():
    left, right = 3, 4
    return left < right


def propose_not_more():
    left, right = 3, 4
    return left > right


def propose_between():
    low, x, high = 1, 2, 5
    return low < x <= high


def silent_equality():
    left, right = 3, 4
    return left == right
