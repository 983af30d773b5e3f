"""Where `not_subscriptable` must speak, and where it must stay silent."""


class Shelf(object):
    pass


def total(row):
    return sum(row)


def propose_a_number():
    count = 3
    return count[0]


def propose_a_function_with_the_wrong_brackets():
    return total[[1, 2]]


def propose_an_object():
    shelf = Shelf()
    return shelf["peg"]


def propose_a_string_that_is_changed():
    label = "peg"
    label[0] = "P"


def propose_a_tuple_that_is_changed():
    row = (1, 2)
    del row[0]


def propose_a_builtin_type_before_39():  # python: 3.8
    return list[int]


def silent_none():
    return None[0]


def silent_a_wrong_index():
    return [1]["peg"]
