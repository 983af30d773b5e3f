"""Where `text_from_input` must speak, and where it must stay silent."""


def propose_a_field():
    name, count = "peg 3".split()  # fault
    return count + 1


def propose_a_line():
    age = " 17\n".strip()  # fault
    if age >= 18:
        return name


def silent_another_type():
    text = "a b".split()
    return len(text) + None
