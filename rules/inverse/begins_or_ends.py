"""Where `begins_or_ends` must speak, and where it must stay silent."""


def propose_a_beginning():
    x, part = "abc", "ab"
    return x.startswith(part)


def propose_another_end():
    x, part = "abc", "ab"
    return x.endswith(part)


def silent_membership():
    x, part = "abc", "ab"
    return part in x
