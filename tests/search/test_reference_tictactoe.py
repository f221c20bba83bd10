"""The reference searches on tic-tac-toe: every published count, and hand-checked positions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from ponder import Position, perft, position
from ponder.search.reference import alpha_beta, minimax
from reference.naive_tictactoe import NaiveTicTacToe, images, winner
from reference.whole_game import solve_all

BY_DEPTH = (1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)
INFINITE = (-float("inf"), float("inf"))


def centre_first(s):
    """The centre, then corners, then edges."""
    return sorted(s.legal_actions, key=(4, 0, 2, 6, 8, 1, 3, 5, 7).index)


@pytest.fixture(scope="module")
def known():
    return solve_all(position("tictactoe"))


def test_sequences_of_each_length_are_the_known_numbers():
    start = position("tictactoe")
    assert tuple(perft(start, d) for d in range(10)) == BY_DEPTH
    assert sum(BY_DEPTH) == 549_946


def test_minimax_visits_the_whole_tree_and_finds_a_draw():
    found = minimax(Position(NaiveTicTacToe()))
    assert found.nodes == 549_946
    assert found.value == 0
    assert found.action == 0  # all first moves draw: the first one is taken
    assert len(found.line) == 9


def test_complete_games_by_length_and_winner():
    game = NaiveTicTacToe()
    lengths, winners = Counter(), Counter()

    def walk(cells, ply):
        if game.is_terminal(cells):
            lengths[ply] += 1
            winners[winner(cells)] += 1
        else:
            for a in game.legal_actions(cells):
                walk(game.apply_action(cells, a), ply + 1)

    walk(game.start(), 0)
    assert lengths == {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}
    assert winners == {"x": 131_184, "o": 77_904, "": 46_080}
    assert sum(winners.values()) == 255_168


def test_reachable_states(known):
    ends = [k.position for k in known.values() if k.position.is_terminal]
    assert len(known) == 5_478
    assert len(ends) == 958
    assert Counter(s.returns[0] for s in ends) == {1: 626, -1: 316, 0: 16}
    assert len({min(images(k.position.text())) for k in known.values()}) == 765
    assert len({min(images(s.text())) for s in ends}) == 138


@pytest.mark.parametrize(
    ("order", "window", "nodes"),
    [
        (None, INFINITE, 18_297),
        (None, (-1, 1), 16_811),
        (centre_first, INFINITE, 7_275),
        (centre_first, (-1, 1), 6_323),
    ],
)
def test_alpha_beta_visits_exactly_the_known_number_of_nodes(order, window, nodes):
    found = alpha_beta(position("tictactoe"), window=window, order=order)
    assert (found.value, found.nodes) == (0, nodes)


def test_alpha_beta_finds_the_value_and_a_best_move_in_every_late_position(known):
    late = [k for k in known.values() if k.position.text().count(".") <= 4]
    assert len(late) > 3000
    for k in late:
        found = alpha_beta(k.position, player=0)
        assert found.value == k.value
        assert found.action is None if k.position.is_terminal else found.action in k.best


def exact_values(s):
    """The value of each move for the player who makes it."""
    return {name: minimax(s.play(name), player=s.current_player).value for name in s.legal_names}


def test_only_the_free_corners_hold_the_draw():
    s = position("tictactoe", "o../.x./..x")
    values = exact_values(s)
    assert {name for name, v in values.items() if v == 0} == {"c1", "a3"}
    assert max(values.values()) == alpha_beta(s).value == 0


def test_a_position_that_is_lost_whatever_o_does():
    s = position("tictactoe", "oox/.x./..x")
    assert set(exact_values(s).values()) == {-1}
    assert alpha_beta(s).value == -1


def test_a_position_that_x_wins_at_the_top_right():
    s = position("tictactoe", ".x./.../..o")
    assert exact_values(s)["c1"] == 1
    assert alpha_beta(s).value == 1


def test_an_edge_against_the_centre_loses():
    assert alpha_beta(position("tictactoe").play_all("b2 b1")).value == 1


@pytest.mark.parametrize(
    ("move", "x", "o", "draw"),
    [
        ("", "737/1260", "121/420", "8/63"),
        ("a1", "17/28", "37/140", "9/70"),
        ("b1", "15/28", "47/140", "9/70"),
        ("b2", "97/140", "27/140", "4/35"),
    ],
)
def test_results_of_uniformly_random_play(known, move, x, o, draw):
    chances = known[position("tictactoe").play_all(move).key].chances
    assert (chances[1], chances[-1], chances[0]) == (Fraction(x), Fraction(o), Fraction(draw))
