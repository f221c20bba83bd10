"""`read_games`: games from the files of other programs and from records of matches."""

from __future__ import annotations

import pytest

from ponder import InputError, match, position, read_games
from ponder.games.chess.pgn import pgn_text
from ponder.games.go.sgf import write_sgf

pytestmark = pytest.mark.plain


def test_games_of_a_pgn_file_are_read_whole(tmp_path):
    mate = position("chess").play_all("f2f3 e7e5 g2g4 d8h4")
    broken_off = position("chess").play_all("e2e4 c7c5")
    file = tmp_path / "games.pgn"
    file.write_text(pgn_text(mate) + "\n" + pgn_text(broken_off))
    games = list(read_games(file, position("chess")))
    assert [game.final.history_names for game in games] == [
        ("f2f3", "e7e5", "g2g4", "d8h4"),
        ("e2e4", "c7c5"),
    ]
    assert [game.returns for game in games] == [(-1.0, 1.0), None]
    assert games[0].final.winner == 1
    assert [game.final.ply for game in read_games(str(tmp_path), position("chess"))] == [4, 2]


def test_a_game_of_an_sgf_file(tmp_path):
    start = position("go(size=5)")
    played = start.play_all("c3 b2 pass pass")
    (tmp_path / "one.sgf").write_bytes(write_sgf(played))
    (game,) = read_games(tmp_path, start)
    assert game.final.history_names == played.history_names
    with pytest.raises(InputError, match="is a game on 5 lines, not one of go"):
        list(read_games(tmp_path / "one.sgf", position("go(size=9)")))


def test_records_of_a_match(tmp_path):
    file = tmp_path / "match.jsonl"
    done = match("tictactoe", "random()", "random()", games=4, seed=1, out=file)
    games = list(read_games(file, position("tictactoe")))
    assert [game.returns for game in games] == [one.returns for one in done.records]
    assert all(game.returns == game.final.returns for game in games)
    moves = [(*one.task.opening.moves, *one.moves) for one in done.records]
    assert [game.final.history_names for game in games] == moves
    assert len(list(read_games(tmp_path, position("tictactoe")))) == 4
    with pytest.raises(InputError, match=r"is a match of tictactoe.*not of connect4"):
        list(read_games(file, position("connect4")))


def test_what_is_no_record_is_refused(tmp_path):
    with pytest.raises(InputError, match="takes a position of the game"):
        list(read_games(tmp_path, "chess"))
    with pytest.raises(InputError, match="game records are read for chess"):
        list(read_games(tmp_path / "x.txt", position("tictactoe")))
    with pytest.raises(InputError, match="nowhere"):
        list(read_games(tmp_path / "nowhere.pgn", position("chess")))
