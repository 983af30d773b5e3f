"""Where `set_order` must speak, and where it must stay silent."""

WORDS = "peg dowel pin latch hinge bolt screw nail tack rivet".split()


def propose_a_list_of_a_set():
    return list(set(WORDS))


def propose_a_join():
    return " ".join({"peg", "dowel", "pin", "latch", "hinge", "bolt", "screw"})


def propose_a_loop():
    found = []
    for word in set(WORDS):
        found.append(word)
    return found


def propose_a_variable():
    unique = set(WORDS)
    return [word for word in unique]


def silent_a_sorted_set():
    return sorted(set(WORDS))


def silent_a_membership():
    return "peg" in set(WORDS)


def silent_a_loop_over_a_list():
    rows = list(WORDS)
    return [row for row in rows]
