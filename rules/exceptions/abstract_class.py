"""Where `abstract_class` must speak, and where it must stay silent."""

import abc


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self):
        raise NotImplementedError


class Square(Shape):
    def aera(self):
        return 4


class Circle(Shape):
    def area(self):
        return 3


def propose_the_abstract_class():
    return Shape()


def propose_a_subclass_with_a_misspelt_method():
    return Square().area()


def silent_a_finished_class():
    return Circle().area()


def silent_an_argument():
    return Circle(3)
