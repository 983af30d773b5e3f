"""Where `missing_attribute` must speak, and where it must stay silent."""


class Order(object):
    rate = 2

    def __init__(self):
        self.total = 3


class Slotted(object):
    __slots__ = ("total",)


def propose_a_misspelt_attribute():
    order = Order()
    return order.totl


def propose_a_method_of_another_type():
    rows = [1, 2]
    return rows.items()


def propose_a_number_in_place_of_text():
    field = 12
    return field.strip()


def propose_an_attribute_of_a_class():
    return Order.total


def propose_a_slot_that_is_not_there():
    order = Slotted()
    order.price = 3


def propose_a_read_only_attribute():
    label = "peg"
    label.upper = 3


def propose_no_context_manager():  # python: 3.8-3.10
    order = Order()
    with order:
        pass


def silent_none():
    return None.strip()


def silent_an_attribute():
    return Order().total


def silent_a_module():
    import math

    return math.total
