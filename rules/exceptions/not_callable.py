"""Where `not_callable` must speak, and where it must stay silent."""


class Order(object):
    def __init__(self):
        self.total = 12


def propose_a_shadowed_builtin():
    list = [1, 2]
    return list("ab")


def propose_an_attribute_that_is_a_number():
    order = Order()
    return order.total()


def propose_a_handler_that_is_missing():
    handlers = {"peg": len}
    return handlers.get("dowel")([1])


def propose_a_call_of_a_result():
    return len("ab")()


def silent_a_function():
    return len("ab")


def silent_wrong_arguments():
    return len()
