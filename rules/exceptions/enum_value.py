"""Where `enum_value` must speak, and where it must stay silent."""

import enum


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


def propose_a_number():
    code = 3
    return Colour(code)


def propose_a_name_in_place_of_a_value():
    return Colour("RED")


def silent_a_member():
    return Colour(2)


def silent_a_missing_name():
    return Colour["GREEN"]
