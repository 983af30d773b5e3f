"""Where `enclosing_loop` must speak, and where it must stay silent.

It runs with an empty standard input.
"""


def propose_a_line_too_many():
    lines = []
    for _ in range(2):  # fault
        lines.append(input())
    return lines


def propose_a_loop_without_end():
    queue = [1, 2]
    while True:  # fault
        queue.pop()


def silent_a_loop_that_is_over():
    rows = []
    for _ in range(2):
        rows.append(1)
    return rows[3]
