"""`nsdbg model encode`: from traces to the samples that training reads."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nsdbg.cli.options import Seed


def encode(
    traces: Annotated[
        list[Path],
        typer.Argument(metavar="TRACES...", help="Corpora of `nsdbg model trace`."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write.")],
    held_package: Annotated[
        list[str] | None,
        typer.Option("--held-package", help="Hold this package out. May be given several times."),
    ] = None,
    actions: Annotated[
        bool,
        typer.Option("--actions/--no-actions", help="Whether a question names the command."),
    ] = True,
    follow: Annotated[
        bool,
        typer.Option(
            "--follow/--no-follow", help="Whether a question tells where the text itself leads."
        ),
    ] = True,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes at a time.")] = 1,
    seed: Seed = 0,
) -> None:
    """Turn recorded traces into samples: questions of a debugger with their answers as tokens.

    A share of the functions, long ones and the packages named are held out of training.

    Exit code: 0 written, 2 a corpus cannot be read, or holds nothing to learn.

    Example: nsdbg model encode corpus.jsonl.gz --out samples --held-package toolz
    """
    from nsdbg.errors import CorpusError
    from nsdbg.model.samples import Recipe
    from nsdbg.model.shards import Split, write_shards

    split = Split(frozenset(held_package or ()))
    recipe = Recipe(actions=actions, follow=follow)
    counts = write_shards(traces, out, recipe=recipe, split=split, seed=seed, jobs=jobs)
    if not counts["train"]:
        raise CorpusError("these traces hold nothing to learn: no function of them is for training")
    for part in ("train", "held", "held-package", "held-length"):
        if counts[part]:
            tokens = counts[f"{part} tokens"]
            typer.echo(f"{part}: {counts[part]} samples, {tokens} tokens", err=True)
