"""Where `empty_extremum` must speak, and where it must stay silent."""


def propose_the_largest_of_nothing():
    rows = []
    return max(rows)


def propose_a_key():
    words = "".split()
    return min(words, key=len)


def propose_a_filter_that_left_nothing():
    prices = [1, 2]
    expensive = [price for price in prices if price > 3]
    return max(expensive) - min(prices)


def silent_a_default():
    return max([], default=0)


def silent_a_reduction():
    import functools

    return functools.reduce(max, [])
