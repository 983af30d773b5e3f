"""A target without guile, to see that the checks still work after a hostile one."""


def add(left, right):
    total = left + right
    return total
