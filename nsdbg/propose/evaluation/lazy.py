"""Iterators and generators as objects: a run shows one as its kind, whatever it will give.

They are made at once, also from objects of which only the text is known; who takes an item of such
a one gets Unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from nsdbg.propose.evaluation.bounds import Unknown

# The key under which names tell in which function they are, as its qualified name.
WITHIN = "<function>"


class Lazy:
    """An iterator: `shown` is its text in a run, `kind` its type's name.

    `items` None: what it gives is not known.
    """

    __slots__ = ("_items", "kind", "shown")

    def __init__(self, shown: str, kind: str, items: Iterator[Any] | None = None) -> None:
        self.shown = shown
        self.kind = kind
        self._items = items

    def __iter__(self) -> Lazy:
        return self

    def __next__(self) -> Any:
        if self._items is None:
            raise Unknown(f"what {self.shown} gives")
        return next(self._items)

    def __deepcopy__(self, memo: dict[int, Any]) -> Lazy:
        """Return itself: a copy would be another iterator."""
        return self


class Making:
    """A function that makes an iterator at once; `make` gives its items, None where unknown."""

    __slots__ = ("_make", "kind", "shown")

    def __init__(
        self, kind: str, make: Callable[..., Iterator[Any]] | None = None, shown: str = ""
    ) -> None:
        self.kind = kind
        self.shown = shown or f"<{kind} object at 0x...>"
        self._make = make

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return the iterator over known arguments: a builtin's own, or a `Lazy`."""
        if self._make is None:
            return self.unknown()
        made = self._make(*args, **kwargs)
        return made if type(made).__name__ == self.kind else Lazy(self.shown, self.kind, made)

    def unknown(self) -> Lazy:
        """Return the iterator over something that is not known."""
        return Lazy(self.shown, self.kind)


class Generating(Making):
    """A generator function of the program: calling it runs nothing of it yet."""

    __slots__ = ()

    def __init__(self, qualname: str) -> None:
        super().__init__("generator", shown=f"<generator object {qualname} at 0x...>")


def generator_in(function: Any, items: Iterator[Any]) -> Iterator[Any]:
    """Return a generator expression as an object of the function it stands in, where that is known.

    function: a qualified name, or None.
    """
    if not isinstance(function, str):
        return items
    within = f"{function}.<locals>." if function != "<module>" else ""
    return Lazy(f"<generator object {within}<genexpr> at 0x...>", "generator", items)
