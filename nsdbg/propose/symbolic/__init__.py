"""Symbolic evaluation: the evaluator over values that a solver is to choose.  Needs `z3-solver`."""
