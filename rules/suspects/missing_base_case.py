"""Where `missing_base_case` must speak, and where it must stay silent."""


class Node(object):
    def __init__(self, parent=None):
        self.parent = parent or self

    def depth(self):
        return 1 + self.parent.depth()


def factorial(number):  # fault
    return number * factorial(number - 1)


def propose_a_factorial():
    return factorial(3)


def silent_a_case_that_is_there():
    def count_down(number):
        if number == 0:
            return 0
        return count_down(number - 2)

    return count_down(3)
