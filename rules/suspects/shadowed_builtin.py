"""Where `shadowed_builtin` must speak, and where it must stay silent."""


def propose_a_local_name():
    list = [1, 2]  # fault
    return list("ab")


def total(sum):  # fault
    return sum([1, 2])


def propose_a_parameter():
    return total(3)


def silent_a_name_of_ones_own():
    rows = [1, 2]
    return rows("ab")
