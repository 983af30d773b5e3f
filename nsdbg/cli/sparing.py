"""Spares a start the loading of pydantic, by which newer versions of typer make values.

Loading it takes as long as all else that a start does, and is needed for a number or a path that
was typed, not for what is of its type already: a default, a flag, a text.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand


class SparingCommand(TyperCommand):
    """A command whose options load pydantic only where they need it."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options and arguments, `--help` too."""
        return [spared(one) for one in super().get_params(ctx)]


def spared(parameter: Any) -> Any:
    """Return an option that makes a value only where there is something to be made.

    typer has no word for this, so it is asked by the names it has for itself (0.29); where they
    are not there, the option stays as it is.
    """
    names = vars(parameter)
    if "type_descriptor" in names and names.get("_runtime_param", parameter) is None:
        parameter._runtime_param = _AsItIs()
    return parameter


class _AsItIs:
    """Stands where typer keeps what makes the value of an option, until a value has to be made."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return a value of the option's type."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if type(value) is param.type_descriptor.annotation:
            return value
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)
