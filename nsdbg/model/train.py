"""Training: a time box of steps, with checkpoints, held-out scores and a log.

The same on a CPU and a GPU.  Knows neither what the samples mean nor what becomes of the weights.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nsdbg.errors import ModelError
from nsdbg.model.batches import Batch, Feed, FeedPlan
from nsdbg.model.checkpoint import LAST, Progress, read_checkpoint, write_checkpoint
from nsdbg.model.heldout import Score, held_batches, score
from nsdbg.model.interrupt import Interrupt
from nsdbg.model.learner import Learner
from nsdbg.model.schedule import Schedule
from nsdbg.model.shards import HELD, TRAIN

LOG, BEST = "log.jsonl", "best"


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train.

    `shards` has folders `train` and `held`; `out` takes checkpoints, log and weights.  `minutes`:
    the time box, None to go on with an interrupted one; `steps`: stop after so many, if sooner.
    Times of the pauses are in seconds; `threads`: None for torch's own choice.
    """

    shards: Path
    out: Path
    minutes: float | None = 60.0
    steps: int | None = None
    rate: float = 1.2e-3
    decay: float = 0.1
    clip: float = 1.0
    batch_tokens: int = 2_000
    held_tokens: int = 100_000
    seed: int = 0
    in_order: bool = False
    threads: int | None = None
    compiled: bool = False
    say_every_s: float = 30.0
    score_every_s: float = 300.0
    keep_every_s: float = 180.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to.  `interrupted`: a signal ended it before its time box was over."""

    progress: Progress
    score: Score | None
    interrupted: bool


def train(
    plan: Plan,
    learner: Learner,
    say: Callable[[str], None],
    names: tuple[str, ...] = (),
    resume: Path | None = None,
) -> Outcome:
    """Train within the plan's time box; writes checkpoints, scores and weights to `plan.out`.

    resume: a run's folder, whose optimizer, place in the data and clock are taken up again; a
    folder with weights alone starts a new clock.  names: of the tasks, by number.
    Raises CorpusError without samples, ModelError where the checkpoint does not fit.
    """
    plan.out.mkdir(parents=True, exist_ok=True)
    with Interrupt() as interrupt:
        return Training(plan, learner, say, names, resume).run(interrupt)


class Training:
    """One run: the network, its optimizer, its data, and how far it is."""

    def __init__(
        self, plan: Plan, learner: Learner, say: Callable[[str], None],
        names: tuple[str, ...], resume: Path | None,
    ) -> None:  # fmt: skip
        import torch

        if plan.threads is not None:
            torch.set_num_threads(plan.threads)
        self.plan, self.learner, self.say, self.names = plan, learner, say, names
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.network = learner.network.to(self.device)
        self.optimizer = _optimizer(self.network, plan)
        self.progress = self._start(resume)
        self.schedule = Schedule(plan.rate, warm_steps=200 if resume is None else 50)
        feeding = FeedPlan(
            plan.batch_tokens, learner.longest, learner.pad, learner.end, plan.seed,
            in_order=plan.in_order,
        )  # fmt: skip
        self.feed = Feed(plan.shards / TRAIN, feeding, self.progress.position, learner.recode)
        self.held = held_batches(plan.shards / HELD, feeding, plan.held_tokens, learner.recode)
        self.first_step = self.progress.step
        self.score: Score | None = None

    def _start(self, resume: Path | None) -> Progress:
        progress = Progress()
        if resume is not None and (resume / LAST).is_file():
            progress = read_checkpoint(resume / LAST, self.network, self.optimizer)
        if self.plan.minutes is not None:
            return replace(progress, elapsed_s=0.0, box_s=60 * self.plan.minutes)
        if progress.finished:
            raise ModelError("there is no time left to go on with: give --minutes")
        return progress

    def run(self, interrupt: Interrupt) -> Outcome:
        """Take steps until the time box, the steps or a signal ends the run."""
        network, plan = self.network.train(), self.plan
        self._log("start", device=str(self.device), batch_tokens=plan.batch_tokens, rate=plan.rate)
        began = time.monotonic() - self.progress.elapsed_s
        before = self.progress.trained_s - self.progress.elapsed_s
        said = Pace(plan.say_every_s)
        scored, kept = Pace(plan.score_every_s), Pace(plan.keep_every_s)
        while not interrupt.came and not self._over():
            batch = next(self.feed)
            loss = self._step(network, batch)
            elapsed = time.monotonic() - began
            self.progress = replace(
                self.progress,
                step=self.progress.step + 1,
                tokens=self.progress.tokens + batch.size,
                elapsed_s=elapsed,
                trained_s=before + elapsed,
                position=self.feed.position,
            )
            said.count(batch.size, loss)
            if said.due():
                self._tell(said)
            if scored.due():
                self._score()
                scored.restart()
            if kept.due():
                self._keep()
                kept.restart()
        self._keep()
        if not interrupt.came or self.score is None:
            self._score()
        return Outcome(self.progress, self.score, interrupt.came)

    def _over(self) -> bool:
        if self.plan.steps is not None and self._steps_done() >= self.plan.steps:
            return True
        return self.progress.finished

    def _steps_done(self) -> int:
        return self.progress.step - self.first_step

    def _share(self) -> float:
        """How much of the run is over, by the clock or by the steps: 0 to 1."""
        clock = self.progress.elapsed_s / self.progress.box_s
        steps = 0.0 if self.plan.steps is None else self._steps_done() / self.plan.steps
        return min(1.0, max(clock, steps))

    def _step(self, network: Any, batch: Batch) -> float:
        """Learn one batch; returns its loss in nats a token to be learned."""
        import torch

        rate = self.schedule.rate(self._steps_done(), self._share())
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        wanted = torch.from_numpy(batch.wanted).to(self.device)
        with _autocast(self.device):
            logits = self._logits(network, batch)
        loss = torch.nn.functional.cross_entropy(logits, wanted)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), self.plan.clip)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return float(loss.detach())

    def _logits(self, network: Any, batch: Batch) -> Any:
        import torch

        tokens = torch.from_numpy(batch.tokens).to(self.device)
        places = torch.from_numpy(batch.places).to(self.device)
        return self.learner.logits(network, tokens, places)
