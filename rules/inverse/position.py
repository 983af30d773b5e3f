"""Where `position` must speak, and where it must stay silent."""


def propose_text():
    x, item = "banana", "n"
    return x.find(item)


def propose_the_last():
    x, item = "banana", "a"
    return x.rindex(item)


def propose_what_is_not_there():
    x, item = "banana", "x"
    return x.find(item)


def propose_a_list():
    x, item = [1, 2], 2
    return x.index(item)


def silent_a_count():
    x, item = "banana", "a"
    return x.count(item)
