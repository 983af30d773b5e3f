"""How many programs a second are generated on one core, level by level, and how their calls end.

Run it as `python bench/programs.py [COUNT]`; times are of the processor, so that others on the
machine count little.
"""

from __future__ import annotations

import contextlib
import io
import sys
import time
from typing import Any

from nsdbg.programs import GeneratedProgram, Level, generate


def raising(program: GeneratedProgram) -> int:
    """Return how many of the calls end in an exception."""
    count = 0
    for call in program.calls:
        module: dict[str, Any] = {"__name__": "generated"}
        exec(program.text, module)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                eval(f"{program.entry}({', '.join(call)})", module)
        except Exception:
            count += 1
    return count


def main() -> None:
    """Print a line for each level."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for level in Level:
        generate(0, level)
        start = time.process_time()
        found = [generate(seed, level) for seed in range(count)]
        seconds = time.process_time() - start
        calls = sum(len(program.calls) for program in found)
        lines = sum(program.text.count("\n") for program in found)
        print(
            f"{level.value:10} {count / seconds:7.0f} programs/s  {lines / count:5.1f} lines  "
            f"{calls / count:4.2f} calls  {100 * sum(map(raising, found)) / calls:4.1f} % raise"
        )


if __name__ == "__main__":
    main()
