"""Network files (`ponder.core.array_file`): which game, which shape, the arrays.

The header says

    game      the game with all its parameters; a network is of that game alone
    kind      "patterns": the network of `ponder.learn.network`. Other kinds, of networks beside
              the kernel, have other arrays (`ponder.learn.beside_file`)
    board     the geometry that the cells have; players, actions, values: the shape of the outputs
    trained   what the run that made it knew of itself (games, positions, seconds), for people

    plain     of a plain Python game: how its states and actions are coded

and the arrays are the weights, with `places` and `codes` where the game has no `cells`. A small
file has its embeddings in 8 bits and a scale for each of their columns.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ponder.core.array_file import ArrayFile
from ponder.core.position import Position
from ponder.core.registry import game_text, whole_text
from ponder.errors import InputError
from ponder.files import named_file
from ponder.learn.network import (
    MOST_PHASES,
    NARROW,
    WEIGHTS,
    WIDTH,
    Network,
    Weights,
    network_of,
    value_count,
)
from ponder.learn.patterns import patterns_of
from ponder.learn.seeing import Sight, sight_of

FILE = ArrayFile(b"PONDER NETWORK 1", "a network", "train it again")
SUFFIX = ".network"
IN_A_RUN = "best" + SUFFIX
"""The network of a training run's folder."""
SCALE = "E_scale"
"""The array of a small file that says what its embeddings are multiples of."""
LARGEST = 1e9
"""Of a weight. Sums of thousands of products of three are still 32-bit numbers."""
SHIPPED = Path(__file__).with_name("networks")


def network_path(name: str) -> Path:
    """The file that is meant: a file, the folder of a run, or the name of a shipped network."""
    shipped = {file.stem: file for file in sorted(SHIPPED.glob(f"*{SUFFIX}"))}
    try:
        path = named_file(name)
    except InputError:
        if name in shipped:
            return shipped[name]
        raise
    if path.is_dir():
        path = path / IN_A_RUN
        if not path.is_file():
            raise InputError(f"{name} has no network yet: {IN_A_RUN} is written while training")
        return path
    if path.is_file():
        return path
    if name in shipped:
        return shipped[name]
    names = ", ".join(shipped) or "none"
    raise InputError(
        f"no network {name!r}: it is neither a file nor one of those shipped ({names})"
    )


def shape_of(position: Position, sight: Sight, kind: str = "patterns") -> dict[str, Any]:
    """What must agree for a network to belong to a game."""
    spec = position.rules.spec
    said = {
        "game": whole_text(position.own_game),
        "kind": kind,
        "board": list(sight.board),
        "players": spec.players,
        "actions": sight.actions,
        "values": value_count(spec),
    }
    return said if sight.plain is None else said | {"plain": json.loads(json.dumps(sight.plain))}


def save_network(
    path: Path, position: Position, sight: Sight, weights: Weights, trained: dict[str, Any]
) -> int:
    """Write a network, whole or not at all; its size in bytes."""
    arrays = weights._asdict() | sight_arrays(sight)
    return FILE.write(path, {**shape_of(position, sight), "trained": trained}, arrays)


def save_small(source: Path, path: Path, position: Position) -> int:
    """Write the network of a file once more, its embeddings in 8 bits; its size in bytes."""
    header, arrays = FILE.read(source)
    check_shape(source, position.for_kernels(), header, arrays, "patterns")
    whole = widened(arrays)["E"]
    scale = np.maximum(np.abs(whole).max(axis=0), np.float32(1e-30)) / np.float32(127)
    small = np.rint(whole / scale).astype(np.int8)
    return FILE.write(path, header, {**arrays, "E": small, SCALE: scale.astype(np.float32)})


def widened(arrays: dict[str, Any]) -> dict[str, Any]:
    """The arrays with embeddings in 32 bits: those of a small file are small whole numbers times
    the scale of their column."""
    if SCALE not in arrays:
        return arrays
    scale, kept = np.array(arrays[SCALE]), np.array(arrays["E"])
    if kept.dtype != np.int8 or scale.shape != kept.shape[1:] or scale.dtype != np.float32:
        return arrays  # refused by its type
    with np.errstate(over="ignore", invalid="ignore"):  # refused, as numbers that are none
        return {**arrays, "E": kept.astype(np.float32) * scale}


def sight_arrays(sight: Sight) -> dict[str, Any]:
    """What a file keeps of codes that were derived from the record."""
    if not sight.derived or sight.plain is not None:
        return {}
    return {"places": sight.cells.places, "codes": sight.cells.codes}


_remembered: dict[Any, Any] = {}


def remembered(path: Path, what: Any, make: Callable[[], Any]) -> Any:
    """What `make` gives, made once as long as the file is the same."""
    about = path.stat()
    key = (about.st_dev, about.st_ino, about.st_mtime_ns, about.st_size, what)
    if key not in _remembered:
        if len(_remembered) >= 32:
            _remembered.pop(next(iter(_remembered)))
        _remembered[key] = make()
    return _remembered[key]


def network_for(name: str, position: Position) -> tuple[Network, int]:
    """The network for the position's game, and how many cells it sees. Refuses any other.

    The same arrays as long as the file is the same.
    """
    path = network_path(name)
    if position.rules.plain:  # what it sees belongs to one search
        return _read(path, position.for_kernels())
    made: tuple[Network, int] = remembered(
        path, whole_text(position.game), lambda: _read(path, position)
    )
    return made


def _read(path: Path, position: Position) -> tuple[Network, int]:
    header, arrays = FILE.read(path)
    sight = check_shape(path, position, header, arrays, "patterns")
    spec = position.rules.spec
    patterns = patterns_of(sight.board)
    rows = int(patterns.bases[-1])
    weights = checked_weights(path, arrays, rows, spec.players, sight.actions, value_count(spec))
    return network_of(sight, patterns, weights, spec), sight.board.cells


def check_shape(
    path: Path, position: Position, header: dict[str, Any], arrays: dict[str, Any], kind: str
) -> Sight:
    """How the network of this header sees the game; refused if it is of another game or shape."""
    expected = whole_text(position.own_game)
    if header.get("game") != expected:
        raise InputError(f"{path} is a network of {header.get('game')}, not of {expected}")
    if header.get("kind") != kind:
        raise InputError(
            f"{path} holds a network of kind {header.get('kind')!r}; expected is {kind!r}, "
            "which is evaluated inside the search"
        )
    sight = sight_of(position, arrays, header.get("plain"))
    for name, wanted in shape_of(position, sight, kind).items():
        if header.get(name) != wanted:
            raise InputError(
                f"{path} does not fit {game_text(position.own_game)} as it is now: its {name} is "
                f"{header.get(name)}, expected {wanted}"
            )
    return sight


def checked_weights(
    path: Path, arrays: dict[str, Any], rows: int, players: int, actions: int, values: int
) -> Weights:
    """The weights, of the shapes that kernels rely on."""
    missing = [name for name in WEIGHTS if name not in arrays]
    if missing:
        raise InputError(f"{path} lacks the arrays {', '.join(missing)}: train it again")
    arrays = widened(arrays)
    found = Weights(*(np.array(arrays[name]) for name in WEIGHTS))
    # a second layer for every player, in each of some phases
    phases = min(max(1, found.b1.shape[0] // players if found.b1.ndim else 1), MOST_PHASES)
    layers = players * phases
    expected = {
        "E": (rows, WIDTH),
        "b1": (layers, WIDTH),
        "W2": (layers, WIDTH, NARROW),
        "b2": (layers, NARROW),
        "Wp": (actions, NARROW),
        "bp": (actions,),
        "Wv": (values, NARROW),
        "bv": (values,),
    }
    for name, shape in expected.items():
        array = getattr(found, name)
        if array.shape != shape or array.dtype != np.float32:
            raise InputError(
                f"{path} has an array {name} of shape {array.shape} and type {array.dtype}; "
                f"expected {shape} and float32"
            )
        check_finite(path, array)
    return found


def check_finite(path: Path, array: Any) -> None:
    """Refuse weights from which a network inside the kernel could compute what is no number."""
    if not (np.abs(array) <= LARGEST).all():  # NaN is not
        raise InputError(
            f"{path} has weights that are not finite numbers, or are above {LARGEST:.0e}: "
            "train it again"
        )
