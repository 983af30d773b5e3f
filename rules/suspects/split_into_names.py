"""Where `split_into_names` must speak, and where it must stay silent."""


def propose_a_field_too_many():
    name, count = "peg,3,x".split(",")  # fault
    return name, count


def propose_a_loop():
    for name, count in [("peg", 3), ("pin",)]:  # fault
        print(name, count)


def silent_another_source():
    low, high = max([1], [2])
    return low, high
