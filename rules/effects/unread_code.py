"""Where `unread_code` must speak, and where it must stay silent."""

import math
from collections import Counter
from email.message import Message
from wsgiref import headers as others


def propose_a_class_of_another_module():
    return Message().keys()


def propose_a_function_under_another_name():
    return others.Headers([])


def silent_known_modules():
    return Counter("peg"), math.sqrt(4)


def silent_methods_of_builtins():
    return str.upper("peg"), dict.fromkeys("ab")
