"""Where `recursive_call` must speak, and where it must stay silent."""


def shrink(rows):
    if not rows:
        return 0
    return 1 + shrink(rows[0:])  # fault


def propose_the_same_list_again():
    return shrink([1, 2])


def silent_no_recursion():
    def fail():
        raise RecursionError("too deep")

    return fail()
