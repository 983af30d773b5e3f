"""Where `misspelt_key` must speak, and where it must stay silent."""


def propose_the_reading():
    order = {"name": "peg", "price": 3}
    order["price"] += 1
    return order["prise"]  # fault


def propose_the_writing():
    order = {}
    order["colour_code"] = 3
    order["color_code"] = 4
    order.pop("colour_code")
    order["kolour_code"] = 5  # fault
    return order["colour_code"]


def silent_a_key_like_no_other():
    order = {"name": "peg"}
    return order["quantity"]
