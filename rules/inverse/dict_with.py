"""Where `dict_with` must speak, and where it must stay silent."""


def propose_a_new_key():
    x, key, value = {"a": 1}, "b", 2
    return {**x, key: value}


def propose_two_dicts():
    left, right = {"a": 1}, {"b": 2}
    return {**left, **right}


def silent_a_copy():
    x = {"a": 1}
    return dict(x)
