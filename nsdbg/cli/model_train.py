"""`nsdbg model train` and `nsdbg model export`: from samples to a model folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nsdbg.cli.options import Seed

if TYPE_CHECKING:
    from nsdbg.model.learner import Learner

Shards = Annotated[
    Path,
    typer.Argument(metavar="SHARDS", help="Samples: a folder with train/*.npz and held/*.npz."),
]
Out = Annotated[
    Path,
    typer.Argument(metavar="OUT", help="Takes last.safetensors, best/ and log.jsonl."),
]

Minutes = Annotated[
    float | None,
    typer.Option(
        "--minutes",
        min=0.01,
        help="The time box. Default: 60, or what an interrupted run has left.",
    ),
]
Resume = Annotated[
    Path | None,
    typer.Option(
        "--resume",
        help="Go on from this folder: a run's OUT (weights, optimizer, place in the data), or "
        "a model folder (weights alone).",
    ),
]
Base = Annotated[
    Path | None,
    typer.Option(
        "--base",
        help="Fine-tune this local causal language model instead (safetensors, no code of its "
        "own); it is measured by `export` and not shipped.",
    ),
]
Lora = Annotated[
    bool,
    typer.Option(
        "--lora",
        help="With --base: learn LoRA's weights alone, as is done anyway "
        "above 300 million parameters.",
    ),
]
Steps = Annotated[
    int | None, typer.Option("--steps", min=1, help="Stop after so many steps, if sooner.")
]
Hidden = Annotated[int, typer.Option("--hidden", min=8, help="Channels.")]
Layers = Annotated[int, typer.Option("--layers", min=1, help="Layers.")]
Inner = Annotated[
    int, typer.Option("--inner", min=8, help="Channels within a layer's feed-forward.")
]
Heads = Annotated[int, typer.Option("--heads", min=1, help="Heads of attention.")]
Shared = Annotated[
    int,
    typer.Option("--kv-heads", min=1, help="Heads with keys and values of their own."),
]
Positions = Annotated[
    int, typer.Option("--positions", min=16, help="Tokens of the longest sample.")
]
BatchTokens = Annotated[
    int,
    typer.Option("--batch-tokens", min=16, help="Tokens of a batch; more suits a GPU."),
]
Rate = Annotated[float, typer.Option("--rate", min=0, help="The highest learning rate.")]
Context = Annotated[
    float,
    typer.Option("--context", min=0, help="Weight of the loss on sources and states."),
]
InOrder = Annotated[
    bool,
    typer.Option("--in-order", help="Take shards in the order of their names: a curriculum."),
]
Compiled = Annotated[
    bool,
    typer.Option("--compile", help="Compile the network first; needs a C++ compiler."),
]
Threads = Annotated[
    int | None, typer.Option("--threads", min=1, help="Threads. Default: torch's choice.")
]
Run = Annotated[
    Path,
    typer.Argument(metavar="RUN", help="What `train` wrote, or a folder with weights."),
]
ModelFolder = Annotated[Path, typer.Option("--out", help="The model folder.")]
Corpus = Annotated[
    list[Path] | None,
    typer.Option(
        "--corpus",
        metavar="MANIFEST",
        help="The manifest of a corpus of traces, for the model card. May be given several times.",
    ),
]
Prompts = Annotated[
    int,
    typer.Option("--prompts", min=1, help="Held-out prompts whose answers are compared."),
]
Longest = Annotated[
    int, typer.Option("--longest", min=1, help="Tokens of an answer that are compared.")
]
HeldTokens = Annotated[
    int,
    typer.Option("--held-tokens", min=1, help="Tokens scored of each held-out part."),
]
Force = Annotated[
    bool, typer.Option("--force", help="Write the folder although parity does not hold.")
]


def train(
    shards: Shards,
    out: Out,
    minutes: Minutes = None,
    resume: Resume = None,
    base: Base = None,
    lora: Lora = False,
    steps: Steps = None,
    hidden: Hidden = 256,
    layers: Layers = 6,
    inner: Inner = 688,
    heads: Heads = 4,
    shared: Shared = 2,
    positions: Positions = 1024,
    batch_tokens: BatchTokens = 2_000,
    rate: Rate = 1.2e-3,
    context: Context = 0.5,
    in_order: InOrder = False,
    compiled: Compiled = False,
    threads: Threads = None,
    seed: Seed = 0,
) -> None:
    """Train the network on samples within a time box, from scratch or from given weights.

    Progress goes to stderr and to OUT/log.jsonl; new shards are picked up as they appear. Ctrl-C
    keeps what is learned, and --resume goes on from there. Uses a GPU where torch finds one.

    Exit code: 0 trained, 2 the samples or the weights cannot be used, 130 stopped.

    Example: nsdbg model train samples run --minutes 60
    """
    from nsdbg.model.train import Plan
    from nsdbg.model.train import train as run

    plan = Plan(
        shards, out, 60.0 if minutes is None and resume is None else minutes, steps, rate,
        batch_tokens=batch_tokens, seed=seed, in_order=in_order, threads=threads,
        compiled=compiled, context=context,
    )  # fmt: skip
    learner = _learner(
        shards, out, resume, base, lora, (hidden, layers, inner, heads, shared, positions), seed
    )
    outcome = run(plan, learner, lambda line: typer.echo(line, err=True), _task_names(), resume)
    if outcome.interrupted:
        typer.echo(f"stopped: `nsdbg model train {shards} {out} --resume {out}` goes on", err=True)
        raise typer.Exit(130)
    typer.echo(f"{out / 'best'}: {outcome.progress.step} steps, {outcome.progress.tokens} tokens")


def export(
    run: Run,
    shards: Shards,
    out: ModelFolder = Path("onnx"),
    corpus: Corpus = None,
    prompts: Prompts = 200,
    longest: Longest = 64,
    held_tokens: HeldTokens = 200_000,
    force: Force = False,
    seed: Seed = 0,
) -> None:
    """Export the best weights of a run to ONNX, int8, and hold the graph against torch.

    Float32 has to give torch's logits and torch's text, and int8 may lose at most one point of
    whole held-out answers. A model tuned with --base is exported in float32 and measured through
    optimum's runtime instead. The folder gets model.onnx, model.safetensors (bf16), config.json,
    manifest.json and a model card.

    Exit code: 0 exported, 2 parity does not hold or something cannot be read.

    Example: nsdbg model export run samples --out onnx
    """
    _require_training()
    from nsdbg.model.export import Order
    from nsdbg.model.export import export as write
    from nsdbg.model.learner import weights_folder
    from nsdbg.model.tune import is_tuned

    order = Order(run, shards, out, tuple(corpus or ()), prompts, longest, held_tokens, seed, force)
    if is_tuned(weights_folder(run)):
        from nsdbg.model.tuned import export_tuned

        measured = export_tuned(order, lambda line: typer.echo(line, err=True))
        typer.echo("\n".join(measured.lines()))
        return
    exported = write(order, lambda line: typer.echo(line, err=True), _task_names())
    for problem in exported.problems:
        typer.echo(f"forced: {problem}", err=True)
    total = sum(exported.sizes_bytes.values())
    typer.echo(f"{out}: {total / 1e6:.1f} MB, model.onnx "
               f"{exported.sizes_bytes['model.onnx'] / 1e6:.1f} MB")  # fmt: skip


def _require_training() -> None:
    """Raise ModelError, with what to install, where the training libraries are missing."""
    from importlib.util import find_spec

    from nsdbg.errors import ModelError

    missing = [name for name in ("torch", "transformers", "optimum") if find_spec(name) is None]
    if missing:
        raise ModelError(
            f"training and export need {' and '.join(missing)}: pip install 'nsdbg[train]'"
        )


def _learner(
    shards: Path,
    out: Path,
    resume: Path | None,
    base: Path | None,
    lora: bool,
    sizes: tuple[int, int, int, int, int, int],
    seed: int,
) -> Learner:
    _require_training()
    from nsdbg.errors import UsageError
    from nsdbg.model.checkpoint import LAST
    from nsdbg.model.learner import check_samples, learner_of, own_learner
    from nsdbg.model.network import Sizes
    from nsdbg.propose.codec import vocabulary

    check_samples(shards)
    if resume is None and (out / LAST).is_file():
        raise UsageError(f"{out} holds a run: go on with --resume {out}, or name another folder")
    if base is not None:
        from nsdbg.model.tune import base_learner

        return base_learner(base, lora)
    if resume is not None:
        return learner_of(resume)
    try:
        return own_learner(Sizes(vocabulary.SIZE, *sizes), seed)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _task_names() -> tuple[str, ...]:
    from nsdbg.model.samples import Task

    return tuple(task.name.lower() for task in sorted(Task, key=lambda task: task.value))
