"""Where `float_from_division` must speak, and where it must stay silent."""


def propose_a_middle():
    rows = [1, 2, 3]
    middle = len(rows) / 2  # fault
    return rows[middle]


def propose_half_a_range():
    rows = [1, 2, 3, 4]
    return [rows[index] for index in range(len(rows) / 2)]  # fault


def silent_a_whole_number():
    rows = [1, 2, 3]
    middle = len(rows) // 2
    return rows[middle:"x"]
