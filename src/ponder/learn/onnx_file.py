"""Networks as ONNX files, played through ONNX Runtime: no torch, and no code of the user's.

An exported file is an ordinary ONNX model with two outputs, `logits` and `values`, of one input,
`codes` [n, cells] int64. Its metadata hold the header of `ponder.learn.file` as JSON under
"ponder"; where codes are derived from the record, what they mean is in it. The last entry of the
file is a checksum of all before it: a ONNX model is a protocol buffer, to which entries may be
appended.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from ponder.core.array_file import TYPES
from ponder.core.position import Position
from ponder.errors import InputError, installing
from ponder.files import read_file, save_file
from ponder.json_text import json_object
from ponder.learn.file import check_shape, shape_of, sight_arrays
from ponder.learn.network import value_count
from ponder.learn.seeing import Sight

ONNX_SUFFIX = ".onnx"
HEADER, CHECKSUM = "ponder", "ponder_checksum"
ADVICE = "export it again"


def entry(key: str, value: str) -> bytes:
    """A StringStringEntry of ModelProto.metadata_props (field 14), as protocol buffers write it."""

    def field(number: int, data: bytes) -> bytes:
        return bytes([number << 3 | 2]) + varint(len(data)) + data

    return field(14, field(1, key.encode()) + field(2, value.encode()))


def varint(n: int) -> bytes:
    """A whole number as protocol buffers write it: seven bits a byte, the lowest first."""
    made = bytearray()
    while n > 127:
        made.append(n & 127 | 128)
        n >>= 7
    return bytes([*made, n])


def digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=32).hexdigest()


def export_onnx(
    path: Path, position: Position, sight: Sight, kind: str, module: Any, trained: dict[str, Any]
) -> int:
    """Write a torch module as an ONNX model, whole or not at all; its size in bytes."""
    if path.suffix != ONNX_SUFFIX:
        raise InputError(f"{path} must end in {ONNX_SUFFIX}")
    data = onnx_bytes(position, sight, kind, module, trained)
    OnnxPredictor(str(path), data, position, sight)
    save_file(path, data)
    return len(data)


def onnx_bytes(
    position: Position, sight: Sight, kind: str, module: Any, trained: dict[str, Any]
) -> bytes:
    """A torch module as an ONNX model."""
    from ponder.learn.with_torch import torch

    try:
        import onnx  # noqa: F401
    except ImportError:
        raise InputError(f"exporting needs onnx: {installing('onnx')}") from None
    header = shape_of(position, sight, kind) | {"trained": trained}
    if arrays := sight_arrays(sight):
        header["sight"] = {name: array_text(array) for name, array in arrays.items()}
    buffer: Any = io.BytesIO()
    with warnings.catch_warnings():
        # torch's newer exporter needs one more package, and says so at every use of this one
        warnings.simplefilter("ignore")
        try:
            torch.onnx.export(
                module.eval(),
                (torch.zeros((2, sight.board.cells), dtype=torch.int64),),
                buffer,
                input_names=["codes"],
                output_names=["logits", "values"],
                dynamic_axes={name: {0: "n"} for name in ("codes", "logits", "values")},
                dynamo=False,
            )
        except Exception as error:
            raise InputError(
                f"this network cannot be exported: {type(error).__name__}: {first_line(error)}"
            ) from None
    data: bytes = buffer.getvalue() + entry(HEADER, json.dumps(header))
    return data + entry(CHECKSUM, digest(data))


def first_line(error: Exception) -> str:
    return (str(error).splitlines() or [""])[0]


def array_text(array: Any) -> dict[str, Any]:
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    return {"type": array.dtype.str, "shape": array.shape, "data": data}


def text_array(said: dict[str, Any]) -> Any:
    if said["type"] not in TYPES:
        raise ValueError("an array is of no known type")
    data = base64.b64decode(said["data"])
    return np.frombuffer(data, np.dtype(said["type"])).reshape(tuple(said["shape"]))


def load_onnx(path: Path, position: Position) -> tuple[Sight, Any]:
    """How the network sees the game, and its predictor. Refuses any damage, and other games."""
    data = read_file(path)
    last = entry(CHECKSUM, "0" * 64)
    body, found = data[: -len(last)], data[-len(last) :]
    if found[:-64] != last[:-64]:
        raise InputError(f"{path} is not a network that ponder exported, or is cut short: {ADVICE}")
    if found != entry(CHECKSUM, digest(body)):
        raise InputError(f"{path} is damaged (its checksum does not agree): {ADVICE}")
    about = new_session(str(path), data).get_modelmeta()
    try:
        header = json_object(about.custom_metadata_map[HEADER])
        arrays = {name: text_array(said) for name, said in header.get("sight", {}).items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{path} is damaged (its header makes no sense): {ADVICE}") from None
    sight = check_shape(path, position, header, arrays, str(header.get("kind")))
    return sight, OnnxPredictor(str(path), data, position, sight)


def new_session(name: str, data: bytes) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise InputError(f"{name} is played through ONNX Runtime: {installing('onnx')}") from None
    options = onnxruntime.SessionOptions()
    # as torch here (`ponder.learn.model`); the cores are for searches
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what is wrong is said below
    try:
        return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise InputError(f"{name} cannot be read by ONNX Runtime: {first_line(error)}") from None


class OnnxPredictor:
    """A model as it is asked while games are played; tried out once."""

    def __init__(self, name: str, data: bytes, position: Position, sight: Sight) -> None:
        self.session = new_session(name, data)
        try:
            found = self(np.zeros((2, sight.board.cells), np.int64))
        except Exception as error:
            raise InputError(f"{name} cannot be asked: {first_line(error)}") from None
        spec = position.rules.spec
        expected = [(2, sight.actions), (2, value_count(spec))]
        if [one.shape for one in found] != expected:
            raise InputError(
                f"{name} gave arrays of shape {[one.shape for one in found]} for 2 boards; "
                f"expected {expected}"
            )
        if not all(np.isfinite(one).all() for one in found):
            raise InputError(f"{name} has weights that are not finite numbers: train it again")

    def __call__(self, codes: Any) -> tuple[Any, Any]:
        logits, values = self.session.run(["logits", "values"], {"codes": codes})
        return logits.astype(np.float32, copy=False), values.astype(np.float32, copy=False)
