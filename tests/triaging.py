"""What the tests of triage share: two versions of a project on disk, as a change."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

from nsdbg.changes.changed import Changed, ChangeSet
from nsdbg.changes.diff import changed_lines, lines_of
from nsdbg.changes.touched import Rewrite, touched
from nsdbg.finding import Finding

Files = Mapping[str, str]


def change(
    folder: Path, old: Files, new: Files, renamed: Mapping[str, str] | None = None
) -> ChangeSet:
    """Write two versions below a folder and return what differs, as git's would be returned.

    `renamed` maps new paths to old ones.
    """
    renamed = renamed or {}
    roots = folder.resolve() / "old", folder.resolve() / "new"
    for root, files in zip(roots, (old, new), strict=True):
        root.mkdir(parents=True)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(textwrap.dedent(text))
    rewrites = []
    for name, text in new.items():
        theirs = renamed.get(name, name)
        before = old.get(theirs)
        rewrites.append(
            Rewrite(name, theirs if before is not None else None, textwrap.dedent(text),
                    textwrap.dedent(before) if before is not None else None)
        )  # fmt: skip
    touches, notes = touched(rewrites)
    lines = tuple(
        (one.path or "", changed_lines(lines_of(one.old_text or ""), lines_of(one.text or "")))
        for one in rewrites
    )
    functions = tuple(
        Changed(
            roots[1] / one.path, one.qualname, one.path, one.lines,
            roots[0] / one.old_path if one.old_path else None, one.old_qualname,
        )
        for one in touches
    )  # fmt: skip
    return ChangeSet(
        roots[1], roots[0], "the staged version", "HEAD", functions, lines, tuple(notes)
    )


def raises_when_pasted(finding: Finding, root: Path) -> str:
    """Paste a finding's imports and call into a fresh Python; return the exception's name."""
    code = "\n".join([f"import sys; sys.path.insert(0, {str(root)!r})", *finding.imports,
                      finding.call or ""])  # fmt: skip
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = run.stderr.strip().splitlines()[-1:] or [""]
    return last[0].partition(":")[0]
