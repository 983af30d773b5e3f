"""Where `self_comparison` must speak, and where it must stay silent."""


def propose_two_lengths():
    left, right = [1, 2], [1]
    if len(left) != len(left):  # fault
        return None
    return right[len(left) - 1]


def silent_two_names():
    left, right = [1, 2], [1]
    if len(left) == len(right):
        return None
    return right[len(left) - 1]
