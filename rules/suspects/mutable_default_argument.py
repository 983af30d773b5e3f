"""Where `mutable_default_argument` must speak, and where it must stay silent."""


def collect(row, rows=[]):  # fault
    rows.append(row)
    assert len(rows) < 2, rows
    return rows


def plain(row, rows=None):
    return rows[row]


def propose_a_second_call():
    collect(1)
    return collect(2)


def silent_none():
    return plain(0)
