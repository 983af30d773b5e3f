"""The sandbox: what is spawned in it can work, what it is refused, and how it ends."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from nsdbg.errors import GuardError
from nsdbg.verify import reach
from nsdbg.verify.sandbox import LAYERS, Layer, Sandbox, SandboxConfig, is_strong, probe_layers

PYTHON = Path(sys.executable)
# How long a pipe may take to end when its processes were killed, on a busy machine.
PATIENCE_S = 20.0


def config(allow: Sequence[str] = (), without: Sequence[str] = ()) -> SandboxConfig:
    return SandboxConfig(PYTHON, allow=tuple(allow), without=frozenset(without))


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(config()) as made:
        yield made


def run(
    sandbox: Sandbox, code: str, environment: Mapping[str, str] | None = None
) -> tuple[str, int]:
    """Return what a program prints, on either stream, and its return code."""
    child = sandbox.spawn(
        ["-c", code], environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    output, _ = child.communicate(timeout=60)
    return output.decode().strip(), child.returncode


def test_what_is_spawned_lives_in_the_scratch_folder(sandbox: Sandbox) -> None:
    code = "import os, tempfile; print(os.getcwd(), os.path.expanduser('~'), tempfile.gettempdir())"
    assert run(sandbox, code) == (" ".join([str(sandbox.scratch)] * 3), 0)


def test_the_environment_holds_nothing_of_ours(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hush")
    output, _ = run(sandbox, "import os; print(sorted(os.environ))", {"TZ": "NSA-14"})
    assert "SECRET_TOKEN" not in output
    assert "'TZ'" in output


def test_a_hash_seed_in_the_environment_counts(sandbox: Sandbox) -> None:
    seen = {run(sandbox, "print(hash('x'))", {"PYTHONHASHSEED": "7"}) for _ in range(2)}
    assert len(seen) == 1


def test_ordinary_programs_work(sandbox: Sandbox) -> None:
    code = """
import asyncio, locale, os, random, socket, sqlite3, tempfile, threading, time, zoneinfo
found = []
thread = threading.Thread(target=found.append, args=("thread",)); thread.start(); thread.join()
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "file")
    open(path, "w").write("text")
    os.chmod(path, 0o600)
    os.rename(path, path + "2")
    found.append(open(path + "2").read())
open(os.devnull, "w").write("gone")
asyncio.run(asyncio.sleep(0))
one, other = socket.socketpair()
one.send(b"pair"); found.append(other.recv(10).decode())
found.append(str(sqlite3.connect(":memory:").execute("select 1").fetchone()[0]))
random.SystemRandom().random(); os.urandom(4)
time.tzset(); locale.setlocale(locale.LC_ALL, "")
found.append(zoneinfo.ZoneInfo("UTC").key)
print(*found)
"""
    assert run(sandbox, code) == ("thread text pair 1 UTC", 0)
    assert sandbox.refusals() == ()


def test_only_descriptors_that_are_passed_are_open(sandbox: Sandbox) -> None:
    ours, theirs = os.pipe()
    code = """
import os
def opened(descriptor):
    try: return bool(os.fstat(descriptor))
    except OSError: return False
print([descriptor for descriptor in range(3, 256) if opened(descriptor)])
"""
    child = sandbox.spawn(["-c", code], pass_fds=[theirs], stdout=subprocess.PIPE)
    os.close(theirs)
    output, _ = child.communicate(timeout=60)
    os.close(ours)
    assert output.decode().strip() == f"[{theirs}]"


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("import sys; sys.exit(3)", 3),
        ("import os; os._exit(137)", 137),
        ("import os; os.kill(os.getpid(), 9)", -signal.SIGKILL),
        ("import ctypes; ctypes.string_at(0)", -signal.SIGSEGV),
    ],
)
def test_it_ends_as_the_target_does(sandbox: Sandbox, code: str, status: int) -> None:
    assert run(sandbox, code)[1] == status


def started(sandbox: Sandbox, code: str) -> tuple[subprocess.Popen[bytes], int]:
    """Spawn a program and return it with a pipe that ends when all of it has."""
    ours, theirs = os.pipe()
    program = f"import os, time\nFD = {theirs}\n{code}"
    child = sandbox.spawn(["-c", program], pass_fds=[theirs])
    os.close(theirs)
    assert read_from(ours) == b"ready"
    return child, ours


def read_from(descriptor: int) -> bytes:
    """Return what comes next, nothing at the end; fails when neither comes in time."""
    ready, _, _ = select.select([descriptor], [], [], PATIENCE_S)
    assert ready, "the pipe is still open"
    return os.read(descriptor, 100)


# A child that has left the process group, and an orphan.
SCATTER = """
if os.fork() == 0:
    os.setpgid(0, 0)
    if os.fork():
        os._exit(0)
    os.write(FD, b"ready")
time.sleep(600)
"""


@pytest.mark.parametrize("without", [[], ["namespaces"], ["namespaces", "landlock", "seccomp"]])
def test_closing_ends_what_left_the_group_and_removes_the_folder(without: list[str]) -> None:
    with Sandbox(config(without=without)) as made:
        _, pipe = started(made, SCATTER)
        scratch = made.scratch
    assert read_from(pipe) == b""
    os.close(pipe)
    assert not scratch.exists()


@pytest.mark.parametrize("without", [[], ["namespaces"]])
def test_ending_the_supervisor_ends_the_sandbox(without: list[str]) -> None:
    with Sandbox(config(without=without)) as made:
        child, pipe = started(made, SCATTER)
        child.terminate()
        assert read_from(pipe) == b""
        os.close(pipe)


def test_killing_the_supervisor_ends_the_sandbox() -> None:
    with Sandbox(config()) as made:
        child, pipe = started(made, SCATTER)
        if not active(made.layers, "namespaces"):
            pytest.skip("without namespaces a killed supervisor leaves orphans until the close")
        child.kill()
        assert read_from(pipe) == b""
        os.close(pipe)


@pytest.mark.parametrize("without", [[], ["namespaces"]])
def test_the_sandbox_does_not_outlive_its_parent(without: list[str]) -> None:
    ours, theirs = os.pipe()
    code = f"""
import os, sys
from pathlib import Path
from nsdbg.verify.sandbox import Sandbox, SandboxConfig
made = Sandbox(SandboxConfig(Path(sys.executable), without=frozenset({without!r}))).__enter__()
program = "import os, time; os.write({theirs}, b'ready'); time.sleep(600)"
made.spawn(["-c", program], pass_fds=[{theirs}])
print(made.scratch, flush=True)
sys.stdin.read()
os._exit(0)
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", code],
        pass_fds=[theirs],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    os.close(theirs)
    assert parent.stdout is not None
    scratch = Path(parent.stdout.readline().strip())
    assert read_from(ours) == b"ready"
    parent.kill()
    parent.communicate()
    assert read_from(ours) == b""
    os.close(ours)
    scratch.rmdir()


def test_an_interpreter_that_is_not_there_is_named() -> None:
    with Sandbox(SandboxConfig(Path("/no/such/python"))) as made:
        made.spawn(["-c", "pass"])
        with pytest.raises(GuardError, match="cannot run /no/such/python: No such file"):
            _ = made.layers


def active(layers: Sequence[Layer], *names: str) -> bool:
    return set(names) <= {layer.name for layer in layers if layer.active}


def test_every_layer_is_told_of_with_a_reason() -> None:
    layers = probe_layers()
    assert [layer.name for layer in layers] == list(LAYERS)
    assert all(layer.why for layer in layers)


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_can_be_left_out(name: str) -> None:
    with Sandbox(config(without=[name])) as made:
        assert run(made, "print(1)") == ("1", 0)
        told = {layer.name: layer for layer in made.layers}
    assert not told[name].active
    assert "left out" in told[name].why


def test_a_layer_that_does_not_exist_cannot_be_left_out() -> None:
    with pytest.raises(ValueError, match="no such layer: moat"):
        config(without=["moat"])


def test_the_guard_is_strong_with_landlock_and_seccomp_only() -> None:
    both = (Layer("landlock", True, ""), Layer("seccomp", True, ""))
    assert is_strong(both)
    assert not is_strong(both[:1])
    assert not is_strong((Layer("landlock", False, ""), both[1]))


def test_what_the_filter_refuses_is_recorded_once(sandbox: Sandbox) -> None:
    code = "import socket\ntry: socket.socket()\nexcept OSError as error: print(error.errno)"
    said = run(sandbox, code)
    if not active(sandbox.layers, "seccomp"):
        pytest.skip("there is no seccomp here")
    assert said == ("1", 0)
    assert sandbox.refusals() == ("socket.connect:by system call socket",)
    assert sandbox.refusals() == ()


def test_an_event_that_nothing_refuses_cannot_be_allowed() -> None:
    with pytest.raises(
        GuardError, match=r"--allow: no such event: 'os.fly'; one of ctypes.call_function"
    ):
        Sandbox(config(["os.fly"]))


def attempt(act: str) -> str:
    return f"try:\n    {act}\n    print('done')\nexcept OSError as error: print('refused')"


def test_a_place_can_be_opened_for_writing_and_no_other(tmp_path: Path) -> None:
    inside, beside = tmp_path / "inside", tmp_path / "beside"
    inside.mkdir()
    beside.mkdir()
    with Sandbox(config([f"open-write:{inside}"])) as made:
        assert run(made, attempt(f"open('{inside}/new', 'w').close()")) == ("done", 0)
        assert run(made, attempt(f"open('{beside}/new', 'w').close()")) == ("refused", 0)
    assert [path.name for path in inside.iterdir()] == ["new"]
    assert list(beside.iterdir()) == []


def test_a_place_can_be_opened_for_reading_only(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("data")
    with Sandbox(config([f"open:{tmp_path}"])) as made:
        assert run(made, f"print(open('{tmp_path}/data').read())") == ("data", 0)
        assert run(made, attempt(f"open('{tmp_path}/data', 'w').close()")) == ("refused", 0)
    assert (tmp_path / "data").read_text() == "data"


def test_the_network_can_be_opened() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        act = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5).close()"
        with Sandbox(config(["socket.connect"])) as made:
            assert run(made, attempt(act)) == ("done", 0)
        with Sandbox(config()) as made:
            assert run(made, attempt(act)) == ("refused", 0)


def test_running_programs_can_be_opened() -> None:
    act = "import subprocess; subprocess.run(['/bin/true'], check=True)"
    with Sandbox(config(["subprocess.Popen"])) as made:
        assert run(made, attempt(act)) == ("done", 0)


def test_memory_and_file_size_are_limited() -> None:
    small = SandboxConfig(PYTHON, memory_bytes=200 << 20, file_bytes=1 << 20)
    big = "try: bytearray(300 << 20)\nexcept MemoryError: print('no memory')"
    long = "try: open('f', 'wb').write(bytes(2 << 20))\nexcept OSError as e: print(e.strerror)"
    with Sandbox(small) as made:
        assert run(made, big) == ("no memory", 0)
        assert run(made, long) == ("File too large", 0)


def test_two_sandboxes_of_root_have_two_users() -> None:
    with Sandbox(config()) as one, Sandbox(config()) as other:
        users = {run(made, "import os; print(os.getuid())")[0] for made in (one, other)}
        if os.geteuid() != 0 or not active(one.layers, "unprivileged-user"):
            pytest.skip("only root can give a sandbox a user of its own")
    assert len(users) == 2
    assert "0" not in users


# A machine that has neither Landlock nor namespaces, as a container may look: its filter answers
# those calls with ENOSYS and EPERM.
POOR_MACHINE = """
import json, sys
from pathlib import Path
from nsdbg.verify.child import libc, seccomp
from nsdbg.verify.sandbox import Sandbox, SandboxConfig
machine = libc.machine()
deny = 0x00050000
code = seccomp._head(machine)
for number, errno in ((444, 38), (272 if machine == "x86_64" else 97, 1)):
    code += [(0x15, 0, 1, number), (6, 0, 0, deny | errno)]
code += [(6, 0, 0, seccomp.ALLOW)]
listener = seccomp.install(code, machine, listen=True)
with Sandbox(SandboxConfig(Path(sys.executable))) as made:
    child = made.spawn(["-c", "pass"])
    print(json.dumps([child.wait(), [[item.name, item.active, item.why] for item in made.layers]]))
"""


def test_a_machine_without_landlock_namespaces_and_a_listener_is_told_of() -> None:
    if not active(probe_layers(), "seccomp", "landlock", "namespaces"):
        pytest.skip("this machine is poor already")
    done = subprocess.run([sys.executable, "-c", POOR_MACHINE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    status, told = json.loads(done.stdout)
    layers = {name: (on, why) for name, on, why in told}
    assert status == 0
    assert layers["landlock"][0] is False
    assert "Function not implemented" in layers["landlock"][1]
    assert layers["namespaces"][0] is False
    assert "Operation not permitted" in layers["namespaces"][1]
    assert layers["seccomp"][0] is True
    assert layers["seccomp"][1].startswith("refusals not recorded")


def write_library(prefix: Path) -> None:
    (prefix / "lib" / "python3.12").mkdir(parents=True)
    (prefix / "lib" / "python3.12" / "os.py").write_text("")


def test_an_environment_whose_home_is_no_installation_opens_nothing(tmp_path: Path) -> None:
    # The project may be hostile: its interpreter a program of its own, and its home a link.
    key = tmp_path / "private" / "keys" / "key"
    key.parent.mkdir(parents=True)
    key.write_text("secret")
    project = tmp_path / "project"
    (project / ".venv" / "bin").mkdir(parents=True)
    (project / "home").mkdir()
    (project / "home" / "python3").symlink_to(key)
    (project / ".venv" / "bin" / "python").write_text("")
    (project / ".venv" / "pyvenv.cfg").write_text(f"home = {project / 'home'}\n")
    found = {path.resolve() for path in reach.interpreter_reads(project / ".venv/bin/python")}
    assert found == {project / ".venv", project / ".venv" / "bin" / "python"}


def test_a_virtual_environment_may_read_its_base_and_nothing_above(tmp_path: Path) -> None:
    base = tmp_path / "base" / "bin"
    base.mkdir(parents=True)
    (base / "python3").write_text("")
    write_library(tmp_path / "base")
    inside = tmp_path / "project" / ".venv" / "bin"
    inside.mkdir(parents=True)
    (inside / "python").symlink_to(base / "python3")
    (inside.parent / "pyvenv.cfg").write_text(f"home = {base}\nversion = 3.12.1\n")
    found = reach.interpreter_reads(inside / "python")
    assert tmp_path / "base" in found
    assert inside.parent in found
    assert tmp_path not in found
    assert tmp_path / "project" not in found


def test_an_interpreter_in_the_home_folder_does_not_open_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").write_text("")
    write_library(tmp_path)
    found = reach.interpreter_reads(tmp_path / "bin" / "python")
    assert tmp_path not in found
    assert tmp_path / "lib" in found


def test_closing_twice_is_fine_and_nothing_is_left_open() -> None:
    def opened() -> set[str]:
        with contextlib.suppress(FileNotFoundError):
            return {os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")
                    if os.path.lexists(f"/proc/self/fd/{fd}")}  # fmt: skip
        return set()

    before = opened()
    made = Sandbox(config())
    with made:
        run(made, "pass")
    made.close()
    assert opened() - before == set()


def test_a_scratch_folder_goes_however_it_was_left() -> None:
    code = """
import os
for _ in range(3000):
    os.mkdir("deeper")
    os.chdir("deeper")
os.mkdir("locked")
open("locked/file", "w").close()
os.chmod("locked", 0)
os.symlink("/", "root")
"""
    with Sandbox(config()) as made:
        assert run(made, code) == ("", 0)
        scratch = made.scratch
    assert not scratch.exists()
    assert Path("/").exists()
