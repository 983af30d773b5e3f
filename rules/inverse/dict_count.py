"""Where `dict_count` must speak, and where it must stay silent."""


def propose_a_first_time():
    x, key, n = {}, "a", 1
    return {**x, key: x.get(key, 0) + n}


def propose_once_more():
    x, key, n = {"a": 1}, "a", 1
    return {**x, key: x[key] + n}


def silent_a_value():
    x, key, n = {}, "a", 1
    return {**x, key: n}
