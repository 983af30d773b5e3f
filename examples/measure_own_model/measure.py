"""How often does *your* model make states up?  Run it: python examples/measure_own_model/measure.py

`my_model` is all that has to be replaced: a function from a prompt to the text that your model
answers.  Here it is a stub that looks its answers up in answers.jsonl.
"""

import json
import sys
from pathlib import Path

from nsdbg.measure import Plan, measure_hallucination
from nsdbg.report.hallucination import hallucination_text

ANSWERS = Path(__file__).with_name("answers.jsonl")


def my_model(prompt: str) -> str:
    """Return the first answer of the file whose `when` stands in the prompt."""
    for line in ANSWERS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["when"] in prompt:
            return str(row["answer"])
    return ""


def main() -> None:
    """Measure, show the report, and fail like a gate when it is wrong too often."""
    examples = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    plan = Plan(examples=examples, seed=1, corpus=False, shrink_s=5)
    found = measure_hallucination([my_model], plan, progress=lambda line: print(line, file=sys.stderr))
    print(hallucination_text(found), end="")
    if found.rates.residual.hits or (found.rates.raw.share or 0.0) > 0.99:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
