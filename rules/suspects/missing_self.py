"""Where `missing_self` must speak, and where it must stay silent."""


class Order(object):
    def total():  # fault
        return 3


class Plain(object):
    def total(self):
        return 3


def propose_a_call_of_the_method():
    return Order().total()


def silent_another_error():
    return Plain().total() + None
