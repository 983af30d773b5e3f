"""What the guard refused in a run, and which of it a user could permit.

Reads verdicts only; it is the guard that refuses.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nsdbg.claim import Call, Script, Verdict


def permit_for(verdict: Verdict) -> str | None:
    """Return the first refused event that `--allow` would open; None where that is idle.

    A path that was only an argument somebody proposed is no reason to permit anything.
    """
    return next((one for one in verdict.evidence.blocked if not _is_made_up(one, verdict)), None)


def _is_made_up(blocked: str, verdict: Verdict) -> bool:
    path, start = blocked.partition(":")[2], verdict.proposal.start
    texts = [text for _, text in start.arguments] if isinstance(start, Call) else []
    words = start.argv if isinstance(start, Script) else ()
    given = [*words, *(one for text in texts for one in _texts_in(text))]
    # Who permits the root permits it all, however a run came to it.
    return path == "/" or any(one.startswith("/") and path.startswith(one) for one in given)


def _texts_in(expression: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(expression, mode="eval")):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
