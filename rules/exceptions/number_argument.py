"""Where `number_argument` must speak, and where it must stay silent."""


def propose_a_missing_setting():
    settings = {}
    return int(settings.get("port"))


def propose_a_list():
    row = [3]
    return float(row)


def silent_a_text():
    return int("peg")


def silent_a_number():
    return float(3)
