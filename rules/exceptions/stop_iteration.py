"""Where `stop_iteration` must speak, and where it must stay silent."""


def first_of(rows):
    source = iter(rows)
    yield next(source)


def propose_an_empty_iterator():
    rows = iter([])
    return next(rows)


def propose_a_search_without_result():
    prices = [1, 2]
    return next(price for price in prices if price > 3)


def propose_a_generator():
    return list(first_of([]))


def silent_a_default():
    return next(iter([]), None)


def silent_another_runtime_error():
    raise RuntimeError("it stopped")
