"""Where `neighbour_index` must speak, and where it must stay silent."""


def propose_the_next_one():
    rows = [3, 4]
    steps = []
    for index in range(len(rows)):
        steps.append(rows[index + 1] - rows[index])  # fault
    return steps


def propose_a_table():
    prices = {1: 3}
    day = 1
    return prices[day - 1]  # fault


def silent_a_plain_index():
    rows, index = [3], 1
    return rows[index]
