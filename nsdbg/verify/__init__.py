"""The concrete re-executor: proposals in, verdicts out."""
