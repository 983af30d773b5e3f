"""Where `recursion` must speak, and where it must stay silent."""


class Node(object):
    def __init__(self):
        self.parent = self

    def depth(self):
        return 1 + self.parent.depth()


def count_down(number):
    if number == 0:
        return 0
    return count_down(number - 2)


def ping(number):
    return pong(number)


def pong(number):
    return ping(number)


def propose_an_end_that_is_jumped_over():
    return count_down(3)


def propose_a_circle_in_the_data():
    return Node().depth()


def propose_two_functions():
    return ping(3)


def silent_a_recursion_that_ends():
    return count_down(4)
