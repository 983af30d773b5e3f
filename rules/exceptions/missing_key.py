"""Where `missing_key` must speak, and where it must stay silent."""


def propose_a_misspelt_key():
    order = {"name": "peg", "price": 3}
    return order["prise"]


def propose_the_inner_of_two_keys():
    orders = {"peg": {"price": 3}}
    return orders["peg"]["count"]


def propose_a_variable_key():
    stock = {1: "peg"}
    wanted = 2
    return stock[wanted]


def propose_a_pop():
    stock = {"peg": 1}
    return stock.pop("dowel")


def propose_a_set():
    tags = {"peg"}
    tags.remove("dowel")


def propose_a_deletion():
    stock = {(1, 2): 3}
    del stock[(1, 3)]


def propose_a_format():
    values = {"name": "peg"}
    return "%(name)s %(price)s" % values


def propose_another_format():
    values = {"name": "peg"}
    return "{name} {price}".format(**values)


def silent_an_index():
    return [1][2]


def silent_an_empty_set():
    return set().pop()


def silent_a_default():
    return {"peg": 1}.get("dowel", 0)
