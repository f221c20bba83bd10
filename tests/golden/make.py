"""Golden files: a file of every format as it was once written, and what it says.

    PYTHONPATH=tests NUMBA_DISABLE_JIT=1 python -m golden.make

writes the folders under tests/golden/files that are not there yet, each with ``contents.json``,
what its reader in `golden.contents` makes of it. It never touches one that is there: these files
are what users have on their disks. Of a new format: an entry in `GOLDEN`, and run it.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from golden import contents
from ponder import MCTS, Limit, engine, match, position
from ponder.backup import Max, Mix, Solver
from ponder.book.builder import BookBuilder
from ponder.core.limits import UNLIMITED
from ponder.core.registry import FORMATS
from ponder.decide import HighestValue
from ponder.endgame.tables import build
from ponder.learn.config import training
from ponder.learn.training import TrainingRun
from ponder.search.solve import start_solving
from ponder.select import RAVE, UCB1

FILES = Path(__file__).with_name("files")
NOTED = "contents.json"
SMALL_CONNECT4 = "connect4(columns=5, rows=4, run=3)"
THREE_PLAYERS = "connect4(columns=4, rows=3, run=3, players=3)"
GUMBEL = "mcts(select=gumbel(considered=4), expand=all_children(priors=order()), evaluate=static())"
ROUNDS = 4
"""Of training: the last one is 3, as the example of the format has it."""


class Golden(NamedTuple):
    """A folder with a golden file, or several that belong together."""

    formats: tuple[str, ...]
    """Names in `ponder.core.registry.FORMATS`: its files have the names that are said there."""
    read: Callable[[Path], Any]
    """What the folder says: plain data, see `golden.contents`."""
    write: Callable[[Path], None] | None = None
    """Writes the folder; None: the example of the format is enough."""


def path_in(folder: Path, form: str) -> Path:
    path = folder / FORMATS[form].name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


# ------------------------------------------------------------------ searches


def write_mcts_session(folder: Path) -> None:
    """Changed in every part that can be, and gone back in."""
    begun = MCTS(memory=2).start(position("tictactoe").play("b2"), seed=7)
    begun.run(simulations=40)
    begun.change(select=UCB1(c=0.7))
    begun.run(simulations=20)
    begun.change(backup=Mix(points=9), decide=HighestValue())
    begun.run(simulations=20)
    begun.change(select=RAVE(), backup=Max(points=1))
    begun.run(simulations=30)
    begun.rewind(95)
    begun.save(path_in(folder, "steered session"))


def session_of(
    game: str, moves: str, spec: str, steps: int, plan: Limit = UNLIMITED
) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        begun = engine(spec).start(position(game).play_all(moves), seed=3, plan=plan)
        begun.run(**{begun.unit: steps})
        begun.save(path_in(folder, "session"))

    return write


def write_solving(folder: Path) -> None:
    begun = start_solving(position("tictactoe").play_all("b2 a1 c1"), memory=1)
    begun.run(nodes=60)
    begun.save(path_in(folder, "session"))


def tree_of(game: str, moves: str, rules: MCTS) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        made = rules.search(position(game).play_all(moves), simulations=250, seed=4).tree
        assert made is not None
        made.save(path_in(folder, "tree"))

    return write


# ------------------------------------------------------------------ games, books, the lab


def write_book(folder: Path) -> None:
    start = position("tictactoe")
    builder = BookBuilder(start.game)
    for line, result in (
        ("b2 a1 c1 a3 a2", (0.0, 0.0)),
        ("b2 a1 c3", (1.0, -1.0)),
        ("b2 b1 a1 c3", (1.0, -1.0)),
        ("a1 b2 c3 a3 c1", (0.0, 0.0)),
    ):
        builder.add_game(start.play_all(line), result, plies=4)
    builder.book().save(path_in(folder, "book"))


def write_match(folder: Path) -> None:
    path = path_in(folder, "match")
    match(SMALL_CONNECT4, "mcts(simulations=20)", "alphabeta(depth=2)", games=4, seed=1, out=path)


def write_chess_table(folder: Path) -> None:
    """King and rook against king, as they are: compiled it takes seconds, in plain mode minutes."""
    build(position("chess"), classes="KRK", folder=path_in(folder, "endgame of chess").parent)


def write_position(folder: Path) -> None:
    position("chess").play_all("e2e4 c7c5 g1f3").save(path_in(folder, "position"))


def write_lab_steps(folder: Path) -> None:
    contents.run_counting(path_in(folder, "lab steps"))


def write_training_folder(folder: Path) -> None:
    run = TrainingRun(position("tictactoe"), folder, training(**contents.RUN_SETTINGS), 1)
    run.run(rounds=ROUNDS)
    run.close()
    (folder / ".lock").unlink()
    for log in folder.glob("*tfevents*"):  # for another program to read
        log.unlink()


GOLDEN = {
    "mcts session": Golden(("steered session",), contents.steered, write_mcts_session),
    "gumbel session": Golden(
        ("session",),
        contents.session,
        session_of("breakthrough(columns=4, rows=5)", "", GUMBEL, 40, Limit(simulations=64)),
    ),
    "alphabeta session": Golden(
        ("session",), contents.session, session_of(SMALL_CONNECT4, "3", "alphabeta()", 300)
    ),
    "expectiminimax session": Golden(
        ("session",),
        contents.session,
        session_of("pig(target=6, horizon=6)", "roll", "expectiminimax()", 90),
    ),
    "maxn session": Golden(
        ("session",), contents.session, session_of(THREE_PLAYERS, "2", "maxn()", 90)
    ),
    "solving session": Golden(("session",), contents.solving, write_solving),
    "tree": Golden(("tree",), contents.tree, tree_of("tictactoe", "b2", MCTS(backup=Solver()))),
    "tree of dice": Golden(("tree",), contents.tree, tree_of("pig(target=8)", "", MCTS())),
    "tree of transpositions": Golden(
        ("tree",), contents.tree, tree_of("tictactoe", "", MCTS(transpositions=True))
    ),
    "book": Golden(("book",), contents.book, write_book),
    "polyglot": Golden(("polyglot",), contents.polyglot),
    "match": Golden(("match",), contents.match, write_match),
    "openings": Golden(("openings",), contents.openings),
    "endgame table": Golden(("endgame table",), contents.endgame_table),
    "endgame values": Golden(("endgame values",), contents.endgame_values),
    "endgame of chess": Golden(("endgame of chess",), contents.endgame_of_chess, write_chess_table),
    "bearing off": Golden(("bearing off",), contents.bearing_off),
    "game tree": Golden(("game tree",), contents.game_tree),
    "pgn": Golden(("pgn",), contents.pgn),
    "sgf": Golden(("sgf",), contents.sgf),
    "position": Golden(("position",), contents.saved_position),
    "position of chess": Golden(("position",), contents.saved_position, write_position),
    "lab steps": Golden(("lab steps",), contents.lab_steps, write_lab_steps),
    "network": Golden(("network",), contents.network),
    "network of a record": Golden(("network of a record",), contents.network_of_a_record),
    "small network": Golden(("small network",), contents.small_network),
    "network beside the kernel": Golden(("network beside the kernel",), contents.network_beside),
    "onnx": Golden(("onnx",), contents.onnx),
    "codes": Golden(("codes",), contents.codes),
    "training folder": Golden(
        ("training settings", "training log", "checkpoint", "played games"),
        contents.training_folder,
        write_training_folder,
    ),
}


def folder_of(name: str) -> Path:
    return FILES / name.replace(" ", "-")


def noted_text(data: Any) -> str:
    """JSON for people: a line for each list of numbers and words."""
    return lines_of(contents.short(data), 0) + "\n"


def lines_of(data: Any, depth: int) -> str:
    inner = list(data.values()) if isinstance(data, dict) else data
    if not isinstance(inner, list) or not any(isinstance(one, dict | list) for one in inner):
        return json.dumps(data)
    texts = [lines_of(one, depth + 1) for one in inner]
    if isinstance(data, dict):
        texts = [f"{json.dumps(key)}: {text}" for key, text in zip(data, texts, strict=True)]
    margin = "\n" + " " * depth
    begin, end = "{}" if isinstance(data, dict) else "[]"
    return begin + ",".join(f"{margin} {text}" for text in texts) + margin + end


def make(name: str, golden: Golden) -> None:
    """Write one that is not there; what is noted comes from the reader, on a copy."""
    with tempfile.TemporaryDirectory() as place:
        made = Path(place) / "made"
        made.mkdir()
        if golden.write is None:
            for form in golden.formats:
                FORMATS[form].write_example(made)
        else:
            golden.write(made)
        said = noted_text(golden.read(Path(shutil.copytree(made, Path(place) / "copy"))))
        (made / NOTED).write_text(said)
        shutil.copytree(made, folder_of(name))


def main() -> None:
    for name, golden in GOLDEN.items():
        if folder_of(name).exists():
            print(f"{name}: there already")
        else:
            make(name, golden)
            print(f"{name}: written")


if __name__ == "__main__":
    main()
