"""Where `changed_while_looping` must speak, and where it must stay silent."""


def propose_a_deletion():
    stock = {"peg": 0, "dowel": 1}
    for name, count in stock.items():
        if not count:
            del stock[name]  # fault


def propose_a_set():
    tags = {1}
    for tag in tags:
        tags.add(tag + 1)  # fault


def propose_indices():
    rows = [1, 2, 3]
    for index in range(len(rows)):
        if rows[index] == 2:
            rows.pop(index)  # fault


def silent_a_change_of_something_else():
    rows, seen = [1], {}
    for row in rows:
        seen.update({row: 1})
    return rows[3]
