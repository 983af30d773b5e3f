"""The network behind its session: tokens and a cache in, logits and a longer cache out.

Reads all shapes from the session, so that it fits any depth and width.  Chooses no tokens.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nsdbg.errors import ModelError
from nsdbg.propose.neural.provider import CPU, Choice, Wanted, choose, fallback

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Logits = NDArray[np.float32]

# onnxruntime's own levels: 4 keeps its log to what is fatal; what fails is raised anyhow.
_LOG_LEVEL = 4


@dataclass(frozen=True, slots=True)
class Cache:
    """Keys and values of what was read, a row for each text that is being continued.

    `values`: for each layer and kind an OrtValue (rows, heads, length, width), on the device.
    `mask` (rows, length) is 1 for tokens and 0 for padding.
    """

    values: tuple[Any, ...]
    mask: Ids

    @property
    def length(self) -> int:
        """How many tokens were read, padding included."""
        return int(self.mask.shape[1])


class Network:
    """A session with the names and shapes that it was exported with."""

    def __init__(self, session: Any, choice: Choice) -> None:
        """Take an open session; raises ModelError when it is no network with a cache of ours."""
        inputs = {item.name: item for item in session.get_inputs()}
        outputs = {item.name: item for item in session.get_outputs()}
        self.choice = choice
        self._session = session
        self._pasts = [name for name in inputs if name.startswith("past_key_values.")]
        self._presents = [name.replace("past_key_values.", "present.") for name in self._pasts]
        missing = {"input_ids", "attention_mask"} - set(inputs)
        missing |= {"logits", *self._presents} - set(outputs)
        if missing or not self._pasts:
            names = ", ".join(sorted(missing)) or "past_key_values"
            raise ModelError(f"the model is no network with a key-value cache: it lacks {names}")
        self._has_positions = "position_ids" in inputs
        self._shapes = [inputs[name].shape for name in self._pasts]
        self._scratch: list[NDArray[np.float32]] = self._no_scratch()
        vocabulary = outputs["logits"].shape[-1]
        if not isinstance(vocabulary, int) or not all(map(_is_fixed, self._shapes)):
            raise ModelError("the model does not say the shapes of its cache and vocabulary")
        self.vocabulary = vocabulary

    def empty(self, rows: int) -> Cache:
        """Return a cache of nothing."""
        import numpy as np

        made = (
            np.zeros((rows, heads, 0, width), np.float32) for _, heads, _, width in self._shapes
        )
        return Cache(tuple(self._upload(one) for one in made), np.ones((rows, 0), np.int64))

    def read(
        self, ids: Ids, cache: Cache, *, mask: Ids | None = None, rows: Ids | None = None
    ) -> tuple[Logits, Cache]:
        """Read more tokens, `ids` (rows, time), behind the given rows of a cache.

        `mask` tells padding, None means that there is none.  `rows` may name a row several times;
        None means all of them, in order.  Returns logits (rows, time, vocabulary) and the longer
        cache.
        """
        import numpy as np

        mask = np.ones_like(ids) if mask is None else mask
        values, known = cache.values, cache.mask
        if rows is not None and list(rows) != list(range(len(known))):
            values, known = self._rows(values, rows), known[rows]
        whole = np.concatenate([known, mask], axis=1)
        binding = self._session.io_binding()
        binding.bind_cpu_input("input_ids", np.ascontiguousarray(ids))
        binding.bind_cpu_input("attention_mask", whole)
        if self._has_positions:
            positions = np.maximum(whole.cumsum(axis=1) - 1, 0)[:, cache.length :]
            binding.bind_cpu_input("position_ids", np.ascontiguousarray(positions))
        for name, value in zip(self._pasts, values, strict=True):
            binding.bind_ortvalue_input(name, value)
        binding.bind_output("logits", "cpu")
        for name in self._presents:
            binding.bind_output(name, self.choice.device)
        self._session.run_with_iobinding(binding)
        logits, *longer = binding.get_outputs()
        # A copy: some versions return a view of memory that goes with the OrtValue.
        return np.array(logits.numpy()), Cache(tuple(longer), whole)

    def _rows(self, values: tuple[Any, ...], rows: Ids) -> tuple[Any, ...]:
        """Copy rows of a cache into memory that is used again: new pages cost more than copying."""
        import numpy as np

        found = []
        for place, value in enumerate(values):
            array = value.numpy()
            shape = (len(rows), *array.shape[1:])
            size = int(np.prod(shape))
            if self._scratch[place].size < size:
                self._scratch[place] = np.empty(size * 2, np.float32)
            room = self._scratch[place][:size].reshape(shape)
            np.take(array, rows, axis=0, out=room, mode="clip")
            found.append(self._upload(room))
        return tuple(found)

    def _no_scratch(self) -> list[NDArray[np.float32]]:
        import numpy as np

        return [np.empty(0, np.float32) for _ in self._pasts]

    def _upload(self, array: NDArray[np.float32]) -> Any:
        return _runtime().OrtValue.ortvalue_from_numpy(array, self.choice.device)


def _runtime() -> Any:
    """Return onnxruntime, which comes without types and is an optional extra."""
    return importlib.import_module("onnxruntime")


def _is_fixed(shape: list[Any]) -> bool:
    return len(shape) == 4 and isinstance(shape[1], int) and isinstance(shape[3], int)


def open_network(content: bytes, wanted: Wanted) -> Network:
    """Open a session on a network's bytes; a provider that fails gives way to the CPU.

    Raises ModelError when onnxruntime or numpy is not installed, and when the CPU fails too.
    """
    try:
        importlib.import_module("numpy")
        offered = _runtime().get_available_providers()
    except ImportError as error:
        raise ModelError(
            f"{error.name or 'onnxruntime'} is not installed: pip install 'nsdbg[cpu]'"
        ) from error
    choice = choose(wanted, offered)
    if choice.provider != CPU:
        try:
            return _open(content, choice)
        except Exception as error:  # drivers fail in many ways, and the CPU is always there
            choice = fallback(choice, str(error))
    try:
        return _open(content, choice)
    except ModelError:
        raise
    except Exception as error:  # onnxruntime raises what pybind makes of C++ exceptions
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
        raise ModelError(f"onnxruntime cannot run the model: {reason}") from error


def _open(content: bytes, choice: Choice) -> Network:
    import numpy as np

    onnxruntime = _runtime()
    options = onnxruntime.SessionOptions()
    # One core: the other ones run what is verified, and small matrices gain little from more.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = _LOG_LEVEL
    providers = list(dict.fromkeys([choice.provider, CPU]))
    session = onnxruntime.InferenceSession(content, options, providers=providers)
    session.disable_fallback()
    if choice.provider not in session.get_providers():
        raise ModelError("no device answers")
    network = Network(session, choice)
    network.read(np.zeros((1, 1), np.int64), network.empty(1))  # a broken one fails here
    return network
