"""A network of some thousand numbers with a key-value cache, as ONNX bytes, and its model folder.

Written by hand (the protobuf format is a few rules), so that tests need neither torch nor onnx:
two layers of one attention head each, the inputs and outputs that optimum gives a causal model.
`logits` computes the same without a cache, in plain numpy.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nsdbg.propose.codec import vocabulary

Floats = NDArray[np.float32]
LAYERS = 2
WIDTH = 8
FLOAT, INT64 = 1, 7


def _number(value: int) -> bytes:
    out = bytearray()
    value &= (1 << 64) - 1
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _int(field: int, value: int) -> bytes:
    return _number(field << 3) + _number(value)


def _bytes(field: int, value: bytes | str) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return _number(field << 3 | 2) + _number(len(raw)) + raw


def _node(kind: str, inputs: Sequence[str], output: str, **attributes: int | list[int]) -> bytes:
    parts = [_bytes(1, name) for name in inputs] + [_bytes(2, output), _bytes(4, kind)]
    for name, value in attributes.items():
        if isinstance(value, int):
            parts.append(_bytes(5, _bytes(1, name) + _int(3, value) + _int(20, 2)))
        else:
            packed = b"".join(_int(8, one) for one in value)
            parts.append(_bytes(5, _bytes(1, name) + packed + _int(20, 7)))
    return _bytes(1, b"".join(parts))


def _tensor(name: str, array: NDArray[np.float32] | NDArray[np.int64]) -> bytes:
    kind = FLOAT if array.dtype == np.float32 else INT64
    dims = b"".join(_int(1, size) for size in array.shape)
    return _bytes(5, dims + _int(2, kind) + _bytes(8, name) + _bytes(9, array.tobytes()))


def _value(field: int, name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    dims = b"".join(
        _bytes(1, _int(1, size) if isinstance(size, int) else _bytes(2, size)) for size in shape
    )
    return _bytes(field, _bytes(1, name) + _bytes(2, _bytes(1, _int(1, kind) + _bytes(2, dims))))


@dataclass(frozen=True)
class Tiny:
    """The numbers of one network."""

    weights: dict[str, Floats]
    end: int

    @property
    def size(self) -> int:
        """The number of tokens."""
        return len(self.weights["embedding"])

    def logits(self, ids: Sequence[int]) -> Floats:
        """Return logits (time, vocabulary) of a text that is read as a whole, without a cache."""
        w, time = self.weights, len(ids)
        x = w["embedding"][list(ids)] + np.sin(np.arange(time)[:, None] * w["rates"])
        hidden = np.triu(np.full((time, time), -1e9), 1)
        for layer in range(LAYERS):
            query, key, value = (x @ w[f"{part}{layer}"] for part in "qkv")
            seen = np.exp((raw := query @ key.T + hidden) - raw.max(axis=-1, keepdims=True))
            x = x + (seen / seen.sum(axis=-1, keepdims=True)) @ value
        return np.asarray(x @ w["out"] + w["bias"], np.float32)


def tiny(size: int = vocabulary.SIZE, end: int = vocabulary.END, seed: int = 0) -> Tiny:
    """Return a network with random numbers that ends its answers after some tokens."""
    random = np.random.default_rng(seed)

    def numbers(*shape: int, scale: float = 0.5) -> Floats:
        return (random.standard_normal(shape) * scale).astype(np.float32)

    weights = {"embedding": numbers(size, WIDTH), "out": numbers(WIDTH, size, scale=0.3)}
    weights["rates"] = np.linspace(0.1, 1.0, WIDTH, dtype=np.float32)
    weights["bias"] = np.zeros(size, np.float32)
    weights["bias"][end] = np.log(size)
    for layer in range(LAYERS):
        weights |= {f"{part}{layer}": numbers(WIDTH, WIDTH) for part in "qkv"}
    return Tiny(weights, end)


def onnx_bytes(net: Tiny, *, extra: bytes = b"") -> bytes:
    """Return the network as an ONNX file; `extra` are further fields of its graph."""
    nodes = [
        _node("Gather", ["embedding", "input_ids"], "embedded"),
        _node("Cast", ["position_ids"], "at", to=FLOAT),
        _node("Unsqueeze", ["at", "two"], "at3"),
        _node("Mul", ["at3", "rates"], "phase"),
        _node("Sin", ["phase"], "wave"),
        _node("Add", ["embedded", "wave"], "x0"),
        *_mask_nodes(),
    ]
    for layer in range(LAYERS):
        nodes += _layer_nodes(layer)
    nodes += [
        _node("MatMul", [f"x{LAYERS}", "out"], "raw"),
        _node("Add", ["raw", "bias"], "logits"),
    ]
    constants = {"one": [1], "two": [2], "axes13": [1, 3], "axes12": [1, 2]}
    tensors = [_tensor(name, array) for name, array in net.weights.items()]
    tensors += [_tensor(name, np.array(value, np.int64)) for name, value in constants.items()]
    tensors += [_tensor("zero", np.zeros((), np.float32)), _tensor("unit", np.ones((), np.float32))]
    tensors += [_tensor("hidden", np.full((), -1e9, np.float32))]
    graph = b"".join(nodes) + _bytes(2, "tiny") + b"".join(tensors) + _interface(net) + extra
    return _int(1, 8) + _bytes(8, _bytes(1, "") + _int(2, 17)) + _bytes(7, graph)


def _mask_nodes() -> list[bytes]:
    """Let a token see itself and those before it that are no padding."""
    return [
        _node("CumSum", ["attention_mask", "one"], "count"),
        _node("Sub", ["count", "one"], "places"),
        _node("Unsqueeze", ["places", "axes12"], "keys"),
        _node("Unsqueeze", ["position_ids", "axes13"], "queries"),
        _node("LessOrEqual", ["keys", "queries"], "before"),
        _node("Unsqueeze", ["attention_mask", "axes12"], "mask4"),
        _node("Equal", ["mask4", "one"], "real"),
        _node("And", ["before", "real"], "seen"),
        _node("Where", ["seen", "zero", "hidden"], "veil"),
    ]


def _layer_nodes(layer: int) -> list[bytes]:
    at = str(layer)
    made = []
    for part, name in (("k", "key"), ("v", "value")):
        made += [
            _node("MatMul", [f"x{at}", f"{part}{at}"], f"{name}{at}"),
            _node("Unsqueeze", [f"{name}{at}", "one"], f"{name}4{at}"),
            _node("Concat", [f"past_key_values.{at}.{name}", f"{name}4{at}"],
                  f"present.{at}.{name}", axis=2),
        ]  # fmt: skip
    return [
        *made,
        _node("MatMul", [f"x{at}", f"q{at}"], f"query{at}"),
        _node("Unsqueeze", [f"query{at}", "one"], f"query4{at}"),
        _node("Transpose", [f"present.{at}.key"], f"turned{at}", perm=[0, 1, 3, 2]),
        _node("MatMul", [f"query4{at}", f"turned{at}"], f"raw{at}"),
        _node("Mul", [f"raw{at}", "unit"], f"scaled{at}"),
        _node("Add", [f"scaled{at}", "veil"], f"veiled{at}"),
        _node("Softmax", [f"veiled{at}"], f"share{at}", axis=-1),
        _node("MatMul", [f"share{at}", f"present.{at}.value"], f"taken{at}"),
        _node("Squeeze", [f"taken{at}", "one"], f"taken3{at}"),
        _node("Add", [f"x{at}", f"taken3{at}"], f"x{layer + 1}"),
    ]


def _interface(net: Tiny) -> bytes:
    cache = [f"{layer}.{name}" for layer in range(LAYERS) for name in ("key", "value")]
    shape: list[int | str] = ["rows", 1, "past", WIDTH]
    return b"".join([
        _value(11, "input_ids", INT64, ["rows", "time"]),
        _value(11, "attention_mask", INT64, ["rows", "all"]),
        _value(11, "position_ids", INT64, ["rows", "time"]),
        *(_value(11, f"past_key_values.{name}", FLOAT, shape) for name in cache),
        _value(12, "logits", FLOAT, ["rows", "time", net.size]),
        *(_value(12, f"present.{name}", FLOAT, ["rows", 1, "all", WIDTH]) for name in cache),
    ])  # fmt: skip


def write_model(folder: Path, net: Tiny | None = None, **changes: object) -> Path:
    """Write a model folder; `changes` replace fields of the manifest."""
    content = onnx_bytes(net or tiny())
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(content)
    entry = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    manifest = {
        "schema": "nsdbg.model/1", "codec": vocabulary.VERSION,
        "files": {"model.onnx": entry}, "network": {"context": 512},
        **changes,
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder
