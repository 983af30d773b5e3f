"""Where `frozen_instance` must speak, and where it must stay silent."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Point(object):
    x: int = 0

    @property
    def double(self):
        return 2 * self.x


class Shelf(object):
    @property
    def width(self):
        return 3


def propose_a_field():
    point = Point()
    point.x = 3


def propose_a_property():
    shelf = Shelf()
    shelf.width = 4


def silent_reading():
    return Point().double


def silent_an_unknown_attribute():
    return Point().y
