"""What hostile targets may harm, and whether they did: used by the tests of the guard.

Also a script, so that another user can run it: `attempts.py kernel [LAYER…]` runs the attempts of
`targets/hostile` without the audit hook; `attempts.py verdicts [LAYER…]` asks the verifier about
all, and `attempts.py acts [LAYER…]` about those that act outside.  Layers named are left out, and
what is found is printed as JSON.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from nsdbg.claim import Call, Goal, Proposal, Site
from nsdbg.source import load_subject
from nsdbg.state import Event
from nsdbg.verify.reach import CHILD
from nsdbg.verify.runner import Runner, RunnerConfig
from nsdbg.verify.sandbox import Sandbox, SandboxConfig
from nsdbg.verify.verifier import Verifier

HOSTILE = Path(__file__).with_name("targets") / "hostile"
SECRET = "the secret of this place"

# These end the process that tries them one after another, or ask the network for a name.
_NOT_ALONE = frozenset(
    ["processes.kill_parent", "processes.kill_oneself", "network.look_up", "native.other_numbers"]
)
# Whether these got through shows in what they say, not in what they leave behind.
_BY_WORD = frozenset([
    "processes.run_program", "processes.run_shell", "processes.execute",
    "processes.fork_without_audit", "native.run_shell", "native.queue_work",
    "native.new_namespace", "native.read_memory", "native.share_memory",
    "resources.fill_the_disk", "resources.reserve",
])  # fmt: skip
_GOT_THROUGH = ("done", "ended 0", str(3 << 30))
PROCESSES = 48


@dataclass(frozen=True, slots=True)
class Attempt:
    """One hostile function: its module, its name, and the arguments it wants."""

    module: str
    function: str
    wants: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name in reports."""
        return f"{self.module}.{self.function}"


def attempts_of(*modules: str) -> list[Attempt]:
    """Return the public functions of the hostile modules, in the order of their files."""
    found = []
    for module in modules:
        for node in ast.parse((HOSTILE / f"{module}.py").read_text()).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                wants = tuple(item.arg for item in node.args.args)
                found.append(Attempt(module, node.name, wants))
    return found


class Victims:
    """Something of everything that can be harmed: files, a process, and who listens."""

    def __init__(self, attempt: Attempt) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="victims-")).resolve()
        self.folder.chmod(0o755)
        (self.folder / "keep").write_text("kept")
        (self.folder / "secret").write_text(SECRET)
        (self.folder / "empty").mkdir()
        self._lines = [
            _listening(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            _listening(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            _listening(socket.AF_UNIX, socket.SOCK_STREAM, str(self.folder / "stream")),
            _listening(socket.AF_UNIX, socket.SOCK_DGRAM, str(self.folder / "datagram")),
        ]
        for name in ("stream", "datagram"):
            (self.folder / name).chmod(0o666)
        self._process = subprocess.Popen(["sleep", "300"]) if "pid" in attempt.wants else None
        self._before = self._files()
        self._wants = attempt.wants

    def arguments(self) -> dict[str, object]:
        """Return the arguments that the attempt wants."""
        known = {
            "place": str(self.folder),
            "pid": self._process.pid if self._process else 0,
            "tcp_port": self._lines[0].getsockname()[1],
            "udp_port": self._lines[1].getsockname()[1],
        }
        return {name: known[name] for name in self._wants}

    def _files(self) -> dict[str, object]:
        found: dict[str, object] = {}
        for path in sorted(self.folder.rglob("*")):
            status = path.lstat()
            content = path.read_bytes() if path.is_file() else b""
            times = (status.st_mtime_ns, status.st_ctime_ns)
            found[path.name] = (status.st_mode, status.st_uid, times, content)
        return found

    def harm(self) -> list[str]:
        """Return what was done to them, in words."""
        found = [] if self._files() == self._before else ["files"]
        if self._process is not None and self._process.poll() is not None:
            found.append("process")
        for line in self._lines:
            with contextlib.suppress(BlockingIOError):
                if line.type == socket.SOCK_STREAM:
                    line.accept()[0].close()
                else:
                    line.recv(100)
                found.append("message")
        return found

    def close(self) -> None:
        """Let go of everything."""
        for line in self._lines:
            line.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self.folder)


def _listening(family: int, kind: int, address: Any) -> socket.socket:
    line = socket.socket(family, kind)
    line.bind(address)
    if kind == socket.SOCK_STREAM:
        line.listen()
    line.setblocking(False)
    return line


@dataclass(frozen=True, slots=True)
class Result:
    """What one attempt said, and what it did outside."""

    said: str
    harm: tuple[str, ...]


@contextlib.contextmanager
def victims_for(attempts: Sequence[Attempt]) -> Iterator[list[Victims]]:
    """Provide victims for each attempt, and let go of them."""
    made: list[Victims] = []
    try:
        for attempt in attempts:
            made.append(Victims(attempt))
        yield made
    finally:
        for victims in made:
            victims.close()


def run_attempts(without: Sequence[str] = (), python: str = sys.executable) -> dict[str, Result]:
    """Run every attempt under the kernel's layers alone, less those in `without`."""
    known = attempts_of("files", "network", "processes", "native", "resources")
    attempts = [
        attempt for attempt in known
        if attempt.name not in _NOT_ALONE
        and (attempt.module != "resources" or attempt.name in _BY_WORD)
    ]  # fmt: skip
    with victims_for(attempts) as victims:
        said, left = _ask(attempts, victims, without, python)
        results = {}
        for attempt, words, hurt in zip(attempts, said, victims, strict=True):
            harm = hurt.harm()
            if SECRET in words or "secret" in words:
                harm.append("read")
            if attempt.name in _BY_WORD and words in _GOT_THROUGH:
                harm.append("done")
            if words.endswith(" started") and int(words.split()[0]) >= PROCESSES:
                harm.append("processes")
            results[attempt.name] = Result(words, tuple(harm))
    results["left behind"] = Result("", tuple(left))
    return results


def _ask(
    attempts: Sequence[Attempt], victims: Sequence[Victims], without: Sequence[str], python: str
) -> tuple[list[str], list[str]]:
    """Return what the attempts said, and the processes that were left when all was over."""
    order = json.dumps({
        "harden": "seccomp" not in without,
        "attempts": [[attempt.module, attempt.function, hurt.arguments()]
                     for attempt, hurt in zip(attempts, victims, strict=True)],
    })  # fmt: skip
    left_out = frozenset(without)
    config = SandboxConfig(Path(python), readable=(HOSTILE,), without=left_out, processes=PROCESSES)
    with Sandbox(config) as sandbox:
        scratch = str(sandbox.scratch)
        child = sandbox.spawn(
            [str(HOSTILE / "attempt.py"), str(CHILD), order],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        output, complaint = child.communicate(timeout=60)
    if child.returncode != 0:
        raise AssertionError(f"the attempts ended with {child.returncode}: {complaint!r}")
    said: list[str] = json.loads(output)
    return said, _working_in(scratch)


def _working_in(folder: str) -> list[str]:
    """Return the processes whose working directory is, or was, this folder."""
    found = []
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if name.isdigit() and os.readlink(f"/proc/{name}/cwd").startswith(folder):
                found.append(name)
    return found


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on one attempt: the reason's name, what was blocked, what was harmed."""

    reason: str
    blocked: tuple[str, ...]
    harm: tuple[str, ...]
    seconds: float


ACTS = ("files", "network", "processes", "native")


def run_verdicts(without: Sequence[str], modules: Sequence[str]) -> dict[str, Judged]:
    """Ask the verifier whether each attempt returns what only a success would return.

    After each, an honest function is asked about; where that goes wrong, the results tell.
    """
    attempts = attempts_of(*modules)
    config = RunnerConfig(
        roots=(HOSTILE,),
        limit_s=0.4,
        memory_bytes=400 << 20,
        without=frozenset(without),
    )
    results: dict[str, Judged] = {}
    with victims_for(attempts) as victims, Runner(config) as runner:
        verifier = Verifier(runner)
        for attempt, hurt in zip(attempts, victims, strict=True):
            claim = "'expected'" if attempt.module == "conduct" else "'done'"
            judged = _judge(verifier, attempt, hurt.arguments(), claim)
            results[attempt.name] = replace(judged, harm=tuple(hurt.harm()))
            honest = _judge(verifier, _HONEST, {"left": 19, "right": 23}, "42")
            if honest.reason != "GOAL_REACHED":
                results.setdefault(f"honest after {attempt.name}", honest)
    return results


_HONEST = Attempt("honest", "add", ("left", "right"))


def _judge(
    verifier: Verifier, attempt: Attempt, arguments: Mapping[str, object], claim: str
) -> Judged:
    subject = load_subject(HOSTILE / f"{attempt.module}.py", attempt.function)
    site = Site(subject.ref.file, None, attempt.function)
    goal = Goal(subject.ref, Event.RETURN, (site,), value=claim)
    call = Call(tuple((name, repr(value)) for name, value in arguments.items()))
    started = time.monotonic()
    verdict = verifier.confirm(goal, Proposal(call, "search:0"))
    seconds = round(time.monotonic() - started, 3)
    return Judged(verdict.reason.name, verdict.evidence.blocked, (), seconds)


def main(what: str, without: Sequence[str]) -> None:
    """Run what is asked for and print what is found."""
    found: Mapping[str, Result | Judged]
    if what == "kernel":
        found = run_attempts(without)
    else:
        found = run_verdicts(without, ACTS if what == "acts" else (*ACTS, "resources", "conduct"))
    print(json.dumps({name: asdict(result) for name, result in found.items()}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
