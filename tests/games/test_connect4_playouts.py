"""The default policy of Connect Four against a slow one that looks at cells, not at bits."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ponder import position
from ponder.core.rng import new_rng
from ponder.jit import kernel

GAMES = ["connect4", "connect4(5, 5, 3)", "connect4(6, 5, 4, 3)"]


@kernel
def draw(rules, states, out, rng):
    return rules.rollout_action(states[0], out, rng)


def some_positions(game, seed, count):
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        p = position(game)
        for _ in range(rng.randrange(2, p.rules.spec.max_length)):
            after = p.play(rng.choice(p.legal_actions))
            if after.is_terminal:
                break
            p = after
        found.append(p)
    return found


def completes(game, stones, player, column, row):
    """Would a stone of the player there make a line? `stones`: (column, row) -> player."""
    for dc, dr in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            c, r = column + sign * dc, row + sign * dr
            while stones.get((c, r)) == player:
                length += 1
                c, r = c + sign * dc, r + sign * dr
        if length >= game.run:
            return True
    return False


def allowed(p):
    """The columns that the policy may choose, and whether all of them must have a chance."""
    game, mover = p.game, p.current_player
    following = (mover + 1) % game.players
    stones = {
        (c, r): game.stone_at(p.state, c, r)
        for c in range(game.columns)
        for r in range(game.rows)
        if game.stone_at(p.state, c, r) >= 0
    }
    free = {c: sum((c, r) in stones for r in range(game.rows)) for c in p.legal_actions}

    def ends(player, above):
        return {
            c
            for c, r in free.items()
            if r + above < game.rows and completes(game, stones, player, c, r + above)
        }

    urgent = ends(mover, 0) or ends(following, 0)
    if urgent:
        return urgent, False
    safe = set(free) - ends(following, 1)
    return safe - ends(mover, 1) or safe or set(free), True


@pytest.mark.parametrize("game", GAMES)
def test_the_policy_wins_blocks_and_keeps_its_open_ends(game):
    kinds = set()
    for i, p in enumerate(some_positions(game, 5, 60)):
        out, rng = np.zeros(p.game.columns, np.int32), new_rng(i)
        drawn = {int(draw(p.rules.part, p.raw_state, out, rng)) for _ in range(150)}
        wanted, every = allowed(p)
        assert drawn == wanted if every else drawn <= wanted, p
        kinds.add((every, len(wanted) == len(p.legal_actions)))
    assert len(kinds) >= 3


def test_a_win_comes_before_an_answer_and_an_answer_before_all_else():
    both = position("connect4").play_all("1 7 1 7 1 7")  # each has three in a column
    other = position("connect4").play_all("1 7 1 7 2 7")
    out, rng = np.zeros(7, np.int32), new_rng(1)
    assert {int(draw(both.rules.part, both.raw_state, out, rng)) for _ in range(50)} == {0}
    assert {int(draw(other.rules.part, other.raw_state, out, rng)) for _ in range(50)} == {6}


@pytest.mark.parametrize("game", GAMES)
def test_plain_python_draws_the_same(game):
    for i, p in enumerate(some_positions(game, 6, 20)):
        out = np.zeros(p.game.columns, np.int32)
        one, two = new_rng(i), new_rng(i)
        for _ in range(10):
            compiled = int(draw(p.rules.part, p.raw_state, out, one))
            assert compiled == int(p.rules.part.rollout_action(p.state, out, two))
        assert one[0] == two[0]
