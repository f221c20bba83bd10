"""OpenSpiel's games as plain Python games: the same trees as ours, searched and played."""

from __future__ import annotations

import pickle
import sys

import pytest

from outside import missing
from ponder import MCTS, InputError, perft, position
from ponder.core.registry import game_text, parse_game

try:
    import pyspiel  # noqa: F401
except ImportError:
    missing("OpenSpiel")


@pytest.mark.parametrize(
    ("theirs", "ours", "depth"),
    [
        ('openspiel("connect_four")', "connect4", 5),
        ('openspiel("connect_four(rows=4,columns=5)")', "connect4(columns=5, rows=4)", 5),
        ('openspiel("tic_tac_toe")', "tictactoe", 5),
        ('openspiel("hex(board_size=4)")', "hex(size=4)", 3),
        ('openspiel("othello")', "othello", 4),
        ('openspiel("breakthrough(rows=5,columns=4)")', "breakthrough(columns=4, rows=5)", 4),
    ],
)
def test_perft_equals_that_of_our_own_game(theirs, ours, depth):
    assert perft(position(theirs), depth) == perft(position(ours), depth)


def test_moves_have_openspiels_names_and_no_blanks_or_commas():
    start = position('openspiel("tic_tac_toe")')
    assert start.legal_names[:3] == ("x(0_0)", "x(0_1)", "x(0_2)")
    here = start.play_all("x(1_1) o(0_0)")
    assert here.history == (4, 0)
    assert start.play("x(1,1)").last_action == 4  # OpenSpiel's spelling
    assert start.play(4) == start.play("4") == start.play("x(1_1)")
    assert str(here) == "o..\n.x.\n..."


def test_the_game_reads_back_from_its_text_and_its_pickle():
    start = position('openspiel("hex(board_size=5)")')
    text = game_text(start.game)
    assert text == "openspiel('hex(board_size=5)')"
    assert parse_game(text) == start.game == pickle.loads(pickle.dumps(start.game))
    assert parse_game("openspiel('hex')") != start.game
    here = start.play(start.legal_actions[3])
    assert here.from_json(here.to_json()) == here


def test_a_won_position_is_seen_by_the_search():
    here = position('openspiel("connect_four")').play_all("x3 o0 x3 o0 x3 o0")
    assert MCTS().search(here, simulations=300, seed=1).best_move.name == "x3"


def test_dice_are_chance_nodes_with_their_probabilities():
    start = position('openspiel("pig(winscore=15)")')
    here = start.play("roll")
    assert here.is_chance
    assert sum(p for _, p in here.chance_outcomes) == pytest.approx(1)
    assert len(here.chance_outcomes) == 6
    assert MCTS().search(start, simulations=50, seed=1).simulations == 50


def test_more_than_two_players():
    start = position('openspiel("chinese_checkers(players=3)")')
    assert start.players == 3
    assert not hasattr(start.game, "chance_outcomes")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("conect_four", "OpenSpiel has no game 'conect_four'; did you mean connect_four?"),
        ("hex(bord_size=5)", r"cannot make 'hex\(bord_size=5\)': Unknown parameter 'bord_size'"),
        ("hex(", "cannot make 'hex"),
        ("go(board_size=99)", "supports board size up to 19"),
        ("kuhn_poker", "kuhn_poker has hidden information; only games without it are searched"),
        ("phantom_ttt", "hidden information"),
        ("matrix_rps", "matrix_rps is played simultaneously; only games played in turns"),
        ("goofspiel", "played simultaneously"),
    ],
)
def test_what_cannot_be_searched_is_refused_in_one_sentence(capfd, name, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        position(f"openspiel({name!r})")
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""  # OpenSpiel's own complaint is not shown as well


@pytest.mark.parametrize("text", ["openspiel", "openspiel(4)", "openspiel('')"])
def test_the_name_is_a_text(text):
    with pytest.raises(InputError, match=r'openspiel takes a name: openspiel."connect_four".'):
        position(text)


@pytest.mark.parametrize("name", ["tic_tac_toe", "hex(board_size=3)"])
def test_the_name_needs_no_quotes(name):
    assert game_text(parse_game(f"openspiel({name})")) == f"openspiel({name!r})"


def test_without_the_package_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(InputError, match=r"^OpenSpiel is not installed: pip install open_spiel$"):
        position('openspiel("connect_four")')
