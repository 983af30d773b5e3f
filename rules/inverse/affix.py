"""Where `affix` must speak, and where it must stay silent."""


def propose_a_beginning():
    x, part = "prefab", "pre"
    return x.removeprefix(part)  # python: 3.9+


def propose_an_end():
    x, part = "abc", "z"
    return x.removesuffix(part)  # python: 3.9+


def silent_strip():
    x, part = "aab", "a"
    return x.strip(part)
