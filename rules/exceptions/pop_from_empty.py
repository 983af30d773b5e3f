"""Where `pop_from_empty` must speak, and where it must stay silent."""

from collections import deque


def propose_a_list():
    stack = []
    return stack.pop()


def propose_a_queue():
    queue = deque()
    return queue.popleft()


def propose_a_set():
    return set().pop()


def propose_a_dict():
    stock = {}
    return stock.popitem()


def propose_a_first_element():
    stack = []
    return stack.pop(0)


def silent_an_index_too_far():
    return [1].pop(3)


def silent_a_missing_key():
    return {}.pop("peg")
