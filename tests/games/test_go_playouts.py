"""The playout policies of Go, plain rules beside compiled ones, and the default search."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plain_rules import compare_plain_with_compiled, random_action_counts, walk
from ponder import MCTS, position
from ponder.core.game import new_states
from ponder.core.rng import new_rng
from ponder.evaluate import GameRollout
from ponder.games.go import Go
from ponder.games.go.board import in_atari, is_eye, only_liberty
from ponder.games.go.patterns import CUT, PATTERNS, codes, pattern_table
from ponder.games.go.text import neighbours, region, stones_of
from ponder.games.go.urgencies import urgency
from ponder.jit import kernel

UNIFORM, ANSWERING, URGENT = 0, 1, 2


@kernel
def draw(game, s, out, rng, policy):
    if policy == ANSWERING:
        return game.rollout_action(s, out, rng)
    if policy == URGENT:
        return game.urgency_action(s, out, rng)
    return game.random_action(s, out, rng)


@kernel
def play_games(game, states, out, rng, black, white, n, lengths, utilities):
    """n games from states[0]; returns Black's wins, and how often an own eye was filled."""
    wins, filled = 0, 0
    for i in range(n):
        states[1] = states[0]
        s = states[1]
        while not game.is_terminal(s):
            a = draw(game, s, out, rng, black if s.player == 0 else white)
            if a != game.passing and is_eye(s, game.point(a), 1 + np.int64(s.player), game.stride):
                filled += 1
            game.apply_action(s, a)
        lengths[i] = s.ply
        game.returns(s, utilities)
        wins += utilities[0] > 0
    return wins, filled


def games_between(start, black, white, n, seed=1):
    """(share of Black's wins, filled eyes, lengths) of n games between two policies."""
    spec = start.rules.spec
    states = new_states(spec.state, 2)
    states[0] = start.raw_state[0]
    out, lengths = np.zeros(spec.max_actions, np.int32), np.zeros(n, np.int64)
    wins, filled = play_games(
        start.rules.part, states, out, new_rng(seed), black, white, n, lengths, np.zeros(2)
    )
    return wins / n, filled, lengths


def test_playouts_fill_no_eye_and_end_by_passing():
    start = position("go")
    for policy in (UNIFORM, ANSWERING, URGENT):
        _, filled, lengths = games_between(start, policy, policy, 500)
        assert filled == 0 or policy == URGENT  # Crazy Stone's notion of an eye is another
        assert 100 < lengths.mean() < 125
        assert (lengths == start.rules.spec.max_length).mean() < 0.02


def test_both_knowing_policies_beat_the_uniform_one():
    start = position("go")
    for policy in (ANSWERING, URGENT):
        as_black, _, _ = games_between(start, policy, UNIFORM, 300, seed=2)
        as_white, _, _ = games_between(start, UNIFORM, policy, 300, seed=3)
        assert as_black > 0.7
        assert as_white < 0.25


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_actions_are_uniform_over_legal_moves_that_fill_no_eye(seed):
    visited = walk(position("go(size=7)"), seed)
    for here in visited[10::15]:
        if here.is_terminal:
            continue
        rules, s = here.rules.part, here.raw_state[0]
        own = 1 + here.current_player
        sensible = [
            a for a in here.legal_actions[:-1] if not is_eye(s, rules.point(a), own, rules.stride)
        ] or [rules.passing]
        counts = random_action_counts(here, 400 * len(sensible), seed)
        assert set(counts) == set(sensible)
        assert all(abs(count - 400) <= 5 * 20 for count in counts.values()), counts


def test_eyes_need_their_diagonals():
    def eye(rows, name, player=0):
        here = position("go(size=5)", rows)
        rules = here.rules.part
        action = next(a for a in range(25) if here.action_name(a) == name)
        return bool(is_eye(here.raw_state[0], rules.point(action), 1 + player, rules.stride))

    corner = "...../...../...../X..../.X..."
    assert eye(corner, "A1")
    assert not eye(corner, "A1", player=1)
    assert not eye("...../...../...../XO.../.XO..", "A1")
    assert not eye("...../X..../.X.../XO.../.....", "A3")
    assert eye("...../.OX../.X.X./..X../.....", "C3")
    assert not eye("...../.OX../.X.X./..XO./.....", "C3")
    assert not eye("...../..X../.X.../..X../.....", "C3")


# ------------------------------------------------------------ strings and liberties


@pytest.mark.parametrize(
    "game", ["go(size=5)", "go(size=5, suicide=True)", "go(size=3, columns=7)"]
)
def test_strings_and_liberties_are_those_found_by_searching(game):
    for seed in range(8):
        for here in walk(position(game), seed)[::3]:
            rules, s = here.rules.part, here.raw_state[0]
            grid = stones_of(rules, s)
            for r, row in enumerate(grid):
                for c, cell in enumerate(row):
                    p = rules.point(r * rules.columns + c)
                    if cell == ".":
                        assert s.head[p] == s.stones[p] == s.next[p] == 0
                        assert s.empty[s.where[p]] == p
                        continue
                    stones, _ = region(grid, r, c)
                    h = s.head[p]
                    heads = {int(s.head[rules.point(y * rules.columns + x)]) for y, x in stones}
                    assert heads == {int(h)}
                    assert s.stones[h] == len(stones)
                    free = {
                        q for at in stones for q in neighbours(grid, *at) if grid[q[0]][q[1]] == "."
                    }
                    libs = int(s.libs[h])
                    assert in_atari(libs) == (len(free) == 1)
                    if len(free) == 1:
                        ((y, x),) = free
                        assert only_liberty(libs) == rules.point(y * rules.columns + x)
            assert s.empties == sum(row.count(".") for row in grid)


# ------------------------------------------------------------ what the policies choose


def chosen(here, policy, draws=300):
    rules = here.rules.part
    out, rng = np.zeros(here.rules.spec.max_actions, np.int32), new_rng(5)
    state = here.raw_state.copy()
    return {here.action_name(draw(rules, state[0], out, rng, policy)) for _ in range(draws)}


def test_the_answering_policy_saves_or_takes_what_is_in_atari():
    # White's D4 puts C4 in atari: extending to C3 is the only help.
    p = position("go(size=7)", "......./......./..O..../.OX..../......./......./....... O -").play(
        "D4"
    )
    assert chosen(p, ANSWERING) == {"C3"}
    # Black puts itself into atari: it is taken.
    p = position("go(size=7)", "......./......./......./......./......./O....../..O.... X -").play(
        "A1"
    )
    assert chosen(p, ANSWERING) == {"B1"}


def test_the_answering_policy_plays_hane():
    p = position("go(size=9)").play_all("E5 pass")
    assert chosen(p, ANSWERING, 2000) == set(p.legal_names) - {"pass"}
    p = position("go(size=9)", "/".join(["........."] * 9)).play_all("E5 E6")
    assert chosen(p, ANSWERING) <= {"D6", "F6", "D5", "F5", "D7", "E7", "F7"}


def test_pattern_codes_hold_under_turning_and_exchange_of_colours():
    table = pattern_table()

    def matches(code):
        return bool(int(table[code >> 6]) >> (code & 63) & 1)

    assert not matches(0)
    for pattern in PATTERNS:
        assert all(matches(code) for code in codes(pattern))
    crosscut = sum(c << (2 * i) for i, c in enumerate([1, 2, 0, 2, 0, 0, 0, 0]))
    assert matches(crosscut)
    assert crosscut in codes(CUT)
    protected = sum(c << (2 * i) for i, c in enumerate([1, 2, 0, 2, 2, 0, 0, 0]))
    assert not matches(protected)


def urgency_at(rows, name, player="X"):
    here = position(f"go(size={rows.count('/') + 1})", f"{rows} {player} -")
    rules = here.rules.part
    action = next(a for a in range(rules.passing) if here.action_name(a) == name)
    own = 1 + here.current_player
    return urgency(here.raw_state[0], rules.point(action), own, rules.stride, False, False)


def test_urgency_is_one_for_ordinary_points_and_none_for_filling_in_or_suicide():
    assert urgency_at(".../.../...", "B2") == 1
    assert urgency_at(".X./X.X/.X.", "B2") == 0
    assert urgency_at(".X./X.X/.X.", "B2", "O") == 0


def test_urgency_to_save_two_stones_and_to_take_them():
    rows = "...../.OO../OXX../.OO../....."
    assert urgency_at(rows, "D3") == 1 + 1_000 * 2
    assert urgency_at(rows, "D3", "O") == 1 + 10_000 * 2


def test_a_hopeless_extension_is_not_urgent_for_either_side():
    rows = "...../...../..O../.OXO./.OX.O"
    assert urgency_at(rows, "D1") == 0  # suicide
    assert urgency_at(rows, "D1", "O") == 1
    open_end = "...../...../.O.../OXO../.X..."  # A1 and C1 are free: not in atari
    assert urgency_at(open_end, "C1") == 1
    one_way = "...../...../OO.../OXO../OX..."  # C1 leads to D1 only
    assert urgency_at(one_way, "C1") == 1
    assert urgency_at(one_way, "C1", "O") == 1


def test_taking_the_attacker_of_an_own_string_in_atari_is_most_urgent():
    # White's C3 is in atari and touches Black's C4, which is in atari too.
    rows = "..O../.OX../.XO../..X../....."
    assert urgency_at(rows, "D3") == 1 + 10_000 + 100_000
    assert urgency_at(rows, "D4") == 1 + 1_000


# ------------------------------------------------------------ plain rules and the search


@pytest.mark.parametrize(
    "game", ["go(size=5)", "go(size=4, suicide=True)", "go(size=3, columns=6, simple_ko=True)"]
)
def test_plain_rules_equal_compiled_rules(game):
    assert compare_plain_with_compiled(position(game), 3) > 30


@pytest.mark.parametrize("policy", ["rollout_action", "urgency_action"])
def test_policies_in_plain_python_equal_their_compiled_forms(policy):
    kind = ANSWERING if policy == "rollout_action" else URGENT
    for seed in range(3):
        for number, here in enumerate(walk(position("go(size=6)"), seed)[:-1]):
            rules = here.rules.part
            out = np.zeros(here.rules.spec.max_actions, np.int32)
            plain = getattr(rules, policy)(here.raw_state.copy()[0], out, new_rng(number))
            compiled = draw(rules, here.raw_state.copy()[0], out, new_rng(number), kind)
            assert plain == compiled
            assert plain in here.legal_actions


@pytest.mark.parametrize("game", ["go", "go(size=19)", "go(size=2, columns=5, komi=0.5)"])
def test_the_default_search_gives_a_legal_move_and_values_in_range(game):
    start = position(game)
    result = MCTS().search(start, simulations=2000, seed=1)
    assert result.action in start.legal_actions
    assert all(row.value is None or -1 <= row.value <= 1 for row in result.moves)


def test_search_takes_a_large_string_in_atari():
    rows = (
        "........./........./..OOO..../.OXXXO.../.OXXX..../..OOO..../........./........./........."
    )
    result = MCTS().search(position("go", f"{rows} O -"), simulations=5000, seed=1)
    assert result.position.action_name(result.action) == "F5"


def test_random_games_visit_the_rules_in_every_size():
    rng = random.Random(1)
    for size, columns in ((1, 2), (2, 1), (1, 12), (2, 3), (6, 4), (19, 1)):
        p = position(Go(size=size, columns=columns, komi=0.0))
        while not p.is_terminal:
            p = p.play(rng.choice(p.legal_actions))
        assert sum(p.returns) == 0


def test_the_urgencies_can_be_asked_for_in_a_search():
    own = MCTS(evaluate=GameRollout())
    plain = own.search(position("go(size=5)"), simulations=300, seed=1)
    urgent = own.search(position("go(size=5, urgencies=True)"), simulations=300, seed=1)
    assert plain.moves != urgent.moves
