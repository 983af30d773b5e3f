"""Where `join` must speak, and where it must stay silent."""


def propose_parts():
    sep, parts = ", ", ["a", "b"]
    return sep.join(parts)


def propose_characters():
    sep, parts = "", ["a", "b"]
    return sep.join(parts)


def propose_three_parts():
    sep, parts = "-", ["a", "", "b"]
    return sep.join(parts)


def silent_a_sum():
    sep, parts = "a", "b"
    return sep + parts
