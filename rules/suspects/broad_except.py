"""Where `broad_except` must speak, and where it must stay silent."""


def propose_a_swallowed_failure():
    try:  # fault
        rows = [int("peg")]
    except Exception:
        pass
    return rows[0]


def silent_a_narrow_handler():
    try:
        rows = [int("peg")]
    except ValueError:
        rows = None
    return rows[0]


def silent_a_handler_that_raises():
    try:
        return [1][4]
    except Exception as error:
        raise KeyError("peg") from error
