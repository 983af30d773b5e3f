"""Findings in the formats that other tools read: one module a format."""
