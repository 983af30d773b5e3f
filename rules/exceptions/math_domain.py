"""Where `math_domain` must speak, and where it must stay silent."""

import math


def propose_a_root():
    square = -4
    return math.sqrt(square)


def propose_a_logarithm_of_zero():
    share = 0
    return math.log(share)


def propose_an_angle():
    ratio = 1.01
    return math.acos(ratio)


def propose_a_factorial():
    return math.factorial(-1)


def silent_a_root():
    return math.sqrt(4)


def silent_too_large():
    return math.exp(1000)
