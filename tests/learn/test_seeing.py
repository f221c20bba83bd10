"""What networks see: the board as its mover does, moves and cells turned together."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ponder import position
from ponder.learn.patterns import lists_of, patterns_of
from ponder.learn.seeing import seen_board

GAMES = [
    "tictactoe",
    "connect4",
    "connect4(players=3)",
    "connect4(columns=10)",
    "othello(6, 6)",
    "breakthrough(6, 6)",
    "hex(size=5)",
    "go(size=5)",
    "checkers",
    "backgammon",
]

PLAIN = """
import random, sys
import numpy as np
from ponder import position

# The cell that a seen action begins at, and what must lie there: own men, or nothing.
WHERE = {
    "tictactoe": lambda a: a,
    "breakthrough": lambda a: a // 3,
    "hex": lambda a: a % 25,
    "checkers": lambda a: a // 16 * 8 + 2 * (a // 4 % 4) + 1 - a // 16 % 2,
}
FROM = {"tictactoe": (0,), "breakthrough": (1,), "hex": (0,), "checkers": (1, 2)}

def seen(here, player):
    out = np.full(here.rules.spec.board.cells, -1, np.int32)
    here.rules.part.cells(here.raw_state[0], player, out)
    return out

for name in sys.argv[1:]:
    rng = random.Random(name)
    start = position(name)
    spec, part = start.rules.spec, start.rules.part
    turns = 0
    for _ in range(3):
        here, plies = start, 0
        while not here.is_terminal and plies < 40:
            if not here.is_chance:
                player = here.current_player
                codes = seen(here, player)
                assert 0 <= codes.min() and codes.max() < spec.board.codes, (name, codes)
                actions = here.legal_actions
                images = {part.seen_action(a, player) for a in actions}
                most = spec.distinct_actions or spec.max_actions
                assert len(images) == len(actions) and images <= set(range(most))
                kind = name.partition("(")[0]
                if kind in WHERE:
                    assert all(codes[WHERE[kind](a)] in FROM[kind] for a in images), (name, codes)
                turns += 1
            here = here.play(rng.choice(here.legal_actions))
            plies += 1
    assert turns > 10
print("done")
"""


def test_codes_and_seen_actions_are_in_range_in_every_game():
    found = subprocess.run(
        [sys.executable, "-c", PLAIN, *GAMES],
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=False,
    )
    assert found.stdout == "done\n", found.stderr


@pytest.mark.parametrize("name", GAMES)
def test_patterns_lie_on_the_board_and_every_cell_is_in_one(name):
    spec = position(name).game.spec()
    board = spec.board
    patterns = patterns_of(seen_board(board, spec.players))
    lists = lists_of(board)
    assert {cell for one in lists for cell in one} == set(range(board.cells))
    assert all(len(set(one)) == len(one) for one in lists)
    assert len(patterns.starts) - 1 == len(lists)
    assert int(patterns.bases[-1]) == sum(board.codes ** len(one) for one in lists)
    assert int(patterns.bases[-1]) <= 60_000


def test_lines_of_connect_four():
    """69 of them on the usual board, as is well known."""
    lists = lists_of(position("connect4").game.spec().board)
    assert len(lists) == 69
    assert (0, 1, 2, 3) in lists
    assert (0, 8, 16, 24) in lists
    assert (3, 9, 15, 21) in lists
