"""Where `random_numbers` must speak, and where it must stay silent."""

import random
from random import shuffle as mix


def draw():
    return random.random()


def propose_a_function_of_the_module():
    return random.random()


def propose_a_name_under_another_name():
    rows = list(range(100))
    mix(rows)
    return rows


def propose_a_function_that_draws():
    return draw() + 1


def silent_a_seeded_generator():
    return random.Random(3).random()


def silent_a_parameter_of_that_name(random=3):
    return random
