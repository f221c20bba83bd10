"""What the golden files say: numbers, moves and counts that a person can read.

A reader takes the folder of one golden file and returns plain data. It says nothing of texts that
may be written otherwise one day (engines, notes), only what a loaded file leads to.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from ponder import Position, SearchTree, Session, engine, game, lab, position
from ponder.arena.openings import read_openings
from ponder.arena.record import game_to_json, read_records
from ponder.book.book import Book
from ponder.book.polyglot import PolyglotBook
from ponder.core.registry import FORMATS
from ponder.core.result import best_name
from ponder.endgame.tables import open_tables
from ponder.games.tree import TreeGame
from ponder.lab.contents import EXPERIMENTS
from ponder.lab.plan import Above, Clause, Plan, Size
from ponder.lab.running import Lab
from ponder.learn.config import read_config, training
from ponder.learn.training import TrainingRun

DIGITS = 6
"""Of the numbers noted; they are compared with a little room besides."""
FURTHER = 15
"""Simulations, or nodes, by which a session goes on."""
RUN_SETTINGS: dict[str, Any] = {
    "simulations": 6,
    "first_positions": 24,
    "batch": 16,
    "seed": 5,
    "network": "mlp(layers=1, width=4)",
}
EXACT_GAME = "nim(heaps=(2, 1))"


def short(value: Any) -> Any:
    """The same as JSON has it, with numbers of a few digits; arrays are lists."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, float):
        return round(value, DIGITS) + 0.0 if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {str(key): short(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [short(one) for one in value]
    return value


def rows_of(result: Any) -> Any:
    """The moves, or the outcomes, of a result."""
    rows = result.outcomes or result.moves
    return [[row.name, row.visits, row.value, getattr(row, "prior", None)] for row in rows]


def found(result: Any) -> dict[str, Any]:
    """What a search has found."""
    return {
        "effort": result.nodes if result.simulations is None else result.simulations,
        "move": best_name(result),
        "value": result.value,
        "line": [move.name for move in result.pv],
        "rows": rows_of(result),
    }


def solved(result: Any) -> dict[str, Any]:
    moves = [[move.name, move.value, move.low, move.high] for move in result.moves]
    return {"nodes": result.nodes, "value": result.value, "moves": moves}


# ------------------------------------------------------------------ searches


def session(folder: Path, file: str = "search.session", say: Any = found) -> Any:
    """Where it was saved, and where it leads to."""
    loaded: Any = Session.load(folder / file)
    unit = loaded.unit
    made = {
        "position": loaded.position.text(),
        "seed": loaded.seed,
        "moment": loaded.moment,
        "changes": [[change.moment, sorted(change.parts)] for change in loaded.history.changes],
        "there": say(loaded.result()),
    }
    loaded.run(**{unit: FURTHER})
    return {**made, "later": say(loaded.result())}


def steered(folder: Path) -> Any:
    return session(folder, "steered.session")


def solving(folder: Path) -> Any:
    return session(folder, say=solved)


def tree(folder: Path) -> Any:
    loaded = SearchTree.load(folder / "search.tree")
    nodes = [[node.visits, node.player, node.value] for node in loaded.walk(least_visits=5)]
    later = engine(loaded.engine).search(loaded.position, simulations=30, seed=2, tree=loaded)
    return {
        "position": loaded.position.text(),
        "size": loaded.size,
        "visits": loaded.root.visits,
        "nodes": nodes,
        "later": found(later),
    }


# ------------------------------------------------------------------ games, books, tables


def book_rows(book: Any, start: Position, *lines: str) -> Any:
    rows = {
        line: [[move.name, move.count, move.worth] for move in book.lookup(start.play_all(line))]
        for line in lines
    }
    return {"positions": book.positions, "moves": book.moves, "rows": rows}


def book(folder: Path) -> Any:
    start = position("tictactoe")
    made = Book.load(folder / "openings.book", start.game)
    return book_rows(made, start, "", "b2", "b2 a1", "a1")


def polyglot(folder: Path) -> Any:
    start = position("chess")
    return book_rows(PolyglotBook.load(folder / "openings.bin", start.game), start, "", "e2e4")


def match(folder: Path) -> Any:
    header, games, _ = read_records(folder / "games.jsonl")
    kept = ("round", "game", "seats", "opening", "moves", "returns", "points", "ended")
    made = [{name: game_to_json(one)[name] for name in kept} for one in games]
    return {"seed": header["seed"], "games": made}


def openings(folder: Path) -> Any:
    found = read_openings(position("tictactoe"), folder / "openings.txt")
    return [list(opening.moves) for opening in found]


def table_values(path: Path, starts: list[Position]) -> Any:
    tables = open_tables(starts[0].game, path)
    return [[start.text(), *(tables.probe(start) or [None])] for start in starts]


def every_position(start: Position) -> list[Position]:
    """All that can be reached, in the order in which they are met."""
    waiting, met = [start], {start.text(): start}
    for here in waiting:
        if here.is_terminal:
            continue
        for action in here.legal_actions:
            after = here.play(action)
            if after.text() not in met:
                met[after.text()] = after
                waiting.append(after)
    return list(met.values())


def endgame_table(folder: Path) -> Any:
    return table_values(folder / "nim.endgame", every_position(position(EXACT_GAME)))


def endgame_values(folder: Path) -> Any:
    return table_values(folder / "values.endgame", every_position(position(EXACT_GAME))[:2])


CHESS_TEXTS = (
    "8/8/8/8/8/2k5/8/K1r5 w - - 0 1",
    "8/8/8/8/8/2k5/7r/K7 b - - 0 1",
    "8/8/3K4/8/8/8/3R4/1k6 w - - 0 1",
)


def endgame_of_chess(folder: Path) -> Any:
    chess = game("chess")
    starts = [Position.parse(chess, text) for text in CHESS_TEXTS]
    return table_values(folder / "chess-KRK.endgame", starts)


def bearing_off(folder: Path) -> Any:
    path = folder / "backgammon-wins1.endgame"
    header, arrays = FORMATS["bearing off"].read_example(path)[1:]
    return {"class": header["class"], "values": np.frombuffer(arrays["values"])}


# ------------------------------------------------------------------ positions and records


def game_tree(folder: Path) -> Any:
    start = Position(TreeGame.from_file(folder / "game.tree"))
    return {"minimax": found(engine("minimax()").search(start, depth=3))}


def pgn(folder: Path) -> Any:
    made = []
    for final, result in FORMATS["pgn"].read_example(folder / "games.pgn"):
        end = Position.from_json(final)
        made.append({"moves": list(end.history_names), "board": end.text(), "result": result})
    return made


def sgf(folder: Path) -> Any:
    end = Position.from_json(FORMATS["sgf"].read_example(folder / "game.sgf"))
    return {"moves": list(end.history_names), "board": end.text()}


def saved_position(folder: Path) -> Any:
    loaded = Position.load(folder / "position.json")
    return {
        "board": loaded.text(),
        "history": list(loaded.history_names),
        "player": loaded.current_player,
        "legal": sorted(loaded.legal_names),
    }


# ------------------------------------------------------------------ the lab


def count_steps(running: Any) -> None:
    """An experiment of two steps."""
    running.step("one", lambda: [0.25, running["throws"]])
    running.step("two", lambda: {"wins": 12})


@contextlib.contextmanager
def counting() -> Iterator[None]:
    """An experiment of our own in the lab. Steps belong to the code of their experiment, so a file
    of a shipped one would be refused after any edit of it, as it should be."""
    module = types.ModuleType("ponder.lab.counting")
    clause = Clause("wins", "there are wins", "wins", Above(1.0))
    module.PLAN = Plan(  # type: ignore[attr-defined]
        claim="counting works",
        source="nobody 1900",
        clauses=(clause,),
        sizes={"throws": Size(1, 3, 5, "throws")},
    )
    module.run = count_steps  # type: ignore[attr-defined]
    with (
        mock.patch.dict(sys.modules, {"ponder.lab.counting": module}),
        mock.patch.dict(EXPERIMENTS, {"counting": "an experiment of the tests"}),
        mock.patch("inspect.getsource", return_value="the code"),
    ):
        yield


def lab_steps(folder: Path) -> Any:
    with counting():
        return Lab("counting", seed=3, resume=folder / "steps.jsonl").done


def run_counting(path: Path) -> None:
    with counting():
        lab.run("counting", seed=3, resume=path)


# ------------------------------------------------------------------ learning


def network(folder: Path, file: str = "tictactoe.network", game_text: str = "tictactoe") -> Any:
    """What it makes of two positions: priors, and values after a few simulations."""
    rule = engine(f"alphazero(net={str(folder / file)!r})")
    start = position(game_text)
    starts = start, start.play(start.legal_actions[0])
    return [found(rule.search(here, simulations=12, seed=1)) for here in starts]


def network_of_a_record(folder: Path) -> Any:
    return network(folder, "nim.network", EXACT_GAME)


def small_network(folder: Path) -> Any:
    return network(folder, "small.network")


def network_beside(folder: Path) -> Any:
    return network(folder, "mlp.network")


def onnx(folder: Path) -> Any:
    return network(folder, "tictactoe.onnx")


def codes(folder: Path) -> Any:
    made = FORMATS["codes"].read_example(folder / "codes.json")
    return {"board": made.board[:3], "pieces": made.pieces, "actions": made.actions}


def training_folder(folder: Path) -> Any:
    """How far the run is, what it has played and learned, who plays; and its next round."""
    said = read_config(folder)
    player = engine(f"alphazero(net={str(folder)!r})")
    run = TrainingRun(position(said["game"]), folder, training(**RUN_SETTINGS), 1)
    try:
        played, rows = run.replay.played, len(run.replay)
        states = np.ascontiguousarray(played.states[:rows])
        made = {
            "settings": said,
            "totals": [run.totals.rounds, run.totals.games, run.totals.positions, run.totals.steps],
            "sizes": list(run.sizes),
            "losses": [[line["policy_loss"], line["value_loss"]] for line in run.log],
            "games": played.games[:rows].tolist(),
            "states": hashlib.sha256(states.tobytes()).hexdigest()[:16],
            "results": played.results[:rows, 0].tolist(),  # of the first player
            "values": played.values[:rows, 0].tolist(),
            "player": found(player.search(run.position, simulations=12, seed=1)),
        }
        run.run(rounds=run.totals.rounds + 1)
        last = run.log[-1]
        further = [last[name] for name in ("games", "positions", "policy_loss", "value_loss")]
        return {**made, "next round": further}
    finally:
        run.close()
