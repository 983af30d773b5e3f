"""Where `pad` must speak, and where it must stay silent."""


def propose_spaces():
    text, width = "ab", 4
    return text.ljust(width)


def propose_zeros():
    text, width = "7", 3
    return text.zfill(width)


def propose_a_fill():
    text, width, fill = "ab", 5, "*"
    return text.center(width, fill)


def silent_a_sum():
    text, width = "ab", "  "
    return text + width
