"""Where `each` must speak, and where it must stay silent."""


def propose_numbers_as_text():
    x = [1, 2]
    return map(str, x)


def propose_numbers():
    x = ["1", "2"]
    return map(int, x)


def propose_lengths():
    x = ["a", "bc"]
    return map(len, x)


def silent_a_list():
    x = "ab"
    return list(x)
