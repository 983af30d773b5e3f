"""Where `too_many_values` must speak, and where it must stay silent."""


def propose_a_line_with_a_comma_too_many():
    text = "peg,3,x"
    name, count = text.split(",")
    return name, count


def propose_a_dict_in_place_of_its_items():
    prices = {"peg": 3}
    for name, price in prices:
        return name + price


def propose_a_comprehension():
    rows = [(1, 2), (3, 4, 5)]
    return [low + high for low, high in rows]


def silent_too_few():
    low, high = [1]
    return low, high


def silent_a_star():
    low, *rest = [1, 2, 3]
    return low, rest
