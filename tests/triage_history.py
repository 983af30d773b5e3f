"""Twenty commits of a small project, each with what is new in it: a crash, or none.

Kept as edits, so that a reader sees what a commit changes.
"""

from __future__ import annotations

import subprocess
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

FIRST: Mapping[str, str] = {
    "shop/__init__.py": "",
    "shop/rows.py": '''
        """Rows of the price list."""


        def parse_row(text):
            """Split a row into its name and its price in cents.

            >>> parse_row("tea,250")
            ('tea', 250)
            """
            if not text.strip():
                return ("", 0)
            name, _, price = text.partition(",")
            return (name.strip(), int(price or 0) if price.strip().isdigit() else 0)


        def initials(names: list[str]) -> str:
            return "".join(name[:1] for name in names)


        def _clean(text):
            return text.strip().lower()


        def slug(text: str) -> str:
            return _clean(text).replace(" ", "-")
        ''',
    "shop/orders.py": '''
        """Orders, and what they cost."""


        class Order:
            def __init__(self, prices: list[int], discount: int = 0):
                self.prices = prices
                self.discount = discount

            def total(self) -> int:
                return sum(self.prices) - self.discount

            def mean(self) -> float:
                if not self.prices:
                    return 0.0
                return sum(self.prices) / len(self.prices)

            @property
            def dearest(self) -> int:
                return max(self.prices, default=0)


        def share(cents: int, people: int) -> int:
            if people <= 0:
                return cents
            return cents // people


        def bill(orders: list[int], rate: int = 10) -> int:
            return sum(charge(cents) for cents in orders) + rate


        def charge(cents: int) -> int:
            return cents + cents // 5
        ''',
    "shop/stock.py": '''
        """What is on the shelves."""

        from __future__ import annotations

        from dataclasses import dataclass, field


        @dataclass
        class Shelf:
            counts: dict[str, int] = field(default_factory=dict)
            size: int = 10

            def count(self, name: str) -> int:
                return self.counts.get(name, 0)

            def fullness(self) -> float:
                return sum(self.counts.values()) / max(self.size, 1)
        ''',
    "shop/feed.py": '''
        """News of the shop."""

        import functools


        def logged(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs)

            return wrapper


        async def headline(lines: list[str]) -> str:
            return lines[0] if lines else "no news"


        def changes(numbers: list[int]):
            for at in range(1, len(numbers)):
                yield numbers[at] - numbers[at - 1]


        @logged
        def loudest(words: list[str]) -> str:
            return max(words, key=len, default="")
        ''',
    "tests/test_orders.py": """
        from shop.orders import Order, share


        def test_shares():
            assert share(100, 3) == 33
            assert share(100, 0) == 100


        def test_total():
            assert Order([250, 100], 50).total() == 300
        """,
}


@dataclass(frozen=True, slots=True)
class Commit:
    """Edits of one commit: in a file, one text for another; files moved, added, removed.

    `raises` names the crash that is new in it, `call` what shows it (None: any).
    """

    subject: str
    edits: tuple[tuple[str, str, str], ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    added: Mapping[str, str] = field(default_factory=dict)
    raises: str | None = None


HISTORY = (
    Commit(
        "Write the sum as a loop",
        (("shop/orders.py", "        return sum(self.prices) - self.discount",
          "        found = -self.discount\n        for price in self.prices:\n"
          "            found += price\n        return found"),),
    ),
    Commit(
        "Take the first row for granted",
        (("shop/rows.py", '    if not text.strip():\n        return ("", 0)\n', ""),
         ("shop/rows.py", "    name, _, price = text.partition(\",\")",
          "    name, price = text.split(\",\")")),
        raises="ValueError",
    ),
    Commit(
        "Read rows without a price again",
        (("shop/rows.py", "    name, price = text.split(\",\")",
          "    name, _, price = text.partition(\",\")"),),
    ),
    Commit("Rename the feed", moved=(("shop/feed.py", "shop/news.py"),)),
    Commit(
        "Index the headline",
        (("shop/news.py", 'return lines[0] if lines else "no news"', "return lines[0]"),),
        raises="IndexError",
    ),
    Commit(
        "Say that there is no news",
        (("shop/news.py", "return lines[0]", 'return next(iter(lines), "no news")'),),
    ),
    Commit(
        "Let a generator run one further",
        (("shop/news.py", "range(1, len(numbers))", "range(0, len(numbers))"),
         ("shop/news.py", "yield numbers[at] - numbers[at - 1]",
          "yield numbers[at + 1] - numbers[at]")),
        raises="IndexError",
    ),
    Commit(
        "Pair the numbers",
        (("shop/news.py", "    for at in range(0, len(numbers)):\n"
          "        yield numbers[at + 1] - numbers[at]",
          "    for one, other in zip(numbers, numbers[1:]):\n        yield other - one"),),
    ),
    Commit(
        "Divide by the shelf's size",
        (("shop/stock.py", "/ max(self.size, 1)", "/ self.size"),),
        raises="ZeroDivisionError",
    ),
    Commit(
        "Never divide by nothing",
        (("shop/stock.py", "/ self.size", "/ (self.size or 1)"),),
    ),
    Commit(
        "Give a shelf a place",
        (("shop/stock.py", "    size: int = 10\n", "    size: int = 10\n    place: str = \"\"\n"),
         ("shop/stock.py", "return self.counts.get(name, 0)",
          "return self.counts.get(name) or 0")),
    ),
    Commit(
        "Mean of no prices",
        (("shop/orders.py", "        if not self.prices:\n            return 0.0\n", ""),),
        raises="ZeroDivisionError",
    ),
    Commit(
        "Guard the mean",
        (("shop/orders.py", "return sum(self.prices) / len(self.prices)",
          "return sum(self.prices) / len(self.prices) if self.prices else 0.0"),),
    ),
    Commit(
        "Take a rate in charge, and forget the bill",
        (("shop/orders.py", "def charge(cents: int) -> int:\n    return cents + cents // 5",
          "def charge(cents: int, rate: int) -> int:\n    return cents + cents // rate"),),
        raises="TypeError",
    ),
    Commit(
        "Give the bill its rate",
        (("shop/orders.py", "sum(charge(cents) for cents in orders) + rate",
          "sum(charge(cents, rate or 1) for cents in orders) + rate"),),
    ),
    Commit(
        "Ask for people",
        (("shop/orders.py", "    if people <= 0:\n        return cents\n",
          "    if people < 0:\n        raise ValueError(\"less than nobody\")\n"
          "    if people == 0:\n        return cents\n"),),
    ),
    Commit(
        "Take the longest of the words",
        (("shop/news.py", 'return max(words, key=len, default="")',
          "return max(words, key=len)"),),
        raises="ValueError",
    ),
    Commit(
        "Move the slug",
        (("shop/rows.py", '\n\ndef _clean(text):\n    return text.strip().lower()\n\n\n'
          'def slug(text: str) -> str:\n    return _clean(text).replace(" ", "-")\n', "\n"),),
        added={"shop/words.py": '''
            """Words for addresses."""


            def _clean(text):
                return text.strip().lower()


            def slug(text: str) -> str:
                return _clean(text).replace(" ", "-")
            '''},
    ),
    Commit(
        "Begin a slug with its first letter",
        (("shop/words.py", "    return text.strip().lower()",
          "    text = text.strip().lower()\n    return text[0] + text[1:]"),),
        raises="IndexError",
    ),
    Commit(
        "Add a report",
        added={"shop/report.py": '''
            """A report of orders."""

            from shop.orders import Order


            def report(orders: list[list[int]]) -> str:
                """Return a line an order, the dearest last.

                >>> report([[250], [100, 20]])
                '120\\\\n250'
                """
                totals = sorted(Order(prices).total() for prices in orders)
                return "\\n".join(str(total) for total in totals)
            '''},
    ),
)  # fmt: skip


def git(folder: Path, *words: str) -> str:
    """Run git as nobody in particular, without anybody's settings."""
    run = subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@example.org",
         "-c", "commit.gpgsign=false", *words],
        cwd=folder, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return run.stdout


def build(folder: Path) -> None:
    """Make a repository with the first version of the project in it, committed."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    for name, text in FIRST.items():
        _write(folder / name, text)
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "Begin")


def apply(folder: Path, commit: Commit) -> None:
    """Make the edits of a commit, and stage them."""
    for old, new in commit.moved:
        git(folder, "mv", old, new)
    for name, text in commit.added.items():
        _write(folder / name, text)
    for name, before, after in commit.edits:
        text = (folder / name).read_text()
        assert text.count(before) == 1, (commit.subject, name, before)
        (folder / name).write_text(text.replace(before, after))
    git(folder, "add", "-A", ".")


def history(folder: Path) -> Iterator[Commit]:
    """Build the repository commit by commit; each is yielded while it is staged."""
    build(folder)
    for commit in HISTORY:
        apply(folder, commit)
        yield commit
        git(folder, "commit", "-q", "-m", commit.subject)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(textwrap.dedent(text).lstrip("\n"))
