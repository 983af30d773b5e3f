"""Where `unexpected_argument` must speak, and where it must stay silent."""


class Order(object):
    def __init__(self, name, price=0):
        self.name = name
        self.price = price


def price(net, rate=1):
    return net * rate


def propose_a_misspelt_keyword():
    return price(3, rat=2)


def propose_a_class():
    return Order("peg", prise=3)


def propose_a_builtin():
    return sorted([2, 1], reversed=True)


def propose_a_builtin_without_keywords():
    return len(obj=[])


def silent_a_keyword():
    return price(3, rate=2)


def silent_a_missing_argument():
    return price(rate=2)
