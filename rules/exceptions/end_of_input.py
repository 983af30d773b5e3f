"""Where `end_of_input` must speak, and where it must stay silent.

It runs with an empty standard input.
"""


def propose_a_line_too_many():
    return input()


def propose_a_number():
    return int(input())


def silent_no_input():
    return int("3")


def silent_another_end():
    raise EOFError("no more data")
