"""Where the files that travel with nsdbg are: `rules/` and `onnx/`.

In a wheel they lie in `nsdbg/data/`, in a checkout at its top.  Reads nothing itself.
"""

from __future__ import annotations

from pathlib import Path

from nsdbg.errors import NsdbgError


def data_folder(name: str) -> Path:
    """Return the folder `rules` or `onnx`; raises NsdbgError when the installation lacks it."""
    package = Path(__file__).resolve().parent
    for folder in (package / "data" / name, package.parent / name):
        if folder.is_dir() and (folder.parent != package.parent or _is_checkout(package.parent)):
            return folder
    raise NsdbgError(f"this installation of nsdbg has no {name}/ folder: install it again")


def _is_checkout(folder: Path) -> bool:
    """Whether this is our own source tree, and not a site-packages with a folder of that name."""
    return (folder / "pyproject.toml").is_file() and (folder / "nsdbg").is_dir()
