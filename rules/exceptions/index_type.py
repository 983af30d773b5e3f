"""Where `index_type` must speak, and where it must stay silent."""


def propose_a_key_on_a_list():
    orders = [{"name": "peg"}]
    return orders["name"]


def propose_a_float_index():
    rows = [1, 2, 3]
    return rows[len(rows) / 2]


def propose_a_key_on_a_text():
    order = "peg"
    return order["name"]


def propose_a_slice():
    rows = [1, 2, 3]
    return rows[:len(rows) / 2]


def propose_two_indices():
    grid = [[1]]
    return grid[0, 0]


def silent_an_index():
    return [1][0]


def silent_a_key():
    return {"name": 1}["peg"]
