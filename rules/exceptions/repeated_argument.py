"""Where `repeated_argument` must speak, and where it must stay silent."""


class Order(object):
    def total(self, count):
        return count


def price(net, rate=1):
    return net * rate


def propose_a_function():
    return price(3, net=4)


def propose_a_method():
    return Order().total(1, count=2)


def silent_each_once():
    return price(3, rate=4)


def silent_an_unknown_name():
    return price(3, rat=4)
