"""Where `drop_first` must speak, and where it must stay silent."""


def propose_text():
    x, i = "abc", 1
    return x[i:]


def propose_a_list():
    x, i = [1, 2, 3], 2
    return x[i:]


def propose_the_last():
    x, i = "abc", -2
    return x[i:]


def silent_the_first():
    x, i = "abc", 1
    return x[:i]
