"""Where `letter_case` must speak, and where it must stay silent."""


def propose_upper():
    text = "aB1"
    return text.upper()


def propose_lower():
    text = "aB1"
    return text.lower()


def propose_title():
    text = "ab cd"
    return text.title()


def propose_swapcase():
    text = "aB1"
    return text.swapcase()


def silent_strip():
    text = " a "
    return text.strip()
