"""Proposers: a goal and a subject in, proposals out; nothing is executed here."""
