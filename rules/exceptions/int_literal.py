"""Where `int_literal` must speak, and where it must stay silent."""


def propose_a_word():
    field = "peg"
    return int(field)


def propose_an_empty_field():
    row = "3,,4".split(",")
    return int(row[0]) + int(row[1])


def propose_a_fraction():
    return int("3.5")


def propose_a_base():
    digits = "102"
    return int(digits, 2)


def propose_a_list():
    words = ["3", "x"]
    return [int(word) for word in words]


def propose_a_map():
    words = "3 x".split()
    return list(map(int, words))


def silent_a_number():
    return int(" 12 ")


def silent_a_float():
    return float("peg")


def silent_none():
    return int(None)
