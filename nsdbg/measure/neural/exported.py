"""What a model's manifest says of its held-out answers: right tokens beside whole answers.

Measured when it was exported, against the answers that are taught; read here, not measured again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from nsdbg.measure.neural.counting import share
from nsdbg.propose.neural.folder import MANIFEST, ModelFolder
from nsdbg.report.measured import Row, Table


def exported(folder: ModelFolder) -> Table | None:
    """Return the manifest's numbers as a table; None where it has none."""
    try:
        fields = json.loads((folder.path / MANIFEST).read_text(encoding="utf-8"))
        rows = tuple(_rows(fields["metrics"]["held_out"]))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None
    about = (
        "as the manifest has it from the export: right tokens, given the right ones before them, "
        "and whole answers, against those that are taught"
    )
    return Table("tokens and whole answers", about, rows) if rows else None


def _rows(parts: dict[str, Any]) -> Iterator[Row]:
    for part, found in parts.items():
        for kind, row in found["kinds"].items():
            name = f"{part} {kind}" if len(parts) > 1 else kind
            for what, counted, of in (("tokens", "token_accuracy", "tokens"),
                                      ("whole", "exact", "answers")):  # fmt: skip
                n = int(row[of])
                yield Row(f"{name} {what}", share(round(float(row[counted]) * n), n))
