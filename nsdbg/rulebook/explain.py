"""Exceptions read by rules: a message becomes explanations, and those are pinned on a line.

What it says of the state is a proposal: facts become constraints of a goal and are verified.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from nsdbg.rulebook.answers import Explanation, Pinned, Want
from nsdbg.rulebook.fill import fields, fill_code, fill_sentence, repeats_call
from nsdbg.rulebook.pattern import Bindings, compile_pattern, text_of
from nsdbg.rulebook.place import Found, Surroundings, find, header_nodes
from nsdbg.rulebook.regex import MESSAGE_LIMIT
from nsdbg.rulebook.rules import ExceptionRule, MessagePattern, PinnedPlace, Wish
from nsdbg.rulebook.scope import read_module

# What `traceback` appends when it prints, and the exception itself does not say (3.10 and newer).
_SUGGESTION = re.compile(
    r"(?:\.? Did you mean:? '(?P<name>[^']{1,200})'(?: instead of '[^']{1,200}')?\?"
    r"|\.? (?:Or d|D)id you forget to import '(?P<module>[^']{1,200})'\?){1,2}$"
)


def explain(
    rules: Iterable[ExceptionRule], type: str, message: str, version: tuple[int, int] | None
) -> tuple[Explanation, ...]:
    """Return the readings of an exception, the rule whose pattern says most first."""
    name = type.rpartition(".")[2]
    readings = _readings(message[:MESSAGE_LIMIT])
    found: list[tuple[int, Explanation]] = []
    for rule in rules:
        if name in rule.exceptions:
            found += _explanations(rule, readings, version)
    found.sort(key=lambda each: -each[0])
    return tuple(explanation for _, explanation in found)


# A text that a rule may match, and the suggestion that was printed behind it.
_Reading = tuple[str, str | None]


def _readings(message: str) -> tuple[_Reading, ...]:
    """Return the whole message and its first line, with and without a printed suggestion."""
    readings: dict[_Reading, None] = {}
    for text in (message, message.partition("\n")[0].rstrip()):
        found = _SUGGESTION.search(text)
        suggested = None if found is None else found["name"] or found["module"]
        readings[text, suggested] = None
        if found is not None:
            readings[text[: found.start()], suggested] = None
    return tuple(readings)


def _explanations(
    rule: ExceptionRule, readings: tuple[_Reading, ...], version: tuple[int, int] | None
) -> Iterator[tuple[int, Explanation]]:
    """Yield the reading of the first wording of a rule that fits, with how much it says."""
    for pattern in rule.messages:
        if version is not None and version not in pattern.versions:
            continue
        for text, suggested in readings:
            found = re.fullmatch(pattern.pattern, text)
            if found is not None:
                groups = {
                    name: part for name, part in found.groupdict().items() if part is not None
                }
                if suggested is not None:
                    groups.setdefault("suggestion", suggested)
                yield _literal_length(pattern.pattern), _explanation(rule, pattern, groups)
                return


def _literal_length(pattern: str) -> int:
    return len(re.sub(r"\\.|\[[^\]]*\]|\(\?P?<?\w*>?|[^\w ]", "", pattern))


def _explanation(
    rule: ExceptionRule, pattern: MessagePattern, groups: dict[str, str]
) -> Explanation:
    had_type = None
    if pattern.had_type is not None:
        had_type = fill_sentence(pattern.had_type, {}, groups)
    wishes = dict.fromkeys(wish for site in rule.sites for wish in site.wishes)
    wants = tuple(_want(wish, wish.target, {}, groups) for wish in wishes)
    return Explanation(
        rule.id,
        fill_sentence(pattern.sentence, {}, groups),
        pattern.blame or rule.blame,
        tuple(groups.items()),
        had_type,
        wants,
    )


def _want(wish: Wish, target: str, bindings: Bindings, groups: dict[str, str]) -> Want:
    def code(template: str | None) -> str | None:
        return None if template is None else fill_code(template, bindings, groups)

    attribute = None if wish.attribute is None else fill_sentence(wish.attribute, {}, groups)
    type = None if wish.type is None else fill_sentence(wish.type, {}, groups)
    # Without bindings a condition keeps its metavariables: it reads as the rule's author wrote it.
    condition = code(wish.condition) if bindings else wish.condition
    return Want(target, type, attribute, code(wish.value), condition)


def bind(
    rule: ExceptionRule,
    explanation: Explanation,
    statement: ast.stmt,
    columns: tuple[int, int] | None,
    lineno: int | None,
) -> tuple[Pinned, ...]:
    """Pin an explanation on a statement; `Rulebook.bind` says what the arguments are."""
    nodes = dict(header_nodes(statement))
    module = read_module(ast.Module([statement], []))
    around = Surroundings(module, (statement,), explanation.groups)
    pinned: dict[ast.AST, Pinned] = {}
    for site in _applicable(rule, explanation):
        for found in find(site.place, nodes, around):
            if isinstance(found.node, (ast.expr, ast.stmt)):
                pinned.setdefault(found.node, _pinned(rule, explanation, site, found,
                                                      nodes[found.node]))  # fmt: skip
    inner_first = sorted(pinned.values(), key=lambda pin: (pin.lineno, pin.col, -pin.end_col))
    return _under_carets(inner_first, columns, lineno)


def _applicable(rule: ExceptionRule, explanation: Explanation) -> Iterator[PinnedPlace]:
    """Yield the sites all of whose groups are in this wording of the message."""
    known = frozenset().union(*(re.compile(each.pattern).groupindex for each in rule.messages))
    present = {name for name, _ in explanation.groups}
    for site in rule.sites:
        named = compile_pattern(site.place.pattern).names | set(fields(site.sentence or ""))
        if named & known <= present:
            yield site


def _pinned(
    rule: ExceptionRule, explanation: Explanation, site: PinnedPlace, found: Found, inner: bool
) -> Pinned:
    node, bindings, groups = found.node, found.bindings, dict(explanation.groups)
    assert isinstance(node, (ast.expr, ast.stmt))
    filled = [(fact, fill_code(fact, bindings, groups)) for fact in site.facts]
    facts = {text: repeats_call(fact, bindings) for fact, text in filled if text is not None}
    wants = tuple(_want(wish, text_of(bindings[wish.target]), bindings, groups)
                  for wish in site.wishes)  # fmt: skip
    sentence = explanation.sentence
    if site.sentence is not None:
        sentence = fill_sentence(site.sentence, bindings, groups)
    return Pinned(
        rule.id,
        node.lineno,
        node.col_offset,
        node.end_lineno or node.lineno,
        node.end_col_offset or node.col_offset,
        ast.unparse(node) if isinstance(node, ast.expr) else _header(node),
        None if site.culprit is None else text_of(bindings[site.culprit]),
        sentence,
        tuple(facts),
        wants,
        tuple((name, text_of(bound)) for name, bound in bindings.items()),
        any(facts.values()),
        inner,
    )


def _header(statement: ast.stmt) -> str:
    return ast.unparse(statement).partition("\n")[0]


def _under_carets(
    pins: list[Pinned], columns: tuple[int, int] | None, lineno: int | None
) -> tuple[Pinned, ...]:
    if columns is None:
        return tuple(pins)
    on_line = [pin for pin in pins if lineno is None or pin.lineno <= lineno <= pin.end_lineno]
    exact = [pin for pin in on_line if (pin.col, pin.end_col) == columns]
    overlapping = [pin for pin in on_line if pin.col < columns[1] and columns[0] < pin.end_col]
    return tuple(exact or overlapping)
