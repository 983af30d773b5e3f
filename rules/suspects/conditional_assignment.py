"""Where `conditional_assignment` must speak, and where it must stay silent."""


def propose_a_missing_else():
    count = 3
    if count > 4:  # fault
        label = "many"
    elif count > 5:
        label = "more"
    return label


def propose_an_empty_loop():
    for row in []:  # fault
        print(row)
    return row


def propose_a_failed_attempt():
    try:  # fault
        number = int("peg")
    except ValueError:
        print("no number")
    return number


def silent_another_name():
    flag = False
    if flag:
        label = "peg"
    return size
    size = 3
