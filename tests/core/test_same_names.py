"""Two parts of one name, with fields of the same types, run their own code each."""

from __future__ import annotations

import ponder
from ponder import MCTS, Position, game, position

GAME = """
from typing import NamedTuple
from ponder import Spec, record

class Game(NamedTuple):
    def spec(self):
        return Spec(players=1, max_actions=1, max_length=9, state=record(n="i4"), zero_sum=False)
    def start(self, s):
        s.n = {start}
    def current_player(self, s):
        return 0
    def legal_actions(self, s, out):
        out[0] = 0
        return 1
    def apply_action(self, s, a):
        s.n += {step}
    def is_terminal(self, s):
        return s.n >= 8
    def returns(self, s, out):
        out[0] = 0.0
"""


class UCB1(ponder.select.UCB1):
    """The name and the fields of Ponder's own rule, but it always takes the least visited child."""

    def terms(self, shared, tree, child, visits, inverse, root, mean):
        return (-float(visits), shared * 0.0)


def test_games_of_one_name_in_two_files_keep_their_own_rules(tmp_path):
    made = []
    for start, step in ((0, 1), (2, 3)):
        file = tmp_path / f"steps_of_{step}.py"
        file.write_text(GAME.format(start=start, step=step))
        made.append(Position(game(f"{file}:Game")))
    one, two = made
    assert (one.state.n, two.state.n) == (0, 2)
    assert (one.play(0).state.n, two.play(0).state.n) == (1, 5)


def test_a_rule_with_the_name_of_another_is_not_taken_for_it():
    start = position("tictactoe")
    usual = MCTS().search(start, simulations=900, seed=1)
    own = MCTS(select=UCB1()).search(start, simulations=900, seed=1)
    assert len({row.visits for row in usual.moves}) > 1
    assert {row.visits for row in own.moves} == {100}
