"""Where `not_an_integer` must speak, and where it must stay silent."""


def propose_a_half():
    rows = [1, 2, 3]
    return list(range(len(rows) / 2))


def propose_a_text():
    count = "3"
    for index in range(0, count):
        return index


def propose_a_character():
    return chr("97")


def silent_a_number():
    return range(3)


def silent_an_index():
    return [1]["0"]
