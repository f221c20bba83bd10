"""Kept positions of self-play, before any kernel follows them.

A position is the record of a game, and rules look into their tables by what stands in it: a record
that no game leads to may lead them anywhere. So every position must follow from the one before it
by a move and any dice, and the first of a game from how that game began, which its number and the
seed of the run say.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ponder.core.compiled import guarded
from ponder.core.game import CHANCE, new_list, new_lists, new_states
from ponder.core.position import Position
from ponder.core.rng import new_rng
from ponder.errors import InputError
from ponder.jit import copy_record, copy_record_from, kernel
from ponder.learn.checkpoint import PLAYED
from ponder.learn.selfplay import Play, PlayedRows, begin_game, seed_game

SOUND = -1
DICE = 16
"""So many throws in a row at most lead from one position of a player to the next."""


class PlayedWalk(NamedTuple):
    """Scratch space."""

    states: Any  # [DICE + 3] by depth: the position before, after its move, after each throw
    words: Any  # the same, word by word
    actions: Any  # [DICE + 2 and more, max_actions] i4
    chances: Any  # [max_actions] f8
    totals: Any  # [DICE + 2] i8: how many actions there are at each depth
    following: Any  # [DICE + 2] i8: which of them is next


class OpeningShare(NamedTuple):
    """As much of a `Play` as openings need."""

    opening_share: float
    opening_moves: int


class OpeningDesk(NamedTuple):
    """As much of a `PlayingDesk` and of a search's scratch space as openings need."""

    states: Any
    actions: Any
    chances: Any


@kernel
def same_record(walk, depth, words, row):
    for i in range(words.shape[1]):
        if walk.words[depth, i] != words[row, i]:
            return False
    return True


@kernel
def list_ways(game, walk, depth):
    """The moves, or throws, from the state at this depth."""
    s = walk.states[depth]
    if game.current_player(s) == CHANCE:
        walk.totals[depth] = game.chance_outcomes(s, walk.actions[depth], walk.chances)
    else:
        walk.totals[depth] = game.legal_actions(s, walk.actions[depth])
    walk.following[depth] = 0


@kernel
def leads_to(game, walk, words, row):
    """Does a move from ``walk.states[0]``, and any dice, lead to the record ``words[row]``?"""
    depth = 0
    list_ways(game, walk, 0)
    while depth >= 0:
        i = walk.following[depth]
        if i >= walk.totals[depth]:
            depth -= 1
            continue
        walk.following[depth] = i + 1
        copy_record(walk.states, depth + 1, depth)
        s = walk.states[depth + 1]
        game.apply_action(s, walk.actions[depth, i])
        if same_record(walk, depth + 1, words, row):
            return True
        dice = not game.is_terminal(s) and game.current_player(s) == CHANCE
        if dice and depth + 2 < walk.totals.size:
            depth += 1
            list_ways(game, walk, depth)
    return False


@kernel
def first_stray(game, opening, walk, desk, rng, seed, states, words, games):
    """The first row that does not follow from the one before it, or, of a new game, from how that
    begins; SOUND if there is none."""
    for row in range(games.size):
        if row > 0 and games[row] == games[row - 1]:
            copy_record_from(walk.states, 0, states, row - 1)  # which is known to be sound
            if not leads_to(game, walk, words, row):
                return row
            continue
        seed_game(rng, seed, games[row])
        if not begin_game(game, desk, desk, rng, opening):
            return row
        copy_record_from(walk.states, 0, desk.states, 0)
        if not same_record(walk, 0, words, row):
            return row
        s = walk.states[0]
        if game.is_terminal(s) or game.current_player(s) == CHANCE:
            return row
    return SOUND


def check_rows(path: Path, played: PlayedRows, position: Position, play: Play, seed: int) -> None:
    """InputError unless every position is one that games of this seed lead to.

    Where moves are only played (`cheap`) nobody has kept what lies between two positions: of such
    runs, which only those who ask for cheap moves again take up, positions are believed.
    """
    if play.full_share < 1.0:
        return
    spec, n = position.rules.spec, len(played.games)
    states = new_states(spec.state, DICE + 3)
    walk = PlayedWalk(
        states,
        states.view(np.uint64).reshape(len(states), -1),
        new_lists(spec, DICE + 2, np.int32),
        new_list(spec, np.float64),
        np.zeros(DICE + 2, np.int64),
        np.zeros(DICE + 2, np.int64),
    )
    desk = OpeningDesk(
        new_states(spec.state, 2), new_list(spec, np.int32), new_list(spec, np.float64)
    )
    words = played.states.view(np.uint64).reshape(n, -1)
    opening = OpeningShare(float(play.opening_share), int(play.opening_moves))
    found = guarded(
        position.rules.name,
        first_stray,
        *(position.rules.part, opening, walk, desk, new_rng(0), seed),
        *(played.states, words, played.games),
    )
    if found != SOUND:
        raise InputError(
            f"{path} is damaged: position {found + 1:,} is not one that game "
            f"{played.games[found]:,} leads to: {PLAYED.advice}"
        )


def check_seen(path: Path, played: PlayedRows, players: int, codes: int, actions: int) -> None:
    """The same of what was seen of the states of a plain game (`plain_seeing.seen_spec`): so many
    players, codes, and outputs for actions."""
    seen: Any = played.states
    if not len(seen):
        return
    listed = np.arange(seen.actions.shape[1]) < seen["count"][:, None]
    sound = (
        (seen["count"] >= 1).all()
        and (seen["count"] <= seen.actions.shape[1]).all()
        and (seen.player >= 0).all()
        and (seen.player < players).all()
        and (seen.codes < codes).all()
        and (seen.codes[:, -1] == seen.player).all()
        and (seen.actions >= 0).all()
        and (seen.actions[listed] < actions).all()
    )
    if not sound:
        raise InputError(f"{path} is damaged: its positions are not of this game: {PLAYED.advice}")
