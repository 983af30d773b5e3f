"""A model that cannot be used is refused in one clear sentence."""

from __future__ import annotations

import hashlib
import importlib
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("numpy")

from tiny_network import _bytes, onnx_bytes, tiny, write_model

from nsdbg.errors import ModelError
from nsdbg.propose.codec import vocabulary
from nsdbg.propose.neural import network
from nsdbg.propose.neural.engine import load
from nsdbg.propose.neural.folder import read_folder
from nsdbg.propose.neural.network import open_network
from nsdbg.propose.neural.provider import CPU, CUDA, Choice, choose


def refused(folder: Path) -> str:
    with pytest.raises(ModelError) as caught:
        load(folder)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    return message


def change(folder: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    path = folder / "manifest.json"
    fields = json.loads(path.read_text())
    edit(fields)
    path.write_text(json.dumps(fields))


def test_a_folder_without_a_manifest_has_no_model(tmp_path: Path) -> None:
    assert "there is no model" in refused(tmp_path)
    assert "there is no model" in refused(tmp_path / "nowhere")


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", '{"a":' * 100_000])
def test_a_manifest_that_is_no_json_object_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    assert "manifest.json is not" in refused(tmp_path)


def test_a_manifest_of_another_version_is_refused(tmp_path: Path) -> None:
    write_model(tmp_path, schema="nsdbg.model/9")
    assert "has schema 'nsdbg.model/9', and this nsdbg reads nsdbg.model/1" in refused(tmp_path)


def test_a_model_of_other_tokens_is_refused(tmp_path: Path) -> None:
    write_model(tmp_path, codec="0-old")
    message = refused(tmp_path)
    assert "'0-old'" in message
    assert vocabulary.VERSION in message


@pytest.mark.parametrize(
    "files", [{}, None, [], {"model.onnx": None}, {"model.onnx": {"bytes": 1}},
              {"model.onnx": {"sha256": "zz", "bytes": 1}},
              {"model.onnx": {"sha256": "0" * 64, "bytes": "1"}}],
)  # fmt: skip
def test_a_manifest_that_names_no_hash_is_refused(tmp_path: Path, files: object) -> None:
    write_model(tmp_path, files=files)
    assert "model.onnx" in refused(tmp_path)


@pytest.mark.parametrize("size", [0, -1, 1 << 31])
def test_a_size_that_no_model_has_is_refused(tmp_path: Path, size: int) -> None:
    write_model(tmp_path)
    change(tmp_path, lambda fields: fields["files"]["model.onnx"].update(bytes=size))
    assert f"said to have {size} bytes" in refused(tmp_path)


def test_a_missing_network_is_refused(tmp_path: Path) -> None:
    (write_model(tmp_path) / "model.onnx").unlink()
    assert "cannot read the model" in refused(tmp_path)


def test_a_cut_network_is_refused(tmp_path: Path) -> None:
    path = write_model(tmp_path) / "model.onnx"
    path.write_bytes(path.read_bytes()[:-10])
    assert "it was cut or changed" in refused(tmp_path)


def test_an_altered_network_is_refused(tmp_path: Path) -> None:
    path = write_model(tmp_path) / "model.onnx"
    content = bytearray(path.read_bytes())
    content[-1000] ^= 1
    path.write_bytes(content)
    assert "SHA-256" in refused(tmp_path)


def replace_network(folder: Path, content: bytes) -> None:
    (folder / "model.onnx").write_bytes(content)
    entry = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    change(folder, lambda fields: fields["files"].update({"model.onnx": entry}))


def test_a_network_that_is_no_onnx_is_refused(tmp_path: Path) -> None:
    replace_network(write_model(tmp_path), b"not a protobuf at all")
    assert "is no ONNX file" in refused(tmp_path)
    content = onnx_bytes(tiny()).replace(b"Softmax", b"Softmix")
    replace_network(tmp_path, content)
    assert "no attention with a mask" in refused(tmp_path)
    replace_network(tmp_path, onnx_bytes(tiny()).replace(b"Gather", b"Gathir"))
    assert re.match(r"onnxruntime [\d.]+ cannot run the model: ", refused(tmp_path))


def test_a_network_without_a_cache_is_refused(tmp_path: Path) -> None:
    content = onnx_bytes(tiny()).replace(b"present.0", b"pretend.0")
    replace_network(write_model(tmp_path), content)
    assert "it lacks present.0.key, present.0.value" in refused(tmp_path)


def test_a_network_that_keeps_tensors_elsewhere_is_refused(tmp_path: Path) -> None:
    entry = _bytes(1, "location") + _bytes(2, "/etc/passwd")
    tensor = _bytes(5, _bytes(8, "far") + _bytes(13, entry))
    replace_network(write_model(tmp_path), onnx_bytes(tiny(), extra=tensor))
    assert "tensors in other files" in refused(tmp_path)


def test_the_context_comes_from_the_manifest_and_nonsense_is_not_believed(tmp_path: Path) -> None:
    write_model(tmp_path, network={"context": 700})
    assert read_folder(tmp_path, vocabulary.VERSION).context == 700
    nonsense: object
    for nonsense in ({"context": -1}, {"context": "x"}, None, [], {}):
        write_model(tmp_path, network=nonsense)
        assert read_folder(tmp_path, vocabulary.VERSION).context == 2048


def test_the_provider_is_chosen_with_a_reason() -> None:
    assert choose("auto", [CUDA, CPU]) == Choice(CUDA, "onnxruntime offers CUDA")
    assert choose("cpu", [CUDA, CPU]) == Choice(CPU, "the CPU was asked for")
    plain, wanted = choose("auto", [CPU]), choose("cuda", [CPU])
    assert plain.provider == wanted.provider == CPU
    assert "nsdbg[gpu]" in plain.reason
    assert not plain.disappoints
    assert wanted.disappoints


class Runtime(SimpleNamespace):
    """onnxruntime with a CUDA that breaks when a session opens."""

    def __init__(self, problem: str | None) -> None:
        onnxruntime: Any = importlib.import_module("onnxruntime")
        self.problem, self.opened = problem, list[list[str]]()
        self.OrtValue = onnxruntime.OrtValue
        self.SessionOptions = onnxruntime.SessionOptions
        self._real = onnxruntime.InferenceSession

    def get_available_providers(self) -> list[str]:
        return [CUDA, CPU]

    def InferenceSession(self, content: bytes, options: object, providers: list[str]) -> object:
        self.opened.append(providers)
        if CUDA in providers and self.problem is not None:
            raise RuntimeError(self.problem)
        # onnxruntime itself only warns where there is no device, and goes on without it.
        return self._real(content, options, providers=[CPU])


@pytest.mark.parametrize(
    ("problem", "told"),
    [("CUDA failure 35: driver too old\nat line 9", "CUDA failed: CUDA failure 35: driver too old"),
     (None, "CUDA failed: no device answers")],
)  # fmt: skip
def test_a_provider_that_fails_gives_way_to_the_cpu(
    monkeypatch: pytest.MonkeyPatch, problem: str | None, told: str
) -> None:
    runtime = Runtime(problem)
    monkeypatch.setattr(network, "_runtime", lambda: runtime)
    found = open_network(onnx_bytes(tiny()), "auto")
    assert runtime.opened == [[CUDA, CPU], [CPU]]
    assert found.choice == Choice(CPU, told, disappoints=True)


@pytest.mark.parametrize("absent", ["onnxruntime", "numpy"])
def test_without_the_runtime_one_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch, absent: str
) -> None:
    monkeypatch.setitem(sys.modules, absent, None)
    with pytest.raises(ModelError) as caught:
        open_network(b"", "auto")
    assert "pip install 'nsdbg[cpu]'" in str(caught.value)
