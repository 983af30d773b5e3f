"""Ranking suspect lines by evidence."""
