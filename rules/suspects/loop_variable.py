"""Where `loop_variable` must speak, and where it must stay silent."""


def propose_elements_as_indices():
    rows = [3, 4]
    total = 0
    for row in rows:  # fault
        total += rows[row]
    return total


def propose_pairs():
    roads, seen = [(0, 1), (1, 2)], [False] * 2
    for start, end in roads:  # fault
        seen[end] = seen[start]
    return seen


def silent_a_loop_that_is_over():
    rows, place = [3, 4], 5
    for row in rows:
        place += 1
    return rows[place]
