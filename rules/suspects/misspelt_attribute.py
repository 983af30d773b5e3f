"""Where `misspelt_attribute` must speak, and where it must stay silent."""


class Order(object):
    def __init__(self):
        self.quantity = 3

    def describe(self):
        return "%d" % self.quantity

    def discribe_price(self):  # fault
        return "free"


def propose_the_reading():
    order = Order()
    return order.quantty  # fault


def propose_the_writing():
    return Order().describe_price()


def silent_an_attribute_like_no_other():
    return Order().supplier
