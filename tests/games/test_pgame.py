"""P-games against the same trees made in plain whole numbers."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder import MCTS, InputError, Position, perft, position
from ponder.core.game import new_states
from ponder.core.registry import game_text, parse_game
from ponder.games.pgame import PGame
from ponder.search.reference import alpha_beta
from reference.naive_pgame import move_value, root_values

SIZES = [(2, 20, 0), (8, 8, 7), (3, 5, 2**63 - 1), (2, 63, 1), (1000, 6, 12)]


@pytest.mark.parametrize(("branching", "depth", "seed"), SIZES)
def test_sums_and_results_agree_with_whole_numbers(branching, depth, seed):
    rng = random.Random(1)
    for _ in range(20):
        s = Position(PGame(branching, depth, seed))
        path, total = 1, 0
        for ply in range(depth):
            assert s.current_player == ply % 2
            assert s.legal_actions == tuple(range(branching))
            a = rng.randrange(branching)
            path = path * branching + a
            value = move_value(seed, path)
            assert 0 <= value <= 127
            total += value if ply % 2 == 0 else -value
            s = s.play(a)
            assert s.state.total == total
        assert s.is_terminal
        sign = (total > 0) - (total < 0)
        assert s.returns == (sign, -sign)


@pytest.mark.parametrize(("branching", "depth", "seed"), SIZES)
def test_plain_rules_agree_with_compiled_ones(branching, depth, seed):
    game = PGame(branching, depth, seed)
    rng = random.Random(2)
    for _ in range(5):
        s, ours = Position(game), new_states(game.spec().state, 1)[0]
        game.start(ours)
        while not game.is_terminal(ours):
            a = rng.randrange(branching)
            s = s.play(a)
            game.apply_action(ours, a)
            assert s.state == ours
        utilities = np.zeros(2)
        game.returns(ours, utilities)
        assert s.returns == tuple(utilities)


def test_every_value_from_0_to_127_is_about_equally_likely():
    counts = Counter(move_value(seed, path) for seed in range(20) for path in range(2, 3202))
    assert sorted(counts) == list(range(128))
    # 64,000 draws over 128 values: 500 each; chi-square with 127 degrees of freedom is 127 +- 16
    chi_square = sum((n - 500) ** 2 / 500 for n in counts.values())
    assert 127 - 5 * 16 < chi_square < 127 + 5 * 16


def test_another_seed_is_another_tree():
    sums = {Position(PGame(2, 20, seed)).play_all("1 2 1 2").state.total for seed in range(50)}
    assert len(sums) > 25


def test_the_tree_is_full():
    assert perft(position("pgame(branching=3, depth=5)"), 5) == 3**5
    assert perft(position("pgame(branching=3, depth=5)"), 6) == 0


def test_the_reference_search_agrees_with_the_naive_one():
    for seed in range(20):
        s = Position(PGame(3, 6, seed))
        found = [alpha_beta(s.play(a), player=0).value for a in s.legal_actions]
        assert found == root_values(3, 6, seed)


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (PGame(1, 4), "branching of 2 to 1000"),
        (PGame(1001, 4), "branching of 2 to 1000"),
        (PGame(2, 0), "depth of at least 1"),
        (PGame(2, 64), "at most 2..63 leaves"),
        (PGame(8, 22), "at most 2..63 leaves"),
        (PGame(2, 10**9), "at most 2..63 leaves"),
        (PGame(2, 4, -1), "seed must be 0"),
        (PGame(2, 4, 2**63), "seed of PGame is out of range"),
    ],
)
def test_bad_parameters_are_refused(game, complaint):
    with pytest.raises(InputError, match=complaint):
        Position(game)


def test_the_largest_trees_are_accepted():
    s = Position(PGame(8, 21)).play_all([7] * 21)
    assert s.is_terminal
    assert s.text() == " ".join(["8"] * 21)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 4), max_size=7))
def test_every_printed_position_parses_back(moves):
    s = position("pgame(branching=5, depth=7)").play_all(moves)
    assert s.text() == " ".join(str(a + 1) for a in moves)
    assert Position.parse(s.game, s.text()) == s


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(), st.text(st.sampled_from("12345 ,-"))))
def test_random_text_is_a_position_or_refused(text):
    try:
        s = Position.parse(PGame(4, 6), text)
    except InputError:
        return
    assert s.text().split() == text.split()


def test_too_many_moves_are_refused():
    with pytest.raises(InputError, match="more than the depth of 2"):
        position("pgame(depth=2)", "1 1 1")
    with pytest.raises(InputError, match="from 1 to 2"):
        position("pgame(depth=2)", "3")


def test_the_game_text_parses_back():
    for game in (PGame(), PGame(8, 6, 3)):
        assert parse_game(game_text(game)) == game


def test_the_board_shows_the_sum_and_what_moves_are_worth():
    s = position("pgame(depth=4)").play_all("1 2")
    values = [move_value(0, path) for path in (2, 5)]
    worth = [move_value(0, path) for path in (10, 11)]
    assert str(s).splitlines() == [
        f"ply 2 of 4, sum {values[0] - values[1]:+d}, MAX (player 0) to move",
        "moves 1 2",
        f"worth 1:+{worth[0]} 2:+{worth[1]}",
    ]
    assert s.svg().count("<circle") == 3  # here, and two ways on
    end = s.play_all("1 1")
    assert "the end" in str(end)
    assert end.svg().startswith("<svg")


def test_the_default_search_works():
    result = MCTS().search(position("pgame"), simulations=2000, seed=1)
    assert result.action in (0, 1)
    assert all(-1 <= row.value <= 1 for row in result.moves)
