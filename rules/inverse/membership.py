"""Where `membership` must speak, and where it must stay silent."""


def propose_in_text():
    item, x = "b", "abc"
    return item in x


def propose_in_a_list():
    item, x = 2, [1, 2]
    return item in x


def propose_not_in():
    item, x = 3, [1, 2]
    return item not in x


def silent_equality():
    item, x = 3, 3
    return item == x
