"""Benches over data files."""
