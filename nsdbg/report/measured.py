"""What a model was measured to do: shares with intervals beside their baselines, as text and JSON.

Counts nothing itself; documented as `nsdbg.measure.model/1` in `docs/schemas.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nsdbg.report.columns import wrapped
from nsdbg.report.verdict import Json

SCHEMA = "nsdbg.measure.model/1"
_NAME, _COUNT, _SHARE, _INTERVAL, _BESIDE = 28, 10, 8, 13, 6


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many were right; `low` and `high` are the 95 % interval, 0 to 1."""

    right: int
    n: int
    low: float
    high: float

    @property
    def share(self) -> float | None:
        """The share that was right, 0 to 1; None of none."""
        return self.right / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Row:
    """One measure of the model, and what its baselines reach on the same problems."""

    name: str
    model: Share
    beside: tuple[tuple[str, Share], ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that belong together; `left_out` counts what could not be asked, by reason."""

    name: str
    about: str
    rows: tuple[Row, ...]
    left_out: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Number:
    """A quantity that is no share; `value` None where it was not measured."""

    name: str
    value: float | None
    unit: str


@dataclass(frozen=True, slots=True)
class Quantities:
    """Numbers that belong together."""

    name: str
    about: str
    numbers: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """All that one command measured.

    `told` says of what, one line each; `model` is empty where none could matter.
    """

    bench: str
    model: str
    seed: int
    told: tuple[tuple[str, str], ...]
    tables: tuple[Table | Quantities, ...]
    stopped: bool = False


def measured_json(found: Measured) -> Json:
    """Return the document that `--output-format json` prints."""
    return {
        "schema": SCHEMA,
        "bench": found.bench,
        "model": found.model,
        "seed": found.seed,
        "of": dict(found.told),
        "stopped": found.stopped,
        "tables": [_table_json(one) for one in found.tables if isinstance(one, Table)],
        "quantities": [
            {"name": one.name, "about": one.about,
             "numbers": [{"name": number.name, "value": number.value, "unit": number.unit}
                         for number in one.numbers]}
            for one in found.tables if isinstance(one, Quantities)
        ],
    }  # fmt: skip


def _table_json(table: Table) -> Json:
    return {
        "name": table.name,
        "about": table.about,
        "rows": [
            {"name": row.name, **_share_json(row.model),
             "beside": {name: _share_json(share) for name, share in row.beside}}
            for row in table.rows
        ],
        "left_out": dict(table.left_out),
    }  # fmt: skip


def _share_json(share: Share) -> Json:
    return {"right": share.right, "n": share.n, "share": _rounded(share.share),
            "low": _rounded(share.low), "high": _rounded(share.high)}  # fmt: skip


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 4)


def measured_text(found: Measured) -> str:
    """Return tables of at most 80 columns."""
    return "\n".join(line.rstrip() for line in _lines(found)) + "\n"


def _lines(found: Measured) -> Iterator[str]:
    yield ", ".join([
        found.bench, *([f"model {found.model}"] if found.model else []), f"seed {found.seed}",
    ])  # fmt: skip
    for name, what in found.told:
        yield from wrapped(f"{name}: {what}", "  ", "    ")
    if found.stopped:
        yield "  stopped: what follows is not all"
    for one in found.tables:
        yield ""
        yield from _table_lines(one) if isinstance(one, Table) else _quantity_lines(one)


def _table_lines(table: Table) -> Iterator[str]:
    columns = list(dict.fromkeys(name for row in table.rows for name, _ in row.beside))
    head = (
        f"{table.name:<{_NAME + 2}}{'right/of':>{_COUNT}}{'share':>{_SHARE}}{'95 %':>{_INTERVAL}}"
    )
    yield head + "".join(f"{name:>{_BESIDE}}" for name in columns)
    yield from wrapped(table.about, "  ", "    ")
    for row in table.rows:
        beside = dict(row.beside)
        yield _row_line(row) + "".join(
            f"{_percent(beside[name].share) if name in beside else '':>{_BESIDE}}"
            for name in columns
        )
    for reason, count in table.left_out:
        yield from wrapped(f"left out: {count} {reason}", "  ", "    ")


def _row_line(row: Row) -> str:
    share = row.model
    count = f"{share.right}/{share.n}"
    between = f"{100 * share.low:.1f}-{100 * share.high:.1f}" if share.n else ""
    name = row.name if len(row.name) <= _NAME else row.name[: _NAME - 3] + "..."
    return (
        f"  {name:<{_NAME}}{count:>{_COUNT}}{_percent(share.share):>{_SHARE}}{between:>{_INTERVAL}}"
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}"


def _quantity_lines(one: Quantities) -> Iterator[str]:
    yield one.name
    yield from wrapped(one.about, "  ", "    ")
    for number in one.numbers:
        value = "not measured" if number.value is None else f"{_plain(number.value)} {number.unit}"
        yield f"  {number.name:<44}{value.strip()}"


def _plain(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:.3g}"
