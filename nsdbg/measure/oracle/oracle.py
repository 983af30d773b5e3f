"""The oracle: does what a proposal says hold, by plain `bdb` in a fresh interpreter?

It shares no code with `verify/` but the sandbox in which its interpreter is confined, which has no
part in any answer.  It believes neither proposer nor verdict.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from nsdbg.claim import Call, Goal, Middle, Proposal, Script
from nsdbg.measure.hallucination.judged import Borne
from nsdbg.measure.oracle.alike import is_goal, is_predicted, is_start
from nsdbg.measure.oracle.facts import Facts, Lead, Ran, Stop, lead_from, ran_from
from nsdbg.state import Action, Event, State
from nsdbg.verify.sandbox import Sandbox, SandboxConfig

WORKER = Path(__file__).parent / "plain"
# Another locale, time zone and date each, and none of the verifier's; nor are the hash seeds.
ENVIRONMENTS: tuple[Mapping[str, str], ...] = (
    {"TZ": "NSC-5:45", "LC_ALL": "C"},
    {"TZ": "NSD+23", "LC_ALL": "de_DE.UTF-8"},
)


class Worker:
    """One interpreter that answers, in the sandbox."""

    def __init__(self, python: Path, root: Path, environment: Mapping[str, str]) -> None:
        self._sandbox = Sandbox(SandboxConfig(python, readable=(WORKER, root), cpu_s=36000))
        self._sandbox.__enter__()
        pipe = subprocess.PIPE
        self._process = self._sandbox.spawn(
            ["-W", "ignore", str(WORKER / "start.py")], environment, stdin=pipe, stdout=pipe
        )

    def ask(self, **request: Any) -> dict[str, Any]:
        """Return the answer to a request; with `why` when the interpreter is gone."""
        said, given = self._process.stdin, self._process.stdout
        assert said is not None
        assert given is not None
        try:
            said.write(json.dumps(request).encode() + b"\n")
            said.flush()
            line = given.readline()
        except OSError as error:
            return {"why": f"the oracle's interpreter is gone: {error}"}
        answer: dict[str, Any] = json.loads(line) if line else {"why": "the oracle says nothing"}
        return answer

    def close(self) -> None:
        """End the interpreter."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._sandbox.close()


class Oracle:
    """Makes calls of one program after the other, and answers; a context manager.

    `python` runs the target.  `limit_s` is for one run; `most` bounds the events of one.
    `hash_seed` and the next are the seeds of the two interpreters that make a call anew.
    `trusted` programs are known to end and to leave a process as it was, as generated ones are:
    one interpreter serves for all of one root, and no run has a process of its own.
    """

    def __init__(
        self,
        python: Path,
        limit_s: float = 10.0,
        most: int = 5000,
        hash_seed: int = 101,
        trusted: bool = False,
    ) -> None:
        self.python, self.hash_seed, self._trusted = python, hash_seed, trusted
        self._limit_s, self._most = limit_s, most
        self._program: tuple[str, str, str] | None = None
        self._workers: list[Worker | None] = [None] * len(ENVIRONMENTS)
        self._why: list[str] = [""] * len(ENVIRONMENTS)
        self._spelt: dict[str, str | None] = {}
        self._leads: dict[tuple[str, Call, int, tuple[Action, ...]], Lead] = {}

    def __enter__(self) -> Oracle:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the interpreters; another question starts new ones."""
        for worker in self._workers:
            if worker is not None:
                worker.close()
        self._workers = [None] * len(ENVIRONMENTS)
        self._program = None

    def facts(self, file: str, root: str, module: str, calls: Sequence[tuple[str, Call]]) -> Facts:
        """Return calls of functions, by their qualified names, as they go."""
        self._open(file, root, module)
        worker = self._worker(0)
        if self._why[0]:
            return Facts(file, (), self._why[0])
        runs = []
        for entry, call in calls:
            told = worker.ask(do="record", **self._made(entry, call))
            runs.append(ran_from(entry, call, told))
        return Facts(file, tuple(runs))

    def lead(self, facts: Facts, ran: Ran, at: int, actions: Sequence[Action]) -> Lead:
        """Return where commands lead, the first given at the stop of an index in a recorded run."""
        key = (ran.entry, ran.call, at, tuple(actions))
        found = self._leads.get(key)
        if found is None:
            assert self._program is not None
            assert self._program[0] == facts.file
            told = self._worker(0).ask(
                do="lead",
                at=at,
                commands=[(action.kind.value, action.lineno) for action in actions],
                **self._made(ran.entry, ran.call),
            )
            found = self._leads[key] = lead_from(told)
        return found

    def borne_out(self, goal: Goal, proposal: Proposal, facts: Facts | None = None) -> Borne:
        """Return whether what a proposal claims is so.

        A call or a script is made anew, in each environment.  A state in the middle is looked for
        in `facts`, and the command is given wherever it was: every such stop has to lead where the
        proposal says.  A state that no recorded run passes is put into a call, as by pdb's `jump`.
        SILENT where CPython does not let that, where nothing can be run, and of libraries' frames,
        which are not watched.
        """
        if not all(Path(site.file).is_relative_to(goal.entry.root) for site in goal.chain):
            return Borne.SILENT
        self._open(goal.entry.file, goal.entry.root, goal.entry.module)
        if isinstance(proposal.start, Middle):
            return self._middle(goal, proposal, proposal.start, facts)
        return self._anew(goal, proposal.start)

    def spelt(self, text: str) -> str | None:
        """Return the one spelling of what a literal stands for; None when it is no literal."""
        if text not in self._spelt:
            told = self._worker(0).ask(do="spelt", texts=[text])
            self._spelt[text] = told.get("texts", [None])[0]
        return self._spelt[text]

    def _anew(self, goal: Goal, start: Call | Script) -> Borne:
        found = set()
        for place in range(len(ENVIRONMENTS)):
            worker = self._worker(place)
            if isinstance(start, Script):
                given: dict[str, Any] = {"script": {"argv": start.argv, "stdin": start.stdin}}
                given |= {"limit_s": self._limit_s, "most": self._most, "fork": True}
            else:
                given = self._made(goal.entry.qualname, start)
            told = worker.ask(do="reach", goal=_wire(goal), **given)
            found.add(told.get("reached", "why"))
        if "no" in found:
            return Borne.WRONG
        return Borne.OUT if found == {"yes"} else Borne.SILENT

    def _middle(self, goal: Goal, proposal: Proposal, start: Middle, facts: Facts | None) -> Borne:
        answers = set()
        spelling = self.spelt
        for ran in facts.runs if facts is not None else ():
            for at, stop in enumerate(ran.stops):
                if stop.heard and is_start(start, stop, goal.entry, spelling):
                    assert facts is not None
                    answers.add(self._follows(goal, proposal, facts, ran, at))
        if start.remaining or start.shared:
            # More is said than was seen: which of the equal states it is, or another one yet.
            return Borne.OUT if Borne.OUT in answers else Borne.SILENT
        if not answers:
            return self._jumped(goal, proposal, start)
        if Borne.WRONG in answers:
            return Borne.WRONG
        return Borne.OUT if Borne.OUT in answers else Borne.SILENT

    def _jumped(self, goal: Goal, proposal: Proposal, start: Middle) -> Borne:
        """Put a state that was never seen into a call, and give the command there."""
        state, action = start.state, proposal.action
        names = state.frame.locals
        if state.event is not Event.LINE or len(state.stack) > 1 or names is None:
            return Borne.SILENT
        if action is None or any(not value.literal for _, value in names):
            return Borne.SILENT
        lead = lead_from(
            self._worker(0).ask(
                do="jump",
                entry=goal.entry.qualname,
                lineno=state.frame.lineno,
                names=[(name, value.repr) for name, value in names],
                commands=[(action.kind.value, action.lineno)],
                **self._limits(),
            )
        )
        if lead.start is None or not is_start(start, lead.start, goal.entry, self.spelt):
            return Borne.SILENT
        return self._leads_to(goal, proposal, lead, 0)

    def _follows(self, goal: Goal, proposal: Proposal, facts: Facts, ran: Ran, at: int) -> Borne:
        """Tell whether what is claimed of a state in the middle is so of one recorded stop."""
        older = len(ran.stops[at].state.stack) - len(_start(proposal).stack)
        if proposal.action is None:
            later = ran.stops[at:]
            met = any(is_goal(goal, _within(stop, older), self.spelt) for stop in later)
            return Borne.OUT if met else Borne.WRONG
        lead = self.lead(facts, ran, at, [proposal.action])
        # The call is run again for it: one that reads a clock comes to another state there.
        if lead.start is None or lead.start.state != ran.stops[at].state:
            return Borne.SILENT
        return self._leads_to(goal, proposal, lead, older)

    def _leads_to(self, goal: Goal, proposal: Proposal, lead: Lead, older: int) -> Borne:
        """Tell whether a command led where it is said to; `older` frames are not spoken of."""
        if not lead.ends or not lead.ends[0].inside:
            return Borne.WRONG  # it leads out of the frame, or nowhere
        end = _within(lead.ends[0], older)
        if proposal.predicted is not None:
            met = is_predicted(proposal.predicted, end, self.spelt)
        else:
            met = is_goal(goal, end, self.spelt)
        return Borne.OUT if met else Borne.WRONG

    def _made(self, entry: str, call: Call) -> dict[str, Any]:
        given = {"entry": entry, "arguments": call.arguments, "imports": call.imports}
        return {**given, **self._limits()}

    def _limits(self) -> dict[str, Any]:
        return {"limit_s": self._limit_s, "most": self._most, "fork": not self._trusted}

    def _open(self, file: str, root: str, module: str) -> None:
        """Turn to a program: each has interpreters of its own, unless they are to be used again."""
        program = (file, root, module)
        if self._program == program:
            return
        keep = self._trusted and self._program is not None and self._program[1] == root
        if not keep:
            self.close()
        self._program = program
        self._leads.clear()
        for place, worker in enumerate(self._workers):
            if worker is not None:
                self._import(place, worker, program)

    def _worker(self, place: int) -> Worker:
        worker = self._workers[place]
        if worker is not None:
            return worker
        program = self._program or ("", "", "")
        environment = {**ENVIRONMENTS[place], "PYTHONHASHSEED": str(self.hash_seed + place)}
        worker = self._workers[place] = Worker(self.python, Path(program[1] or "/"), environment)
        self._import(place, worker, program)
        return worker

    def _import(self, place: int, worker: Worker, program: tuple[str, str, str]) -> None:
        file, root, module = program
        told = worker.ask(do="open", file=file, root=root, module=module)
        self._why[place] = told.get("why", "")


def _start(proposal: Proposal) -> State:
    assert isinstance(proposal.start, Middle)
    return proposal.start.state


def _within(stop: Stop, older: int) -> Stop:
    """Return a stop as it looks to one who does not know the oldest frames."""
    state = stop.state
    return replace(stop, state=replace(state, stack=state.stack[older:]))


def _wire(goal: Goal) -> dict[str, Any]:
    claim = goal.exception
    exception = None
    if claim is not None:
        exception = {"type": claim.type, "message": claim.message, "prefix": claim.message_prefix}
    return {
        "event": goal.event.value,
        "chain": [(site.file, site.lineno, site.function) for site in goal.chain],
        "exact": goal.exact_chain,
        "locals": goal.locals,
        "where": goal.where,
        "value": goal.value,
        "exception": exception,
    }
