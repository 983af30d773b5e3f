"""How often a proposer hallucinates states: proposals are judged, held against an oracle, counted.

A hallucination is a proposal that re-execution refutes.  `judged` is what all others hand around.
"""
