"""Where `undefined_name` must speak, and where it must stay silent."""


def propose_a_misspelt_name():
    length = 3
    return lenght + 1


def propose_a_missing_import():
    return math.sqrt(4)


def propose_a_function_that_is_not_there():
    return total_of([1, 2])


def silent_an_unbound_local():
    if not propose_a_misspelt_name:
        label = 1
    return label


def silent_a_missing_attribute():
    return "peg".lenght
