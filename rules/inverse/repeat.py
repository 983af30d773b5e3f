"""Where `repeat` must speak, and where it must stay silent."""


def propose_text():
    seq, count = "ab", 3
    return seq * count


def propose_a_list():
    seq, count = [1, 2], 2
    return count * seq


def silent_numbers():
    seq, count = 4, 3
    return seq * count
