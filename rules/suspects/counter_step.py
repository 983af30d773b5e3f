"""Where `counter_step` must speak, and where it must stay silent."""


def propose_a_step_without_a_test():
    rows = [1, 2]
    index = 0
    while rows[index] < 9:
        index += 1  # fault
    return index


def silent_a_step_of_something_else():
    rows, count = [1], 0
    count += 1
    return rows[4]
