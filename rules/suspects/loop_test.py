"""Where `loop_test` must speak, and where it must stay silent."""


def propose_less_or_equal():
    rows = [3, 4]
    index = total = 0
    while index <= len(rows):  # fault
        total += rows[index]
        index += 1
    return total


def propose_a_turned_comparison():
    label = "peg"
    place = 0
    while len(label) >= place:  # fault
        letter = label[place]
        place += 1
    return letter


def silent_a_loop_over_another_name():
    rows, count = [3], 0
    while count <= 2:
        count += 1
    return rows[5]
