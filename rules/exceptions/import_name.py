"""Where `import_name` must speak, and where it must stay silent."""


def propose_a_misspelt_name():
    from json import loadz

    return loadz


def propose_a_name_that_was_moved():
    from math import gdc

    return gdc


def silent_a_name():
    from json import loads

    return loads


def silent_a_missing_module():
    import a_package_that_nobody_has

    return a_package_that_nobody_has
