"""Where `get_without_test` must speak, and where it must stay silent."""

import re


def propose_a_dict():
    labels = {"peg": "Peg"}
    label = labels.get("dowel")  # fault
    return label.upper()


def propose_a_match():
    found = re.match("[0-9]", "peg")  # fault
    number = 3
    return found[number]


def propose_an_operation():
    prices = {}
    price = prices.get("peg")  # fault
    return 3 * price + 1


def silent_another_error():
    prices = {}
    price = prices.get("peg")
    return price or len(3)


def silent_another_name():
    first = {}.get("peg")
    second = None or print("")
    return second.upper()
