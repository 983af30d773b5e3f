"""Where `add_numbers` must speak, and where it must stay silent."""


def propose_the_left_operand():
    left, right = 7, 3
    return left + right


def propose_a_negative_sum():
    left, right = -7, 3
    return left + right


def silent_text():
    left, right = "a", "b"
    return left + right
