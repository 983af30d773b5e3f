"""Where material comes from: the goal, the source's constants, its examples and callers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from nsdbg.claim import Goal
from nsdbg.propose.make.material import Material, literal
from nsdbg.source import Subject, functions


def of_goal(material: Material, goal: Goal) -> None:
    """Take in what a goal names: its value, its locals, its message, its conditions."""
    for text in [goal.value, *(text for _, text in goal.locals)]:
        known, value = literal(text)
        if known:
            material.add(value)
            material.add_variants(value)
    for text in goal.where:
        for value in _constants(_parsed(text)):
            material.add(value)
            material.add_variants(value)
    if goal.exception and goal.exception.message:
        for value in of_message(goal.exception.message):
            material.add(value)


def of_message(message: str) -> Iterator[Any]:
    """Give the values that an exception's message mentions."""
    known, value = literal(message)
    if known:
        yield value
    for quoted in re.findall(r"'([^']*)'|\"([^\"]*)\"|: (.+)$", message):
        for part in quoted:
            if part:
                known, value = literal(part)
                if known:
                    yield value
                yield part
    for number in re.findall(r"-?\d+", message):
        if len(number) < 30:
            yield int(number)


def of_source(material: Material, subject: Subject) -> None:
    """Take in the constants of the function, its defaults, and its callers' arguments."""
    body = subject.node if subject.node is not None else subject.tree
    for value in _constants(body):
        material.add(value)
        if isinstance(value, str) and len(value) > 1:
            material.add(list(value) if len(value) < 100 else value)
            if len(value.split()) > 1:
                material.add(value.split())
    for parameter in subject.parameters:
        known, value = literal(parameter.default)
        if known:
            material.add(value)
            material.add_variants(value)
    for value in _constants(body):
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            material.add(value + 1)
            material.add(value - 1)
    if subject.node is not None:
        _examples(material, subject, subject.node.name)


def _parsed(text: str) -> ast.AST:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def _constants(node: ast.AST) -> Iterator[Any]:
    """Give the literals of a tree in source order: displays whole, then their parts."""
    document = {id(inner.body[0].value) for inner in ast.walk(node)
                if isinstance(inner, (ast.FunctionDef, ast.ClassDef, ast.Module)) and inner.body
                and isinstance(inner.body[0], ast.Expr)}  # fmt: skip
    for inner in ast.walk(node):
        if id(inner) in document:
            continue
        if isinstance(inner, ast.Constant) and inner.value is not ...:
            yield inner.value
        elif isinstance(inner, (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp)):
            try:
                yield ast.literal_eval(inner)
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                continue


def _examples(material: Material, subject: Subject, name: str) -> None:
    """Keep the literal arguments of calls of the function in the module and in docstrings."""
    trees: list[ast.AST] = [subject.tree]
    for _, function, _ in functions(subject.tree):
        for line in re.findall(r">>> (.*)", ast.get_docstring(function) or ""):
            trees.append(_parsed(line))
    for tree in trees:
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and name in (
                getattr(call.func, "id", None), getattr(call.func, "attr", None)
            ):  # fmt: skip
                pairs: list[tuple[int | str, ast.expr]] = [*enumerate(call.args)]
                pairs += [(word.arg, word.value) for word in call.keywords if word.arg]
                for position, node in pairs:
                    known, value = literal(ast.unparse(node))
                    if known:
                        material.arguments.setdefault(position, []).append(value)
                        material.add(value)
