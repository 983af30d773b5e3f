"""Nothing escapes: hostile targets against the guard, layer by layer, as root and as another.

What the targets do is in `targets/hostile`, what they may harm in `attempts.py`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import nsdbg
from nsdbg.verify.sandbox import Layer, probe_layers

pytestmark = pytest.mark.hostile

SCRIPT = Path(__file__).with_name("attempts.py")

KERNEL = ("namespaces", "landlock", "seccomp", "unprivileged-user", "rlimits")
# What gets through when one layer is taken away: what no other layer holds.
HELD_BY_ONE = {
    "namespaces": set[str](),
    "landlock": {"files.read", "files.list_folder"},
    "seccomp": {
        "network.local_stream",
        "network.local_datagram",
        "network.datagram_of_a_pair",
        "native.queue_work",
        "native.share_memory",
        "native.new_namespace",
    },
    "unprivileged-user": set[str](),
    "rlimits": {"resources.reserve", "resources.fill_the_disk"},
}
# An ordinary user's number that no account has.
ANOTHER_USER = 61000

REASONS = {
    "processes.kill_oneself": {"PROCESS_DIED"},
    "resources.allocate": {"OUT_OF_MEMORY"},
    "resources.reserve": {"OUT_OF_MEMORY"},
    "resources.allocate_slowly": {"OUT_OF_MEMORY", "TIMEOUT"},
    "resources.fill_the_disk": {"SIDE_EFFECT"},
    "resources.recurse": {"TIMEOUT", "PROCESS_DIED", "OUT_OF_MEMORY"},
    "resources.recurse_in_c": {"TIMEOUT", "PROCESS_DIED", "OTHER_EXCEPTION", "OUT_OF_MEMORY"},
    "resources.outlive": {"GOAL_REACHED"},
    "resources.outlive_and_change": {"VALUE_DIFFERS"},
    "resources.endless_generator": {"TOO_LARGE", "TIMEOUT"},
    "conduct.leave": {"PROGRAM_EXITED"},
    "conduct.leave_at_once": {"PROCESS_DIED"},
    "conduct.close_everything": {"PROCESS_DIED"},
    "conduct.close_and_open": {"PROCESS_DIED"},
    "conduct.close_and_escape": {"PROCESS_DIED"},
    "conduct.endless_repr": {"TIMEOUT", "OUT_OF_MEMORY", "PROCESS_DIED", "VALUE_DIFFERS"},
    "conduct.looping_message": {"TIMEOUT"},
    "conduct.read_stdin": {"OTHER_EXCEPTION"},
    "conduct.untrace": {"TOO_LARGE"},
    "conduct.bury": {"TIMEOUT", "VALUE_DIFFERS"},
    "conduct.patch_builtins": {"VALUE_DIFFERS", "TOO_LARGE"},
}
BY_MODULE = {
    "files": {"SIDE_EFFECT"},
    "network": {"SIDE_EFFECT"},
    "processes": {"SIDE_EFFECT"},
    "native": {"SIDE_EFFECT"},
    "resources": {"TIMEOUT"},
    "conduct": {"VALUE_DIFFERS"},
}
# A limit of 0.4 s, what a run may take beyond it, and a machine with other things to do.
LONGEST_S = 5.0
# The limit that `attempts.py` sets.
PROCESSES = 48


@dataclass(frozen=True, slots=True)
class Result:
    """What an attempt said, and what it did outside."""

    said: str
    harm: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on an attempt, and what it did outside."""

    reason: str
    blocked: tuple[str, ...]
    harm: tuple[str, ...]
    seconds: float


@lru_cache
def layers() -> tuple[Layer, ...]:
    return probe_layers()


def missing(*names: str) -> list[str]:
    return [f"{item.name}: {item.why}" for item in layers() if item.name in names
            and not item.active]  # fmt: skip


def needs(*names: str) -> None:
    gone = missing(*names)
    if gone:
        pytest.skip(f"this machine does not hold {'; '.join(gone)}")


def open_to_all(path: Path) -> bool:
    """Tell whether any user may read a file: by its mode, and those of the folders above."""
    path = path.resolve()
    return bool(path.stat().st_mode & 0o004) and all(
        folder.stat().st_mode & 0o001 for folder in path.parents
    )


@lru_cache
def public_python() -> str | None:
    """Return an interpreter that any user may read and that can run nsdbg, if there is one."""
    on_path = (shutil.which(name, path="/usr/local/bin:/usr/bin") for name in ("python3", "python"))
    for python in [sys.executable, *filter(None, on_path)]:
        recent = [python, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
        if open_to_all(Path(python)) and subprocess.run(recent).returncode == 0:
            return python
    return None


def ask(who: str, what: str, without: Sequence[str]) -> dict[str, Any]:
    """Run `attempts.py` as this user or another, and return what it prints."""
    python, package = public_python(), Path(nsdbg.__file__).parent
    other: dict[str, Any] = {}
    if who == "another user":
        if os.geteuid() != 0:
            pytest.skip("only root can become another user; the tests ran as an ordinary one")
        if not (python and open_to_all(package / "__init__.py") and open_to_all(SCRIPT)):
            pytest.skip("the interpreters, nsdbg or the tests lie where only their owner may read")
        other = {"user": ANOTHER_USER, "group": ANOTHER_USER, "extra_groups": []}
    run = subprocess.run(
        [python or sys.executable, "-B", str(SCRIPT), what, *without],
        env={"PATH": os.defpath, "PYTHONPATH": str(package.parent), "HOME": "/"},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=120,
        **other,
    )
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def kernel_results(who: str, without: Sequence[str]) -> dict[str, Result]:
    found = ask(who, "kernel", without)
    return {name: Result(item["said"], tuple(item["harm"])) for name, item in found.items()}


def verdicts_for(who: str, what: str, without: Sequence[str] = ()) -> dict[str, Judged]:
    return {
        name: Judged(item["reason"], tuple(item["blocked"]), tuple(item["harm"]), item["seconds"])
        for name, item in ask(who, what, without).items()
    }


def cases() -> Iterator[tuple[str, str]]:
    for layer in ("", *KERNEL):
        yield "this user", layer
        if layer != "unprivileged-user":
            yield "another user", layer


@pytest.mark.parametrize(("who", "layer"), list(cases()))
def test_the_kernel_holds_every_attempt_but_those_of_the_layer_taken_away(
    who: str, layer: str
) -> None:
    needs("landlock", "seccomp")
    results = kernel_results(who, [layer] if layer else [])
    escaped = {name for name, result in results.items() if result.harm}
    if layer and not missing(*KERNEL):
        assert escaped == HELD_BY_ONE[layer]
    else:
        assert escaped <= HELD_BY_ONE.get(layer, set())
    assert len(results) > 40


def test_without_any_layer_the_attempts_do_harm() -> None:
    # Else the tests above would show nothing.  Fork bombs and the like stay bounded.
    results = kernel_results("this user", KERNEL)
    held = {name for name, result in results.items() if not result.harm}
    assert len(results) - len(held) > 35
    assert "files.delete" not in held


def test_a_fork_bomb_meets_the_limit_of_processes_where_forking_is_open() -> None:
    needs("rlimits")
    name = "processes.fork_bomb"
    result = kernel_results("another user", ["seccomp", "namespaces", "landlock"])[name]
    assert int(result.said.split()[0]) < PROCESSES


def expected(name: str) -> set[str]:
    return REASONS.get(name) or BY_MODULE[name.partition(".")[0]]


@pytest.fixture(scope="module")
def verdicts() -> dict[str, Judged]:
    return verdicts_for("this user", "verdicts")


def check_verdicts(found: dict[str, Judged]) -> None:
    wrong = {
        name: (judged.reason, judged.blocked)
        for name, judged in found.items()
        if name.startswith("honest") or judged.reason not in expected(name)
    }
    assert wrong == {}
    assert {name: judged.harm for name, judged in found.items() if judged.harm} == {}
    assert {name: s for name, judged in found.items() if (s := judged.seconds) > LONGEST_S} == {}
    assert len(found) > 80


def test_each_hostile_target_gets_its_verdict_and_an_honest_one_after_it(
    verdicts: dict[str, Judged],
) -> None:
    needs("landlock", "seccomp")
    check_verdicts(verdicts)


def test_another_user_gets_the_same_verdicts() -> None:
    needs("landlock", "seccomp")
    check_verdicts(verdicts_for("another user", "verdicts"))


def test_what_was_blocked_is_named_as_the_option_takes_it(verdicts: dict[str, Judged]) -> None:
    events = {
        name: judged.blocked[0].partition(":")[0]
        for name, judged in verdicts.items()
        if judged.reason == "SIDE_EFFECT" and judged.blocked
    }
    assert events["files.write"] == "open-write"
    assert events["files.delete"] == "os.remove"
    assert events["files.read"] == "open"
    assert events["files.make_fifo"] == "os.mkfifo"
    assert events["network.udp"] == "socket.connect"
    assert events["network.local_stream"] == "socket.connect"
    assert events["processes.run_program"] == "subprocess.Popen"
    assert events["native.write"] == "ctypes.dlsym"


@pytest.fixture(scope="module")
def unhooked() -> dict[str, Judged]:
    return verdicts_for("this user", "acts", ["audit-hook"])


def test_without_the_audit_hook_nothing_is_harmed_and_no_act_is_confirmed(
    unhooked: dict[str, Judged],
) -> None:
    needs("landlock", "seccomp")
    found = unhooked
    assert {name: judged.harm for name, judged in found.items() if judged.harm} == {}
    assert [name for name, judged in found.items() if judged.reason == "GOAL_REACHED"] == []


def test_the_supervisor_sees_what_the_audit_hook_does_not(unhooked: dict[str, Judged]) -> None:
    needs("landlock", "seccomp")
    seen = {name: judged.blocked[0].partition(":")[0] for name, judged in unhooked.items()
            if judged.blocked}  # fmt: skip
    assert seen["native.write"] == seen["files.swallow"] == "open-write"
    assert seen["files.database"] == "open-write"
    assert seen["files.rename"] == "os.rename"
    assert seen["files.truncate"] == "os.truncate"
    assert seen["native.change_mode"] == "os.chmod"
    assert seen["native.udp"] == "socket.connect"
    assert seen["native.read_memory"] == "system-call"


DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "sandbox.md"


def table() -> dict[str, set[str]]:
    """Return of each attempt the layers that hold it alone, as the document has it."""
    found = {}
    for line in DOCUMENT.read_text().splitlines():
        cells = [cell.strip(" `") for cell in line.split("|")[1:-1]]
        if line.startswith("| `") and len(cells) == len(KERNEL) + 1:
            columns = zip(KERNEL, cells[1:], strict=True)
            found[cells[0]] = {name for name, cell in columns if cell == "held"}
    return found


def test_the_document_tells_of_every_attempt() -> None:
    told = kernel_results("this user", []).keys() - {"left behind"}
    assert table().keys() == told


@pytest.mark.slow
@pytest.mark.parametrize("layer", KERNEL)
def test_the_table_of_the_document_is_what_happens(layer: str) -> None:
    needs(*KERNEL)
    if public_python() is None:
        pytest.skip("a user of the sandbox's own cannot read the interpreters without Landlock")
    others = [name for name in KERNEL if name != layer]
    results = kernel_results("this user", others)
    held = {name for name, result in results.items() if not result.harm} - {"left behind"}
    assert held == {name for name, layers in table().items() if layer in layers}
