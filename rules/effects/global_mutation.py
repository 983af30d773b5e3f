"""Where `global_mutation` must speak, and where it must stay silent."""

import itertools

SEEN = []
CACHE = {}
NUMBERS = itertools.count()


class Order(object):
    made = 0

    def __init__(self):
        Order.made += 1
        self.number = Order.made

    @classmethod
    def count(cls):
        cls.made += 1
        return cls.made


class Plain(object):
    def __init__(self):
        self.rows = []

    def add(self, row):
        self.rows.append(row)
        return len(self.rows)


def propose_a_list():
    SEEN.append(3)
    return len(SEEN)


def propose_a_cache():
    CACHE[len(CACHE)] = True
    return len(CACHE)


def propose_an_iterator():
    return next(NUMBERS)


def propose_a_class_attribute():
    return Order().number


def propose_a_class_method():
    return Order.count()


def propose_an_attribute_of_a_function():
    propose_an_attribute_of_a_function.calls = getattr(propose_an_attribute_of_a_function, "calls", 0) + 1
    return propose_an_attribute_of_a_function.calls


def silent_a_local_list():
    SEEN = []
    SEEN.append(3)
    return SEEN


def silent_an_object_of_its_own():
    return Plain().add(3)


def silent_reading():
    return CACHE.get("no such key")
