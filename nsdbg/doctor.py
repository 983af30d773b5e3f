"""What this installation can do here: interpreters, sandbox layers, model, rules.

It looks and starts interpreters to ask for their version; it runs no code of the user's.
"""

from __future__ import annotations

import importlib.util
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import nsdbg
from nsdbg.errors import ModelError, NsdbgError
from nsdbg.propose.codec import vocabulary
from nsdbg.propose.neural.folder import ModelFolder, read_folder
from nsdbg.propose.neural.network import open_network
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


def examine(
    python: Path | None = None, rules: Path | None = None, model: Path | None = None
) -> Health:
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
    found = _model(model, trouble)
    return Health(
        version=nsdbg.__version__,
        python=chosen,
        interpreters=tuple(find_interpreters()),
        layers=layers,
        strong=is_strong(layers),
        model=_shown(found),
        provider=_provider(found),
        rules=_rule_counts(rules, trouble),
        extras=tuple((name, _installed(name)) for name in ("onnxruntime", "numpy", "z3")),
        trouble=tuple(trouble),
    )


def _installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def _model(folder: Path | None, trouble: list[str]) -> ModelFolder | None:
    """Return the model after its file was held against its manifest; None when there is none."""
    try:
        found = read_folder(folder, vocabulary.VERSION)
        found.network()
    except ModelError as error:
        trouble.append(str(error))
        return None
    return found


def _shown(model: ModelFolder | None) -> str:
    if model is None:
        return "none: rules and search do the proposing"
    return f"neural:{model.short}, {model.size_bytes / 1e6:.1f} MB"


def _provider(model: ModelFolder | None) -> str:
    if not _installed("onnxruntime") or not _installed("numpy"):
        return "none: onnxruntime is not installed (pip install 'nsdbg[cpu]')"
    if model is None:
        return "none in use: there is no model to run"
    try:
        choice = open_network(model.network(), "auto").choice
    except ModelError as error:
        return f"none: {error}"
    return f"{choice.device}: {choice.reason}"


def _rule_counts(folder: Path | None, trouble: list[str]) -> tuple[tuple[str, int], ...]:
    try:
        counts = Counter(rule.path.parent.name for rule in Rulebook(folder).rules())
    except NsdbgError as error:
        trouble.append(str(error))
        return ()
    return tuple(sorted(counts.items()))
