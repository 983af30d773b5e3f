"""What a sandbox may read besides the sources: its interpreter, shared libraries, public files.

Found from paths and `pyvenv.cfg` alone, since the interpreter is not started to be asked: it may
be a hostile tree's own.  `.pth` files are not followed: what they name is the user's to allow.
"""

from __future__ import annotations

import os
from pathlib import Path

CHILD = Path(__file__).with_name("child")

# What CPython, the C library and common packages read of any machine, and nobody's secret.
PUBLIC = (
    "/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec",
    "/usr/local/lib", "/usr/share/zoneinfo", "/usr/share/locale", "/usr/share/i18n",
    "/usr/share/mime", "/usr/share/ca-certificates", "/nix/store",
    "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
    "/etc/localtime", "/etc/timezone", "/etc/locale.alias", "/etc/mime.types", "/etc/os-release",
    "/etc/lsb-release", "/etc/debian_version", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group",
    "/etc/ssl/openssl.cnf", "/etc/ssl/certs", "/etc/pki/tls",
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
    "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/proc/version",
    "/sys/devices/system/cpu",
)  # fmt: skip
# What a program that may use the network, or run other programs, reads besides.
NETWORK = ("/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/services", "/etc/gai.conf")
PROGRAMS = ("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/share")

# Where an installation has its standard library.
_LIBRARIES = ("lib*/py*/os.py", "lib*/py*.zip")
# Prefixes under which more than a Python lies: of these only the libraries are opened.
_SHARED_PREFIXES = (Path("/"), Path("/usr"), Path("/usr/local"))


def interpreter_reads(python: Path) -> tuple[Path, ...]:
    """Return what an interpreter needs of its own, following links and virtual environments.

    `python` is the path the user gave.  What is named need not exist.
    """
    found = [python]
    base = python
    for place in (python.absolute(), *_links(python)):
        settings = _environment_of(place)
        if settings is not None:
            found.append(settings.parent)
            base = _home(settings) or base
    found += [*_links(python), *_installation(base.resolve())]
    return tuple(dict.fromkeys(found))


def _installation(real: Path) -> list[Path]:
    """Return what belongs to an interpreter, its links followed; nothing where it has no library.

    A hostile tree names what it likes as its interpreter's home, such as a link to a key.
    """
    prefix = real.parent.parent
    if not any(next(prefix.glob(library), None) for library in _LIBRARIES):
        return []
    if prefix in _SHARED_PREFIXES or Path(os.path.expanduser("~")).is_relative_to(prefix):
        return [real, prefix / "lib", prefix / "lib64"]
    return [real, prefix]


def _links(path: Path) -> list[Path]:
    """Return the targets of a chain of symbolic links, the last one a file."""
    found: list[Path] = []
    path = path.absolute()
    while os.path.islink(path) and len(found) < 40:
        path = Path(os.path.normpath(path.parent / os.readlink(path)))
        found.append(path)
    return found


def _environment_of(python: Path) -> Path | None:
    """Return the `pyvenv.cfg` beside an interpreter or one folder above, as CPython looks."""
    places = (python.parent / "pyvenv.cfg", python.parent.parent / "pyvenv.cfg")
    return next((place for place in places if os.path.isfile(place)), None)


def _home(settings: Path) -> Path | None:
    """Return an interpreter of the installation that a virtual environment was made from."""
    try:
        lines = settings.read_text(errors="replace").splitlines()
    except OSError:
        return None
    for line in lines:
        key, equals, value = line.partition("=")
        if equals and key.strip() == "home":
            folder = Path(value.strip())
            return next((folder / name for name in ("python3", "python")
                         if os.path.exists(folder / name)), None)  # fmt: skip
    return None
