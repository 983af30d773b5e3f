"""What is for sale, and for how much (in cents)."""

PRICES = {
    "TEA-GREEN": 450,
    "TEA-BLACK": 390,
    "POT-IRON": 5200,
    "CUP": 800,
}


def normalized(sku: str) -> str:
    """Write a stock number as the catalog does."""
    return sku.strip().upper()


def price_of(sku: str) -> int:
    """Return the price of one piece."""
    return PRICES.get(normalized(sku))
