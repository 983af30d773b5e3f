"""Where `not_comparable` must speak, and where it must stay silent."""


def propose_a_missing_value():
    limits = {}
    return 3 < limits.get("high")


def propose_text_and_a_number():
    age = "17"
    if age >= 18:
        return age


def propose_a_sort():
    rows = [3, None, 1]
    return sorted(rows)


def propose_a_method():
    rows = ["b", 1]
    rows.sort()


def propose_a_maximum():
    return max([3, "4"])


def propose_dicts():
    low, high = {"a": 1}, {"a": 2}
    return low < high


def silent_equality():
    return 3 == "3"


def silent_a_sum():
    return 3 + "3"
