"""Where `environment` must speak, and where it must stay silent."""

import decimal
import os
import sys


def propose_a_variable():
    os.environ["PEG"] = os.environ.get("PEG", "") + "x"
    return os.environ["PEG"]


def propose_a_limit():
    sys.setrecursionlimit(sys.getrecursionlimit() + 1)
    return sys.getrecursionlimit()


def propose_a_context():
    decimal.getcontext().prec += 1
    return decimal.getcontext().prec


def silent_output():
    sys.stdout.write("peg\n")
    print("peg", file=sys.stderr)


def silent_a_constant():
    return sys.maxsize
