"""Where `character_code` must speak, and where it must stay silent."""


def propose_a_character():
    x = "a"
    return ord(x)


def propose_a_code():
    x = 97
    return chr(x)


def silent_a_digit():
    x = "1"
    return int(x)
