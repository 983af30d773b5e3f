"""Where `unbound_local` must speak, and where it must stay silent."""

total = 0


def propose_a_branch_that_was_not_taken():
    flag = False
    if flag:
        label = "peg"
    return label.upper()


def propose_a_loop_that_did_not_run():
    for row in []:
        last = row
    return last


def propose_a_global_that_is_assigned():
    total += 1
    return total


def propose_an_enclosing_name():
    def inner():
        return later + 1

    result = inner()
    later = 3
    return result


def silent_an_undefined_name():
    return labels


def silent_a_bound_name():
    label = "peg"
    return label
