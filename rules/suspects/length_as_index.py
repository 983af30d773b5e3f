"""Where `length_as_index` must speak, and where it must stay silent."""


def propose_a_right_end():
    rows = [1, 2, 3]
    left, right = 0, len(rows)  # fault
    while left < right:
        rows[left], rows[right] = rows[right], rows[left]
        left += 1
        right -= 1
    return rows


def propose_the_last_element():
    label = "peg"
    last = len(label)  # fault
    return label[last]


def propose_the_length_itself():
    rows = [1, 2]
    return rows[len(rows)]  # fault


def silent_a_length_of_something_else():
    rows = [1, 2]
    size = len("peg")
    return rows[size]
