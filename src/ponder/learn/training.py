"""The training loop: rounds of self-play, learning meanwhile from the rounds before.

Round n is played with the network as it is when the round begins; at the same time the learner goes
over the positions of rounds before n. Then all is saved, and the network of self-play is replaced.
How much is learned depends on counts, never on the clock: the same seed gives the same run, however
often it is interrupted and on however many threads.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import new_states
from ponder.core.position import Position
from ponder.core.registry import game_text
from ponder.errors import InputError, PonderError
from ponder.files import lock
from ponder.learn.checkpoint import (
    CHECKPOINT,
    forget_rounds,
    load_played,
    read_log,
    round_file,
    save_log,
    save_played,
)
from ponder.learn.config import Training, save_config
from ponder.learn.events import EventFile
from ponder.learn.file import IN_A_RUN, network_path
from ponder.learn.ladder import (
    CLEARLY,
    Standing,
    anchors,
    pairs_for,
    rating_player,
    standing_of,
)
from ponder.learn.model import Learner
from ponder.learn.plain_codes import HINT as PLAIN_HINT
from ponder.learn.plain_codes import SLOW, refuse_plain, visited
from ponder.learn.plain_games import for_training, save_codes, saved_codes
from ponder.learn.played_check import check_rows, check_seen
from ponder.learn.referee import refuse_unsolvable
from ponder.learn.replay import Replay, Sampler
from ponder.learn.roads import road_of
from ponder.learn.root_ways import how_to_play
from ponder.learn.seeing import GAMES, HINT, sight_of, visited_states
from ponder.learn.selfplay import Play, PlayedRows
from ponder.learn.solved_positions import SolvedPosition, mistakes, solved_positions

CHECKPOINT_FILE = "checkpoint"
NEAR = 0.6
"""The end of a game is nearer than this share of a random game's length: where the setting
`endings` counts."""
RATING_SHARE = 0.1
RATING_GAMES = 20
"""Of the games against fixed opponents: how much time, and how many at a time."""


class TrainingError(PonderError):
    """Training cannot go on."""


class Totals(NamedTuple):
    """How far a run is."""

    rounds: int = 0
    games: int = 0
    positions: int = 0
    steps: int = 0
    seconds: float = 0.0


class TrainingRun:
    """A run in a folder: made, or taken up where it was left.

    Games are played by so many threads, or by a cluster (`ponder.learn.cluster`).
    """

    def __init__(
        self,
        position: Position,
        folder: Path,
        config: Training,
        workers: int | None = None,
        cluster: str = "",
    ) -> None:
        if cluster:
            refuse_plain(position, "--cluster")
        self.position = for_training(position)
        self.folder, self.config = folder, config
        if config.exact_nodes:  # before anything is compiled
            refuse_unsolvable(self.position)
        if config.begin and not (folder / CHECKPOINT_FILE).exists():
            network_path(config.begin)  # which refuses one that is not there
        self.sight = sight_of(self.position, plain=saved_codes(folder))
        self.road = road_of(self.position, self.sight, config)
        self.workers: Any = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = (folder / ".lock").open("w")
        except OSError as error:
            raise InputError(f"cannot write {folder}: {error.strerror}") from None
        try:
            if not lock(self._lock.fileno()):
                raise InputError(f"another process is training in {folder}")
            self._set_up(workers, cluster)
        except BaseException:
            self.close()
            raise

    def _set_up(self, workers: int | None, cluster: str) -> None:
        position, folder, config = self.position, self.folder, self.config
        if config.begin and not (folder / CHECKPOINT_FILE).exists():
            self.road.begin_with(config.begin)
        self.learner = Learner(self.road.model, config.learning_rate, config.decay)
        self.length = typical_length(position)
        how = how_to_play(config, position, self.length)
        self.play: Play = how[0]
        if cluster:  # before anything is written: it may not be there
            self.workers = cluster_workers(position, config, self.learner.mean, cluster)
        save_config(folder, game_text(position.own_game), config)
        save_codes(folder, self.sight.plain)
        self.sampler = Sampler(position, self.sight)
        self.spec = self.sampler.spec
        self.replay = Replay(self.spec, config.most_window)
        self.sizes: list[int] = []
        """Positions of each round."""
        self.totals = Totals()
        self.log: list[dict[str, Any]] = []
        self.events: EventFile | None = None
        self.solved: list[SolvedPosition] | None = None
        """Positions on which mistakes are counted, once they are needed."""
        self.seconds_wanted: float | None = None
        self._resume()
        if not cluster:
            self.workers = self.road.workers(*how, workers or os.cpu_count() or 1)
        self._compile()

    def hints(self) -> list[str]:
        """What would make this game quicker, or better, to learn: sentences after its name."""
        plain = self.sight.plain is not None
        unseen = f"does not say how its board looks; {PLAIN_HINT if plain else HINT}"
        return [SLOW] * plain + [unseen] * self.sight.derived

    def close(self) -> None:
        if self.workers is not None:
            self.workers.close()
        self._lock.close()

    def _resume(self) -> None:
        """Take up the last checkpoint, if there is one."""
        path = self.folder / CHECKPOINT_FILE
        if not path.exists():
            return
        self.totals, self.sizes, oldest = restored(path, self.learner)
        self.log = read_log(self.folder)[: self.totals.rounds]
        if len(self.log) < self.totals.rounds:
            raise InputError(f"{self.folder} has lost the log of round {len(self.log) + 1}")
        for number in range(oldest, self.totals.rounds):
            played = self._kept_games(number)
            if played is None:
                raise InputError(f"{self.folder} has lost the games of round {number}")
            if len(played.games) != self.sizes[number]:
                raise InputError(f"{self.folder} has other games of round {number}: train anew")
            self.replay.add(played)
        self.road.renew(self.learner.mean)

    def _kept_games(self, number: int) -> PlayedRows | None:
        """The games of a round, if they are there; kernels may follow their positions."""
        played = load_played(self.folder, number, self.spec)
        if played is None:
            return None
        path, board = round_file(self.folder, number), self.sight.board
        if self.position.rules.plain:
            check_seen(path, played, self.spec.players, board.codes, self.sight.actions)
        else:
            check_rows(path, played, self.position, self.play, self.seed)
        return played

    @property
    def seed(self) -> int:
        """Of the games."""
        return self.config.seed & (1 << 62) - 1

    def _compile(self) -> None:
        """Compile what has not been used yet, before any clock runs."""
        if self.position.rules.plain:
            states = new_states(self.spec.state, 1)
        else:
            states = visited_states(self.position.rules.part, self.spec)[:1]
        one = PlayedRows(
            states,
            np.zeros((1, self.spec.max_actions), np.float32),
            np.zeros((1, self.spec.players), np.float32),
            np.zeros((1, self.spec.players), np.float32),
            np.zeros(1, np.int64),
            np.zeros(3, np.int64),
        )
        # in evaluation mode: batch norms take nothing from it
        self.learner.model.eval()(self.sampler.batch(one, [0], [0]).codes)

    # ------------------------------------------------------------ one round

    def run(
        self,
        seconds: float | None = None,
        rounds: int | None = None,
        tell: Callable[[dict[str, Any]], None] | None = None,
        rate: bool = False,
    ) -> str:
        """Train until so many seconds, or rounds, have been spent on the run in all; says which.

        With `rate`, a tenth of the time goes into games against fixed opponents.
        """
        self.seconds_wanted = seconds
        while True:
            if rounds is not None and self.totals.rounds >= rounds:
                return "rounds"
            left = None if seconds is None else seconds - self.totals.seconds
            if left is not None and left <= 0:
                return "time"
            if not self.round(left):
                return "time"
            if rate and self.rating_is_due():
                self.rate()
            if tell is not None:
                tell(self.log[-1])

    def round(self, seconds: float | None = None) -> bool:
        """One round; False if there was no time to finish it, and nothing has changed."""
        began = time.perf_counter()
        config, number = self.config, self.totals.rounds
        wanted = min(config.most_positions, config.first_positions * (1 + number))
        games = max(1, round(wanted / self.length))
        found = self._kept_games(number)
        if found is None:
            self.workers.begin(self.seed, self.totals.games, self.totals.games + games)
        try:
            policy, value, steps = self._learn()
            while found is None and self.workers.busy:
                self.workers.wait(0.05)
                if seconds is not None and time.perf_counter() - began > seconds:
                    # The learner is ahead of what is saved: nothing of this round may be kept.
                    self.workers.cancel()
                    return False
        except BaseException:
            self.workers.cancel()
            raise
        played = self.workers.results() if found is None else found
        if found is None:
            save_played(self.folder, number, played)
        self.replay.add(played)
        self.sizes.append(int(played.count[0]))
        before = self.totals
        self.totals = Totals(
            number + 1,
            before.games + games,
            before.positions + int(played.count[0]),
            before.steps + steps,
            before.seconds + time.perf_counter() - began,
        )
        self.log.append(
            {
                **self.totals._asdict(),
                "seconds_wanted": self.seconds_wanted,
                "policy_loss": policy,
                "value_loss": value,
                "learning_rate": self.learning_rate(),
                "window": self.window(),
                "simulations": self._simulations(played),
            }
        )
        self.road.renew(self.learner.mean)
        self._save()
        self._tell_tensorboard()
        return True

    def _simulations(self, played: PlayedRows) -> int:
        full, moves = int(played.count[0]), int(played.count[2])
        return full * self.play.simulations + (moves - full) * self.play.cheap

    def _tell_tensorboard(self) -> None:
        line = self.log[-1]
        names = ("policy_loss", "value_loss", "learning_rate", "positions", "games", "window")
        values = {name: float(line[name]) for name in names if line[name] is not None}
        if self.events is None:
            self.events = EventFile(self.folder)
        self.events.write(line["steps"], values)

    def rating_is_due(self) -> bool:
        spent = sum(line.get("rating_seconds", 0.0) for line in self.log)
        return self.totals.seconds > 60 and spent < RATING_SHARE * self.totals.seconds

    def rate(self) -> Standing:
        """Play some games on the rung that the network has come to, and count its mistakes on
        solved positions; noted with the last round."""
        if self.solved is None:
            self.solved = solved_positions(self.position)
        rung = max((line["rung"] for line in self.log if "rung" in line), default=0)
        last = next((line for line in reversed(self.log) if line.get("rung") == rung), None)
        if last and last["score"] > CLEARLY:
            rung = min(rung + 1, len(anchors(self.position)) - 1)
        plies, first = self.play.opening_moves // 2, RATING_GAMES * self.totals.rounds
        ask = self.folder / IN_A_RUN, self.road.module, rung, plies
        self.workers.rated(*ask, range(self.config.seed, self.config.seed + 1))  # compiles
        began = time.perf_counter()
        pairs = pairs_for(self.position, RATING_GAMES)
        seeds = range(self.config.seed + first, self.config.seed + first + pairs)
        found = standing_of(self.position, rung, self.workers.rated(*ask, seeds))
        wrong = mistakes(self.solved, rating_player(str(self.folder), self.road.module))
        spent = time.perf_counter() - began
        self.totals = self.totals._replace(seconds=self.totals.seconds + spent)
        self.log[-1] |= {
            "rung": found.rung,
            "opponent": found.opponent,
            "score": found.score,
            "rating": found.rating,
            "rating_games": found.games,
            "rating_seconds": spent,
        }
        if wrong is not None:
            self.log[-1] |= {
                "solved": wrong.positions,
                "policy_mistakes": wrong.policy,
                "search_mistakes": wrong.search,
            }
        self._save()
        return found

    @property
    def simulations(self) -> int:
        """Simulations of all moves so far; where the search proved a root, as many as it had."""
        return sum(line["simulations"] for line in self.log)

    def learning_rate(self) -> float:
        return self.config.learning_rate / math.sqrt(1 + self.totals.positions / self.config.fade)

    def window(self) -> int:
        """How many of the newest positions are learned from."""
        wanted = max(
            self.config.least_window, int(self.config.window_share * self.totals.positions)
        )
        return min(len(self.replay), wanted)

    def _learn(self) -> tuple[float | None, float | None, int]:
        """Go over the positions as often as the last round was long; the mean losses, and steps."""
        if not self.sizes:
            return None, None, 0
        config = self.config
        steps = max(1, round(config.reuse * self.sizes[-1] / config.batch))
        rng = np.random.default_rng([config.seed, 2, self.totals.rounds])
        self.learner.seed(int(rng.spawn(1)[0].integers(1 << 62)))
        rate, window, total = self.learning_rate(), self.window(), np.zeros(2)
        near = NEAR * self.length
        for step in range(steps):
            rows = self.replay.draw(rng, config.batch, window, near, config.endings)
            images = rng.integers(0, self.sampler.symmetries, config.batch)
            batch = self.sampler.batch(self.replay.played, rows, images)
            share = 1 / (1 + config.average * (self.totals.steps + step))
            found = self.learner.learn(batch, rate, share)
            if not np.isfinite(found).all():
                raise TrainingError(
                    f"the loss is not a number at step {self.totals.steps + step + 1} (policy "
                    f"{found[0]:g}, value {found[1]:g}): training ends; {self.folder} keeps round "
                    f"{self.totals.rounds}; a lower learning_rate may help"
                )
            total += found
        policy, value = (total / steps).tolist()
        return policy, value, steps

    def _save(self) -> None:
        kept, oldest = 0, len(self.sizes)
        while oldest > 0 and kept < self.config.most_window:
            oldest -= 1
            kept += self.sizes[oldest]
        save_log(self.folder, self.log)
        CHECKPOINT.write(
            self.folder / CHECKPOINT_FILE,
            {"totals": self.totals._asdict(), "sizes": self.sizes, "oldest": oldest},
            self.learner.arrays(),
        )
        trained = {**self.totals._asdict(), **self.config._asdict()}
        self.road.save(self.folder / IN_A_RUN, trained)
        forget_rounds(self.folder, oldest)


def restored(path: Path, learner: Learner) -> tuple[Totals, list[int], int]:
    """Give the learner what a checkpoint says; the totals, the positions of each round, and the
    oldest round that is learned from."""
    header, arrays = CHECKPOINT.read(path)
    try:
        totals, sizes, oldest = Totals(**header["totals"]), header["sizes"], header["oldest"]
        if not fit_each_other(totals, sizes, oldest):
            raise ValueError
        learner.restore(arrays)
    except (KeyError, TypeError, ValueError):
        raise InputError(
            f"{path} does not fit this game, or is of another version: {CHECKPOINT.advice}"
        ) from None
    return totals, sizes, oldest


def fit_each_other(totals: Totals, sizes: Any, oldest: Any) -> bool:
    """Are these the totals of rounds with so many positions each?"""
    counts = (*totals[:4], oldest, *sizes)
    return (
        isinstance(sizes, list)
        and all(type(n) is int and 0 <= n < 1 << 62 for n in counts)
        and isinstance(totals.seconds, int | float)
        and totals.seconds >= 0
        and len(sizes) == totals.rounds
        and oldest <= totals.rounds <= totals.games
        and sum(sizes) == totals.positions
    )


def cluster_workers(position: Position, config: Training, model: Any, address: str) -> Any:
    from ponder.learn.cluster import ClusterWorkers  # needs Ray

    return ClusterWorkers(position, config, model, address)


def typical_length(position: Position) -> float:
    """Moves of players in a random game, on average."""
    if position.rules.plain:
        met = visited(position.rules.rules)
        return max(1.0, len(met.states) / met.games)
    states = visited_states(position.rules.part, position.rules.spec)
    return max(1.0, len(states) / GAMES)
