"""Networks beside the kernel in files: the same form as those inside it (`ponder.learn.file`).

The kind is "residual", "mlp" or "module"; `network` in the header is the text of its plan
(`ponder.learn.plans`), and the arrays are the parameters and buffers of the module by name. A file
of kind "module" does not hold the module's code and never runs any: whoever uses it says where the
code is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ponder.core.position import Position
from ponder.core.registry import whole_text
from ponder.errors import InputError, installing
from ponder.learn.beside import AskedNetwork
from ponder.learn.file import (
    FILE,
    SUFFIX,
    check_shape,
    network_for,
    network_path,
    remembered,
    save_small,
    shape_of,
    sight_arrays,
)
from ponder.learn.network import value_count
from ponder.learn.onnx_file import ONNX_SUFFIX, export_onnx, load_onnx
from ponder.learn.plain_codes import refuse_plain
from ponder.learn.plans import ModulePlan, parse_plan, plan_text
from ponder.learn.seeing import Sight, sight_of

SIGHT_ARRAYS = ("places", "codes")


class Beside(NamedTuple):
    """A network beside the kernel, for one game."""

    sight: Sight
    predict: Any


def is_beside(name: str) -> bool:
    """Does this file hold a network that is not evaluated inside the kernel?"""
    path = network_path(name)
    if path.suffix == ONNX_SUFFIX:
        return True
    return bool(remembered(path, "kind", lambda: FILE.read(path)[0].get("kind")) != "patterns")


def asked_network(name: str, position: Position, module: str) -> AskedNetwork:
    """The network of a file, as the function that a search asks. Refuses that of another game."""
    path = network_path(name)
    refuse_plain(position, "a network beside the kernel")
    found: Beside = remembered(
        path, (whole_text(position.game), module), lambda: loaded(path, position, module)
    )
    return AskedNetwork(f"net({name!r})", position, found.sight, found.predict)


def loaded(path: Path, position: Position, module: str) -> Beside:
    """The network, asked once: what it compiles is compiled before any clock runs."""
    found = load(path, position, module)
    AskedNetwork("", position, *found)(position.raw_state)
    return found


def load(path: Path, position: Position, module: str) -> Beside:
    if path.suffix == ONNX_SUFFIX:
        if module:
            raise InputError(f"{path} holds all that is needed to play: leave out module")
        return Beside(*load_onnx(path, position))
    try:
        from ponder.learn.modules import TorchPredictor
    except InputError:
        raise InputError(
            f"{path} is a network beside the kernel, which needs torch: {installing('learn')}; "
            f"exported by ponder train --export it needs ONNX Runtime: {installing('onnx')}"
        ) from None
    sight, made = load_module(path, position, module)
    return Beside(sight, TorchPredictor(made))


def load_module(path: Path, position: Position, module: str) -> tuple[Sight, Any]:
    """How the network of a file sees the game, and its torch module."""
    from ponder.learn.modules import new_module

    header, arrays = FILE.read(path)
    kind = header.get("kind")
    sight = check_shape(path, position, header, arrays, str(kind))
    plan = the_plan(path, header, module)
    spec = position.rules.spec
    made = new_module(plan, sight.board, sight.actions, value_count(spec))
    given = {name: array for name, array in arrays.items() if name not in SIGHT_ARRAYS}
    fill_module(path, made, given)
    return sight, made


def the_plan(path: Path, header: dict[str, Any], module: str) -> Any:
    """The plan of the file; of a user's module, the source that the user has named."""
    try:
        plan = parse_plan(str(header["network"]))
    except (KeyError, InputError):
        raise InputError(f"{path} says nothing usable of what its network is built of") from None
    if plan.kind != header.get("kind"):
        raise InputError(
            f"{path} holds a network of kind {header.get('kind')!r}, which this version does not "
            "know"
        )
    if isinstance(plan, ModulePlan):
        if not module:
            raise InputError(
                f"{path} needs the module that it was trained with: net(..., "
                f"module={plan.source!r}); no file's code is run unless you name it"
            )
        named = parse_plan(module)
        if not isinstance(named, ModulePlan):
            raise InputError(f"module takes FILE.py:NAME, not {module!r}")
        return named
    if module:
        raise InputError(f"{path} holds a network of kind {plan.kind!r}: leave out module")
    return plan


def fill_module(path: Path, module: Any, arrays: dict[str, Any]) -> None:
    """Give the module the arrays; refused unless all fit and are finite."""
    from ponder.learn.model import fixed_buffers
    from ponder.learn.with_torch import torch

    own = module.state_dict()
    if set(own) != set(arrays):
        odd = ", ".join(sorted(set(own) ^ set(arrays))[:3])
        raise InputError(f"{path} does not fit its module: {odd} are in one of them only")
    made = {}
    for name, tensor in own.items():
        array, expected = np.array(arrays[name]), tensor.numpy()
        if array.shape != expected.shape or array.dtype != expected.dtype:
            raise InputError(
                f"{path} has an array {name} of shape {array.shape} and type {array.dtype}; "
                f"expected {expected.shape} and {expected.dtype}"
            )
        if not np.isfinite(array).all():
            raise InputError(f"{path} has weights that are not finite numbers: train it again")
        made[name] = torch.from_numpy(array)
    if not all(made[name].equal(one) for name, one in fixed_buffers(module).items()):
        raise InputError(f"{path} looks its embeddings up by other numbers: train it again")
    module.load_state_dict(made)


def save_module(
    path: Path, position: Position, sight: Sight, plan: Any, module: Any, trained: dict[str, Any]
) -> int:
    """Write a network, whole or not at all; its size in bytes."""
    arrays = {name: tensor.detach().numpy() for name, tensor in module.state_dict().items()}
    taken = set(arrays) & set(SIGHT_ARRAYS)
    if taken and sight.derived:
        raise InputError(f"a module may not call its arrays {', '.join(SIGHT_ARRAYS)}")
    header = shape_of(position, sight, plan.kind) | {"network": plan_text(plan)}
    return FILE.write(path, header | {"trained": trained}, arrays | sight_arrays(sight))


def export_network(name: str, position: Position, module: str, path: Path) -> int:
    """Write the network of a file or run as an ONNX model; or, one inside the kernel, as a file a
    quarter as large, by the ending of `path`. Its size in bytes."""
    source = network_path(name)
    if path.suffix == SUFFIX and not is_beside(name):
        return save_small(source, path, position)
    if path.suffix != ONNX_SUFFIX:
        raise InputError(
            f"{path} must end in {ONNX_SUFFIX}, or in {SUFFIX} for a network inside the kernel"
        )
    refuse_plain(position, "an ONNX model")
    from ponder.learn.modules import PatternNetwork

    if source.suffix == ONNX_SUFFIX:
        raise InputError(f"{source} is an ONNX model already")
    header = FILE.read(source)[0]
    if is_beside(name):
        sight, made = load_module(source, position, module)
    else:
        network, cells = network_for(name, position)
        sight = sight_of(position, FILE.read(source)[1])
        made = PatternNetwork(network.patterns, network.weights, cells, network.players)
    return export_onnx(path, position, sight, header["kind"], made, header.get("trained", {}))
