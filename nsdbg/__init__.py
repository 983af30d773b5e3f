"""nsdbg: a debugger for code you are not running, whose every answer is checked.

This package root holds the version and nothing else, so that importing any part of nsdbg loads
only that part.
"""

__version__ = "0.1.0"
