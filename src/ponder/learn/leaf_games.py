"""Self-play with a network beside the kernel: a game goes on until its network must be asked.

The moves are those of `ponder.learn.selfplay.play_games`, cut in pieces: `go_on` returns whenever a
state must be shown to the network, with its codes written, and takes the answer at the next call.
Many games are asked about in one batch (`ponder.learn.leaf_workers`), each about one state at a
time, so that no search has to look ahead of its own values.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE
from ponder.core.rng import uniform
from ponder.jit import kernel
from ponder.learn.beside import spread
from ponder.learn.network import softmax
from ponder.learn.selfplay import begin_game, clear, fill_in, forgive, judge, note, roll, seed_game
from ponder.mcts.search import (
    BROKEN,
    DONE,
    NOT_A_NUMBER,
    SOLVED,
    TOO_LONG,
    backward,
    grow,
    no_number,
    obstacle,
    reach,
)
from ponder.mcts.tree import ROOT

ASKED, OVER = 16, 17
"""What `go_on` returns, besides what may be wrong: a state waits for its answer; the game ended."""
NEW_GAME, ROOT_WAITS, LEAF_WAITS = 0, 1, 2
"""What a game is at."""


class GameInPieces(NamedTuple):
    """Where a game stands between two calls; arrays of one number each."""

    number: Any  # of the game
    phase: Any  # NEW_GAME, ROOT_WAITS or LEAF_WAITS
    moves: Any  # of players so far
    plies: Any  # with the throws of dice
    full: Any  # 1 if the visits of this move are learned
    made: Any  # simulations of this move
    depth: Any  # of the leaf that waits


def new_pieces() -> GameInPieces:
    return GameInPieces(*(np.zeros(1, np.int64) for _ in GameInPieces._fields))


@kernel
def take_priors(game, tree, node, work, logits):
    """The network's policy over the legal moves as the priors of the node's children."""
    nodes = tree.nodes
    first, count = nodes[node].first, nodes[node].count
    if first < 0 or nodes[first].player == CHANCE:
        return
    player = nodes[first].player
    for i in range(count):
        seen = game.seen_action(np.int64(nodes[first + i].action), player)
        work.scores[i] = logits[seen]
    softmax(work.scores, count)
    for i in range(count):
        nodes[first + i].prior = work.scores[i]


@kernel
def next_leaf(game, parts, tree, work, rng, at, n, cells, raw, codes):
    """Simulate until a leaf must be shown (ASKED), n simulations are made or the root is proven
    (DONE); or what went wrong."""
    while at.made[0] < n:
        status = obstacle(parts, tree, work, True)
        if status != DONE:
            return DONE if status == SOLVED else status
        depth = reach(game, parts, tree, work, rng, True)
        if depth < 0:
            return -depth
        s = work.states[1]
        if parts.backup.settled(tree, work.path[depth]):
            parts.backup.recall(tree, work.path[depth], work.utilities)
        else:
            left = work.path.size - 2 - depth
            while not game.is_terminal(s) and game.current_player(s) == CHANCE:
                if left < 0:
                    return TOO_LONG
                roll(game, s, work, rng)
                left -= 1
            if not game.is_terminal(s):
                cells.write(game, s, raw, game.current_player(s), codes)
                at.depth[0] = depth
                at.phase[0] = LEAF_WAITS
                return ASKED
            game.returns(s, work.utilities)
        if no_number(work.utilities):
            return NOT_A_NUMBER
        backward(parts, tree, work, depth)
        at.made[0] += 1
    return DONE


@kernel
def go_on(
    game, parts, tree, work, desk, rng, play, out, at, cells, raw, logits, values, codes, seed
):
    """Take the answer that was waited for, and play until the next question (ASKED, its codes are
    written) or the end of the game (OVER, its rows are in `out`); or what went wrong.

    `raw` is the memory of work.states[1].
    """
    s = desk.states[0]
    if at.phase[0] == NEW_GAME:
        out.count[0] = 0
        at.moves[0] = at.plies[0] = 0
        seed_game(rng, seed, at.number[0])
        if not begin_game(game, desk, work, rng, play):
            return BROKEN
    else:
        n = play.simulations if at.full[0] else play.cheap
        if at.phase[0] == ROOT_WAITS:
            take_priors(game, tree, ROOT, work, logits)
            play.way.begin(parts, tree, work, desk, at.full[0] != 0, n, rng)
            at.made[0] = 0
        else:
            depth = at.depth[0]
            mover = game.current_player(work.states[1])
            spread(values, mover, work.utilities.size, tree.lowest, tree.highest, work.utilities)
            take_priors(game, tree, work.path[depth], work, logits)
            backward(parts, tree, work, depth)
            at.made[0] += 1
        status = next_leaf(game, parts, tree, work, rng, at, n, cells, raw, codes)
        if status != DONE:
            return status
        child = play.way.move(parts, tree, work, desk, at.moves[0] < play.warm, rng)
        blunder = judge(parts, tree, work, play, child, at.made[0])
        if at.full[0]:
            note(game, parts, tree, work, desk, play, out, at.number[0])
        if blunder:
            forgive(out, 0)
        at.moves[0] += 1
        game.apply_action(s, tree.nodes[child].action)
    while not game.is_terminal(s) and game.current_player(s) == CHANCE:
        at.plies[0] += 1
        if at.plies[0] >= out.games.size:
            return BROKEN
        roll(game, s, work, rng)
    if game.is_terminal(s):
        game.returns(s, work.utilities)
        fill_in(out, 0, work.utilities, play.trace, play.referee)
        out.count[2] = at.moves[0]
        at.phase[0] = NEW_GAME
        return OVER
    at.plies[0] += 1
    if at.plies[0] >= out.games.size:
        return BROKEN
    at.full[0] = 1 if play.full_share >= 1.0 or uniform(rng) < play.full_share else 0
    clear(game, tree, work, desk)
    if not grow(game, parts, tree, work, ROOT, rng):
        return BROKEN
    cells.write(game, work.states[1], raw, game.current_player(work.states[1]), codes)
    at.phase[0] = ROOT_WAITS
    return ASKED
