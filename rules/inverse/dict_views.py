"""Where `dict_views` must speak, and where it must stay silent."""


def propose_items():
    x = {"a": 1, "b": 2}
    return x.items()


def propose_keys():
    x = {"a": 1}
    return x.keys()


def propose_values():
    x = {"a": 1, "b": 1}
    return x.values()


def silent_a_copy():
    x = {"a": 1}
    return x.copy()
