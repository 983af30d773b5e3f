"""Statements that raise, and that catch what was raised."""

from __future__ import annotations

from nsdbg.programs.bodies import block
from nsdbg.programs.expressions import leaf
from nsdbg.programs.scope import Scope
from nsdbg.programs.statements import mutate, subject

CAUGHT = (
    ("int({str})", "int", "ValueError"),
    ("{list[str]}.index({str})", "int", "ValueError"),
    ("{list[int]}.index({int})", "int", "ValueError"),
    ("{list[int]}[{int}]", "int", "IndexError"),
    ("{list[str]}[{int}]", "str", "IndexError"),
    ("{str}[{int}]", "str", "IndexError"),
    ("{dict[str, int]}[{str}]", "int", "KeyError"),
    ("{dict[str, str]}[{str}]", "str", "KeyError"),
    ("{dict[int, str]}[{int}]", "str", "KeyError"),
    ("{int} // {int}", "int", "ZeroDivisionError"),
    ("{int} % {int}", "int", "ZeroDivisionError"),
    ("{str}.index({str})", "int", "ValueError"),
    ("max({list[int]})", "int", "ValueError"),
    ("{list[int]}.pop()", "int", "IndexError"),
    ("{str} + {int}", "str", "TypeError"),
    ("{dict[str, str]}.get({str}).upper()", "str", "AttributeError"),
    ("[int(part) for part in {list[str]}]", "list[int]", "ValueError"),
)


def attempt(scope: Scope) -> bool:
    """Add a try around something that may raise."""
    within = scope.kinds()
    found = [case for case in CAUGHT if case[0].split("{")[1].split("}")[0] in within]
    if not found:
        return False
    form, kind, error = scope.choose(found)
    text = _filled(scope, form)
    if not scope.pending:
        return False
    name = scope.fresh(kind)
    scope.line("try:")
    with block(scope):
        scope.line(f"{name} = {text}")
    catch = scope.choose((error, error, f"({error}, TypeError)", "Exception", f"{error} as e"))
    scope.line(f"except {catch}:")
    with block(scope):
        if catch.endswith("as e") and kind == "str" and scope.chance(0.7):
            scope.line(f"{name} = {scope.choose(('type(e).__name__', 'str(e)'))}")
        elif scope.chance(0.04):
            scope.line("raise")
            scope.features.add("re-raise")
        else:
            scope.line(f"{name} = {leaf(scope, kind, 0.4)[0]}")
    if scope.chance(0.12):
        scope.line("finally:")
        with block(scope):
            if not mutate(scope):
                scope.line(f"print({scope.literals.of('str')})")
        scope.features.add("finally")
    scope.bind(name, kind)
    scope.features |= {"try", f"except {error}"}
    return True


def _filled(scope: Scope, form: str) -> str:
    pieces = form.split("{")
    texts = [pieces[0]]
    for piece in pieces[1:]:
        kind, rest = piece.split("}", 1)
        texts.append(leaf(scope, kind, 0.8)[0] + rest)
    return "".join(texts)


def check(scope: Scope) -> bool:
    """Raise where an argument is not as it should be."""
    about = subject(scope)
    error = scope.choose(("ValueError", "ValueError", "TypeError", "KeyError", "IndexError"))
    tests = RARE.get(about.kind.split("[")[0])
    if tests is None or scope.loops:
        return False
    scope.line(f"if {scope.choose(tests).format(scope.read(about))}:")
    about.unread = True
    with block(scope):
        scope.line(f"raise {error}({scope.choose(MESSAGES)})")
    scope.features |= {"raise", "if"}
    return True


MESSAGES = ("'bad value'", "'empty'", "'not found'", "'out of range'", "'invalid input'")
RARE = {
    "str": ("not {}", "len({}) > 40", "'#' in {}", "{}.startswith('-')"),
    "int": ("{} < 0", "{} > 100", "{} == 0"),
    "list": ("not {}", "len({}) > 6"),
    "dict": ("not {}", "len({}) > 5"),
}
