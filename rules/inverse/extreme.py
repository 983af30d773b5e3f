"""Where `extreme` must speak, and where it must stay silent."""


def propose_of_a_list():
    x = [1, 3, 2]
    return max(x)


def propose_of_two():
    left, right = 3, 5
    return min(left, right)


def propose_by_a_key():
    x, key = ["a", "bc"], len
    return max(x, key=key)


def silent_a_sum():
    x = [1, 2]
    return sum(x)
