"""A small shop: orders come in as text and leave as invoices."""
