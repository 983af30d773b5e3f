"""Where `modulo` must speak, and where it must stay silent."""


def propose_numbers():
    left, right = 17, 5
    return left % right


def propose_a_negative_divisor():
    left, right = 17, -5
    return left % right


def silent_text():
    left, right = "%s!", "a"
    return left % right
