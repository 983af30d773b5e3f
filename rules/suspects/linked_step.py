"""Where `linked_step` must speak, and where it must stay silent."""


class Node(object):
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


def propose_a_walk_past_the_end():
    node = Node(1, Node(2))
    total = 0
    while node.next or total < 9:
        total += node.value
        node = node.next  # fault
    return total


def silent_another_node():
    first, second = Node(1), None
    first = first.next
    return second.value
