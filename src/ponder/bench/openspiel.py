"""The same work in Ponder and in OpenSpiel's C++, side by side in one run.

UCT with one random rollout a simulation, c = 2, the same start and the same number of
simulations, on one core. Both add ``c * sqrt(ln N / n)`` to the mean (OpenSpiel's C++
`MCTSBot`). The two take turns, so that whatever else the machine does hits both alike.

Random games in C++: a search of one simulation whose evaluator makes many rollouts from the root.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ponder.adapters.openspiel import load_pyspiel
from ponder.bench.clock import Rate, clock, rate_of, repeat_for
from ponder.bench.speed import SEED, playout_rate, start_of
from ponder.core.position import Position
from ponder.core.registry import GAMES, game_text, parse_game
from ponder.errors import InputError
from ponder.mcts.presets import uct

PEERS = {
    "tictactoe": "tic_tac_toe",
    "connect4": "connect_four",
    "othello": "othello",
    "breakthrough": "breakthrough",
    "hex(size=11)": "hex(board_size=11)",
    "go(size=9, komi=7.5)": "go(board_size=9,komi=7.5)",
    "checkers": "checkers",
    "chess": "chess",
    "backgammon": "backgammon",
    "chinese_checkers": "chinese_checkers",
    "nim": "nim(is_misere=false)",
    "pig": "pig",
}
"""Our games and the same ones in OpenSpiel. Not 2048: its `MCTSBot` takes no rewards on the way."""

GOALS = {"tictactoe": 2.0, "connect4": 10.0, "othello": 50.0}
"""How many times OpenSpiel's simulations a second Ponder promises at least."""

C = 2.0
REPEATS = 5
MEMORY = 4000  # megabytes, for both


class Duel(NamedTuple):
    """One game, both programs; the ratio is of the medians."""

    game: str
    peer: str
    simulations: int
    """of each search"""
    ours: Rate
    theirs: Rate
    our_playouts: float
    their_playouts: float

    @property
    def ratio(self) -> float:
        return self.ours.median / self.theirs.median

    @property
    def playout_ratio(self) -> float:
        return self.our_playouts / self.their_playouts


def peer_of(game: str) -> str:
    """OpenSpiel's name of the game."""
    wanted = game_text(parse_game(game))
    for ours, theirs in PEERS.items():
        if is_registered(ours) and game_text(parse_game(ours)) == wanted:
            return theirs
    known = ", ".join(name for name in PEERS if is_registered(name))
    raise InputError(f"no game of OpenSpiel is known to be the same as {game} (known: {known})")


def is_registered(game: str) -> bool:
    return game.partition("(")[0] in GAMES


class Peer:
    """OpenSpiel's side: one game, at its start."""

    def __init__(self, name: str) -> None:
        self.pyspiel = load_pyspiel()
        self.game = self.pyspiel.load_game(name)
        self.state = self.game.new_initial_state()
        while self.state.is_chance_node():
            self.state.apply_action(self.state.legal_actions()[0])

    def search(self, simulations: int, seed: int, rollouts: int = 1) -> int:
        """One UCT search; the visits of the root."""
        bot = self.pyspiel.MCTSBot(
            self.game,
            self.pyspiel.RandomRolloutEvaluator(rollouts, seed),
            C,
            simulations,
            MEMORY,
            False,  # no proven values: neither side has them here
            seed,
            False,
        )
        return int(bot.mcts_search(self.state).explore_count)

    def playout_rate(self, seconds: float) -> float:
        """Random games a second, in C++ throughout."""
        batch = _sized(lambda n: self.search(1, SEED, n), seconds / 4)
        return repeat_for(seconds, lambda i: batch * self.search(1, SEED + i, batch))


def duel(game: str, seconds: float, repeats: int = REPEATS) -> Duel:
    """`repeats` measurements of about `seconds` on each side, taking turns."""
    peer_name = peer_of(game)
    start, peer = start_of(game), Peer(peer_name)
    _check_same_start(game, start, peer.state)
    engine = uct(C)
    engine.search(start, simulations=1, seed=SEED)  # compiles
    simulations = _sized(lambda n: peer.search(n, SEED), seconds / 2)

    def our_search(seed: int) -> int:
        result = engine.search(start, simulations=simulations, memory=MEMORY, seed=seed)
        return int(result.simulations or 0)

    ours, theirs = [], []
    for _ in range(repeats):
        ours.append(repeat_for(seconds / 2, lambda i: our_search(SEED + i)))
        theirs.append(repeat_for(seconds / 2, lambda i: peer.search(simulations, SEED + i)))
    return Duel(
        game,
        peer_name,
        simulations,
        rate_of(ours),
        rate_of(theirs),
        playout_rate(start, seconds),
        peer.playout_rate(seconds),
    )


def _sized(work: Callable[[int], object], seconds: float) -> int:
    """How much work takes about `seconds`: the first power of 2 that takes half of it or more."""
    n = 8
    while True:
        began = clock()
        work(n)
        if clock() - began >= seconds / 2:
            return n
        n *= 2


def _check_same_start(game: str, ours: Position, theirs: Any) -> None:
    """The starts must look alike, else the figures would not be comparable."""
    if game == "backgammon":  # the same rules, but OpenSpiel lists both orders of two equal moves
        return
    if len(ours.legal_actions) != len(theirs.legal_actions()):
        raise InputError(
            f"{game} starts with {len(ours.legal_actions)} moves here "
            f"and {len(theirs.legal_actions())} in OpenSpiel: not comparable"
        )
