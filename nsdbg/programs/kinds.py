"""The closed list of types that generated programs compute with, each written as an annotation.

Not a type checker: `char` is a `str` of one character, and everything else is itself.
"""

from __future__ import annotations

Kind = str

# What the items of a list may be; `list[...]` of each is a kind.
ITEMS: tuple[Kind, ...] = (
    "int", "str", "bool", "float", "list[int]", "list[str]", "tuple[str, int]", "tuple[int, str]",
    "tuple[int, int]", "tuple[str, str]", "dict[str, int]",
)  # fmt: skip
DICTS: tuple[tuple[Kind, Kind], ...] = (
    ("str", "int"), ("str", "str"), ("int", "str"), ("int", "int"), ("str", "list[int]"),
    ("str", "list[str]"), ("int", "list[str]"), ("str", "bool"), ("str", "float"),
    ("str", "dict[str, int]"),
)  # fmt: skip
PAIRS: tuple[Kind, ...] = tuple(item for item in ITEMS if item.startswith("tuple"))
SETS: tuple[Kind, ...] = ("int", "str")
ROWS: tuple[Kind, ...] = ("int", "str")

KINDS: frozenset[Kind] = frozenset(
    (
        *("int", "str", "char", "bool", "float", "bytes"),
        *PAIRS,
        *(f"list[{item}]" for item in ITEMS),
        *(f"tuple[{item}, ...]" for item in ROWS),
        *(f"set[{item}]" for item in SETS),
        *(f"dict[{key}, {value}]" for key, value in DICTS),
    )
)

# What a for loop over the kind takes out of it.  Sets of str are left out: their order changes
# with the hash seed, and a program must do the same on every run.
ELEMENT: dict[Kind, Kind] = {
    "str": "char",
    "bytes": "int",
    "set[int]": "int",
    **{f"list[{item}]": item for item in ITEMS},
    **{f"tuple[{item}, ...]": item for item in ROWS},
    **{f"dict[{key}, {value}]": key for key, value in DICTS},
}
KEY_VALUE: dict[Kind, tuple[Kind, Kind]] = {
    f"dict[{key}, {value}]": (key, value) for key, value in DICTS
}
PARTS: dict[Kind, tuple[Kind, Kind]] = {
    pair: (pair[6:-1].split(", ")[0], pair[6:-1].split(", ")[1]) for pair in PAIRS
}
GROWING: frozenset[Kind] = frozenset(KINDS - {"int", "bool", "float", "char"})


def accepts(wanted: Kind) -> tuple[Kind, ...]:
    """Return the kinds whose values serve where `wanted` is asked for."""
    return ("str", "char") if wanted == "str" else (wanted,)
