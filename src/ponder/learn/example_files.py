"""A small file of each format of this layer, and its reader: see `ponder.core.formats`.

Weights are those before any training, of tic-tac-toe where nothing else is said.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ponder.core.geometry import Geometry
from ponder.core.position import Position
from ponder.core.registry import parse_game
from ponder.games.tictactoe import TicTacToe
from ponder.learn.beside_file import load_module, save_module
from ponder.learn.checkpoint import CHECKPOINT, load_played, save_log, save_played
from ponder.learn.checkpoint import read_log as log_of
from ponder.learn.config import read_config, save_config, training
from ponder.learn.file import network_for, save_network, save_small
from ponder.learn.network import new_weights, value_count
from ponder.learn.onnx_file import export_onnx, load_onnx
from ponder.learn.patterns import patterns_of
from ponder.learn.plain_codes import Piece, PlainCodes, codes_from
from ponder.learn.plain_games import save_codes, saved_codes
from ponder.learn.plans import parse_plan
from ponder.learn.seeing import sight_of
from ponder.learn.selfplay import PlayedRows, new_played

NIM = "nim(heaps=(2, 1))"
PLAN = "mlp(layers=1, width=4)"
ROUND = 3


def save_new_network(path: Path, start: Position) -> None:
    sight, spec = sight_of(start), start.rules.spec
    values = value_count(spec)
    weights = new_weights(patterns_of(sight.board), spec.players, sight.actions, values, 1)
    save_network(path, start, sight, weights, {"games": 3})


def weights_of(path: Path, start: Position) -> Any:
    network, cells = network_for(str(path), start)
    return cells, [array.tobytes() for array in network.weights]


def new_model(start: Position, text: str) -> Any:
    """A torch module that the text of a plan names."""
    from ponder.learn.modules import new_module

    sight = sight_of(start)
    return new_module(
        parse_plan(text), sight.board, sight.actions, value_count(start.rules.spec), 1
    )


def write_network(path: Path) -> None:
    save_new_network(path, Position(TicTacToe()))


def read_network(path: Path) -> Any:
    return weights_of(path, Position(TicTacToe()))


def write_record_network(path: Path) -> None:
    save_new_network(path, Position(parse_game(NIM)))


def read_record_network(path: Path) -> Any:
    return weights_of(path, Position(parse_game(NIM)))


def write_small_network(path: Path) -> None:
    start = Position(TicTacToe())
    save_new_network(path, start)
    save_small(path, path, start)


read_small_network = read_network


def write_module_network(path: Path) -> None:
    start = Position(TicTacToe())
    save_module(
        path, start, sight_of(start), parse_plan(PLAN), new_model(start, PLAN), {"games": 3}
    )


def read_module_network(path: Path) -> Any:
    _, made = load_module(path, Position(TicTacToe()), "")
    return {name: tensor.numpy().tobytes() for name, tensor in made.state_dict().items()}


def write_onnx(path: Path) -> None:
    start = Position(TicTacToe())
    export_onnx(path, start, sight_of(start), "mlp", new_model(start, PLAN), {"games": 3})


def read_onnx(path: Path) -> Any:
    sight, predict = load_onnx(path, Position(TicTacToe()))
    return [found.tobytes() for found in predict(np.zeros((2, sight.board.cells), np.int64))]


def played_rows(start: Position) -> PlayedRows:
    """The first positions of one game."""
    rows = new_played(start.rules.spec, 3)
    for row, here in enumerate((start, start.play("b2"), start.play_all("b2 a1"))):
        rows.states[row] = here.raw_state[0]
        rows.policy[row, : len(here.legal_actions)] = 1 / len(here.legal_actions)
    rows.count[:] = 3, 1, 3
    return rows


def write_played(path: Path) -> None:
    save_played(path.parents[1], ROUND, played_rows(Position(TicTacToe())))


def read_played(path: Path) -> Any:
    found = load_played(path.parents[1], ROUND, Position(TicTacToe()).rules.spec)
    return None if found is None else [array.tobytes() for array in found]


def new_learner() -> Any:
    """A learner that has made a step, so that its optimiser has something to keep."""
    from ponder.learn.model import Learner
    from ponder.learn.modules import LearnedModule
    from ponder.learn.replay import Sampler

    start = Position(TicTacToe())
    learner = Learner(LearnedModule(new_model(start, PLAN)), 1e-3, 1e-4)
    batch = Sampler(start, sight_of(start)).batch(played_rows(start), [0, 1], [0, 0])
    learner.learn(batch, 1e-3)
    return learner


def write_checkpoint(path: Path) -> None:
    from ponder.learn.training import Totals

    learner = new_learner()
    totals = Totals(rounds=2, games=20, positions=100, steps=3, seconds=1.5)
    CHECKPOINT.write(
        path, {"totals": totals._asdict(), "sizes": [40, 60], "oldest": 0}, learner.arrays()
    )


def read_checkpoint(path: Path) -> Any:
    from ponder.learn.training import restored

    learner = new_learner()
    totals, sizes, oldest = restored(path, learner)
    return totals, sizes, oldest, [array.tobytes() for array in learner.arrays().values()]


def write_log(path: Path) -> None:
    from ponder.learn.training import Totals

    lines = [
        Totals(i, 10 * i, 50 * i, i - 1, 1.5 * i)._asdict()
        | {"seconds_wanted": 60.0, "policy_loss": 1 / i, "value_loss": 0.5, "simulations": 900}
        for i in (1, 2, 3)
    ]
    lines[1] |= {"rung": 0, "opponent": "random()", "score": 0.75}
    save_log(path.parent, lines)


def read_log(path: Path) -> Any:
    return log_of(path.parent)


def write_settings(path: Path) -> None:
    save_config(path.parent, "tictactoe", training(seed=5))


def read_settings(path: Path) -> Any:
    return read_config(path.parent)


def write_codes(path: Path) -> None:
    pieces = [Piece("board.0", [None, 0, 1], []), Piece("ply", None, [0, 1, 2])]
    save_codes(path.parent, PlainCodes(Geometry(1, 5, 3, "loose"), pieces, ["1", "2", "3"]))


def read_codes(path: Path) -> Any:
    return codes_from(saved_codes(path.parent))
