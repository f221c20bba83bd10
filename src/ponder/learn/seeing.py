"""What a network sees of a state: a small code per cell.

A compiled game's own hook `cells` writes them from the mover's view. Where a game has none, codes
are derived from its record: every byte that differs between states of random games becomes a cell
(of few values), or eight of them, one for each bit. Such codes know neither mine from yours nor
what touches what; a few lines in the game are worth much more. For plain Python games see
`ponder.learn.plain_codes`.

Behind all of them stands one cell more: who is to move. The same board may be won for the first
player and lost for the second, as in Connect Four, whose last free squares fall to one of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE, Spec, hooks_of, new_list, new_states
from ponder.core.geometry import MOST_CELLS, MOST_CODES, Geometry
from ponder.core.position import Position
from ponder.core.rng import below, new_rng, sample
from ponder.errors import InputError
from ponder.jit import copy_record, inlined, kernel
from ponder.learn.plain_codes import PlainCodes, codes_from, found_codes
from ponder.learn.plain_seeing import plain_cells

FEW = 8
"""A byte with so many values at most is one cell; others are eight bits."""
GAMES = 64
"""Random games from which the bytes of a record are known."""
HINT = (
    "for a far better network write cells(self, s, player, out) and give the spec "
    "board=Geometry(rows, columns, codes): see docs/learning.md"
)


def seen_board(board: Geometry, players: int) -> Geometry:
    """A game's board with one cell more beside it, the last: who is to move."""
    return board._replace(extra=board.extra + 1, codes=max(board.codes, players))


class OwnCells(NamedTuple):
    """The game's own hook."""

    @inlined
    def write(self, game, s, raw, player, out):
        last = out.size - 1
        game.cells(s, player, out[:last])
        out[last] = player


class RecordCells(NamedTuple):
    """Cells derived from the bytes of the record."""

    places: Any  # [cells] i4: which byte
    codes: Any  # [cells, 256] u1: what its value means

    @inlined
    def write(self, game, s, raw, player, out):
        n = self.places.size
        for i in range(n):
            out[i] = self.codes[i, raw[self.places[i]]]
        out[n] = player


class Sight(NamedTuple):
    """How a game is seen."""

    cells: Any  # OwnCells, RecordCells or PlainCells
    board: Geometry
    derived: bool
    actions: int
    """Outputs of the policy."""
    plain: PlainCodes | None = None


def action_count(spec: Spec) -> int:
    return int(spec.distinct_actions or spec.max_actions)


def sight_of(position: Position, arrays: dict[str, Any] | None = None, plain: Any = None) -> Sight:
    """How the game of this position, one `for_kernels`, is seen; derived codes as in `arrays`, and
    those of a plain game as in `plain`, what a network's file says."""
    rules = position.rules
    if rules.plain:
        return plain_sight(position, plain)
    spec = rules.spec
    if "cells" in hooks_of(position.game):
        if spec.board is None:
            raise InputError(
                f"{rules.name} has the hook cells, but its spec does not say how they lie: "
                "board=Geometry(rows, columns, codes)"
            )
        board = seen_board(spec.board, spec.players)
        return Sight(OwnCells(), board, False, action_count(spec))
    if arrays is not None and "places" in arrays:
        places, codes = record_cells(arrays, spec.state.itemsize)
    else:
        places, codes = derived_codes(position)
    most = max(int(codes.max()) + 1 if codes.size else 0, 2)
    board = seen_board(Geometry(1, len(places), most, "loose"), spec.players)
    return Sight(RecordCells(places, codes), board, True, action_count(spec))


def record_cells(arrays: dict[str, Any], record: int) -> tuple[Any, Any]:
    """Places and codes as a network's file has them; refused where a kernel that follows them would
    look outside a record of so many bytes, or a table of patterns."""
    places, codes = np.array(arrays["places"]), np.array(arrays.get("codes", ()))
    usable = (
        places.dtype == np.int32
        and codes.dtype == np.uint8
        and 1 <= places.size < MOST_CELLS
        and codes.shape == (*places.shape, 256)
        and bool((places >= 0).all() and (places < record).all())
        and int(codes.max()) < MOST_CODES
    )
    if not usable or places.ndim != 1:
        raise InputError(
            "the network's file says nothing usable of how the record of its game is coded: "
            "train it again"
        )
    return places, codes


def plain_sight(position: Position, said: Any) -> Sight:
    """How a plain Python game is seen."""
    rules = position.rules
    codes = found_codes(rules.rules) if said is None else codes_from(said, rules.rules)
    cells = plain_cells(rules, codes)
    board = seen_board(codes.board, rules.spec.players)
    return Sight(cells, board, bool(codes.pieces), len(codes.actions) + 1, codes)


def derived_codes(position: Position) -> tuple[Any, Any]:
    """Which bytes of the record are cells, and what their values mean."""
    rules, spec = position.rules, position.rules.spec
    for name in spec.state.names:
        if spec.state[name].base.kind not in "iub":
            raise InputError(
                f"the record of {rules.name} cannot be coded: its field {name} is not made of "
                f"whole numbers; {HINT}"
            )
    states = visited_states(rules.part, spec)
    raw = states.view(np.uint8).reshape(len(states), -1)
    places: list[int] = []
    codes: list[Any] = []
    for at in range(raw.shape[1]):
        values = np.unique(raw[:, at])
        if len(values) == 1:
            continue
        if len(values) <= FEW:
            table = np.zeros(256, np.uint8)
            table[values] = np.arange(len(values))
            places.append(at)
            codes.append(table)
        else:
            for bit in range(8):
                places.append(at)
                codes.append((np.arange(256) >> bit & 1).astype(np.uint8))
    if not places or len(places) >= MOST_CELLS:
        raise InputError(
            f"the record of {rules.name} cannot be coded: {len(places)} cells, "
            f"accepted: 1 to {MOST_CELLS - 1}; {HINT}"
        )
    return np.array(places, np.int32), np.array(codes, np.uint8)


def visited_states(part: Any, spec: Spec) -> Any:
    """States of random games in which a player is to move."""
    room = new_states(spec.state, 1 << 14)
    actions, chances = new_list(spec, np.int32), new_list(spec, np.float64)
    walk = new_states(spec.state, 2)
    n = random_states(part, walk, room, actions, chances, new_rng(1), GAMES, spec.max_length)
    return room[:n]


@kernel
def random_states(game, walk, room, actions, chances, rng, games, longest):
    """The states of random games in which a player moves, as far as there is room; how many."""
    n = 0
    for _ in range(games):
        copy_record(walk, 0, 1)  # zeros
        s = walk[0]
        game.start(s)
        plies = 0
        while not game.is_terminal(s) and plies <= longest:
            player = game.current_player(s)
            if player == CHANCE:
                outcomes = game.chance_outcomes(s, actions, chances)
                action = actions[sample(rng, chances, outcomes)]
            else:
                if n >= room.size:
                    return n
                room[n] = walk[0]
                n += 1
                action = actions[below(rng, game.legal_actions(s, actions))]
            game.apply_action(s, action)
            plies += 1
    return n
