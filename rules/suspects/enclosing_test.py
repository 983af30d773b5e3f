"""Where `enclosing_test` must speak, and where it must stay silent."""


def propose_a_bound():
    rows, place = [1, 2], 2
    if place <= len(rows):  # fault
        return rows[place]


def propose_the_wrong_branch():
    rows = []
    if rows is None:  # fault
        return 0
    else:
        return rows[0]


def silent_a_test_before():
    rows = []
    if rows:
        rows = [1]
    return rows[0]
