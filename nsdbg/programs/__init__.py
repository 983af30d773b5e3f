"""A typed random generator of Python programs that run and end, the same for the same seed."""

from nsdbg.programs.generate import drawn, generate, programs
from nsdbg.programs.program import GeneratedProgram, Level

__all__ = ["GeneratedProgram", "Level", "drawn", "generate", "programs"]
