"""Where `no_container` must speak, and where it must stay silent."""


def propose_a_test_in_none():
    tags = {}.get("tags")
    return "peg" in tags


def propose_a_negated_test_in_a_number():
    count = 3
    if "peg" not in count:
        return 1


def propose_a_number_in_a_string():
    return 3 in "a3"


def silent_a_list():
    return "peg" in ["peg"]


def silent_a_loop():
    for tag in 3:
        return tag
