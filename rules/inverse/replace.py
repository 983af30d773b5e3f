"""Where `replace` must speak, and where it must stay silent."""


def propose_a_replacement():
    text, old, new = "a-b", "-", "+"
    return text.replace(old, new)


def propose_what_was_not_there():
    text, old, new = "ab", "x", ""
    return text.replace(old, new)


def silent_a_translation():
    text, table = "ab", {97: "x"}
    return text.translate(table)
