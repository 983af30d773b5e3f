"""Where `argument_count` must speak, and where it must stay silent."""

from collections import deque


class Order(object):
    def __init__(self, name):
        self.name = name

    def total():
        return 3

    def price(self, count):
        return count


def price(net, rate=1):
    return net * rate


def propose_a_function():
    return price(3, 4, 5)


def propose_a_method_without_self():
    return Order("peg").total()


def propose_a_method():
    return Order("peg").price(1, 2)


def propose_a_class():
    return Order("peg", 3)


def propose_a_builtin():
    return len([1], [2])


def propose_a_builtin_method():
    rows = deque([1])
    rows.remove()


def propose_a_list_method():
    rows = []
    rows.append(1, 2)


def propose_another_builtin():
    return isinstance(3)


def silent_the_right_number():
    return price(3, 4)


def silent_a_missing_argument():
    return price()
