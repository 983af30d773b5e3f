"""Where `missing_argument` must speak, and where it must stay silent."""

from datetime import datetime


class Order(object):
    def __init__(self, name, price):
        self.name = name
        self.price = price

    def total(self, count):
        return self.price * count


def price(net, *, rate):
    return net * rate


def propose_a_function():
    return price()


def propose_a_keyword():
    return price(3)


def propose_a_method():
    order = Order("peg", 3)
    return order.total()


def propose_a_class():
    return Order("peg").total(3)


def propose_a_builtin():
    return datetime(2020, 1)


def silent_all_given():
    return Order("peg", 3).total(2)


def silent_too_many():
    return Order("peg", 3).total(2, 3)
