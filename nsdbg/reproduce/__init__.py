"""Reproducing a crash: from the innermost own frame outwards, each attempt judged by runs."""

from nsdbg.reproduce.attempts import Attempt
from nsdbg.reproduce.crash import Crash, CrashFrame, Level, levels
from nsdbg.reproduce.flow import Failure, Outcome, Reproduction, reproduce

__all__ = [
    "Attempt",
    "Crash",
    "CrashFrame",
    "Failure",
    "Level",
    "Outcome",
    "Reproduction",
    "levels",
    "reproduce",
]
