"""What runs the network: CUDA where onnxruntime has it and a device is there, else the CPU.

Chooses by what onnxruntime offers; whether a device really answers shows when a session opens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

CPU, CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"

Wanted = Literal["auto", "cpu", "cuda"]


@dataclass(frozen=True, slots=True)
class Choice:
    """A provider, as onnxruntime names it, and why it is this one.

    `disappoints`: something else was asked for.
    """

    provider: str
    reason: str
    disappoints: bool = False

    @property
    def device(self) -> str:
        """Where tensors lie, as onnxruntime names it."""
        return "cuda" if self.provider == CUDA else "cpu"


def choose(wanted: Wanted, offered: Sequence[str]) -> Choice:
    """Return the provider to try first; `offered` are those that onnxruntime was built with."""
    if wanted == "cpu":
        return Choice(CPU, "the CPU was asked for")
    if CUDA in offered:
        return Choice(CUDA, "onnxruntime offers CUDA")
    lacks = "this onnxruntime has no CUDA: it comes with nsdbg[gpu], in the place of nsdbg[cpu]"
    return Choice(CPU, lacks, disappoints=wanted == "cuda")


def fallback(first: Choice, problem: str) -> Choice:
    """Return the CPU after a provider failed."""
    line = problem.strip().splitlines()[0][:200] if problem.strip() else "no reason was given"
    return Choice(CPU, f"{first.device.upper()} failed: {line}", disappoints=True)
