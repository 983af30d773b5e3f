"""Orders as customers send them: lines of a stock number and a quantity."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """So many pieces of one thing."""

    sku: str
    quantity: int


def parse_order(text: str) -> list[Item]:
    """Read an order such as `TEA-GREEN x2, CUP x1`; without a quantity one piece is meant."""
    items = []
    for part in text.split(","):
        sku, _, quantity = part.strip().partition(" x")
        items.append(Item(sku, int(quantity or 1)))
    return items
