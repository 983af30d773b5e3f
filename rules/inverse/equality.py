"""Where `equality` must speak, and where it must stay silent."""


def propose_equal_numbers():
    left, right = 3, 3
    return left == right


def propose_different_text():
    left, right = "a", "b"
    return left == right


def propose_none():
    left, right = None, None
    return left is right


def silent_an_order():
    left, right = 3, 4
    return left < right
