"""A git repository made for a test: files written, staged and committed in few words."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

OPTIONS = (
    "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false",
    "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main",
    "-c", "core.autocrlf=false",
)  # fmt: skip


@dataclass(frozen=True)
class MadeRepository:
    """A repository at `root`; no configuration of the user's has a part in it."""

    root: Path

    def git(self, *arguments: str) -> str:
        """Run git here, and return what it prints."""
        path = os.environ.get("PATH", os.defpath)
        run = subprocess.run(
            ["git", "-C", str(self.root), *OPTIONS, *arguments], check=True, capture_output=True,
            env={"PATH": path, "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent"},
        )  # fmt: skip
        return run.stdout.decode(errors="replace").strip()

    def write(self, **texts: str) -> None:
        """Write modules: `a="x = 1\\n"` is `a.py`."""
        for name, text in texts.items():
            self.file(f"{name}.py", text)

    def file(self, path: str, content: str | bytes) -> Path:
        """Write a file, its folders with it."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
        return place

    def stage(self, **texts: str) -> None:
        """Write modules, and stage all there is."""
        self.write(**texts)
        self.git("add", "--all")

    def commit(self, **texts: str) -> str:
        """Write modules, and commit all there is; return the commit."""
        self.stage(**texts)
        self.git("commit", "--quiet", "--allow-empty", "--no-verify", "--message", "A commit")
        return self.git("rev-parse", "HEAD")


def make_repository(folder: Path, *options: str) -> MadeRepository:
    """Make an empty repository in a folder, which is made too."""
    folder.mkdir(parents=True, exist_ok=True)
    repository = MadeRepository(folder)
    repository.git("init", "--quiet", *options)
    return repository
