"""Where `module_not_found` must speak, and where it must stay silent."""


def propose_a_missing_package():
    import a_package_that_nobody_has

    return a_package_that_nobody_has


def propose_a_missing_submodule():
    from json.numbers import count

    return count


def propose_a_module_that_is_no_package():
    import math.roots

    return math.roots


def silent_a_module():
    import json

    return json


def silent_a_name_that_is_not_there():
    from json import numbers

    return numbers
