"""Where `not_enough_values` must speak, and where it must stay silent."""


def propose_a_line_without_its_comma():
    text = "peg"
    name, count = text.split(",")
    return name, count


def propose_a_loop():
    rows = [(1, 2), (3,)]
    total = 0
    for low, high in rows:
        total += high - low
    return total


def propose_at_least_two():
    first, second, *rest = [1]
    return first, second, rest


def silent_too_many():
    low, high = [1, 2, 3]
    return low, high


def silent_nothing_to_unpack():
    low, high = 3
    return low, high
