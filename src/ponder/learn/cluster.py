"""Self-play and rating games on many machines: tasks of a Ray cluster (extra `cluster`).

A game is a function of the run's seed, its number and the network: who plays it does not matter,
and a piece of games whose worker was lost is played again by another. So a run on a cluster is the
same, bit for bit, as one on a single thread of such a machine.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ponder import __version__
from ponder.core.gate import files_run, names_in, run_trusted, whole_name
from ponder.core.parts import canonical
from ponder.core.position import Position
from ponder.core.processes import safe_path
from ponder.core.registry import game_text, parse_game
from ponder.errors import InputError, installing
from ponder.files import read_file, save_file
from ponder.learn.config import Training
from ponder.learn.ladder import rated_pair, rating_player
from ponder.learn.selfplay import PlayedRows
from ponder.learn.workers import together

try:
    import ray
    from ray.job_config import JobConfig
except ImportError:
    raise InputError(f"a cluster needs Ray: {installing('cluster')}") from None

HERE = "local"
"""The address that starts a cluster on this machine."""
PIECES = 4
"""Tasks for each processor and round: what a lost worker costs is at most one of them."""
MOST_GAMES = 64
"""Games of one task, at most."""


class ClusterWorkers:
    """What `ponder.learn.workers.Workers` is, with the games played by a cluster."""

    def __init__(self, position: Position, config: Any, model: Any, address: str) -> None:
        self.model = model
        config = config._replace(network=whole_name(config.network))
        self.game, self.config = game_text(position.game), json.dumps(config._asdict())
        named = [path for text in (self.game, config.network) for path, _ in names_in(text)]
        self.files = list(dict.fromkeys([*files_run(), *named]))
        """What a worker is granted: the users' files that were run here."""
        connect(address)
        self.tasks: list[Any] = []

    def begin(self, seed: int, first: int, end: int) -> None:
        """Let the games first .. end - 1 be played."""
        arrays = {name: value.numpy() for name, value in self.model.state_dict().items()}
        weights = ray.put(arrays)  # once for every machine
        processors = max(1, int(ray.cluster_resources().get("CPU", 1)))
        size = max(1, min(MOST_GAMES, (end - first) // (PIECES * processors)))
        self.tasks = [
            played_piece.remote(
                *(__version__, self.files, self.game, self.config),
                *(weights, seed, at, min(at + size, end)),
            )
            for at in range(first, end, size)
        ]

    @property
    def busy(self) -> bool:
        return len(ray.wait(self.tasks, num_returns=len(self.tasks), timeout=0)[1]) > 0

    def wait(self, seconds: float) -> None:
        ray.wait(self.tasks, num_returns=len(self.tasks), timeout=seconds)

    def cancel(self) -> None:
        """End the round; its games are forgotten."""
        for task in self.tasks:
            ray.cancel(task, force=True)
        self.tasks = []

    def results(self) -> PlayedRows:
        """All games of the round, in the order of their numbers."""
        return together([PlayedRows._make(piece) for piece in gathered(self.tasks)])

    def rated(
        self, network: Path, module: str, rung: int, plies: int, seeds: range
    ) -> list[list[float]]:
        """The points of a network against an opponent of the ladder, for each seed."""
        data = ray.put(read_file(network))
        given = self.files, self.game, data, whole_name(module)
        tasks = [rated_task.remote(*given, rung, plies, seed) for seed in seeds]
        return gathered(tasks)

    def close(self) -> None:
        ray.shutdown()


class OwnPath(JobConfig):
    """Ray would have its workers look for modules in the folder that the run was started in, before
    Python's own: json.py there would be run."""

    @property
    def _py_driver_sys_path(self) -> list[str]:
        return []

    @_py_driver_sys_path.setter
    def _py_driver_sys_path(self, folders: list[str]) -> None:
        pass


def connect(address: str) -> None:
    """Join the cluster, or start one here."""
    options: dict[str, Any] = {
        "log_to_driver": False,
        "logging_level": logging.ERROR,
        "job_config": OwnPath(),
    }
    if address == HERE:
        options |= {"include_dashboard": False, "_node_ip_address": "127.0.0.1"}
    else:
        options |= {"address": address}
    try:
        with safe_path():
            ray.init(**options)
    except (ConnectionError, ValueError, RuntimeError, OSError) as error:
        said = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(
            f"no Ray cluster at {address!r}: {said} (--cluster takes an address such as "
            f"10.0.0.1:6379, or {HERE} for one on this machine)"
        ) from None


def gathered(tasks: list[Any]) -> list[Any]:
    """The results of all tasks; what one of them has raised is raised here."""
    try:
        return list(ray.get(tasks))
    except ray.exceptions.RayTaskError as error:
        cause = error.cause
        raise cause if isinstance(cause, Exception) else error from None


_kept: dict[tuple[str, str], Any] = {}
"""What a worker process has compiled, for the rounds to come."""


@ray.remote(max_retries=-1)  # a worker that is lost is no failure of the task
def played_piece(
    version: str,
    files: list[str],
    game: str,
    config: str,
    weights: dict[str, Any],
    seed: int,
    first: int,
    end: int,
) -> tuple[Any, ...]:
    """The games first .. end - 1, in a worker process, which is granted the files of the run."""
    import torch

    if version != __version__:
        raise InputError(f"a machine of the cluster has Ponder {__version__}, not {version}")
    run_trusted(files)
    if (game, config) not in _kept:
        from ponder.learn.roads import road_of
        from ponder.learn.root_ways import how_to_play
        from ponder.learn.seeing import sight_of
        from ponder.learn.training import typical_length

        position = Position(parse_game(game))
        settings = canonical(Training(**json.loads(config)))
        road = road_of(position, sight_of(position), settings)
        _kept.clear()
        play = how_to_play(settings, position, typical_length(position))
        _kept[game, config] = road, road.workers(*play, 1)
    road, workers = _kept[game, config]
    road.model.load_state_dict({k: torch.from_numpy(v.copy()) for k, v in weights.items()})
    road.renew(road.model)
    workers.begin(seed, first, end)
    while workers.busy:
        workers.wait(0.05)
    return tuple(np.asarray(column) for column in workers.results())


@ray.remote(max_retries=-1)
def rated_task(
    files: list[str], game: str, network: bytes, module: str, rung: int, plies: int, seed: int
) -> list[float]:
    """One opening's games on the ladder, in a worker process."""
    run_trusted(files)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "rated.network"
        save_file(file, network)
        player = rating_player(str(file), module)
        return rated_pair(Position(parse_game(game)), player, rung, plies, seed)
