"""Where `index_out_of_range` must speak, and where it must stay silent."""

from collections import deque


def propose_a_loop_one_too_far():
    rows = [3, 4]
    total = 0
    for index in range(len(rows) + 1):
        total += rows[index]
    return total


def propose_the_first_of_none():
    words = "".split()
    return words[0]


def propose_a_negative_index():
    label = "peg"
    return label[-4]


def propose_one_of_two_indices():
    rows = [[1, 2], [3]]
    return rows[1][1]


def propose_an_assignment():
    rows = []
    rows[0] = 3


def propose_a_pop():
    rows = [1]
    return rows.pop(1)


def propose_a_deque():
    queue = deque([1])
    return queue[1]


def propose_a_tuple():
    return (1, 2)[2]


def silent_a_key():
    return {"peg": 1}["dowel"]


def silent_a_slice():
    return [1][5:]


def silent_a_pop_of_nothing():
    return [].pop()
