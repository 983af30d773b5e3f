"""Where `mutable_default` must speak, and where it must stay silent."""


def collect(row, rows=[]):
    rows.append(row)
    return len(rows)


def remember(key, *, seen={}):
    seen[len(seen)] = key
    return len(seen)


def total(rows=[]):
    return sum(rows)


def propose_a_list():
    return collect(3)


def propose_a_keyword():
    return remember("peg")


def silent_a_default_that_is_read():
    return total()


def silent_a_plain_parameter():
    def extend(rows):
        rows.append(3)
        return rows

    return extend([])
