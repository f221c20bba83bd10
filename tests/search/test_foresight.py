"""A depth at which nothing can be said is refused beforehand; any other is searched."""

from __future__ import annotations

import pytest

from ponder import InputError, engine, position

pytestmark = pytest.mark.plain


@pytest.mark.parametrize("spec", ["alphabeta()", "minimax()", "maxn()", "expectiminimax()"])
def test_a_search_that_reaches_the_end_needs_no_evaluation(spec):
    short = position("tree([[3, 12], [2, [4, 5]]])")
    assert engine(spec).search(short, depth=3).value == 3.0
    with pytest.raises(InputError, match=r"a depth of 3 suffices.*evaluate\(self, s, out\)"):
        engine(spec).search(position("tree([[[3, 1], [12, 4]], 2])"), depth=2)


def test_a_first_line_that_ends_is_searched_though_others_do_not():
    late = position("tree([1, [[2, 3], 4]])")
    assert engine("alphabeta(depth=1)").search(position("tree([1, 0])")).value == 1.0
    with pytest.raises(InputError, match="has no evaluate"):  # the kernel says so
        engine("minimax(depth=1)").search(late)


def test_a_game_in_plain_python_is_told_its_own_signature():
    class Take:
        players = 2

        def start(self):
            return (9, 0)

        def current_player(self, state):
            return state[1]

        def legal_actions(self, state):
            return [n for n in (1, 2) if n <= state[0]]

        def apply_action(self, state, n):
            return (state[0] - n, 1 - state[1])

        def is_terminal(self, state):
            return state[0] == 0

        def returns(self, state):
            return (1, -1) if state[1] else (-1, 1)

    with pytest.raises(InputError, match=r"evaluate\(self, state\)"):
        engine("alphabeta(depth=3)").search(position(Take))
    assert engine("alphabeta(depth=9)").search(position(Take)).value == -1.0
