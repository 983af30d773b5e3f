"""Where `float_literal` must speak, and where it must stay silent."""


def propose_a_decimal_comma():
    field = "12,5"
    return float(field)


def propose_an_empty_text():
    return float("")


def propose_a_list():
    words = ["1.5", "-"]
    return [float(word) for word in words]


def silent_a_number():
    return float("1e3")


def silent_a_whole_number():
    return int("12,5")
