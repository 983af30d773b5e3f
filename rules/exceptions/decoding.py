"""Where `decoding` must speak, and where it must stay silent."""


def propose_latin_1_read_as_utf_8():
    data = "caf\u00e9s".encode("latin-1")
    return data.decode("utf-8")


def propose_data_that_is_cut_off():
    data = "3 \u20ac".encode("utf-8")[:-1]
    return data.decode("utf-8")


def propose_ascii():
    return str(b"caf\xc3\xa9", "ascii")


def silent_good_data():
    return b"caf\xc3\xa9".decode("utf-8")


def silent_encoding():
    return "caf\u00e9".encode("ascii")
