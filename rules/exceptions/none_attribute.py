"""Where `none_attribute` must speak, and where it must stay silent."""


class Order(object):
    owner = None


def find(orders, name):
    for order in orders:
        if order == name:
            return order


def propose_a_method_of_a_missing_entry():
    labels = {"peg": " peg "}
    label = labels.get("dowel")
    return label.strip()


def propose_the_inner_of_two_attributes():
    order = Order()
    return order.owner.name


def propose_the_result_of_a_call():
    return find(["peg"], "dowel").upper()


def propose_setting_an_attribute():
    order = Order.owner
    order.total = 3


def silent_another_type():
    return (3).strip()


def silent_none_in_another_role():
    return None + 1


def silent_the_words_in_another_exception():
    raise ValueError("'NoneType' object has no attribute 'strip'")
