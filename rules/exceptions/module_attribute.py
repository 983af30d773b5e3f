"""Where `module_attribute` must speak, and where it must stay silent."""

import math
import os.path


def propose_a_misspelt_function():
    return math.squareroot(4)


def propose_a_function_of_a_submodule():
    return os.joined("a", "b")


def silent_an_attribute():
    return math.sqrt(4)


def silent_an_object():
    return "peg".sqrt
