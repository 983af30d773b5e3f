"""Training: a time box of steps, with checkpoints, held-out scores and a log.

The same on a CPU and a GPU.  Knows neither what the samples mean nor what becomes of the weights.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nsdbg.errors import ModelError
from nsdbg.model.batches import Batch, Feed, FeedPlan
from nsdbg.model.checkpoint import LAST, Progress, read_checkpoint, write_checkpoint
from nsdbg.model.heldout import Score, held_batches, score
from nsdbg.model.interrupt import Interrupt
from nsdbg.model.learner import BEST, Learner
from nsdbg.model.pace import Pace
from nsdbg.model.schedule import Schedule

TRAIN, HELD = "train", ("held", "held-package", "held-length")
LOG = "log.jsonl"


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train.

    `shards` has a folder `train` and, to score, those of HELD; `out` takes checkpoints, log and
    weights.  `minutes`: the time box, None to go on with an interrupted one; `steps`: stop after so
    many, if sooner.  `context`: the weight of the loss on what is asked beside that on answers.
    `threads`: None for torch's own choice.
    """

    shards: Path
    out: Path
    minutes: float | None = 60.0
    steps: int | None = None
    rate: float = 1.2e-3
    decay: float = 0.1
    clip: float = 1.0
    context: float = 0.5
    batch_tokens: int = 2_000
    held_tokens: int = 60_000
    seed: int = 0
    in_order: bool = False
    threads: int | None = None
    compiled: bool = False
    say_every_s: float = 30.0
    score_every_s: float = 300.0
    keep_every_s: float = 180.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to.

    `scores`: the last ones, by held-out part; `interrupted`: a signal ended it before its time
    box was over.
    """

    progress: Progress
    scores: dict[str, Score]
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
        if plan.compiled:
            getattr(self.network, "model", self.network).compile(dynamic=True)
        self.optimizer = _optimizer(self.network, plan)
        self.progress = self._start(resume)
        self.schedule = Schedule(plan.rate, warm_steps=200 if resume is None else 50)
        feeding = FeedPlan(
            plan.batch_tokens, learner.longest, learner.vocabulary, learner.pad, learner.end,
            plan.seed, in_order=plan.in_order,
        )  # fmt: skip
        self.feed = Feed(plan.shards / TRAIN, feeding, self.progress.position, learner.recode)
        self.held = {
            part: held_batches(plan.shards / part, feeding, plan.held_tokens, learner.recode)
            for part in HELD if (plan.shards / part).is_dir()
        }  # fmt: skip
        self.first_step = self.progress.step
        self.scores: dict[str, Score] = {}

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
        self._log("start", device=str(self.device), batch_tokens=self.plan.batch_tokens,
                  rate=self.plan.rate, step=self.progress.step)  # fmt: skip
        pace = Pace(self.plan.say_every_s)
        scored, kept = Pace(self.plan.score_every_s), Pace(self.plan.keep_every_s)
        began = time.monotonic() - self.progress.elapsed_s
        before_s = self.progress.trained_s - self.progress.elapsed_s
        self.network.train()
        while not interrupt.came and not self._over():
            batch = next(self.feed)
            pace.count(batch.size, self._step(batch))
            self._advance(batch, time.monotonic() - began, before_s)
            if pace.due():
                self._tell(pace)
            if scored.due():
                self._score()
                scored.restart()
            if kept.due():
                self._keep()
                kept.restart()
        self._keep()
        if self.progress.step > self.first_step and not interrupt.came:
            self._score()
            self._keep()
        return Outcome(self.progress, self.scores, interrupt.came)

    def _advance(self, batch: Batch, elapsed_s: float, before_s: float) -> None:
        self.progress = replace(
            self.progress,
            step=self.progress.step + 1,
            tokens=self.progress.tokens + batch.size,
            elapsed_s=elapsed_s,
            trained_s=before_s + elapsed_s,
            position=self.feed.position,
        )

    def _over(self) -> bool:
        limit = self.plan.steps
        return self.progress.finished or (limit is not None and self._steps_done() >= limit)

    def _steps_done(self) -> int:
        return self.progress.step - self.first_step

    def _share(self) -> float:
        """How much of the run is over, by the clock or by the steps: 0 to 1."""
        clock = self.progress.elapsed_s / self.progress.box_s
        steps = 0.0 if self.plan.steps is None else self._steps_done() / self.plan.steps
        return min(1.0, max(clock, steps))

    def _step(self, batch: Batch) -> float:
        """Learn one batch; returns its loss in nats a token to be learned."""
        import torch

        rate = self.schedule.rate(self._steps_done(), self._share())
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        loss, total = self._losses(batch)
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.plan.clip)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return float(loss.detach())

    def _losses(self, batch: Batch) -> tuple[Any, Any]:
        """Return the loss of the answers, and what is brought down: that and the context's."""
        import numpy as np
        import torch

        entropy = torch.nn.functional.cross_entropy
        own, places, wanted = len(batch.places), batch.places, batch.wanted
        if self.plan.context:
            places = np.concatenate([places, batch.context])
            wanted = np.concatenate([wanted, batch.around])
        logits, right = self._logits(batch, places), torch.from_numpy(wanted).to(self.device)
        loss = entropy(logits[:own], right[:own])
        if len(wanted) == own:
            return loss, loss
        return loss, loss + self.plan.context * entropy(logits[own:], right[own:])

    def _logits(self, batch: Batch, places: Any) -> Any:
        """Return the logits of a batch at some places, each an index into the flat B * T."""
        import torch

        tokens, chosen = (
            torch.from_numpy(array).to(self.device) for array in (batch.tokens, places)
        )
        with torch.autocast(self.device.type, dtype=torch.bfloat16):
            return self.learner.logits(self.network, tokens, chosen)

    def _score(self) -> None:
        """Score the held-out samples; the weights that score best on the first part are kept."""
        import torch

        self.network.eval()
        # A compiled network would be compiled once more for this.
        with torch.no_grad(), torch.compiler.set_stance("force_eager"):
            self.scores = {
                part: score(batches, lambda batch: self._logits(batch, batch.places).cpu().numpy())
                for part, batches in self.held.items()
            }
        self.network.train()
        shown = {part: each.as_json(self.names) for part, each in self.scores.items()}
        self._log("held-out", parts=shown)
        for part, each in self.scores.items():
            self.say(f"{part}: {each.line(self.names)}")
        loss = next((each.loss for each in self.scores.values()), None)
        best = self.progress.best
        if loss is not None and (best is None or loss < best):
            self.progress = replace(self.progress, best=loss)
            self._save_best(shown)

    def _save_best(self, scored: dict[str, Any]) -> None:
        made = {"step": self.progress.step, "tokens": self.progress.tokens,
                "trained_s": round(self.progress.trained_s, 1), "held_out": scored}  # fmt: skip
        self.learner.save(self.network, self.plan.out / BEST, {"training": json.dumps(made)})

    def _keep(self) -> None:
        """Write the checkpoint; without held-out samples the last weights count as the best."""
        write_checkpoint(self.plan.out / LAST, self.network, self.optimizer, self.progress)
        if not self.held or not (self.plan.out / BEST).is_dir():
            self._save_best({})

    def _tell(self, pace: Pace) -> None:
        left = max(0.0, self.progress.box_s - self.progress.elapsed_s)
        self.say(
            f"step {self.progress.step}: loss {pace.loss:.4f}, {pace.tokens_per_s:.0f} tokens/s, "
            f"{self.progress.tokens / 1e6:.2f} M tokens, {self.progress.elapsed_s / 60:.1f} min, "
            f"{left / 60:.1f} min left"
        )
        self._log("progress", loss=round(pace.loss, 4), tokens_per_s=round(pace.tokens_per_s),
                  lr=self.optimizer.param_groups[0]["lr"])  # fmt: skip
        for word in self.feed.skipped:
            self.say(f"left out: {word}")
        self.feed.skipped.clear()
        pace.restart()

    def _log(self, event: str, **fields: Any) -> None:
        row = {"event": event, "step": self.progress.step, "tokens": self.progress.tokens,
               "elapsed_s": round(self.progress.elapsed_s, 1), **fields}  # fmt: skip
        with (self.plan.out / LOG).open("a") as log:
            log.write(json.dumps(row) + "\n")


def _optimizer(network: Any, plan: Plan) -> Any:
    """Return AdamW; weights with one dimension (the norms) do not decay."""
    import torch

    learned = [weight for weight in network.parameters() if weight.requires_grad]
    groups = [
        {"params": [weight for weight in learned if weight.dim() > 1], "weight_decay": plan.decay},
        {"params": [weight for weight in learned if weight.dim() <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=plan.rate, betas=(0.9, 0.95), fused=True)
