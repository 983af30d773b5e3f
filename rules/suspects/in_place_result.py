"""Where `in_place_result` must speak, and where it must stay silent."""


def propose_a_sorted_list():
    rows = [3, 1]
    ordered = rows.sort()  # fault
    return ordered[0]


def propose_a_chain():
    letters = list("gep")
    return "".join(letters.reverse())  # fault


def propose_an_append():
    rows = []
    for row in (1, 2):
        rows = rows.append(row)  # fault
    return rows


def silent_a_method_that_gives_a_value():
    rows = [3, None]
    last = rows.pop()
    return last.upper()
