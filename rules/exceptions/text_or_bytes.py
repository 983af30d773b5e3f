"""Where `text_or_bytes` must speak, and where it must stay silent."""

import re


def propose_text_in_bytes():
    data = b"peg,3"
    return data.split(",")


def propose_bytes_at_the_start_of_a_text():
    name = "peg"
    return name.startswith(b"p")


def propose_no_text_at_all():
    field = None
    return re.match("p", field)


def propose_a_pattern_of_text_on_bytes():
    data = b"peg"
    return re.search("p", data)


def silent_bytes():
    return b"peg".split(b",")


def silent_a_concatenation():
    return "peg" + b"s"
