"""One round of self-play of tic-tac-toe by an untrained network, for the signature."""

from __future__ import annotations

from ponder.core.position import Position
from ponder.games.tictactoe import TicTacToe
from ponder.learn.config import training
from ponder.learn.network import network_of, new_weights, value_count
from ponder.learn.patterns import patterns_of
from ponder.learn.root_ways import how_to_play
from ponder.learn.seeing import sight_of
from ponder.learn.selfplay import PlayedRows
from ponder.learn.workers import Workers

GAMES = 3
LENGTH = 7.5
"""Moves of a typical game."""
SETTINGS = {"visits": {}, "improvement": {"considered": 4, "exact": True}}
"""The two ways of `ponder.learn.root_ways`."""


def round_of_games(way: str) -> PlayedRows:
    """The rows of a round by one thread, in the way of AlphaZero or of Gumbel AlphaZero."""
    start = Position(TicTacToe())
    sight, spec = sight_of(start), start.rules.spec
    patterns = patterns_of(sight.board)
    weights = new_weights(patterns, spec.players, sight.actions, value_count(spec), 1)
    network = network_of(sight, patterns, weights, spec)
    config = training(simulations=8, seed=1, **SETTINGS[way])
    play, select, backup = how_to_play(config, start, LENGTH)
    workers = Workers(start, network, sight.board.cells, play, select, backup, 1)
    workers.begin(1, 0, GAMES)
    while workers.busy:
        workers.wait(0.05)
    return workers.results()
