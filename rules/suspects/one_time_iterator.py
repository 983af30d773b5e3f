"""Where `one_time_iterator` must speak, and where it must stay silent."""


def propose_a_map():
    numbers = map(int, "12")  # fault
    return numbers[0]


def propose_a_second_pass():
    numbers = filter(None, [1, 2])  # fault
    total = sum(numbers)
    return max(numbers) - total


def propose_keys():
    names = {"peg": 3}.keys()  # fault
    return names[0]


def silent_a_list():
    numbers = list(map(int, "12"))
    return numbers["0"]
