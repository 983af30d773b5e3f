"""Where `type_test` must speak, and where it must stay silent."""


def propose_a_text():
    x, kind = "a", str
    return isinstance(x, kind)


def propose_no_list():
    x, kind = "a", list
    return isinstance(x, kind)


def silent_membership():
    x, kind = "a", "abc"
    return x in kind
