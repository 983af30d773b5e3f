"""What runs in the target's interpreter: the standard library alone, and Python 3.8."""
