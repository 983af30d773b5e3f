"""Stretches of code with typed holes: what is found as a whole in programs, not line by line."""

from nsdbg.programs.patterns.pattern import Pattern, Piece, patterns, pieces
from nsdbg.programs.patterns.weave import weave

__all__ = ["Pattern", "Piece", "patterns", "pieces", "weave"]
