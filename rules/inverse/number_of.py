"""Where `number_of` must speak, and where it must stay silent."""


def propose_a_whole_number():
    x = "12"
    return int(x)


def propose_a_float():
    x = "1.5"
    return float(x)


def propose_bits():
    x, base = "101", 2
    return int(x, base)


def silent_a_text():
    x = 3
    return str(x)
