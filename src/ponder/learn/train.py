"""`train`: a training run from Python, as `ponder train` makes it.

from ponder import position, train

done = train(position("tictactoe"), "my-run", minutes=2, simulations=50)
print(done.games, done.network)
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ponder.core.position import Position
from ponder.errors import InputError, quoted
from ponder.learn.config import training
from ponder.learn.file import IN_A_RUN


class Trained(NamedTuple):
    """What a training run has come to."""

    folder: Path
    network: Path
    """The file of the network; ``net(...)`` and `load_network` take the folder as well."""
    stopped_by: str
    """"time" or "rounds"."""
    rounds: int
    games: int
    positions: int
    """Positions from which it has learned."""
    seconds: float
    """In all, earlier parts of the run included."""


def train(
    start: Position,
    folder: str | Path,
    *,
    minutes: float | None = None,
    rounds: int | None = None,
    workers: int | None = None,
    cluster: str = "",
    rate: bool = False,
    progress: Callable[[dict[str, Any]], None] | None = None,
    **settings: int | float | bool | str,
) -> Trained:
    """Train a network for the game of `start` by self-play, or continue the run in `folder`.

    It ends when `minutes` or `rounds` have been spent on the run in all; Ctrl-C raises
    KeyboardInterrupt, and the same call continues. `workers` are threads (all, unless told
    otherwise), or `cluster` names a Ray cluster. With `rate` it plays against fixed opponents in
    between. `progress` hears of every finished round. `settings` are those of
    `ponder.learn.config.Training`, as ``ponder train --set`` takes them. Needs torch.
    """
    if not isinstance(start, Position):
        raise InputError(
            f"train takes a position, such as position('connect4'), not {quoted(start)}"
        )
    if minutes is None and rounds is None:
        raise InputError("train needs minutes= or rounds=: when does it end?")
    for name, given in {"minutes": minutes, "rounds": rounds, "workers": workers}.items():
        if given is not None and not given > 0:
            raise InputError(f"{name} must be above 0, not {given:g}")
    if workers and cluster:
        raise InputError("workers are threads of this machine: with cluster leave them out")
    config = training(**settings)
    from ponder.learn.training import TrainingRun  # with it comes torch

    run = TrainingRun(start, Path(folder), config, workers, cluster)
    try:
        seconds = None if minutes is None else 60 * minutes
        reason = run.run(seconds, rounds, tell=progress, rate=rate)
    finally:
        run.close()
    totals = run.totals
    return Trained(
        Path(folder),
        Path(folder) / IN_A_RUN,
        reason,
        totals.rounds,
        totals.games,
        totals.positions,
        totals.seconds,
    )
