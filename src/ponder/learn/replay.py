"""What was played, and batches of it to learn from."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import Spec, hooks_of, new_states
from ponder.core.position import Position
from ponder.jit import copy_record_from, inlined, kernel
from ponder.learn.network import value_count
from ponder.learn.plain_seeing import SeenCells, SeenGame, seen_spec
from ponder.learn.seeing import Sight
from ponder.learn.selfplay import PlayedRows

DRAWS = 20
"""So often rows are drawn until a batch is full; then any will do."""
COLUMNS = ("states", "policy", "results", "values", "games")


class Batch(NamedTuple):
    """Positions as the learner takes them."""

    codes: Any  # [n, cells] i4: the board as its mover sees it
    legal: Any  # [n, max_actions] i4: legal actions, -1 behind them
    policy: Any  # [n, max_actions] f4: the probability of each
    values: Any  # [n, values] f4: from -1 to 1, the mover's first


class Symmetric(NamedTuple):
    """The game's own symmetries: the board and the moves are turned together."""

    @inlined
    def turn(self, game, states, k):
        game.transform(states[0], k, states[1])

    @inlined
    def turned(self, game, action, k):
        return game.transform_action(action, k)


class Asymmetric(NamedTuple):
    """A game without symmetries."""

    @inlined
    def turn(self, game, states, k):
        copy_record_from(states, 1, states, 0)

    @inlined
    def turned(self, game, action, k):
        return action


@kernel
def symmetry_count(game):
    return game.symmetries()


def symmetries_of(position: Position) -> tuple[Any, int]:
    """How images of positions are made, and how many there are."""
    if "symmetries" not in hooks_of(position.game):
        return Asymmetric(), 1
    return Symmetric(), int(symmetry_count(position.rules.part))


def new_batch(spec: Spec, sight: Sight, n: int) -> Batch:
    return Batch(
        np.zeros((n, sight.board.cells), np.int32),
        np.zeros((n, spec.max_actions), np.int32),
        np.zeros((n, spec.max_actions), np.float32),
        np.zeros((n, value_count(spec)), np.float32),
    )


class KeptStates(NamedTuple):
    """What is kept of positions: as states of which game, and how their codes are written."""

    game: Any
    spec: Spec
    cells: Any


def kept_of(position: Position, sight: Sight) -> KeptStates:
    """States as they are; of a plain game, what was seen of them."""
    rules = position.rules
    if rules.plain:
        return KeptStates(SeenGame(), seen_spec(rules.spec, sight.board.cells), SeenCells())
    return KeptStates(rules.part, rules.spec, sight.cells)


class Sampler:
    """Makes batches of rows of a `Replay`."""

    def __init__(self, position: Position, sight: Sight) -> None:
        self.sight, self.kept = sight, kept_of(position, sight)
        self.spec = self.kept.spec
        self.images, self.symmetries = symmetries_of(position)
        self.states = new_states(self.spec.state, 2)
        self.raw = self.states.view(np.uint8).reshape(2, -1)[1]

    def batch(self, played: PlayedRows, rows: Any, images: Any) -> Batch:
        """These rows under these symmetries."""
        made = new_batch(self.spec, self.sight, len(rows))
        fill(
            self.kept.game,
            self.images,
            self.kept.cells,
            self.states,
            self.raw,
            played,
            np.asarray(rows, np.int64),
            np.asarray(images, np.int64),
            float(self.spec.lowest),
            float(self.spec.highest),
            made,
        )
        return made


@kernel
def fill(game, images, cells, states, raw, played, rows, turns, lowest, highest, out):
    """See `Sampler.batch`."""
    players = played.results.shape[1]
    middle, half = 0.5 * (highest + lowest), 0.5 * (highest - lowest)
    for i in range(rows.size):
        row, k = rows[i], turns[i]
        copy_record_from(states, 0, played.states, row)
        player = game.current_player(states[0])
        n = game.legal_actions(states[0], out.legal[i])
        for j in range(n):
            action = images.turned(game, np.int64(out.legal[i, j]), k)
            out.legal[i, j] = game.seen_action(action, player)
            out.policy[i, j] = played.policy[row, j]
        for j in range(n, out.legal.shape[1]):
            out.legal[i, j] = -1
        images.turn(game, states, k)
        cells.write(game, states[1], raw, player, out.codes[i])
        for j in range(out.values.shape[1]):
            owner = (player + j) % players  # value j is that of the j-th player after the mover
            out.values[i, j] = (played.values[row, owner] - middle) / half


class Replay:
    """The newest positions, oldest first, at most `room` of them."""

    def __init__(self, spec: Spec, room: int) -> None:
        self.room = room
        self.left = np.zeros(0, np.int64)
        """Of every row: how many rows of its game are behind it."""
        self.played = PlayedRows(
            new_states(spec.state, 0),
            np.zeros((0, spec.max_actions), np.float32),
            np.zeros((0, spec.players), np.float32),
            np.zeros((0, spec.players), np.float32),
            np.zeros(0, np.int64),
            np.zeros(3, np.int64),
        )

    def __len__(self) -> int:
        return len(self.played.games)

    def add(self, played: PlayedRows) -> None:
        """Take these rows in, in the order of their games; the oldest may have to go."""
        n = int(played.count[0])
        order = np.argsort(played.games[:n], kind="stable")
        made = {}
        for name in COLUMNS:
            both = np.concatenate([getattr(self.played, name), getattr(played, name)[:n][order]])
            made[name] = both[-self.room :]
        made["states"] = made["states"].view(np.recarray)
        self.played = PlayedRows(**made, count=self.played.count)
        _, sizes = np.unique(played.games[:n], return_counts=True)
        left = np.repeat(np.cumsum(sizes), sizes) - 1 - np.arange(n)
        self.left = np.concatenate([self.left, left])[-self.room :]

    def draw(self, rng: Any, count: int, window: int, near: float, endings: float) -> Any:
        """So many of the newest rows, `window` of them; rows with fewer than `near` behind them in
        their game about as large a share of how often others are drawn as `endings` says."""
        if endings == 1.0:
            return len(self) - 1 - rng.integers(0, window, count)
        found = np.zeros(0, np.int64)
        for _ in range(DRAWS):
            rows = len(self) - 1 - rng.integers(0, window, count)
            taken = (self.left[rows] >= near) | (rng.random(count) < endings)
            found = np.concatenate([found, rows[taken]])
            if len(found) >= count:
                return found[:count]
        # hardly any row is far from an end
        return np.concatenate([found, len(self) - 1 - rng.integers(0, window, count)])[:count]
