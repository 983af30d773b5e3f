"""Where `no_length` must speak, and where it must stay silent."""


def propose_none():
    rows = {}.get("rows")
    return len(rows)


def propose_a_number():
    count = 12
    return len(count) + len("ab")


def propose_a_generator():
    return len(row for row in [1])


def silent_a_list():
    return len([1])


def silent_two_arguments():
    return len([1], [2])
