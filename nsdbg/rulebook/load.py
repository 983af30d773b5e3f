"""From rule files to typed rules: which fields each kind has, and what they have to be.

A rule that loads is well formed, no more; whether it holds is for `nsdbg rules check`.  Patterns
and templates of the rules that come with nsdbg are not compiled here: the tests have done it, and
that takes most of the time.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from nsdbg.errors import RuleError
from nsdbg.rulebook.answers import Blame, EffectKind
from nsdbg.rulebook.pattern import compile_pattern
from nsdbg.rulebook.place import metavariables
from nsdbg.rulebook.rules import (
    AnyRule,
    Condition,
    EffectRule,
    ExceptionRule,
    InverseCase,
    InverseRule,
    MessagePattern,
    PinnedPlace,
    Place,
    RuleKind,
    SuspectRule,
    Wish,
)
from nsdbg.rulebook.table import Table, read_table
from nsdbg.rulebook.texts import (
    check_expression,
    checked_expression,
    checked_pattern,
    checked_regex,
    checked_template,
    group_names,
    read_among,
    read_patterns,
    read_regex,
    read_versions,
)

SCOPES = ("local", "parameter", "default", "nonlocal", "import", "global", "builtin", "unknown")
_NODE_KINDS = ("identifier", *(name for name in dir(ast) if name[0].isupper()))
_BLAMES = tuple(blame.value for blame in Blame)
_EFFECTS = tuple(kind.value for kind in EffectKind)


def load_kind(folder: Path, kind: RuleKind, trusted: bool = False) -> tuple[AnyRule, ...]:
    """Read every rule of a kind, by id; raises RuleError for the first broken one.

    `trusted` leaves out the checks of regular expressions, patterns and templates.
    """
    if not folder.is_dir():
        raise RuleError(f"{folder}: there is no such folder of rules")
    paths = sorted((folder / kind.value).glob("*.toml"))
    return tuple(load_rule(path, kind, trusted) for path in paths)


def load_rule(path: Path, kind: RuleKind, trusted: bool = False) -> AnyRule:
    """Read one rule file; raises RuleError with the file, the field and what to do."""
    if not re.fullmatch(r"[a-z0-9_]+", path.stem):
        raise RuleError(f"{path}: a rule is named in lower case, digits and underscores")
    if path.stem in sys.stdlib_module_names:
        raise RuleError(f"{path}: its program would hide the module {path.stem}: name it otherwise")
    if not trusted and not path.with_suffix(".py").is_file():
        raise RuleError(f"{path}: has no paired program: add {path.stem}.py beside it")
    table = read_table(path, trusted)
    rule = _READERS[kind](table)
    table.finish()
    return rule


def _exception_rule(table: Table) -> ExceptionRule:
    title = table.text("title")
    exceptions = table.texts("exceptions")
    if not exceptions:
        raise table.wrong("exceptions", 'is missing: add exceptions = ["…Error"]')
    blame = Blame(table.choice("blame", _BLAMES))
    messages = tuple(_message(each) for each in table.tables("message", required=True))
    groups = frozenset().union(*(group_names(table, each.pattern) for each in messages))
    sites = tuple(site for each in table.tables("site") for site in _sites(each, groups))
    return ExceptionRule(table.path.stem, title, table.path, exceptions, blame, messages, sites)


def _message(table: Table) -> MessagePattern:
    pattern = checked_regex(table, "pattern", table.text("pattern"))
    groups = group_names(table, pattern) | {"suggestion"}
    sentence = checked_template(table, "sentence", table.text("sentence"), groups)
    had_type = table.maybe_text("had_type")
    if had_type is not None:
        checked_template(table, "had_type", had_type, groups)
    blame = Blame(table.choice("blame", _BLAMES)) if table.has("blame") else None
    message = MessagePattern(pattern, sentence, read_versions(table), had_type, blame)
    table.finish()
    return message


def _sites(table: Table, groups: frozenset[str]) -> list[PinnedPlace]:
    places = _places(table)
    names = _shared_metavariables(table, places)
    culprit = table.maybe_text("culprit")
    if not table.trusted and culprit is not None and culprit not in names:
        raise table.wrong("culprit", f"names ${culprit}, which the pattern does not have")
    known = names | groups
    sentence = table.maybe_text("sentence")
    if sentence is not None:
        checked_template(table, "sentence", sentence, known)
    facts = tuple(checked_expression(table, "facts", fact, known) for fact in table.texts("facts"))
    wishes = tuple(_wish(each, names, known) for each in table.tables("wants"))
    table.finish()
    return [PinnedPlace(place, culprit, sentence, facts, wishes) for place in places]


def _wish(table: Table, names: frozenset[str], known: frozenset[str]) -> Wish:
    target = table.text("target")
    if not table.trusted and target not in names:
        raise table.wrong("target", f"names ${target}, which the pattern does not have")
    texts = [table.maybe_text(name) for name in ("type", "attribute", "value", "condition")]
    for name, text in zip(("type", "attribute", "value", "condition"), texts, strict=True):
        if text is not None:
            checked_template(table, name, text, known)
    table.finish()
    return Wish(target, *texts)


def _effect_rule(table: Table) -> EffectRule:
    title, reason = table.text("title"), table.text("reason")
    effect = EffectKind(table.choice("effect", _EFFECTS))
    names, allowed = table.texts("names"), table.texts("allowed")
    places = _all_places(table)
    if not names and not places:
        raise table.wrong("names", "is missing: an effect has names, or [[place]] tables")
    return EffectRule(table.path.stem, title, table.path, effect, reason, names, allowed, places)


def _suspect_rule(table: Table) -> SuspectRule:
    title = table.text("title")
    exceptions = table.texts("exceptions")
    messages = tuple(checked_regex(table, "message", text) for text in table.texts("message"))
    groups = frozenset().union(*(group_names(table, text) for text in messages))
    weight = table.share("weight")
    search = table.choice("search", ("line", "function", "module"))
    places = _all_places(table)
    if not places:
        raise table.wrong("place", "is missing: add at least one [[place]] table")
    known = _shared_metavariables(table, places) | groups
    reason = checked_template(table, "reason", table.text("reason"), known)
    return SuspectRule(
        table.path.stem, title, table.path, exceptions, reason, weight, search, places, messages
    )


def _inverse_rule(table: Table) -> InverseRule:
    title = table.text("title")
    cases = tuple(_inverse_case(each) for each in table.tables("case", required=True))
    return InverseRule(table.path.stem, title, table.path, cases)


def _inverse_case(table: Table) -> InverseCase:
    operation = checked_pattern(table, "operation", table.text("operation"))
    unknown = table.text("unknown")
    if not table.trusted and unknown not in compile_pattern(operation).names:
        raise table.wrong("unknown", f"names ${unknown}, which the operation does not have")
    preimages = table.texts("preimages")
    if not preimages:
        raise table.wrong("preimages", "is missing: add at least one expression")
    for name, texts in (("preimages", preimages), ("given", table.texts("given"))):
        for text in texts:
            check_expression(table, name, text)
    exact = table.flag("exact")
    case = InverseCase(operation, unknown, preimages, table.texts("given"), exact is not False)
    table.finish()
    return case


def _all_places(table: Table) -> tuple[Place, ...]:
    found: list[Place] = []
    for each in table.tables("place"):
        found += _places(each)
        each.finish()
    return tuple(found)


def _places(table: Table) -> list[Place]:
    """Return a place for each pattern of a table: several patterns are alternatives."""
    patterns = table.texts("pattern")
    if not patterns:
        raise table.wrong("pattern", 'is missing: add pattern = "…"')
    around = {
        name: read_patterns(table, name)
        for name in ("inside", "not_inside", "contains", "lacks", "at_crash")
    }
    conditions = tuple(map(_condition, table.tables("conditions")))
    encloses = table.flag("around_crash") is True
    places = [
        Place(
            checked_pattern(table, "pattern", text),
            conditions=conditions,
            around_crash=encloses,
            **around,
        )
        for text in patterns
    ]
    for place in places:
        if table.trusted:
            break
        unknown = {condition.var for condition in conditions} - metavariables(place)
        if unknown:
            raise table.wrong("conditions", f"${min(unknown)} does not occur in {place.pattern}")
    return places


def _condition(table: Table) -> Condition:
    condition = Condition(
        var=table.text("var"),
        matches=read_regex(table, "matches"),
        not_matches=read_regex(table, "not_matches"),
        scope=read_among(table, "scope", (*SCOPES, "none")),
        node=read_among(table, "node", _NODE_KINDS),
        near=read_among(table, "near", ("keys", "names", "attributes")),
        near_group=table.maybe_text("near_group"),
        on_crash_line=table.flag("on_crash_line"),
        group=table.maybe_text("group"),
        differs=table.maybe_text("differs"),
        falls_through=table.flag("falls_through"),
        bound_to=tuple(
            checked_pattern(table, "bound_to", text) for text in table.texts("bound_to")
        ),
    )
    table.finish()
    return condition


def _shared_metavariables(table: Table, places: Sequence[Place]) -> frozenset[str]:
    """Return the metavariables that every alternative has."""
    return frozenset() if table.trusted else frozenset.intersection(*map(metavariables, places))


_READERS: dict[RuleKind, Callable[[Table], AnyRule]] = {
    RuleKind.EXCEPTIONS: _exception_rule,
    RuleKind.INVERSE: _inverse_rule,
    RuleKind.EFFECTS: _effect_rule,
    RuleKind.SUSPECTS: _suspect_rule,
}
