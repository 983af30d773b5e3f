"""Where `changed_in_loop` must speak, and where it must stay silent."""

from collections import deque


def propose_a_dict():
    stock = {"peg": 0, "dowel": 3}
    for name in stock:
        if not stock[name]:
            del stock[name]


def propose_a_set():
    tags = {1, 2}
    for tag in tags:
        tags.add(tag + 10)


def propose_items():
    stock = {"peg": 0}
    for name, count in stock.items():
        stock[name + "s"] = count


def propose_a_queue():
    queue = deque([1, 2])
    for item in queue:
        queue.append(item)


def silent_a_copy():
    stock = {"peg": 0}
    for name in list(stock):
        del stock[name]


def silent_a_list():
    rows = [1, 2]
    for row in rows:
        rows.remove(row)
