"""What this installation can do here: interpreters, sandbox layers, model, rules.

It looks and starts interpreters to ask for their version; it runs no code of the user's.
"""

from __future__ import annotations

import importlib.util
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import nsdbg
from nsdbg.data import data_folder
from nsdbg.errors import NsdbgError
from nsdbg.rulebook import Rulebook
from nsdbg.verify.interpreters import Interpreter, find_interpreter, find_interpreters
from nsdbg.verify.sandbox import Layer, is_strong, probe_layers


@dataclass(frozen=True, slots=True)
class Health:
    """What was found.  `python` is what code would run on here; `trouble` says what is amiss."""

    version: str
    python: Interpreter | None
    interpreters: tuple[Interpreter, ...]
    layers: tuple[Layer, ...]
    strong: bool
    model: str
    provider: str
    rules: tuple[tuple[str, int], ...]
    extras: tuple[tuple[str, bool], ...]
    trouble: tuple[str, ...]


def examine(python: Path | None = None, rules: Path | None = None) -> Health:
    """Look at this installation; what cannot be used is reported in `trouble`, never raised."""
    trouble: list[str] = []
    chosen = None
    try:
        chosen = find_interpreter(python, Path.cwd())
    except NsdbgError as error:
        trouble.append(str(error))
    layers = probe_layers(chosen.path if chosen else None)
    if not is_strong(layers):
        trouble.append("the guard is weak here: code that reaches extension modules stays unknown")
    return Health(
        version=nsdbg.__version__,
        python=chosen,
        interpreters=tuple(find_interpreters()),
        layers=layers,
        strong=is_strong(layers),
        model=_model(),
        provider=_provider(),
        rules=_rule_counts(rules, trouble),
        extras=tuple((name, _installed(name)) for name in ("onnxruntime", "numpy", "z3")),
        trouble=tuple(trouble),
    )


def _installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def _model() -> str:
    try:
        models = sorted(data_folder("onnx").glob("*.onnx"))
    except NsdbgError:
        models = []
    return models[0].name if models else "none yet: rules and search do the proposing"


def _provider() -> str:
    if not _installed("onnxruntime"):
        return "none: onnxruntime is not installed (pip install 'nsdbg[cpu]')"
    return "none in use: there is no model to run"


def _rule_counts(folder: Path | None, trouble: list[str]) -> tuple[tuple[str, int], ...]:
    try:
        counts = Counter(rule.path.parent.name for rule in Rulebook(folder).rules())
    except NsdbgError as error:
        trouble.append(str(error))
        return ()
    return tuple(sorted(counts.items()))
