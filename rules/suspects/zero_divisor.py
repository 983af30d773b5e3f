"""Where `zero_divisor` must speak, and where it must stay silent."""


def propose_a_count_of_nothing():
    total = 3
    count = 0  # fault
    for row in []:
        count += 1
    return total / count


def propose_a_length():
    rows = []
    return sum(rows) / len(rows)  # fault


def silent_a_divisor_from_elsewhere():
    total, parts = 0, {"peg": 0}["peg"]
    return total / parts
