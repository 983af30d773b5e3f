"""Where `text_of` must speak, and where it must stay silent."""


def propose_a_number():
    x = 12
    return str(x)


def propose_a_text():
    x = "ab"
    return str(x)


def propose_a_pair():
    x = (1, "a")
    return repr(x)


def silent_a_number():
    x = "12"
    return int(x)
