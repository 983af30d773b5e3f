"""Where `keys_with_one_value` must speak, and where it must stay silent."""


def propose_keys():
    x = [1, 2]
    return dict.fromkeys(x)


def propose_a_value():
    x, value = ["a"], 0
    return dict.fromkeys(x, value)


def silent_a_dict():
    x = {"a": 1}
    return dict(x)
