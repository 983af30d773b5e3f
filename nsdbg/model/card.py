"""The model card: what the weights are, learned from what, good for what, and not good for what.

Says only what the manifest knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from nsdbg.model.manifest import Corpus
from nsdbg.propose.codec import vocabulary


def card(found: dict[str, Any], corpora: Sequence[Corpus], licence: str = "MIT") -> str:
    """Return README.md of a model folder. found: the manifest, its `files` aside."""
    parts = [
        _front(licence),
        _what(found),
        _data(found, corpora),
        _reaches(found),
        _parity(found["parity"]),
        LIMITS,
        _licences(corpora, licence),
    ]
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


LIMITS = f"""## Limits

- It proposes and never decides: nsdbg shows a state as CONFIRMED only after running the code.
  `nsdbg step --predict` shows what the model says by itself, and marks it as unchecked.
- It is small, and names operations better than it spells out values. Its answers get worse with
  the length of the function, with values longer than some dozens of characters, and with jumps
  over many steps.
- It knows {vocabulary.SLOTS} names and {vocabulary.LINES} lines at a time; what is
  longer is cut or cannot be asked.
- It has seen Python only, mostly short pure functions; not files, networks, threads or classes
  with much state.
- An iterator's place, a generator's frame and an object's inside are hidden from it."""


def _front(licence: str) -> str:
    return "\n".join([
        "---",
        f"license: {licence.lower()}",
        "library_name: onnxruntime",
        "pipeline_tag: text-generation",
        "tags: [python, debugging, program-states]",
        "---",
    ])  # fmt: skip


def _what(found: dict[str, Any]) -> str:
    network, training = found["network"], found["training"]
    rows = [
        ("parameters", f"{network['parameters']:,}"),
        ("layers, channels, feed-forward",
         f"{network['layers']}, {network['hidden']}, {network['inner']}"),
        ("heads, of them with keys of their own", f"{network['heads']}, {network['shared']}"),
        ("tokens it knows", f"{network['vocabulary']} (codec {found['codec']})"),
        ("tokens it reads at once", network["context"]),
        ("steps, tokens learned from",
         f"{training.get('step', '?')}, {_number(training.get('tokens'))}"),
        ("time", f"{training['trained_s'] / 60:.0f} minutes on {training.get('device', 'cpu')}"
         if "trained_s" in training else "?"),
    ]  # fmt: skip
    return f"""# nsdbg's neural debugger

A decoder of the Llama family, trained from scratch on recorded runs of Python functions. Given
source, a state and a debugger's command it proposes the next state; also the state before, the
arguments of a call, and values. `model.onnx` is what runs (int8, key-value cache, onnxruntime and
numpy alone); `model.safetensors` holds the same weights in bf16, to train on from:
`nsdbg model train SAMPLES OUT --resume` with this folder.

{_table(("", ""), rows)}"""


def _data(found: dict[str, Any], corpora: Sequence[Corpus]) -> str:
    samples = found["training"].get("samples", {})
    counts, held = samples.get("counts", {}), samples.get("held", {})
    told = ["## Data"]
    if counts:
        told.append(
            f"{_number(counts.get('train'))} sequences of {_number(counts.get('train tokens'))} "
            "tokens. Held out: "
            f"{100 * held.get('share', 0):.0f} % of the functions by their text, functions of "
            f"{held.get('lines', '?')} lines and more, and the packages "
            f"{', '.join(held.get('packages', [])) or '(none)'}."
        )
    if corpora:
        rows = [(each.name, _number(each.episodes), _number(each.fields.get("states")),
                 ", ".join(each.counts("sources"))) for each in corpora]  # fmt: skip
        told.append(_table(("traces", "calls", "states", "from"), rows))
        told.append(
            "Functions that equal one of CRUXEval, QuixBugs, the puzzles or the crash programs "
            "that nsdbg is measured with, whatever their names, were left out."
        )
    return "\n\n".join(told) if len(told) > 1 else ""


def _reaches(found: dict[str, Any]) -> str:
    told = [
        "## What it reaches",
        "On held-out functions, the right tokens before each given. An answer counts when all of "
        "it is right; `nsdbg measure model` gives the rest.",
    ]
    for part, scored in found["metrics"].get("held_out", {}).items():
        rows = [(kind, _number(row["answers"]), f"{100 * row['exact']:.1f} %",
                 f"{100 * row['token_accuracy']:.1f} %")
                for kind, row in scored["kinds"].items()]  # fmt: skip
        told.append(_table((part, "answers", "whole", "tokens"), rows))
    speed = found["metrics"].get("speed")
    if speed:
        told.append(
            f"On one core: {1000 * speed['load_s']:.0f} ms to load, {speed['token_ms']} ms for a "
            f"token of one text, {speed['step_16_ms']} ms for one of each of 16."
        )
    return "\n\n".join(told)


def _parity(parity: dict[str, Any]) -> str:
    told = (
        f"Float32 logits differ from torch's by at most {parity['difference']:.1e} (allowed: "
        f"{parity['tolerance']:.0e}). Of {parity['prompts']} held-out prompts float32 answers "
        f"{parity['same']} with torch's text, and int8 {parity['same_int8']}."
    )
    if parity["exact"] is not None:
        told += (
            f" Of {_number(parity['answers'])} held-out answers {100 * parity['exact']:.1f} % come "
            f"out whole in float32 and {100 * parity['exact_int8']:.1f} % in int8."
        )
    return f"## int8 against float32\n\n{told}"


def _licences(corpora: Sequence[Corpus], licence: str) -> str:
    counts: Counter[str] = Counter()
    for corpus in corpora:
        counts.update(corpus.counts("licences"))
    told = f"## Licences\n\nThe weights: {licence}."
    if counts:
        rows = [(name, _number(count)) for name, count in counts.most_common()]
        told += " The code whose runs they learned from:\n\n" + _table(("licence", "calls"), rows)
    return told


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(cell: Any) -> str:
    return str(cell).replace("|", "\\|").replace("\n", " ")


def _number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else "?"
