"""`load_network`: what a trained network says of positions."""

from __future__ import annotations

import pytest

from ponder import InputError, engine, load_network, position
from ponder.core.parts import identical

pytestmark = pytest.mark.plain

HERE = position("connect4").play_all("4 4 3")


@pytest.fixture(scope="module")
def network():
    return load_network("connect4", HERE)


def test_it_says_what_a_search_with_it_sees(network):
    """The priors of the root's moves, and the value of the one child that was evaluated."""
    found = engine("alphazero(net='connect4')").search(HERE, simulations=1, seed=1)
    said = network.evaluate(HERE)
    assert {move.action for move in said.policy} == {row.action for row in found.moves}
    by_action = {move.action: share for move, share in said.policy.items()}
    for row in found.moves:
        assert row.prior == pytest.approx(by_action[row.action], abs=1e-6)
    assert sum(said.policy.values()) == pytest.approx(1.0)
    (visited,) = [row for row in found.moves if row.visits]
    values = network.evaluate(HERE.play(visited.action)).values
    assert visited.value == pytest.approx(values[HERE.current_player], abs=1e-6)
    assert values[0] == -values[1]


def test_it_wants_the_move_that_wins_at_once(network):
    here = position("connect4").play_all("4 1 4 1 4 1")
    said = network.evaluate(here)
    assert max(said.policy, key=said.policy.__getitem__).name in ("1", "4")
    assert said.values[0] > 0.5


def test_what_it_does_not_know_is_refused(network):
    assert identical(network.game, HERE.game)
    with pytest.raises(InputError, match=r"for connect4.*evaluates positions of that game only"):
        network.evaluate(position("connect4(columns=5)"))
    over = position("connect4").play_all("1 2 1 2 1 2 1")
    with pytest.raises(InputError, match="a player is to move"):
        network.evaluate(over)
    with pytest.raises(InputError, match=r"is a network of connect4.*not of tictactoe"):
        load_network("connect4", position("tictactoe"))
    with pytest.raises(InputError, match="nonsense"):
        load_network("nonsense", HERE)
    with pytest.raises(InputError, match="leave out module"):
        load_network("connect4", HERE, module="mine.py:Module")
