"""Where `collect` must speak, and where it must stay silent."""


def propose_characters():
    x = "ab"
    return list(x)


def propose_a_list():
    x = [1, 2]
    return tuple(x)


def propose_a_set():
    x = [1, 1, 2]
    return set(x)


def propose_a_dict():
    x = [("a", 1)]
    return dict(x)


def propose_a_copy():
    x = {"a": 1}
    return x.copy()


def silent_a_sum():
    x = [1, 2]
    return sum(x)
