"""Where `shadowed_global` must speak, and where it must stay silent."""

total = 0  # fault
count = 3


def propose_a_counter():
    total += 1
    return total


def silent_a_local_name():
    if not count:
        label = "peg"
    return label
