"""Where `dict_get` must speak, and where it must stay silent."""


def propose_a_value():
    x, key = {"a": 1}, "a"
    return x.get(key)


def propose_a_default():
    x, key, default = {}, "a", 0
    return x.get(key, default)


def silent_a_list():
    x, key = [1], 0
    return x[key]
