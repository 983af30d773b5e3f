"""Where `kind_of_text` must speak, and where it must stay silent."""


def propose_digits():
    x = "12"
    return x.isdigit()


def propose_no_letters():
    x = "1"
    return x.isalpha()


def propose_capitals():
    x = "AB"
    return x.isupper()


def silent_a_change():
    x = "ab"
    return x.upper()
