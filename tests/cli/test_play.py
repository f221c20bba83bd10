"""`ponder play`, through a pipe."""

from __future__ import annotations

import io
import json
import re
import sys

import pytest

from command_line import assert_one_line
from ponder import Position
from ponder.cli.play import Table
from ponder.errors import GameError


@pytest.fixture
def play(ponder, monkeypatch):
    """Play with the given lines typed."""

    def call(*arguments: str, typed: str):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return ponder("play", *arguments, "--simulations", "200", "--seed", "1")

    return call


def test_a_whole_game_can_be_played(play):
    done = play("tictactoe", "--engine", "random()", typed="a1\nb2\nc3\n" * 9)
    assert done.status == 0
    assert re.search("^player 1 plays [abc][123]$", done.out, re.MULTILINE)
    assert "your move> " in done.out


def test_the_result_is_told(play):
    done = play("tictactoe", "--moves", "a1 b1 a2 b2", typed="a3\n")
    assert "you win (player 0: +1, player 1: -1)" in done.out


def test_the_second_seat_lets_the_engine_begin(play):
    done = play("tictactoe", "--second", typed="quit\n")
    assert done.out.startswith("you are player 1")
    assert "player 0 plays " in done.out


def test_moves_help_hint_and_board(play):
    done = play("tictactoe", typed="?\nmoves\nhint\nboard\n\nquit\n")
    assert "take back your last move" in done.out
    assert "a1 b1 c1 a2 b2 c2 a3 b3 c3" in done.out
    assert re.search(
        r"hint: [abc][123]   value [+-][\d.]+ for player 0 after 200 simulations   ", done.out
    )


def test_an_illegal_move_is_told_and_the_game_goes_on(play):
    done = play("tictactoe", typed="z9\nb2\nquit\n")
    assert "'z9' is not legal here; legal: a1" in done.out
    assert "player 1 plays" in done.out
    assert done.status == 0


def test_undo_takes_back_ones_own_move_and_the_answer(play):
    done = play("tictactoe", typed="b2\nundo\nmoves\nundo\nquit\n")
    assert "a1 b1 c1 a2 b2 c2 a3 b3 c3" in done.out
    assert "nothing to undo" in done.out


def test_a_saved_game_can_be_loaded(play, tmp_path):
    file = tmp_path / "game.json"
    done = play("tictactoe", typed=f"b2\nsave {file}\nsave\nsave {tmp_path}/no/where\nquit\n")
    assert f"saved to {file}" in done.out
    assert "save needs a file name" in done.out
    assert f"cannot write {tmp_path}/no/where" in done.out
    loaded = Position.load(file)
    assert loaded.history_names[0] == "b2"
    assert len(loaded.history) == 2
    assert json.loads(file.read_text())["game"] == "tictactoe()"


def test_dice_are_rolled_and_announced(play):
    done = play("pig(target=10)", typed="roll\nroll\nroll\nhold\nquit\n")
    assert "chance: " in done.out
    assert done.status == 0


def test_three_players_one_human(play):
    done = play("connect4(players=3)", typed="4\nquit\n")
    assert "player 1 plays " in done.out
    assert "player 2 plays " in done.out


def test_a_seed_repeats_the_game(play):
    line = ("pig(target=20)",)
    typed = "roll\nhold\n" * 5
    assert play(*line, typed=typed).out == play(*line, typed=typed).out


def test_the_end_of_input_leaves_quietly(play):
    done = play("tictactoe", typed="")
    assert done.status == 0
    assert done.err == ""


def test_a_plain_python_game_can_be_played(play, tmp_path):
    file = tmp_path / "count.py"
    file.write_text(
        """
class Count:
    def __init__(self, counters=4): self.counters = counters
    def start(self): return (self.counters, 0)
    def current_player(self, state): return state[1]
    def legal_actions(self, state): return [n for n in (1, 2) if n <= state[0]]
    def apply_action(self, state, n): return (state[0] - n, 1 - state[1])
    def is_terminal(self, state): return state[0] == 0
    def returns(self, state): return (1, -1) if state[1] else (-1, 1)
"""
    )
    saved = tmp_path / "game.json"
    done = play(f"{file}:Count(counters=3)", typed=f"1\nsave {saved}\n2\n1\n")
    assert done.status == 0
    assert "player 1 plays " in done.out
    assert Position.load(saved).game.counters == 3, "its parameters are saved"


def test_an_engine_that_cannot_play_is_refused_before_the_first_move(play):
    done = play("tictactoe", "--engine", "mcts(select=puct())", typed="b2\n")
    assert done.status == 2
    assert done.out == ""
    assert_one_line(done.err)


def test_a_game_that_an_engine_breaks_off_is_not_lost(play, monkeypatch):
    think = Table.think

    def fail_later(table):
        if len(table.position.history) > 1:
            raise GameError("the engine is tired")
        return think(table)

    monkeypatch.setattr(Table, "think", fail_later)
    done = play("tictactoe", "--engine", "random()", typed="b2\na1\nb1\n")
    assert done.status == 2
    assert done.err == "ponder: the engine is tired\n"
    assert re.search(r"moves so far: b2 [abc][123] [ab]1\n", done.out)


def test_a_move_that_is_taken_back_does_not_change_the_dice(play):
    done = play("pig", "--engine", "random()", typed="roll\nundo\nroll\nundo\nroll\nquit\n")
    assert re.findall(r"chance: (\d)", done.out) == ["4", "4", "4"]
