"""Invoices: what an order costs."""

from shop.catalog import price_of
from shop.orders import Item, parse_order

FREE_SHIPPING_FROM = 4000
SHIPPING = 490


def item_total(item: Item) -> int:
    """Return what the pieces of one item cost together."""
    price = price_of(item.sku)
    return price * item.quantity


def total(items: list[Item]) -> int:
    """Return what an order costs, shipping included."""
    goods = sum(item_total(item) for item in items)
    shipping = 0 if goods >= FREE_SHIPPING_FROM else SHIPPING
    return goods + shipping


def invoice(order_id: int, text: str) -> str:
    """Return the line that is printed for an order."""
    cents = total(parse_order(text))
    return f"order {order_id}: {cents // 100}.{cents % 100:02d} EUR"
