"""Where `encode` must speak, and where it must stay silent."""


def propose_bytes():
    x = "ab"
    return x.encode("utf-8")


def propose_text():
    x = b"ab"
    return x.decode()


def silent_a_list():
    x = "ab"
    return list(x)
