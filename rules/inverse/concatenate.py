"""Where `concatenate` must speak, and where it must stay silent."""


def propose_text():
    left, right = "ab", "cd"
    return left + right


def propose_lists():
    left, right = [1], [2, 3]
    return left + right


def propose_an_empty_end():
    left, right = "ab", ""
    return left + right


def silent_numbers():
    left, right = 1, 2
    return left + right
