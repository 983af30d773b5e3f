"""Where `code_at_run_time` must speak, and where it must stay silent."""

import importlib

SECRET = {"calls": 0}


def propose_text_as_code():
    return eval("SECRET.__setitem__('calls', SECRET['calls'] + 1) or SECRET['calls']")


def propose_a_module_by_name():
    return importlib.import_module("random").random()


def silent_a_literal():
    return int("3")


def silent_a_method_of_that_name():
    class Rule(object):
        def compile(self):
            return 3

    return Rule().compile()
