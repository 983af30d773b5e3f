"""Where `standard_input` must speak, and where it must stay silent."""

import sys


def propose_a_line():
    return input()


def propose_a_stream():
    return sys.stdin.read()


def silent_a_parameter_of_that_name(input="3"):
    return int(input)
