"""Texts in which games are written down: each format is recognised, and writes what it reads."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ponder import InputError, position
from ponder.core.record_formats import files_of, recognised, writable, written
from ponder.core.registry import GAMES, RECORD_FORMATS, load

pytestmark = pytest.mark.plain
PLAYED = {
    "chess": position("chess").play_all("e2e4 e7e5 g1f3"),
    "go": position("go(size=5)").play_all("c3 d3"),
    "nim": position("nim").play_all("1:1"),
}
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


@pytest.mark.parametrize("name", PLAYED)
def test_what_is_written_reads_back_as_the_same_game(name):
    here = PLAYED[name]
    for word in writable(here.game):
        back = recognised(written(word, here).strip(), here.game).final
        assert back.text() == here.text(), word
        if word != "position":
            assert back.history_names == here.history_names, word


def test_a_game_is_written_in_its_own_formats_and_in_those_of_every_game():
    assert writable(PLAYED["chess"].game) == ["pgn", "position", "moves", "json"]
    assert writable(PLAYED["go"].game) == ["sgf", "position", "moves", "json"]
    assert writable(PLAYED["nim"].game) == ["position", "moves", "json"]


@pytest.mark.parametrize(
    ("text", "played", "form"),
    [
        ("1. e4 e5 2. Nf3", "chess", "PGN"),
        ('[White "Ann"]\n\n1. e4 *', "nim", "PGN"),
        ("(;GM[1]SZ[5];B[cc])", "nim", "SGF"),
        (f"{START} w KQkq - 0 1", "nim", "FEN"),
        (f"{START} b KQkq - 0 1", "chess", "FEN"),
        ("e2e4 e7e5", "chess", "moves"),
        ("1. c3 d3", "go", "moves"),
        (PLAYED["nim"].text(), "nim", "a position"),
    ],
)
def test_a_text_is_recognised_by_its_form_and_by_the_game_that_is_played(text, played, form):
    assert recognised(text, PLAYED[played].game).form == form


@pytest.mark.parametrize("text", ["1.", "1. 1. 1.", "12..."])
def test_numbers_of_moves_without_a_move_are_no_game(text):
    with pytest.raises(InputError, match="the PGN has no game"):
        recognised(text, PLAYED["chess"].game)


def test_half_a_million_empty_lines_are_looked_at_once():
    """By each of them again it would take a quarter of an hour."""
    with pytest.raises(InputError, match="no game that can be read"):
        recognised("x" + 250_000 * "\n " + "x", PLAYED["nim"].game)


def test_other_games_have_no_files_of_records():
    with pytest.raises(InputError, match=r"read for chess \(PGN\) and go \(SGF\), not for nim"):
        files_of(PLAYED["nim"].game)
    assert files_of(PLAYED["go"].game).suffix == ".sgf"


def test_a_format_of_another_game_is_refused_by_name():
    with pytest.raises(InputError, match="PGN is for chess: take moves or json for other games"):
        written("pgn", PLAYED["go"])
    with pytest.raises(InputError, match="there is no form 'png'"):
        written("png", PLAYED["go"])


def test_each_format_names_functions_that_there_are_and_a_game():
    for word, known in RECORD_FORMATS.items():
        assert known.game == "" or known.game in GAMES, word
        for target in (known.read, known.write, known.each):
            assert target == "" or callable(load(target)), word


def test_no_game_is_loaded_to_read_moves_of_another():
    program = """
import sys
from ponder import position
from ponder.core.record_formats import recognised, writable
recognised("b2", position("tictactoe").game), writable(position("tictactoe").game)
print(*(name for name in sys.modules if name.startswith("ponder.games.")))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "ponder.games.tictactoe" in done.stdout
    assert "chess" not in done.stdout
    assert "go" not in done.stdout.replace("ponder.games.", "")
