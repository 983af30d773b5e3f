"""Where `not_in_sequence` must speak, and where it must stay silent."""

from collections import deque


def propose_a_removal():
    rows = [1, 2]
    rows.remove(3)


def propose_a_place_in_a_list():
    names = ["peg", "dowel"]
    return names.index("pin")


def propose_a_place_in_a_tuple():
    return (1, 2).index(3)


def propose_a_part_of_a_text():
    text = "peg"
    return text.index("x")


def propose_a_queue():
    queue = deque([1])
    queue.remove(2)


def silent_a_part_that_is_there():
    return "peg".index("e")


def silent_find():
    return "peg".find("x")


def silent_a_set():
    {1}.remove(2)
