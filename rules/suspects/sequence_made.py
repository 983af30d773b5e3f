"""Where `sequence_made` must speak, and where it must stay silent."""


def propose_a_table_of_counts():
    counts = [0] * 26  # fault
    for letter in "pe_g{":
        counts[ord(letter) - ord("a")] += 1
    return counts


def propose_fields():
    fields = "peg,3".split(",")  # fault
    return fields[2]


def silent_a_parameter():
    def last(rows):
        spare = [0] * 3
        return rows[3] + len(spare)

    return last([1])
