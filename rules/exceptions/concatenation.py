"""Where `concatenation` must speak, and where it must stay silent."""


def propose_a_count_in_a_label():
    count = 3
    return "pegs: " + count


def propose_none_behind_a_list():
    rows = [1]
    more = None
    return rows + more


def propose_the_second_of_two():
    name, count = "peg", 3
    return name + " x " + count


def propose_an_assignment():
    text = "total "
    text += 3.5
    return text


def propose_bytes():
    data = b"peg"
    return data + "s"


def silent_two_strings():
    return "peg" + "s"


def silent_the_other_order():
    return 3 + "pegs"
