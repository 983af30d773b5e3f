"""Where `none_subscript` must speak, and where it must stay silent."""

import re


def propose_the_result_of_get():
    prices = {"peg": {"net": 3}}
    return prices.get("dowel")["net"]


def propose_a_match_that_failed():
    found = re.match("([0-9]+)", "dowel")
    return found[1]


def propose_assignment_to_an_item():
    rows = None
    rows[0] = 3


def propose_deletion_of_an_item():
    rows = [].sort()
    del rows[0]


def silent_a_number():
    return (3)[0]


def silent_a_missing_key():
    return {"peg": None}["dowel"]
