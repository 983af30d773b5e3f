"""Where `count_of` must speak, and where it must stay silent."""


def propose_text():
    x, item = "banana", "an"
    return x.count(item)


def propose_a_list():
    x, item = [1, 2, 1], 1
    return x.count(item)


def silent_a_length():
    x = [1]
    return len(x)
