"""Where `base_case_test` must speak, and where it must stay silent."""


def count_down(number):
    if number == 0:  # fault
        return 0
    return count_down(number - 2)


def endless(number):
    return endless(number) if number > -1 else 0


def propose_a_step_over_the_end():
    return count_down(3)


def silent_another_test():
    return endless(3)
