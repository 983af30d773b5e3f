"""`nsdbg doctor`: what this installation can do here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from nsdbg.cli.options import Format, Model, OutputFormat, Python, Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nsdbg.doctor import Health


def doctor(
    python: Python = None,
    rules: Rules = None,
    model: Model = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Show interpreters, sandbox layers, model and rules, and what is amiss.

    Exit code: 0 all is well, 1 something is amiss.

    Example: nsdbg doctor
    """
    import json

    from nsdbg.doctor import examine

    health = examine(python, rules, model)
    if output_format is OutputFormat.JSON:
        typer.echo(json.dumps(_as_json(health)))
    else:
        typer.echo("\n".join(_lines(health)))
    if health.trouble:
        raise typer.Exit(1)


def _as_json(health: Health) -> dict[str, object]:
    return {
        "schema": "nsdbg.doctor/1",
        "version": health.version,
        "python": str(health.python.path) if health.python else None,
        "interpreters": [
            {"path": str(found.path), "version": ".".join(map(str, found.version))}
            for found in health.interpreters
        ],
        "layers": [
            {"name": layer.name, "active": layer.active, "why": layer.why}
            for layer in health.layers
        ],
        "strong": health.strong,
        "model": health.model,
        "provider": health.provider,
        "rules": dict(health.rules),
        "extras": dict(health.extras),
        "trouble": list(health.trouble),
    }


def _lines(health: Health) -> Iterator[str]:
    from nsdbg.report.columns import wrapped

    yield f"nsdbg {health.version}"
    yield ""
    yield "Code under test runs on"
    yield f"  {_shorten(str(health.python))}" if health.python else "  nothing: see below"
    yield "Interpreters found"
    for found in health.interpreters:
        yield f"  {'.'.join(map(str, found.version)):<8} {_shorten(str(found.path))}"
    yield "Sandbox"
    for layer in health.layers:
        yield from wrapped(layer.why, f"  {'on ' if layer.active else 'OFF'} {layer.name:<17} ")
    yield "Proposers"
    yield f"  rules   {sum(n for _, n in health.rules)} rules: " + ", ".join(
        f"{n} {kind}" for kind, n in health.rules
    )
    yield f"  model   {health.model}"
    yield from wrapped(health.provider, "  runs on ")
    missing = [name for name, here in health.extras if not here]
    yield f"Optional packages: {'all here' if not missing else 'missing ' + ', '.join(missing)}"
    yield ""
    yield from (f"amiss: {trouble}" for trouble in health.trouble)
    if not health.trouble:
        yield "All is well."


def _shorten(text: str) -> str:
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text
