"""Triage: finds the calls that a change makes crash, by running both versions of what it touches."""
