"""Where `not_iterable` must speak, and where it must stay silent."""


def pair(flag):
    if flag:
        return 1, 2


def propose_a_loop_over_a_number():
    count = 3
    for step in count:
        return step


def propose_a_comprehension_over_none():
    rows = {}.get("rows")
    return [row for row in rows]


def propose_unpacking_a_missing_result():
    low, high = pair(False)
    return low + high


def propose_an_argument_of_a_builtin():
    count = 3
    return sum(count)


def propose_an_argument_of_a_method():
    rows = []
    rows.extend(7)
    return rows


def silent_a_list():
    return [row for row in [1, 2]]


def silent_too_few_parts():
    low, high = [1]
    return low + high


def silent_a_container_test():
    return 3 in 4
