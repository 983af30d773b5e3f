"""Takes orders from standard input, one a line, and prints their invoices."""

import logging
import sys

from shop.invoice import invoice

log = logging.getLogger("worker")


def main() -> None:
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.INFO)
    for order_id, text in enumerate(sys.stdin, 1041):
        log.info("order %d received", order_id)
        try:
            log.info(invoice(order_id, text))
        except Exception:
            log.exception("order %d failed", order_id)


if __name__ == "__main__":
    main()
