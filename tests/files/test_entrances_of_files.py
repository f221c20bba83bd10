"""Every text in every file that Ponder reads, and every place in the source where a text becomes a
game or an engine: data run no Python file. (The messages of pages: explorer/test_entrances.py.)"""

from __future__ import annotations

import ast
import contextlib
import copy
import importlib
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import ponder
from entrances import Marker
from ponder import Session
from ponder.arena.match import match
from ponder.cli.search_files import engine_of_file
from ponder.cli.train import exported, shown
from ponder.core.gate import granting
from ponder.core.registry import FORMATS
from ponder.errors import PonderError
from ponder.lab.running import Lab
from ponder.mcts.view import SearchTree
from ponder.show.steps import Steps

pytestmark = pytest.mark.plain
SOURCE = Path(ponder.__file__).parent
BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "stress"

Reader = Callable[[Path], Any]


def run_shown(path: Path) -> None:
    shown("", str(path.parent), True)
    exported("", str(path.parent), str(path.parent / "out.onnx"), {}, True)


def session_replayed(path: Path) -> None:
    Steps(Session.load(path)).events(1)


def tree_continued(path: Path) -> None:
    tree = SearchTree.load(path)
    engine_of_file(tree, str(path))


def match_resumed(path: Path) -> None:
    match("tictactoe", "random()", "random()", games=4, seed=1, out=path)


USERS: dict[str, Reader] = {
    "match": match_resumed,
    "session": session_replayed,
    "steered session": session_replayed,
    "tree": tree_continued,
    "training settings": run_shown,
    "lab steps": lambda path: Lab("gem", version="quick", resume=path).report(),
}
"""Who else follows what a file of the format says, besides its reader."""
REACHED = {"position", "session", "steered session", "tree", "training settings"}
"""The formats whose files name what is run where it is granted. The others name a game only to be
compared."""


@pytest.fixture(scope="module")
def script():
    sys.path.insert(0, str(BENCHMARKS))
    yield importlib.import_module("mutate_contents")
    sys.path.remove(str(BENCHMARKS))


@pytest.fixture
def marker(tmp_path):
    made = Marker(tmp_path)
    yield made
    made.forget()


def read_with_each_text(script, name: str, marker: Marker) -> str:
    """Put each text in each place of the file where one stands, and read it in every way.

    Returns the first contents with which the Python file was run."""
    kind = script.CONTENTS[name]()
    path = FORMATS[name].write_example(marker.file.parent)
    whole = kind.apart(path.read_bytes())
    count = sum(isinstance(h[k], str) for h, k in script.places({"": whole.values}))
    for number in range(count):
        for text in marker.texts():
            values = {"": copy.deepcopy(whole.values)}
            written = [(h, k) for h, k in script.places(values) if isinstance(h[k], str)]
            holder, key = written[number]
            holder[key] = text
            path.write_bytes(kind.together(whole._replace(values=values[""])))
            for read in (kind.understood, kind.use, USERS.get(name, kind.use)):
                with contextlib.suppress(PonderError):
                    read(path)
                if marker.ran:
                    return str(values)
    return ""


def formats_with_texts() -> list[str]:
    """A word of a text for people is no engine; it is tried in `test_mutated_contents.py`."""
    return [name for name in FORMATS if name not in ("sgf", "pgn", "openings", "polyglot")]


@pytest.mark.parametrize("name", formats_with_texts())
def test_no_text_in_a_file_runs_a_file(script, name, marker):
    assert read_with_each_text(script, name, marker) == ""


@pytest.mark.parametrize("name", formats_with_texts())
def test_the_walk_reaches_the_file_where_it_is_granted(script, name, marker):
    """So the test above can fail."""
    with granting([marker.file]):
        assert bool(read_with_each_text(script, name, marker)) == (name in REACHED)


# ------------------------------------------------------------------ the source

GRANTS = {
    "arena/match.py": "the API: match(GAME, ...)",
    "arena/player.py": "the API: a player of match; pages give engines that they have read",
    "arena/workers.py": "a process gets the files of its parent",
    "bench/report.py": "the command line: ponder bench GAME",
    "bench/signature.py": "games of ours",
    "bench/speed.py": "the command line: ponder bench GAME",
    "bench/wide_signature.py": "games and engines of ours",
    "cli/ahead.py": "the command line: ponder cache --fill GAME; the background process takes ours",
    "cli/book.py": "the command line: --engine",
    "cli/check.py": "the command line: GAME",
    "cli/explore.py": "the command line: GAME",
    "cli/fit.py": "the command line: GAME",
    "cli/games.py": "the command line: GAME",
    "cli/lab.py": "the command line: --game, --with",
    "cli/options.py": "the command line: GAME, --engine",
    "cli/replay.py": "the command line: --trust",
    "cli/search_files.py": "the command line: GAME beside --continue",
    "cli/train.py": "the command line: GAME, network=FILE.py:NAME",
    "core/position.py": "the API: Position.load(trust=...)",
    "core/session.py": "the API: Session.load(trust=...)",
    "core/start.py": "the API: game, engine, position",
    "endgame/tables.py": "the API: open_tables(GAME); readers give the game itself",
    "explorer/experiment.py": "a process gets the files of its parent",
    "explorer/worker.py": "a process gets the files of its parent",
    "lab/running.py": "the API: lab.run",
    "learn/cluster.py": "a worker of a cluster gets the files of the run",
    "learn/config.py": "the API: training(network=...)",
    "learn/fit.py": "the API: fit",
    "mcts/view.py": "the API: SearchTree.load(trust=...)",
}
"""Who lets files be run, and for whose texts."""
READS = {
    "arena/player.py": "the API: a player of match; what its text names is granted before",
    "bench/openspiel.py": "names of ours, and the person's own game",
    "check/structure.py": "what a game was written as",
    "cli/check.py": "the command line: GAME",
    "cli/search_files.py": "the format: tree",
    "cli/train.py": "the format: training settings",
    "core/history.py": "the formats: session, steered session; messages with a history",
    "core/position.py": "the format: position, and all that hold one",
    "core/record_formats.py": "the message: read_game",
    "core/registry.py": "whatever was read from a text here",
    "core/session.py": "the formats: session, steered session",
    "core/start.py": "the API",
    "endgame/example_files.py": "a constant",
    "explorer/answers/arena.py": "the messages: match, match_file",
    "explorer/answers/board.py": "the messages: board, table",
    "explorer/answers/lab.py": "the messages: plan, lab_run",
    "explorer/answers/look.py": "the message: catalogue, of files that were granted",
    "explorer/answers/notation.py": "the messages: read_game, write_game",
    "explorer/answers/play.py": "the message: think",
    "explorer/answers/training.py": "the format: training settings, by training_games",
    "explorer/gambling.py": "the message: bandits",
    "explorer/lesson.py": "the message: lesson",
    "explorer/live.py": "the message: open",
    "explorer/positions.py": "messages with a position",
    "lab/backup.py": "games of ours",
    "lab/growth.py": "games of ours",
    "lab/learning.py": "the messages: plan, lab_run",
    "lab/matches.py": "games of ours",
    "lab/policies.py": "the messages: plan, lab_run",
    "lab/running.py": "the messages: plan, lab_run",
    "lab/solver.py": "games of ours",
    "lab/tune.py": "the messages: plan, lab_run",
    "lab/weights.py": "constants",
    "learn/beside_file.py": "the format: network beside the kernel",
    "learn/cluster.py": "what the run sends its workers",
    "learn/config.py": "the API: training(network=...)",
    "learn/example_files.py": "constants",
    "learn/ladder.py": "engines of ours",
    "learn/plans.py": "a module that a person has named: net(..., module=...)",
    "learn/roads.py": "the settings of a run that a person begins",
    "mcts/evaluate/function.py": "engines in all formats and messages",
    "mcts/example_files.py": "a small tree of its own",
    "mcts/presets.py": "engines of ours",
    "mcts/tree_file.py": "the format: tree",
    "mcts/view.py": "the format: tree",
    "show/draw.py": "the engine of a search that was made here",
}
"""Who makes games and engines of texts that may be data, and the attack that tries it: a format
above, a message in explorer/test_entrances.py, or why no data come there."""
GRANTING = {"name_files", "run_trusted", "granting"}
READING = {"parse_game", "parse_engine", "parse_game_or_rule", "saved_engine", "parse_plan"}
READING |= {"load_file", "load_from_file", "load_tree", "from_json"}


@lru_cache(maxsize=1)
def sources() -> dict[str, ast.Module]:
    files = SOURCE.rglob("*.py")
    return {str(file.relative_to(SOURCE)): ast.parse(file.read_text()) for file in files}


def callers(names: set[str], start: bool) -> set[str]:
    """The files of the source that call, or hand on, one of these functions; with `start`, or one
    of `ponder.core.start` unless its text is a constant."""
    found = set()
    for file, tree in sources().items():
        own = set()
        for node in ast.walk(tree):
            if start and isinstance(node, ast.ImportFrom) and node.module == "ponder.core.start":
                own |= {one.asname or one.name for one in node.names}
        constant = {
            id(node.func)
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)
        }
        used = {
            node.id if isinstance(node, ast.Name) else node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
            if id(node) not in constant
        }
        if used & (names | own):
            found.add(file)
    return found - {"core/gate.py"}


def test_all_that_let_files_be_run_are_known():
    """A new one is written down here, with whose text it takes."""
    assert callers(GRANTING, start=True) == set(GRANTS)


def test_all_that_read_texts_are_known():
    """A new one is written down here, with the format or message that tries it."""
    assert callers(READING, start=False) == set(READS)


PICKLES = {
    "arena/workers.py": "what a match sends its own processes",
    "check/plain_game.py": "what was pickled a line before",
    "check/structure.py": "what was pickled a line before",
    "jit/cache.py": "compiled code, from a folder that nobody else may write to",
}
"""Who unpickles, and what."""
CODE = {"eval", "exec", "__import__"}
IMPORTS = {
    "__init__.py": "names of ours",
    "core/gate.py": "the gate",
    "core/registry.py": "names of ours",
    "core/result.py": "pandas",
    "lab/running.py": "names of ours",
}


def test_nothing_else_can_run_what_data_say():
    unpickling, running, importing = set(), set(), set()
    for name, tree in sources().items():
        imported = {
            one.name.partition(".")[0] if isinstance(node, ast.Import) else node.module
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for one in node.names
        }
        if imported & {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}:
            unpickling.add(name)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                running |= {name} if node.func.id in CODE else set()
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                used = f"{node.value.id}.{node.attr}"
                if used in ("torch.load", "np.load", "numpy.load", "np.fromfile"):
                    unpickling.add(name)
                if used == "importlib.import_module":
                    importing.add(name)
            if isinstance(node, ast.keyword) and node.arg in ("allow_pickle", "weights_only"):
                unpickling.add(name)
            loads = "spec_from_file_location", "module_from_spec", "exec_module"
            if isinstance(node, ast.Attribute) and node.attr in loads:
                importing.add(name)
    assert unpickling == set(PICKLES)
    assert running == set()
    assert importing == set(IMPORTS)
