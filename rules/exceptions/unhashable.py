"""Where `unhashable` must speak, and where it must stay silent."""


def propose_a_list_as_a_key():
    seen = {}
    row = [1, 2]
    seen[row] = True


def propose_lists_in_a_set():
    rows = [[1], [2]]
    return set(rows)


def propose_a_dict_in_a_set():
    seen = set()
    seen.add({"peg": 1})


def propose_a_dict_literal():
    row = [1]
    return {row: "peg"}


def propose_a_test():
    seen = set()
    row = [1]
    return row in seen or len(seen)


def silent_a_tuple():
    return {(1, 2): 3}


def silent_a_list_in_a_list():
    return [1] in [[1]]
