"""Lets a network take from outside which tokens see which, in the place of a mask of padding.

Several continuations of one text then share a single cache: each token sees the text and its own
beginning.  Sixteen of them cost three times what one does, and not sixteen times.

What optimum exports makes the mask itself, out of `attention_mask`.  Here the sums in front of
the softmaxes get a new input instead, and what made the mask goes.  The file is edited as the
protobuf that it is, since the onnx package is none of the run-time dependencies:
https://protobuf.dev/programming-guides/encoding/ and onnx.proto.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from nsdbg.errors import ModelError

BIAS = "attention_bias"
_MASK = b"attention_mask"
# Numbers of fields, as onnx.proto has them.
_GRAPH = 7  # of a model
_NODE, _INPUT, _OUTPUT = 1, 11, 12  # of a graph
_INPUTS, _OUTPUTS, _KIND, _ATTRIBUTE = 1, 2, 4, 5  # of a node
_INNER = (6, 11)  # of an attribute: a graph, graphs
_FLOAT = 1
# What may stand between the product of queries and keys and the mask that is added to it.
_SHAPING = (b"Mul", b"Div", b"Reshape", b"Cast", b"Transpose", b"Identity")


@dataclass(slots=True)
class _Node:
    raw: bytes
    kind: bytes = b""
    inputs: list[bytes] = field(default_factory=list)
    outputs: list[bytes] = field(default_factory=list)
    inner: list[bytes] = field(default_factory=list)


def rewired(content: bytes) -> bytes:
    """Return a network's file with the input `attention_bias` (rows, 1, time, all) for its mask.

    A file that has it comes back as it is.  Raises ModelError where no mask is found to replace.
    """
    if BIAS.encode() in content:
        return content
    try:
        return _rewired(content)
    except (IndexError, ValueError, RecursionError) as error:
        raise ModelError("the model is no ONNX file that can be read") from error


def _rewired(content: bytes) -> bytes:
    model = list(_fields(content))
    graphs = [payload for number, _, payload in model if number == _GRAPH]
    if len(graphs) != 1:
        raise ModelError("the model is no ONNX file: it has no graph")
    graph = list(_fields(graphs[0]))
    nodes = [_node(payload) for number, _, payload in graph if number == _NODE]
    if not _replace_masks(nodes):
        raise ModelError("the model has no attention with a mask that could be replaced")
    outputs = {_name(payload) for number, _, payload in graph if number == _OUTPUT}
    parts = [_bytes(_NODE, node.raw) for node in _needed(nodes, outputs)]
    for number, raw, payload in graph:
        if number != _NODE and not (number == _INPUT and _name(payload) == _MASK):
            parts.append(raw)
    parts.append(_bytes(_INPUT, _bias()))
    others = [raw for number, raw, _ in model if number != _GRAPH]
    return b"".join([*others, _bytes(_GRAPH, b"".join(parts))])


def _replace_masks(nodes: list[_Node]) -> int:
    """Give each sum of scores and a mask the new input; return how many there were."""
    made = {name: node for node in nodes for name in node.outputs}
    count = 0
    for node in nodes:
        total = made.get(node.inputs[0]) if node.kind == b"Softmax" else None
        if total is None or total.kind != b"Add":
            continue
        masks = [at for at, name in enumerate(total.inputs) if not _is_product(name, made)]
        if len(masks) == 1:
            total.inputs[masks[0]] = BIAS.encode()
            total.raw = _with_inputs(total)
            count += 1
    return count


def _is_product(name: bytes, made: dict[bytes, _Node]) -> bool:
    """Whether a tensor is a product of matrices, scaled or in another shape: the scores."""
    node = made.get(name)
    while node is not None and node.kind in _SHAPING:
        node = made.get(node.inputs[0])
    return node is not None and node.kind == b"MatMul"


def _needed(nodes: list[_Node], outputs: set[bytes]) -> list[_Node]:
    """Return the nodes on which the outputs depend, in order."""
    wanted, kept = set(outputs), []
    for node in reversed(nodes):
        if not wanted.isdisjoint(node.outputs):
            kept.append(node)
            wanted.update(node.inputs, node.inner)
    return kept[::-1]


def _node(raw: bytes) -> _Node:
    node = _Node(raw)
    for number, _, payload in _fields(raw):
        if number == _INPUTS:
            node.inputs.append(payload)
        elif number == _OUTPUTS:
            node.outputs.append(payload)
        elif number == _KIND:
            node.kind = payload
        elif number == _ATTRIBUTE:
            node.inner += _inner_names(payload)
    return node


def _inner_names(attribute: bytes) -> Iterator[bytes]:
    """Yield the names that the nodes of an attribute's graphs take, which may lie outside."""
    for number, _, payload in _fields(attribute):
        if number in _INNER:
            for inside, _, raw in _fields(payload):
                if inside == _NODE:
                    node = _node(raw)
                    yield from (*node.inputs, *node.inner)


def _with_inputs(node: _Node) -> bytes:
    rest = [raw for number, raw, _ in _fields(node.raw) if number != _INPUTS]
    return b"".join([*(_bytes(_INPUTS, name) for name in node.inputs), *rest])


def _name(value: bytes) -> bytes:
    """Return the name of an input or output of the graph."""
    return next((payload for number, _, payload in _fields(value) if number == 1), b"")


def _bias() -> bytes:
    """Return the new input: float32 (rows, 1, time, all)."""
    sizes = [
        _bytes(2, b"rows"),
        _number(1 << 3) + _number(1),
        _bytes(2, b"time"),
        _bytes(2, b"all"),
    ]
    shape = b"".join(_bytes(1, size) for size in sizes)
    tensor = _number(1 << 3) + _number(_FLOAT) + _bytes(2, shape)
    return _bytes(1, BIAS.encode()) + _bytes(2, _bytes(1, tensor))


def _fields(data: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield a message's fields: the number, the whole field, and its payload if it has a length."""
    at, size = 0, len(data)
    while at < size:
        begin = at
        key, at = _varint(data, at)
        kind = key & 7
        payload = b""
        if kind == 0:
            _, at = _varint(data, at)
        elif kind == 2:
            length, at = _varint(data, at)
            payload = data[at : at + length]
            if len(payload) != length:
                raise ValueError("a field runs over the end")
            at += length
        elif kind in (1, 5):
            at += 8 if kind == 1 else 4
        else:
            raise ValueError(f"a field of kind {kind}")
        yield key >> 3, data[begin:at], payload


def _varint(data: bytes, at: int) -> tuple[int, int]:
    found = data[at]
    if found < 128:
        return found, at + 1
    found &= 127
    shift = 7
    while True:
        at += 1
        byte = data[at]
        found |= (byte & 127) << shift
        if byte < 128:
            return found, at + 1
        shift += 7
        if shift > 63:
            raise ValueError("a number that does not end")


def _number(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _bytes(number: int, payload: bytes) -> bytes:
    return _number(number << 3 | 2) + _number(len(payload)) + payload
