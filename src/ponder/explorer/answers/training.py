"""What a worker answers about training runs: see `ponder.explorer.messages.training`.

It reads, and writes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ponder.core.position import Position
from ponder.core.registry import parse_game
from ponder.core.result import finite
from ponder.errors import PonderError
from ponder.explorer.training_runs import changed_at, run_named, runs_folder
from ponder.explorer.training_runs import runs as all_runs
from ponder.learn.config import read_config
from ponder.learn.ladder import CLEARLY
from ponder.learn.overview import games_of, overview

if TYPE_CHECKING:
    from ponder.explorer.worker import Desk


def runs(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    folder = runs_folder()
    found = []
    for name, run in all_runs().items():
        try:
            game = str(read_config(run).get("game", ""))
        except PonderError:
            game = ""  # what is wrong is told when somebody looks at it
        found.append({"name": name, "game": game, "changed": changed_at(run)})
    return {"folder": None if folder is None else str(folder), "runs": found}


def training_run(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    said = overview(run_named(message["run"]))
    if said["rounds"] and len(said["rounds"]) == message.get("known"):
        return {"same": True, "going": said["going"]}
    said["rounds"] = [
        {k: finite(v) if isinstance(v, float) else v for k, v in line.items()}
        for line in said["rounds"]
    ]
    return {"same": False, "clearly": CLEARLY, **said}


def training_games(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    folder = run_named(message["run"])
    game = str(read_config(folder).get("game", ""))
    return {"game": game, "games": games_of(folder, Position(parse_game(game)))}


ANSWERS = {
    "runs": runs,
    "training_run": training_run,
    "training_games": training_games,
}
