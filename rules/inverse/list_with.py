"""Where `list_with` must speak, and where it must stay silent."""


def propose_an_insertion():
    x, i, item = [1, 3], 1, 2
    return x[:i] + [item] + x[i:]


def propose_a_change():
    x, i, item = [1, 3], 1, 2
    return x[:i] + [item] + x[i + 1:]


def propose_a_removal():
    x, gone = [1, 2], 2
    return [value for value in x if value != gone]


def silent_a_sum():
    x, i = [1], [2]
    return x + i
