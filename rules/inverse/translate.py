"""Where `translate` must speak, and where it must stay silent."""


def propose_a_table():
    x, table = "abc", {97: 120}
    return x.translate(table)


def silent_a_replacement():
    x, table = "abc", "a"
    return x.replace(table, "")
