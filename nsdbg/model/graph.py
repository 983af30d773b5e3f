"""From a torch network to an ONNX graph with a key-value cache, in float32 and in int8.

Goes through optimum; compares nothing (`parity`) and publishes nothing (`export`).
"""

from __future__ import annotations

import contextlib
import importlib
import io
import logging
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nsdbg.model import network as networks

# Weights that share a scale. Larger blocks are no faster, and pad rows whose length they do not
# divide: 688 channels are 11 blocks of 64, or 6 of 128 with 80 zeros.
BLOCK = 64
# Activations are quantized to int8 too, by block, while the graph runs.
INT8_ACTIVATIONS = 4


def write_graph(network: Any, folder: Path) -> Path:
    """Export in float32, with optimum's names of inputs and outputs; returns the file."""
    from optimum.exporters.onnx import onnx_export_from_model
    from optimum.exporters.onnx.model_patcher import eager_mask_without_vmap

    # What optimum puts in the place of transformers' mask, which torch.onnx cannot trace.
    networks.use_grouped_attention(eager_mask_without_vmap)
    network.config._attn_implementation = networks.GROUPED
    try:
        with quiet():
            onnx_export_from_model(
                network.eval(),
                folder,
                task="text-generation-with-past",
                do_validation=False,
                device="cpu",
            )
    finally:
        networks.use_grouped_attention()
    return folder / "model.onnx"


def quantize(source: Path, target: Path) -> None:
    """Write a graph whose matrices are int8, with a scale for each block of a column.

    The embedding stays float32, and with it the head that is tied to it: they are a sixth of the
    file, and the logits are what everything else is chosen by.  Scales by block, for weights and
    activations, leave a token's logits independent of what is computed beside it; those of
    `quantize_dynamic` span all samples at once.
    """
    # By name: to type checkers `import onnx` would be the folder of that name beside nsdbg/, and
    # onnxruntime comes without types.
    onnx: Any = importlib.import_module("onnx")
    by_block: Any = importlib.import_module("onnxruntime.quantization.matmul_nbits_quantizer")
    with quiet():
        quantizer = by_block.MatMulNBitsQuantizer(
            onnx.load(source),
            bits=8,
            block_size=BLOCK,
            is_symmetric=True,
            accuracy_level=INT8_ACTIVATIONS,
        )
        quantizer.process()
        onnx.save(quantizer.model.model, target)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep the libraries' remarks on their own code from the user; errors are raised anyhow."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
