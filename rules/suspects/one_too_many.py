"""Where `one_too_many` must speak, and where it must stay silent."""


def propose_a_length_plus_one():
    rows = [3, 4]
    total = 0
    for index in range(len(rows) + 1):  # fault
        total += rows[index]
    return total


def propose_a_count_plus_one():
    rows, count = [3, 4], 2
    found = []
    for index in range(count + 1):  # fault
        row = rows[index]
        found.append(row)
    return found


def propose_a_queue_that_runs_empty():
    queue = [1, 2]
    for _ in range(len(queue) + 1):  # fault
        queue.pop(0)


def silent_a_range_for_something_else():
    rows = [3, 4]
    for step in range(len("ab") + 1):
        pass
    return rows[7]
