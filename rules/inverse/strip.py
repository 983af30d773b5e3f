"""Where `strip` must speak, and where it must stay silent."""


def propose_spaces():
    text = " ab "
    return text.strip()


def propose_characters():
    text, chars = "--ab-", "-"
    return text.strip(chars)


def propose_one_end():
    text = "ab\n"
    return text.rstrip()


def silent_lower():
    text = "Ab"
    return text.lower()
