"""The audit hook and the filters: what they let pass, what they refuse, and what they say."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from nsdbg.verify.child import permits, plan, seccomp, syscalls
from nsdbg.verify.interpreters import find_interpreters
from nsdbg.verify.reach import CHILD

ACTS = Path(__file__).with_name("targets") / "hook_acts.py"
Found = dict[str, tuple[Any, list[list[str]]]]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hook").resolve()
    for name in ("readable", "writable"):
        (folder / name).mkdir()
    (folder / "readable" / "data").write_text("data")
    (folder / "secret").write_text("secret")
    (folder / "readable" / "link").symlink_to(folder / "secret")
    return folder


def run_acts(
    place: Path, allow: str = "", python: Path = Path(sys.executable), where: str = "callable"
) -> subprocess.CompletedProcess[str]:
    arguments = [str(CHILD), str(place / "readable"), str(place / "writable"), allow, where]
    return subprocess.run(
        [python, "-B", "-s", str(ACTS), *arguments], capture_output=True, text=True, timeout=60
    )


def interpreters() -> Iterator[Any]:
    for found in find_interpreters():
        yield pytest.param(found.path, id=".".join(map(str, found.version[:2])))


@pytest.fixture(scope="module", params=list(interpreters()))
def found(request: pytest.FixtureRequest, place: Path) -> Found:
    done = run_acts(place, python=request.param)
    assert done.returncode == 0, done.stderr
    return {name: tuple(said) for name, said in json.loads(done.stdout).items()}


def refused(found: Found) -> set[str]:
    return {name for name, (_, reports) in found.items() if reports}


def test_what_stays_inside_passes(found: Found) -> None:
    inside = {
        "write inside": None,
        "read inside": "data",
        "read nothing": "FileNotFoundError",
        "list inside": 2,
        "link in": None,
        "remove link": None,
        "kill oneself": None,
        "own library": None,
        "database": None,
    }
    assert {name: found[name][0] for name in inside} == inside
    assert refused(found) & (set(inside) | {"pair"}) == set()


def test_what_leads_outside_is_refused_and_reported(found: Found, place: Path) -> None:
    expected = {
        "write outside": ["open-write", f"{place}/new"],
        "write relative": ["open-write", f"{place}/new"],
        "open for both": ["open-write", f"{place}/secret"],
        "read outside": ["open", f"{place}/secret"],
        "read bytes path": ["open", f"{place}/secret"],
        "list outside": ["os.listdir", str(place)],
        "rename out": ["os.rename", f"{place}/moved"],
        "remove outside": ["os.remove", f"{place}/secret"],
        "mode outside": ["os.chmod", f"{place}/secret"],
        "fork": ["os.fork", ""],
        "run": ["subprocess.Popen", "true"],
        "shell": ["os.system", "true"],
        "fork and execute": ["subprocess.Popen", ""],
        "connect": ["socket.getaddrinfo", "::1"],
        "udp": ["socket.connect", ""],
        "library": ["ctypes.dlopen", "libm.so.6"],
        "symbol": ["ctypes.dlsym", "getpid"],
        "database outside": ["sqlite3.connect", f"{place}/d"],
    }
    assert {name: found[name][1] for name in expected} == {
        name: [report] for name, report in expected.items()
    }
    assert [event for event, _ in found["kill parent"][1]] == ["os.kill"]
    assert sorted(path.name for path in place.iterdir()) == ["readable", "secret", "writable"]


def test_the_message_names_the_option(found: Found, place: Path) -> None:
    assert found["remove outside"][0] == (
        f"[Errno 1] nsdbg's guard refused os.remove; to permit it: --allow os.remove:{place}/secret"
    )
    assert found["fork"][0].endswith("to permit it: --allow os.fork")


def test_a_link_is_read_as_what_it_names_only_by_the_kernel(found: Found) -> None:
    # Looking at each link would cost every import a look at the disk; Landlock looks.
    assert found["read through link"][1] == []


def test_the_option_that_is_named_permits_the_act(place: Path) -> None:
    allow = f"os.listdir:{place} socket.connect open:{place}/secret"
    found = json.loads(run_acts(place, allow).stdout)
    assert sorted(found["list outside"][0]) == ["readable", "secret", "writable"]
    assert found["read outside"] == ["secret", []]
    assert found["udp"] == [None, []]
    assert found["connect"][1] == []
    assert found["remove outside"][1] == [["os.remove", f"{place}/secret"]]


def test_reports_to_a_descriptor_are_lines_and_a_closed_one_ends_the_run(place: Path) -> None:
    done = run_acts(place, where="fd")
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert lines[0] == {"blocked": ["open-write", f"{place}/new"]}
    assert len(lines) == len({json.dumps(line) for line in lines}) > 15
    assert (done.returncode, done.stdout) == (70, "")


def test_permits_are_events_with_prefixes() -> None:
    parsed = permits.parse(["os.remove:/tmp/../tmp/x", "socket.connect:db.", "open-write"])
    assert [(item.event, item.prefix) for item in parsed] == [
        ("os.remove", "/tmp/x"), ("socket.connect", "db."), ("open-write", None),
    ]  # fmt: skip
    assert permits.permitted(parsed, "os.remove", "/tmp/x/y")
    assert not permits.permitted(parsed, "os.remove", "/tmp/xy")
    assert permits.permitted(parsed, "socket.connect", "db.example:5432")
    assert permits.permitted(parsed, "socket.getaddrinfo", "db.example")
    assert not permits.permitted(parsed, "socket.connect", "example:5432")
    assert permits.permitted(parsed, "open", "/anywhere")
    assert not permits.permitted(parsed, "os.mkdir", "/anywhere")


def test_every_message_can_be_typed_back() -> None:
    # The events of the hook's own tables, each of which a user may name.
    from nsdbg.verify.child import hook

    named = set(hook._CHANGES) | set(hook._PLAIN) | permits.READING
    assert named <= permits.EVENTS


def test_a_plan_survives_the_command_line() -> None:
    made = plan.Plan()
    made.scratch, made.read, made.write = "/tmp/a b", ("/x", "/y\n"), ()
    made.allow, made.without, made.uid = ("open:/ü",), (), None
    made.memory_bytes = made.cpu_s = made.processes = made.file_bytes = 7
    made.status, made.life = 3, 4
    again, rest = plan.load([*made.dump(), "python", "-c", "pass"])
    assert rest == ["python", "-c", "pass"]
    assert all(getattr(again, name) == getattr(made, name) for name in plan.Plan.__slots__)


# --- the filters, run by a small machine of our own -----------------------------------------

READ = {"x86_64": 0, "aarch64": 63}


def verdict(code: seccomp.Code, machine: str, number: int, *arguments: int) -> int:
    """Run a filter on one call as the kernel does, and return its action."""
    words = [number, syscalls.AUDIT_ARCH[machine], 0, 0]
    for argument in (*arguments, *[0] * 6)[:6]:
        words += [argument & 0xFFFFFFFF, argument >> 32 & 0xFFFFFFFF]
    at, value = 0, 0
    while True:
        step, yes, no, constant = code[at]
        at += 1
        if step == 0x20:
            value = words[constant // 4]
        elif step == 0x54:
            value &= constant
        elif step == 0x06:
            return constant
        else:
            holds = {0x15: value == constant, 0x25: value > constant,
                     0x35: value >= constant, 0x45: bool(value & constant)}[step]  # fmt: skip
            at += yes if holds else no


@lru_cache
def whole(machine: str) -> seccomp.Code:
    return seccomp.sandbox_filter(machine, frozenset(seccomp.GROUPS), seccomp.NOTIFY)


def call(name: str, machine: str, *arguments: int, code: seccomp.Code | None = None) -> int | None:
    number = syscalls.number(name, machine)
    if number is None:
        return None
    return verdict(code or whole(machine), machine, number, *arguments)


@pytest.mark.parametrize("machine", syscalls.MACHINES)
def test_every_refused_call_is_refused_and_others_pass(machine: str) -> None:
    refused = [*seccomp._ALWAYS, *itertools.chain(*seccomp.GROUPS.values())]
    assert {call(name, machine) for name in refused} <= {seccomp.NOTIFY, None}
    assert {call(name, machine) for name in seccomp._ABSENT} == {seccomp.ABSENT}
    assert verdict(whole(machine), machine, READ[machine], 3, 4, 5) == seccomp.ALLOW
    assert verdict(whole(machine), machine, syscalls.LATEST + 1) == seccomp.ABSENT


@pytest.mark.parametrize("machine", syscalls.MACHINES)
def test_some_calls_are_refused_for_their_arguments(machine: str) -> None:
    refuse, allow = seccomp.NOTIFY, seccomp.ALLOW
    reading, emptying = os.O_RDONLY, os.O_RDONLY | os.O_TRUNC
    assert call("openat", machine, 3, 4, reading) == allow
    assert call("openat", machine, 3, 4, emptying) == refuse
    assert call("openat", machine, 3, 4, os.O_WRONLY | os.O_TRUNC) == allow
    assert call("clone", machine, 0x003D0F00) == allow  # a thread
    assert call("clone", machine, 0x10000000 | 17) == refuse  # a user namespace
    assert call("socketpair", machine, 1, 1 | 0o2000000) == allow
    assert call("socketpair", machine, 1, 2) == refuse
    assert call("socketpair", machine, 2, 1) == refuse
    assert call("sendto", machine, 3, 4, 5, 0, 0) == allow
    assert call("sendto", machine, 3, 4, 5, 0, 1 << 32) == refuse
    assert call("prlimit64", machine, 0, 7) == allow
    assert call("prlimit64", machine, 4242, 7) == refuse
    assert call("ioctl", machine, 0, 0x5412) == refuse
    assert call("ioctl", machine, 0, 0x5401) == allow
    assert call("personality", machine, 0xFFFFFFFF) == allow
    assert call("personality", machine, 0x0400000) == refuse


def test_the_same_calls_under_other_numbers_kill() -> None:
    code = whole("x86_64")
    assert verdict(code, "x86_64", syscalls.X32_BIT + 1) == seccomp.KILL
    other = [(0x20, 0, 0, 4), *code[1:]]
    assert verdict(other, "aarch64", 0) == seccomp.KILL


@pytest.mark.parametrize("machine", syscalls.MACHINES)
def test_a_run_may_start_threads_and_signal_itself_and_no_more(machine: str) -> None:
    code = seccomp.run_filter(machine, 4242, execute=False, signals=False)
    assert call("clone", machine, 0x003D0F00, code=code) == seccomp.ALLOW
    assert call("clone", machine, 0x01200011, code=code) == seccomp.REFUSE  # fork
    assert call("execve", machine, code=code) == seccomp.REFUSE
    assert call("kill", machine, 4242, 9, code=code) == seccomp.ALLOW
    assert call("kill", machine, 4243, 9, code=code) == seccomp.REFUSE
    assert call("kill", machine, 0xFFFFFFFF, 9, code=code) == seccomp.REFUSE
    assert call("tgkill", machine, 4242, 4250, 6, code=code) == seccomp.ALLOW
    opened = seccomp.run_filter(machine, 4242, execute=True, signals=True)
    assert call("execve", machine, code=opened) == seccomp.ALLOW
    assert call("kill", machine, 1, 9, code=opened) == seccomp.ALLOW


@pytest.mark.parametrize(
    ("header", "machine"),
    [
        ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "x86_64"),
        ("/usr/include/asm-generic/unistd.h", "aarch64"),
    ],
)
def test_the_numbers_are_those_of_the_kernels_headers(header: str, machine: str) -> None:
    if not Path(header).exists():
        pytest.skip(f"there is no {header} to compare with")
    pattern = re.compile(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)$", re.MULTILINE)
    known = {name: int(number) for name, number in pattern.findall(Path(header).read_text())}
    ours = {name: syscalls.number(name, machine) for name in syscalls.NUMBERS}
    # fchmodat2 is younger than many headers.
    missing = [name for name, number in ours.items() if number is None and name in known]
    wrong = [name for name, number in ours.items() if known.get(name, number) != number]
    assert missing == []
    assert wrong == []
    assert syscalls.name(known["socket"], machine) == "socket"
