"""Where `misspelt_name` must speak, and where it must stay silent."""


def propose_two_letters_swapped():
    length = 3
    return lenght + 1  # fault


def silent_a_name_like_no_other():
    length = 3
    return quokka + length
