"""Where `range_bound` must speak, and where it must stay silent."""


def propose_a_fixed_bound():
    bits = "101"
    ones = 0
    for place in range(8):  # fault
        if bits[place] == "1":
            ones += 1
    return ones


def propose_a_start_and_a_bound():
    rows = [1, 2]
    for index in range(1, 4):  # fault
        rows[index] += rows[index - 1]
    return rows


def silent_an_index_from_elsewhere():
    rows = [1, 2]
    for _ in range(3):
        pass
    return rows[2]
