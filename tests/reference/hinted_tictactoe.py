"""Tic-tac-toe with the hooks that it lacks, and positions whose best moves everybody knows."""

from __future__ import annotations

from typing import NamedTuple

from ponder.games.tictactoe import LINES, TicTacToe
from ponder.jit import kernel


class HintedTicTacToe(NamedTuple):
    """The centre looks best, then the corners; who has more open lines stands better."""

    spec = TicTacToe.spec
    start = TicTacToe.start
    current_player = TicTacToe.current_player
    legal_actions = TicTacToe.legal_actions
    apply_action = TicTacToe.apply_action
    is_terminal = TicTacToe.is_terminal
    returns = TicTacToe.returns
    action_name = TicTacToe.action_name
    position_text = TicTacToe.position_text
    parse_position = TicTacToe.parse_position
    rows = TicTacToe.rows

    def order(self, s, a):
        return 30 if a == 4 else 20 if a % 2 == 0 else 10

    def urgent(self, s, a):
        return a == 4

    def evaluate(self, s, out):
        out[0] = (open_lines(s.stones[1]) - open_lines(s.stones[0])) / 8.0
        out[1] = -out[0]


@kernel
def open_lines(stones):
    """Lines without any of these stones."""
    n = 0
    for line in LINES:
        if stones & line == 0:
            n += 1
    return n


BEST = {
    "xx./oo./...": {"c1"},  # wins
    "xx./o../...": {"c1"},  # stops three in a row
    "x../.o./..x": {"b1", "a2", "c2", "b3"},  # a corner loses to a fork
}
