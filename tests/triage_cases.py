"""Pairs of versions of a small project: what changes, and which new crash there is, if any.

Each kind of function has a change that adds a crash and one that does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Case:
    """Two texts of `shop/rows.py`; `raises` is the crash's exception, None where there is none.

    `others` are further files, the same in both versions.
    """

    name: str
    old: str
    new: str
    raises: str | None = None
    call: str | None = None
    others: Mapping[str, str] = field(default_factory=dict)
    level: str = "error"


CASES = (
    Case(
        "a function loses its guard",
        """
        def parse_row(text):
            if not text:
                return None
            return text.split(",")[0][0]
        """,
        """
        def parse_row(text):
            return text.split(",")[0][0]
        """,
        "IndexError", "parse_row('')",
    ),
    Case(
        "a function is written otherwise",
        """
        def parse_row(text):
            return [part for part in text.split(",")]
        """,
        """
        def parse_row(text):
            return list(text.split(","))
        """,
    ),
    Case(
        "a method divides by a number of items",
        """
        class Order:
            def __init__(self, prices: list[int]):
                self.prices = prices

            def mean(self):
                return sum(self.prices) / max(len(self.prices), 1)
        """,
        """
        class Order:
            def __init__(self, prices: list[int]):
                self.prices = prices

            def mean(self):
                return sum(self.prices) / len(self.prices)
        """,
        "ZeroDivisionError", "Order(prices=[]).mean()",
    ),
    Case(
        "a method is written otherwise",
        """
        class Order:
            def __init__(self, prices: list[int]):
                self.prices = prices

            def total(self):
                found = 0
                for price in self.prices:
                    found += price
                return found
        """,
        """
        class Order:
            def __init__(self, prices: list[int]):
                self.prices = prices

            def total(self):
                return sum(self.prices)
        """,
    ),
    Case(
        "a method uses what the constructor does not set",
        """
        class Order:
            def __init__(self, prices: list[int]):
                self.prices = prices

            def count(self):
                return len(self.prices)
        """,
        """
        class Order:
            def __init__(self, prices: list[int]):
                self.prices = prices

            def count(self):
                return len(self.items)
        """,
        "AttributeError",
    ),
    Case(
        "an async function indexes what may be empty",
        """
        async def first(names: list[str]) -> str:
            return names[0] if names else ""
        """,
        """
        async def first(names: list[str]) -> str:
            return names[0]
        """,
        "IndexError", "asyncio.run(first([]))",
    ),
    Case(
        "an async function is written otherwise",
        """
        async def first(names: list[str]) -> str:
            return names[0] if names else ""
        """,
        """
        async def first(names: list[str]) -> str:
            for name in names:
                return name
            return ""
        """,
    ),
    Case(
        "a generator looks one further",
        """
        def pairs(items: list[int]):
            for at in range(len(items) - 1):
                yield items[at], items[at + 1]
        """,
        """
        def pairs(items: list[int]):
            for at in range(len(items)):
                yield items[at], items[at + 1]
        """,
        "IndexError",
    ),
    Case(
        "a generator is written otherwise",
        """
        def pairs(items: list[int]):
            for at in range(len(items) - 1):
                yield items[at], items[at + 1]
        """,
        """
        def pairs(items: list[int]):
            yield from zip(items, items[1:])
        """,
    ),
    Case(
        "a dataclass's method finds nothing",
        """
        from dataclasses import dataclass, field

        @dataclass
        class Stock:
            counts: dict[str, int] = field(default_factory=dict)

            def of(self, name: str) -> int:
                return self.counts.get(name, 0)
        """,
        """
        from dataclasses import dataclass, field

        @dataclass
        class Stock:
            counts: dict[str, int] = field(default_factory=dict)

            def of(self, name: str) -> int:
                return self.counts[name]
        """,
        "KeyError",
    ),
    Case(
        "a dataclass checks its field after it was made",
        """
        from dataclasses import dataclass

        @dataclass
        class Range:
            low: int
            high: int

            def __post_init__(self):
                self.width = self.high - self.low
        """,
        """
        from dataclasses import dataclass

        @dataclass
        class Range:
            low: int
            high: int

            def __post_init__(self):
                self.width = self.high - self.low
                self.step = 100 // self.width
        """,
        "ZeroDivisionError",
    ),
    Case(
        "a dataclass gets a field with a default",
        """
        from dataclasses import dataclass

        @dataclass
        class Range:
            low: int
            high: int

            def width(self):
                return self.high - self.low
        """,
        """
        from dataclasses import dataclass

        @dataclass
        class Range:
            low: int
            high: int
            step: int = 1

            def width(self):
                return (self.high - self.low) * self.step
        """,
    ),
    Case(
        "a decorated function loses its default",
        """
        import functools

        def logged(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs)
            return wrapper

        @logged
        def largest(numbers: list[int]) -> int:
            return max(numbers, default=0)
        """,
        """
        import functools

        def logged(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs)
            return wrapper

        @logged
        def largest(numbers: list[int]) -> int:
            return max(numbers)
        """,
        "ValueError", "largest([])",
    ),
    Case(
        "a decorator is written otherwise",
        """
        import functools

        def logged(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs)
            return wrapper

        @logged
        def largest(numbers: list[int]) -> int:
            return max(numbers, default=0)
        """,
        """
        import functools

        def logged(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                found = function(*args, **kwargs)
                return found
            return wrapper

        @logged
        def largest(numbers: list[int]) -> int:
            return max(numbers, default=0)
        """,
    ),
    Case(
        "a property reads what is not there",
        """
        class Page:
            def __init__(self, words: list[str]):
                self.words = words

            @property
            def title(self):
                return self.words[0] if self.words else "untitled"
        """,
        """
        class Page:
            def __init__(self, words: list[str]):
                self.words = words

            @property
            def title(self):
                return self.words[0]
        """,
        "IndexError", "Page(words=[]).title",
    ),
    Case(
        "a property is written otherwise",
        """
        class Page:
            def __init__(self, words: list[str]):
                self.words = words

            @property
            def title(self):
                return self.words[0] if self.words else "untitled"
        """,
        """
        class Page:
            def __init__(self, words: list[str]):
                self.words = words

            @property
            def title(self):
                return next(iter(self.words), "untitled")
        """,
    ),
    Case(
        "a static method unpacks a short text",
        """
        class Text:
            @staticmethod
            def key(line: str) -> str:
                return line.partition("=")[0]
        """,
        """
        class Text:
            @staticmethod
            def key(line: str) -> str:
                key, value = line.split("=")
                return key
        """,
        "ValueError",
    ),
    Case(
        "a static method is written otherwise",
        """
        class Text:
            @staticmethod
            def key(line: str) -> str:
                return line.partition("=")[0]
        """,
        """
        class Text:
            @staticmethod
            def key(line: str) -> str:
                return line.split("=")[0]
        """,
    ),
    Case(
        "a class method indexes an empty text",
        """
        class Code:
            def __init__(self, letter: str):
                self.letter = letter

            @classmethod
            def read(cls, text: str):
                return cls(text[:1])
        """,
        """
        class Code:
            def __init__(self, letter: str):
                self.letter = letter

            @classmethod
            def read(cls, text: str):
                return cls(text[0])
        """,
        "IndexError", "Code.read('')",
    ),
    Case(
        "a recursion loses its end",
        """
        def depth(n: int) -> int:
            return 0 if n <= 0 else 1 + depth(n - 2)
        """,
        """
        def depth(n: int) -> int:
            return 0 if n == 0 else 1 + depth(n - 2)
        """,
        "RecursionError", "depth(1)",
    ),
    Case(
        "a recursion is written as a loop",
        """
        def depth(n: int) -> int:
            return 0 if n <= 0 else 1 + depth(n - 2)
        """,
        """
        def depth(n: int) -> int:
            found = 0
            while n > 0:
                found, n = found + 1, n - 2
            return found
        """,
    ),
    Case(
        "a signature gets a parameter, and its own caller was forgotten",
        """
        def price(amount: int) -> int:
            return amount * 2

        def bill(amounts: list[int]) -> int:
            return sum(price(one) for one in amounts)
        """,
        """
        def price(amount: int, rate: int) -> int:
            return amount * rate

        def bill(amounts: list[int]) -> int:
            return sum(price(one) for one in amounts)
        """,
        "TypeError",
    ),
    Case(
        "a signature gets a parameter, and its caller gives it",
        """
        def price(amount: int) -> int:
            return amount * 2

        def bill(amounts: list[int]) -> int:
            return sum(price(one) for one in amounts)
        """,
        """
        def price(amount: int, rate: int) -> int:
            return amount * rate

        def bill(amounts: list[int]) -> int:
            return sum(price(one, 2) for one in amounts)
        """,
    ),
    Case(
        "a signature loses a parameter",
        """
        def price(amount: int, rate: int = 2) -> int:
            return amount * rate
        """,
        """
        def price(amount: int) -> int:
            return amount * 2
        """,
    ),
    Case(
        "a parameter is renamed",
        """
        def price(amount: int, rate: int = 2) -> int:
            return amount * rate
        """,
        """
        def price(cents: int, rate: int = 2) -> int:
            return cents * rate
        """,
    ),
    Case(
        "a parameter is renamed, and a crash comes with it",
        """
        def share(amount: int, people: int) -> int:
            return amount // people if people else 0
        """,
        """
        def share(cents: int, people: int) -> int:
            return cents // people
        """,
        "ZeroDivisionError",
    ),
    Case(
        "a new function names what is not there",
        """
        def price(amount: int) -> int:
            return amount
        """,
        """
        def price(amount: int) -> int:
            return amount

        def total(amounts: list[int]) -> int:
            for one in amounts:
                found = price(one)
            return found
        """,
        "UnboundLocalError", "total([])",
    ),
    Case(
        "a new function expects a list that is not empty",
        """
        def price(amount: int) -> int:
            return amount
        """,
        """
        def price(amount: int) -> int:
            return amount

        def first(amounts: list[int]) -> int:
            return price(amounts[0])
        """,
        "IndexError", level="note",
    ),
    Case(
        "a new function raises for what it does not take",
        """
        def price(amount: int) -> int:
            return amount
        """,
        """
        def price(amount: int) -> int:
            return amount

        def rate(amount: int) -> int:
            if amount < 3:
                raise ValueError("too little")
            return amount
        """,
    ),
    Case(
        "a crash is documented",
        '''
        def first(names: list[str]) -> str:
            return names[0] if names else ""
        ''',
        '''
        def first(names: list[str]) -> str:
            """Return the first name.

            Raises:
                IndexError: when there is none.
            """
            return names[0]
        ''',
    ),
    Case(
        "a crash is expected by a test",
        """
        def first(names: list[str]) -> str:
            return names[0] if names else ""
        """,
        """
        def first(names: list[str]) -> str:
            return names[0]
        """,
        others={
            "tests/test_rows.py": """
            import pytest
            from shop.rows import first

            def test_nothing_is_first_of_nothing():
                with pytest.raises(IndexError):
                    first([])
            """
        },
    ),
    Case(
        "a validation is added",
        """
        def rate(amount: int) -> int:
            return amount * 2
        """,
        """
        def rate(amount: int) -> int:
            if amount < 0:
                raise ValueError("amount is below zero")
            return amount * 2
        """,
    ),
    Case(
        "an assertion is added",
        """
        def rate(amount: int) -> int:
            return amount * 2
        """,
        """
        def rate(amount: int) -> int:
            assert amount >= 0, amount
            return amount * 2
        """,
    ),
    Case(
        "a handler is taken away from around a parser that raises",
        """
        def parse(text: str) -> int:
            if not text.isdigit():
                raise ValueError(text)
            return int(text)

        def port(text: str) -> int:
            try:
                return parse(text)
            except ValueError:
                return 80
        """,
        """
        def parse(text: str) -> int:
            if not text.isdigit():
                raise ValueError(text)
            return int(text)

        def port(text: str) -> int:
            return parse(text)
        """,
        "ValueError",
    ),
    Case(
        "a validation in another function is called now",
        """
        def check(amount):
            if amount < 0:
                raise ValueError(amount)

        def rate(amount: int) -> int:
            return amount * 2
        """,
        """
        def check(amount):
            if amount < 0:
                raise ValueError(amount)

        def rate(amount: int) -> int:
            check(amount)
            return amount * 2
        """,
    ),
    Case(
        "misuse of a hint raises otherwise",
        """
        def shout(text: str) -> str:
            return f"{text}!"
        """,
        """
        def shout(text: str) -> str:
            return text + "!"
        """,
    ),
    Case(
        "a kind of argument that nobody passes",
        """
        def shout(text):
            return f"{text}!"
        """,
        """
        def shout(text):
            return text.strip() + "!"
        """,
    ),
    Case(
        "a kind of argument that a test passes",
        """
        def shout(text):
            return f"{text}!"
        """,
        """
        def shout(text):
            return text.strip() + "!"
        """,
        "AttributeError",
        others={
            "tests/test_rows.py": """
            import pytest
            from shop.rows import shout

            @pytest.mark.parametrize(("given", "wanted"), [("a", "a!"), (12, "12!")])
            def test_shouts(given, wanted):
                assert shout(given) == wanted
            """
        },
    ),
    Case(
        "None is no longer asked for",
        """
        def shout(text):
            if text is None:
                return "!"
            return text.upper()
        """,
        """
        def shout(text):
            return text.upper()
        """,
        "AttributeError", "shout(None)",
    ),
    Case(
        "a search that finds nothing is used unasked",
        """
        import re

        def number(text):
            found = re.search("[0-9]+", text)
            return found.group() if found else ""
        """,
        """
        import re

        def number(text):
            return re.search("[0-9]+", text).group()
        """,
        "AttributeError",
    ),
    Case(
        "a private function's callers guard it",
        """
        def _head(items):
            return items[0] if items else None

        def head(items: list[int]):
            if not items:
                return None
            return _head(items)
        """,
        """
        def _head(items):
            return items[0]

        def head(items: list[int]):
            if not items:
                return None
            return _head(items)
        """,
        "IndexError", level="note",
    ),
    Case(
        "a private function crashes through its caller",
        """
        def _head(items):
            return items[0] if items else None

        def head(items: list[int]):
            return _head(items)
        """,
        """
        def _head(items):
            return items[0]

        def head(items: list[int]):
            return _head(items)
        """,
        "IndexError", "head([])",
    ),
    Case(
        "a doctest's values show it",
        '''
        def ratio(parts):
            """Return a ratio.

            >>> ratio({"a": 1, "b": 2})
            0.5
            """
            return parts.get("a", 0) / parts.get("b", 1)
        ''',
        '''
        def ratio(parts):
            """Return a ratio.

            >>> ratio({"a": 1, "b": 2})
            0.5
            """
            return parts["a"] / parts.get("b", 1)
        ''',
        "KeyError",
    ),
    Case(
        "what was nested is called through what is around it",
        """
        def table(rows: list[str]) -> list[str]:
            def cell(row):
                return row.split("=")[-1]
            return [cell(row) for row in rows]
        """,
        """
        def table(rows: list[str]) -> list[str]:
            def cell(row):
                return row.split("=")[1]
            return [cell(row) for row in rows]
        """,
        "IndexError",
    ),
    Case(
        "a condition deep in the code",
        """
        def code(kind: str, size: int) -> int:
            if kind == "parcel":
                if size > 40:
                    return 100
                return size
            return 0
        """,
        """
        def code(kind: str, size: int) -> int:
            if kind == "parcel":
                if size > 40:
                    return 100 // (size - 57)
                return size
            return 0
        """,
        "ZeroDivisionError",
    ),
    Case(
        "a crash is mended",
        """
        def first(names: list[str]) -> str:
            return names[0]
        """,
        """
        def first(names: list[str]) -> str:
            return names[0] if names else ""
        """,
    ),
    Case(
        "a crash that was there stays",
        """
        def first(names: list[str]) -> str:
            return names[0]
        """,
        """
        def first(names: list[str]) -> str:
            return names[0].strip()
        """,
    ),
    Case(
        "a name of a codec is heeded that was not before",
        """
        def decoded(data: bytes, encoding: str = "utf-8") -> str:
            return data.decode("utf-8", "replace")
        """,
        """
        def decoded(data: bytes, encoding: str = "utf-8") -> str:
            return data.decode(encoding, "replace")
        """,
    ),
    Case(
        "a spread of nothing is divided by",
        """
        class Stats:
            def __init__(self, data):
                self.data = data

            def bins(self):
                width = max(self.data) - min(self.data)
                if len(self.data) < 4 or not width:
                    return 1
                return len(self.data) // width
        """,
        """
        class Stats:
            def __init__(self, data):
                self.data = data

            def bins(self):
                width = max(self.data) - min(self.data)
                if len(self.data) < 4:
                    return 1
                return len(self.data) // width
        """,
        "ZeroDivisionError",
        others={"tests/test_rows.py": """
        from shop.rows import Stats

        def test_bins():
            assert Stats([3, 1, 7]).bins() == 1
        """},
    ),
    Case(
        "an index out of range is refused as a list refuses it",
        """
        class Row:
            def __init__(self, items: list[str]):
                self.items = items

            def _place(self, index: int) -> int | None:
                return min(index, len(self.items) - 1) if self.items else None

            def pop(self, index: int = 0) -> str:
                place = self._place(index)
                if place is None:
                    raise IndexError
                return self.items.pop(place)
        """,
        """
        class Row:
            def __init__(self, items: list[str]):
                self.items = items

            def _place(self, index: int) -> int | None:
                return index if index < len(self.items) else None

            def pop(self, index: int = 0) -> str:
                place = self._place(index)
                if place is None:
                    raise IndexError
                return self.items.pop(place)
        """,
    ),
    Case(
        "a variable of the environment is not set here",
        """
        import os

        def folder(name: str) -> str:
            return os.environ.get("SHOP_FOLDER", "/srv") + name
        """,
        """
        import os

        def folder(name: str) -> str:
            return os.environ["SHOP_FOLDER"] + name
        """,
    ),
    Case(
        "an argument of the command line is not given here",
        """
        import sys

        def shop() -> str:
            return "tea"
        """,
        """
        import sys

        def shop() -> str:
            return sys.argv[1]
        """,
    ),
    Case(
        "a module that may be missing is missing",
        """
        def total(prices: list[int]) -> int:
            return sum(prices)
        """,
        """
        try:
            import not_installed_here as fast
        except ImportError:
            fast = None

        def total(prices: list[int]) -> int:
            return fast.sum(prices)
        """,
    ),
    Case(
        "a builtin function is no callable for just anything",
        """
        from collections.abc import Callable

        def applied(function: Callable[[int], int], cents: int) -> int:
            return cents
        """,
        """
        from collections.abc import Callable

        def applied(function: Callable[[int], int], cents: int) -> int:
            return function(cents) + 1
        """,
    ),
    Case(
        "bytes that are no UTF-8",
        """
        def text(data: bytes) -> str:
            return data.decode("utf-8", "replace")
        """,
        """
        def text(data: bytes) -> str:
            return data.decode("utf-8")
        """,
        "UnicodeDecodeError",
    ),
    Case(
        "a property gets a setter, and is read before it is set",
        """
        class Order:
            @property
            def rate(self):
                return 1
        """,
        """
        class Order:
            @property
            def rate(self):
                return self._rate

            @rate.setter
            def rate(self, rate):
                self._rate = rate
        """,
        "AttributeError",
    ),
)  # fmt: skip
