"""Where `sequence_repeat` must speak, and where it must stay silent."""


def propose_text_in_place_of_a_number():
    price = "12.50"
    rate = 0.2
    return price * rate


def propose_a_list_by_a_share():
    return [0] * (7 / 2)


def propose_two_strings():
    width, height = "3", "4"
    return width * height


def silent_a_repetition():
    return "ab" * 3


def silent_none():
    return 3 * None
