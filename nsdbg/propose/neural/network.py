"""The network behind its session: tokens and a cache in, logits and a longer cache out.

Reads all shapes from the session, so that it fits any depth and width.  Chooses no tokens.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nsdbg.errors import ModelError
from nsdbg.propose.neural.provider import CPU, Choice, Wanted, choose, fallback
from nsdbg.propose.neural.rewire import BIAS, rewired

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Mask = NDArray[np.bool_]
    Logits = NDArray[np.float32]

# onnxruntime's own levels: 4 keeps its log to what is fatal; what fails is raised anyhow.
_LOG_LEVEL = 4


@dataclass(frozen=True, slots=True)
class Cache:
    """Keys and values of what was read, a row for each text.

    `values`: for each layer and kind an OrtValue (rows, heads, length, width), on the device.
    """

    values: tuple[Any, ...]
    rows: int
    length: int = 0


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
        missing = {"input_ids", "position_ids", BIAS} - set(inputs)
        missing |= {"logits", *self._presents} - set(outputs)
        if missing or not self._pasts:
            names = ", ".join(sorted(missing)) or "past_key_values"
            raise ModelError(f"the model is no network with a key-value cache: it lacks {names}")
        self._shapes = [inputs[name].shape for name in self._pasts]
        self._scratch: list[NDArray[np.float32]] = self._no_scratch()
        vocabulary = outputs["logits"].shape[-1]
        if not isinstance(vocabulary, int) or not all(map(_is_fixed, self._shapes)):
            raise ModelError("the model does not say the shapes of its cache and vocabulary")
        self.vocabulary = vocabulary

    def empty(self, rows: int = 1) -> Cache:
        """Return a cache of nothing."""
        import numpy as np

        shapes = [(rows, heads, 0, width) for _, heads, _, width in self._shapes]
        return Cache(tuple(self._upload(np.zeros(shape, np.float32)) for shape in shapes), rows)

    def read(
        self, ids: Ids, cache: Cache, *, seen: Mask | None = None, positions: Ids | None = None
    ) -> tuple[Logits, Cache]:
        """Read more tokens, `ids` (rows, time), behind a cache.

        `seen` (rows, time, all) tells which of the cache and of `ids` each token sees, and
        `positions` (rows, time) where in its text it stands.  Without them the tokens follow one
        another, behind all of the cache.  Returns logits (rows, time, vocabulary) and the longer
        cache.
        """
        import numpy as np

        rows, time = ids.shape
        if seen is None:
            seen = np.tril(np.ones((1, time, cache.length + time), bool), cache.length)
        if positions is None:
            positions = np.arange(cache.length, cache.length + time)[None].repeat(rows, axis=0)
        hidden = np.finfo(np.float32).min
        bias = np.where(seen[:, None], np.float32(0), hidden).astype(np.float32)
        binding = self._session.io_binding()
        binding.bind_cpu_input("input_ids", np.ascontiguousarray(ids, np.int64))
        binding.bind_cpu_input("position_ids", np.ascontiguousarray(positions, np.int64))
        binding.bind_cpu_input(BIAS, np.ascontiguousarray(bias))
        for name, value in zip(self._pasts, cache.values, strict=True):
            binding.bind_ortvalue_input(name, value)
        binding.bind_output("logits", "cpu")
        for name in self._presents:
            binding.bind_output(name, self.choice.device)
        self._session.run_with_iobinding(binding)
        logits, *longer = binding.get_outputs()
        # A copy: some versions return a view of memory that goes with the OrtValue.
        return np.array(logits.numpy()), Cache(tuple(longer), rows, cache.length + time)

    def keep(self, cache: Cache, rows: Ids) -> Cache:
        """Return a cache of these rows alone, for the very next `read`.

        It lies in memory that is used again: new pages cost more than copying.
        """
        import numpy as np

        values = []
        for place, value in enumerate(cache.values):
            array = value.numpy()
            shape = (len(rows), *array.shape[1:])
            size = int(np.prod(shape))
            if self._scratch[place].size < size:
                self._scratch[place] = np.empty(size, np.float32)
            room = self._scratch[place][:size].reshape(shape)
            np.take(array, rows, axis=0, out=room, mode="clip")
            values.append(self._upload(room))
        return Cache(tuple(values), len(rows), cache.length)

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
    content = rewired(content)
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
        version = getattr(_runtime(), "__version__", "")
        raise ModelError(f"onnxruntime {version} cannot run the model: {reason}") from error


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
    network.read(np.zeros((1, 1), np.int64), network.empty())  # a broken one fails here
    return network
