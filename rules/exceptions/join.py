"""Where `join` must speak, and where it must stay silent."""


def propose_numbers():
    rows = ["a", 3]
    return ", ".join(rows)


def propose_a_number():
    count = 3
    return ", ".join(count)


def silent_texts():
    return ", ".join(["a", "b"])


def silent_a_sum():
    return "a" + 3
