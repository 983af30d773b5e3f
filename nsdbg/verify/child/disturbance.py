"""Sets otherwise what a program may have set of its interpreter and libraries before a state.

What comes out the same all the same does not hang on it.  No more is set than a program might.
"""

import sys
from contextvars import ContextVar
from typing import Any, List


class Unset(object):
    """What a context variable is set to, which is like nothing that a program sets."""


def disturb() -> None:
    """Change the context of decimals, context variables, and the longest number that is read."""
    for name in ("decimal", "_pydecimal"):
        module = sys.modules.get(name)
        if module is not None:
            context = module.getcontext()
            context.prec, context.rounding = 41, "ROUND_UP"
    for variable in _context_variables():
        variable.set(Unset())
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)


def _context_variables() -> List[Any]:
    return [
        value
        for module in list(sys.modules.values())
        for value in list(getattr(module, "__dict__", {}).values())
        if type(value) is ContextVar
    ]
