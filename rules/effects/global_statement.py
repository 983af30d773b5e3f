"""Where `global_statement` must speak, and where it must stay silent."""

count = 0


def advance():
    global count
    count += 1
    return count


def propose_a_counter():
    return advance()


def propose_several_names():
    global other, count
    other = count
    count = other + 1
    return other


def silent_reading_a_global():
    return count * 0


def silent_a_local_of_the_same_name():
    count = 3
    count += 1
    return count
