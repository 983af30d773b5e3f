"""Where `split` must speak, and where it must stay silent."""


def propose_words():
    text = "a b"
    return text.split()


def propose_fields():
    text, sep = "a,b,", ","
    return text.split(sep)


def propose_lines():
    text = "a\nb"
    return text.splitlines()


def propose_a_partition():
    text, sep = "a=b=c", "="
    return text.partition(sep)


def silent_characters():
    text = "ab"
    return list(text)
