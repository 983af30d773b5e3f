"""Where `partial_return` must speak, and where it must stay silent."""


def find(rows, wanted):  # fault
    for row in rows:
        if row == wanted:
            return row


def size(name):
    if name == "peg":
        return 3
    elif name == "dowel":
        return 4


def whole(name):
    if name == "peg":
        return "p"
    return None


def propose_a_call_on_the_line():
    return find(["peg"], "dowel").upper()


def propose_a_name():
    width = size("pin")  # fault
    return width * 2 + 1


def silent_a_function_that_always_returns():
    return whole("pin").upper()


def silent_another_error():
    return find(["peg"], "peg") + 3
