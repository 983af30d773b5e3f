"""Where `operand_types` must speak, and where it must stay silent."""

from datetime import timedelta


def propose_a_number_and_none():
    price = {}.get("price")
    return 3 * price + 1


def propose_a_number_and_a_string():
    count = 1
    label = "peg"
    return count + label


def propose_one_of_two_operators():
    low, high = 3, [4]
    return (low + 1) * 2 - high


def propose_an_assignment_with_an_operator():
    total = 0
    total += None
    return total


def propose_a_type_of_a_module():
    span = timedelta(days=1)
    return 3 - span


def propose_a_power():
    base = "peg"
    return base ** 2


def propose_a_sum():
    rows = [1, "2"]
    return sum(rows)


def propose_a_sign():
    label = "peg"
    return -label


def silent_numbers():
    return 3 * 4.0


def silent_a_comparison():
    return 3 < "4"


def silent_a_concatenation():
    return "peg" + 3
