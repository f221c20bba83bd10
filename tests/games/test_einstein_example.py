"""examples/einstein.py against OpenSpiel's game, step by step, by the names of their moves."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from ponder import position

pyspiel = pytest.importorskip("pyspiel")
EXAMPLE = Path(__file__).parents[2] / "examples" / "einstein.py"
WAYS = {"left": 0, "right": 0, "diag": 1, "up": 2, "down": 2}
LAST = 24


def their_start():
    """OpenSpiel's first player comes from the last corner: the boards are turned by half."""
    game = pyspiel.load_game("einstein_wurfelt_nicht")
    state = game.new_initial_state()
    for wanted in (["b1", "b2", "b3", "b4", "b5", "b6"], ["w6", "w5", "w4", "w3", "w2", "w1"]):
        for outcome, _ in state.chance_outcomes():
            after = state.child(outcome)
            if [s for s in re.findall(r"[bw]\d", str(after)) if s[0] == wanted[0][0]] == wanted:
                state = after
                break
    assert state.is_chance_node()
    assert len(state.chance_outcomes()) == 6
    return state


def their_board(state):
    """Our numbers on our cells."""
    found = re.findall(r"\|(\w\w)\|", str(state))[: LAST + 1]
    numbers = [0 if s == "__" else int(s[1]) + (6 if s[0] == "b" else 0) for s in found]
    return numbers[::-1]


def their_moves(state):
    """(number of the stone, way) -> action."""
    moves = {}
    for action in state.legal_actions():
        number, way = re.fullmatch(r"[BW](\d)-(\w+)\*?", state.action_to_string(action)).groups()
        moves[int(number), WAYS[way]] = action
    return moves


def test_every_step_is_openspiels():
    begin, rng = their_start(), np.random.default_rng(1)
    steps = 0
    for _ in range(200):
        ours, theirs = position(f"{EXAMPLE}:Einstein"), begin.clone()
        while not ours.is_terminal:
            assert not theirs.is_terminal()
            assert list(ours.state.stones) == their_board(theirs)
            assert ours.is_chance == theirs.is_chance_node()
            if ours.is_chance:
                outcome = int(rng.integers(6))
                ours = ours.play(outcome)
                theirs.apply_action(outcome)
                continue
            stones, player = ours.state.stones, ours.current_player
            assert theirs.current_player() == 1 - player  # their player 1 begins
            mine = {(int(stones[a // 3]) - 6 * player, a % 3): a for a in ours.legal_actions}
            yours = their_moves(theirs)
            assert set(mine) == set(yours)
            chosen = sorted(mine)[rng.integers(len(mine))]
            ours = ours.play(mine[chosen])
            theirs.apply_action(yours[chosen])
            steps += 1
        assert theirs.is_terminal()
        assert list(ours.returns) == theirs.returns()[::-1]
    assert steps > 2_000
