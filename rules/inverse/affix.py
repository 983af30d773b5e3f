"""Where `affix` must speak, and where it must stay silent."""


def propose_a_beginning():  # python: 3.9+
    x, part = "prefab", "pre"
    return x.removeprefix(part)


def propose_an_end():  # python: 3.9+
    x, part = "abc", "z"
    return x.removesuffix(part)


def silent_strip():
    x, part = "aab", "a"
    return x.strip(part)
