"""What a call gives back only bit by bit: generators are exhausted, coroutines awaited.

Iterators of other kinds (`map`, files) are values as they are.
"""

import sys
from itertools import islice
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any, List

MAX_ITEMS = 10000


class CutShort(Exception):
    """A generator that did not end within `MAX_ITEMS` items; `items` are those."""

    def __init__(self, items: List[Any]) -> None:
        super().__init__("the generator was cut after %d items" % len(items))
        self.items = items


def draw(result: Any) -> Any:
    """Return the value of a call: a generator's items as a list, a coroutine's result."""
    kind = type(result)
    if kind is GeneratorType:
        return _items(result)
    if kind is CoroutineType:
        return _asyncio().run(result)
    if kind is AsyncGeneratorType:
        return _asyncio().run(_collect(result))
    managers = sys.modules.get("contextlib")
    if managers is not None and kind in (
        getattr(managers, "_GeneratorContextManager", None),
        getattr(managers, "_AsyncGeneratorContextManager", None),
    ):
        return draw(result.gen)
    return result


def _items(generator: Any) -> List[Any]:
    items = list(islice(generator, MAX_ITEMS))
    if len(items) == MAX_ITEMS:
        raise CutShort(items)
    return items


async def _collect(generator: Any) -> List[Any]:
    items: List[Any] = []
    async for item in generator:
        items.append(item)
        if len(items) == MAX_ITEMS:
            raise CutShort(items)
    return items


def _asyncio() -> Any:
    import asyncio

    return asyncio
