"""`Position`: an immutable value with moves, names, texts, pictures and files."""

from __future__ import annotations

import pickle
from typing import NamedTuple

import pytest

from plain_games import Countdown
from ponder import GameError, IllegalAction, InputError, Position, Spec, position, record
from ponder.core.registry import game_text


class Worded(Countdown):
    """Its actions are words."""

    def legal_actions(self, state):
        return ["one", "two"][: state[0]]

    def apply_action(self, state, action):
        return super().apply_action(state, 1 + ("one", "two").index(action))


def test_playing_gives_a_new_position_and_leaves_the_old_one():
    start = position("tictactoe")
    after = start.play("b2")
    assert start.history == ()
    assert after.history == (4,)
    assert after.history_names == ("b2",)
    assert start.legal_actions == tuple(range(9))
    assert after.current_player == 1
    assert after.undo() is start


def test_undo_at_the_start_is_refused():
    with pytest.raises(InputError, match="nothing to undo"):
        position("tictactoe").undo()


def test_the_state_that_is_given_out_is_a_copy():
    start = position("tictactoe")
    start.state.ply = 7
    assert start.state.ply == 0


def test_positions_reached_by_different_moves_are_equal():
    one = position("tictactoe").play_all("a1 b2 c3")
    two = position("tictactoe").play_all("c3, b2, a1")
    assert one == two
    assert hash(one) == hash(two)
    assert one != position("tictactoe").play_all("a1 b2")
    assert one != "a1 b2 c3"


class Twin(NamedTuple):
    """A game with the fields of tic-tac-toe (none) and its records."""

    def spec(self):
        return Spec(2, 9, 9, record(stones=("i4", 2), ply="i4", winner="i4"))

    def start(self, s):
        s.winner = -1

    def current_player(self, s):
        return 0

    def legal_actions(self, s, out):
        out[0] = 0
        return 1

    def apply_action(self, s, a):
        s.ply += 1

    def is_terminal(self, s):
        return s.ply == 9

    def returns(self, s, out):
        out[0] = 0.0
        out[1] = 0.0


def test_positions_of_two_games_differ_even_if_their_records_agree():
    assert position("tictactoe") != Position(Twin())
    assert Position(Twin()).legal_actions == (0,)


def test_an_illegal_move_is_named_with_what_is_legal():
    p = position("tictactoe").play("b2")
    with pytest.raises(IllegalAction, match=r"'b2' is not legal here; legal: a1 b1"):
        p.play("b2")
    with pytest.raises(IllegalAction, match="99 is not legal"):
        p.play(99)
    with pytest.raises(IllegalAction, match=r"move 3: 'a1' is not legal"):
        position("tictactoe").play_all("a1 b2 a1 c3")


def test_nothing_can_be_played_when_the_game_is_over():
    over = position("tictactoe").play_all("a1 a2 b1 b2 c1")
    assert over.is_terminal
    assert over.returns == (1.0, -1.0)
    assert over.legal_actions == ()
    with pytest.raises(IllegalAction, match="the game is over"):
        over.play("c3")


def test_boards_are_drawn_with_the_last_and_the_legal_moves():
    p = position("connect4").play_all("4 4 3")
    assert str(p).splitlines()[-2:] == [" . . x x . . .", " 1 2 3 4 5 6 7"]
    svg = p.svg()
    assert svg.startswith("<svg")
    assert svg.count('r="5"') == 7  # a dot for each legal column
    assert p._repr_svg_() == svg


def test_a_position_is_saved_and_loaded(tmp_path):
    p = position("connect4(columns=5)", "...../...../...../...../...../.xo..").play_all("3 1")
    p.save(tmp_path / "p.json")
    loaded = Position.load(tmp_path / "p.json")
    assert loaded == p
    assert loaded.history_names == ("3", "1")


@pytest.mark.parametrize("text", ["", "[]", "{}", "nonsense", '{"game": "chess"}'])
def test_a_damaged_file_is_refused(tmp_path, text):
    (tmp_path / "p.json").write_text(text)
    with pytest.raises(InputError):
        Position.load(tmp_path / "p.json")
    with pytest.raises(InputError, match="cannot read"):
        Position.load(tmp_path / "missing.json")


def test_positions_travel_to_other_processes():
    p = position("connect4").play_all("4 4 3")
    assert pickle.loads(pickle.dumps(p)) == p


def test_a_plain_python_game_has_positions_too():
    p = Position(Worded())
    assert p.legal_actions == ("one", "two")
    q = p.play("two").play("one")
    assert q.state == (2, 0)
    assert q.history == ("two", "one")
    assert str(q) == "(2, 0)"
    assert q == p.play("one").play("two")
    end = q.play("two")
    assert end.returns == (1, -1)
    assert p.svg().startswith("<svg")


def test_a_class_or_a_text_is_as_good_as_a_game():
    assert position("tictactoe") == Position(type(position("tictactoe").game))
    assert game_text(position("connect4(columns=5)").game) == "connect4(columns=5)"


def test_an_object_that_is_no_game_is_refused_by_name():
    with pytest.raises(InputError, match="list is not a game: it lacks start"):
        Position([])


class Counters(NamedTuple):
    """A sound game, but for what subclasses say."""

    def spec(self):
        return Spec(players=2, max_actions=2, max_length=4, state=record(left="i4", player="i4"))

    def start(self, s):
        s.left = 4

    def current_player(self, s):
        return s.player

    def legal_actions(self, s, out):
        out[0], out[1] = 0, 1
        return min(2, s.left)

    def apply_action(self, s, a):
        s.left -= a + 1
        s.player = 1 - s.player

    def is_terminal(self, s):
        return s.left == 0

    def returns(self, s, out):
        out[s.player], out[1 - s.player] = -1.0, 1.0


def failing(*args, **marks):
    return 1 // 0


class Misspelt(Counters):
    def board_text(self, s):
        return s.lft  # raised by NumPy


LEFT = r"the state has no field 'lft'; did you mean left\? \(test_position.py, line \d+\)$"


@pytest.mark.plain
def test_the_line_is_the_users_not_that_of_a_library():
    with pytest.raises(GameError, match=LEFT):
        str(Position(Misspelt()))


class NoSpec(Counters):
    def spec(self):
        return None


@pytest.mark.plain
@pytest.mark.parametrize(
    ("hook", "use"),
    [
        ("spec", Position),
        ("rules", Position),
        ("action_name", lambda game: Position(game).legal_names),
        ("action_name", lambda game: Position(game).action_name(0)),
        ("parse_action", lambda game: Position(game).play("0")),
        ("board_text", lambda game: str(Position(game))),
        ("board_svg", lambda game: Position(game).svg()),
        ("position_text", lambda game: Position(game).text()),
        ("parse_position", lambda game: Position.parse(game, "x")),
        ("action_places", lambda game: Position(game).places),
    ],
)
def test_what_a_users_hook_raises_is_one_line_with_its_own_line(hook, use):
    game = type("Failing", (Counters,), {hook: failing})()
    with pytest.raises(GameError, match=r"ZeroDivisionError.*\(test_position.py, line \d+\)$"):
        use(game)


@pytest.mark.plain
def test_a_spec_that_is_none_is_refused():
    with pytest.raises(GameError, match=r"spec\(\) gave NoneType, expected ponder\.Spec"):
        Position(NoSpec())
