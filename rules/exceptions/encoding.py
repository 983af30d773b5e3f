"""Where `encoding` must speak, and where it must stay silent."""


def propose_an_accent_in_ascii():
    name = "caf\u00e9"
    return name.encode("ascii")


def propose_several_characters():
    name = "na\u00ef\u00efve"
    return name.encode("ascii")


def propose_a_lone_surrogate():
    name = "peg\ud800"
    return name.encode("utf-8")


def propose_a_character_that_latin_1_lacks():
    return bytes("3 \u20ac", "latin-1")


def silent_an_encoding_that_has_it():
    return "caf\u00e9".encode("latin-1")


def silent_decoding():
    return b"\xff".decode("utf-8")
