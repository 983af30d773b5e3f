"""Where `multiply` must speak, and where it must stay silent."""


def propose_numbers():
    left, right = 7, 3
    return left * right


def propose_a_square():
    x = 12
    return x * x


def silent_text():
    left, right = "ab", 2
    return left * right
