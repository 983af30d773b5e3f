"""Where `digits_limit` must speak, and where it must stay silent."""


def propose_a_power_as_text():
    number = 10 ** 5000
    return str(number)


def propose_a_text():
    digits = "1" * 5000
    return int(digits)


def silent_a_long_number():
    return str(10 ** 400)


def silent_no_number():
    return int("1" * 50 + "x")
