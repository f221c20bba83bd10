"""Files of tables: never half-written, never believed when damaged or of another game."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import numpy as np
import pytest

from ponder import InputError, position
from ponder.endgame import storage
from ponder.endgame.tables import build, open_tables

GAME = '''
from typing import NamedTuple
from ponder import Spec, record

class Take(NamedTuple):
    """Take 1 to 3; whoever takes the last one wins."""
    heap: int = 10

    def spec(self):
        return Spec(players=2, max_actions=3, max_length=20, state=record(left="i8", player="i8"))
    def start(self, s):
        s.left = self.heap
    def current_player(self, s):
        return s.player
    def legal_actions(self, s, out):
        n = min(3, s.left)
        for i in range(n):
            out[i] = i
        return n
    def apply_action(self, s, a):
        s.left -= a + 1
        s.player = 1 - s.player
    def is_terminal(self, s):
        return s.left == 0
    def returns(self, s, out):
        out[0] = 1.0 if s.player == 1 else -1.0
        out[1] = -out[0]
'''


@pytest.fixture
def table(tmp_path) -> Path:
    (header,) = build(position("nim(heaps=(1, 2))"), folder=tmp_path)
    return Path(header["path"])


def test_every_changed_byte_and_every_cut_is_noticed(table):
    whole = table.read_bytes()
    rng = random.Random(1)
    for at in [*range(80), *(rng.randrange(len(whole)) for _ in range(100))]:
        damaged = bytearray(whole)
        damaged[at] ^= 1 << rng.randrange(8)
        table.write_bytes(damaged)
        with pytest.raises(InputError, match=r"damaged|not an endgame table"):
            open_tables("nim(heaps=(1, 2))", table)
    for length in (0, 1, 20, 60, 100, len(whole) // 2, len(whole) - 1):
        table.write_bytes(whole[:length])
        with pytest.raises(InputError, match=r"damaged|not an endgame table|empty"):
            open_tables("nim(heaps=(1, 2))", table)
        with pytest.raises(InputError):
            open_tables("nim(heaps=(1, 2))", table.parent)


def test_a_table_of_another_game_or_other_parameters_is_refused(table):
    with pytest.raises(InputError, match="not of tictactoe"):
        open_tables("tictactoe", table)
    with pytest.raises(InputError, match=r"not of nim\(heaps=\(1, 3\)\)"):
        open_tables("nim(heaps=(1, 3))", table)
    with pytest.raises(InputError, match="no endgame table of nim"):
        open_tables("nim(heaps=(1, 3))", table.parent)
    opened = open_tables("nim(heaps=(1, 2))", table)
    with pytest.raises(InputError, match="these are tables of nim"):
        opened.probe(position("nim(heaps=(1, 3))"))


def test_a_table_of_ones_own_game_is_refused_after_its_rules_changed(tmp_path):
    file = tmp_path / "take_game.py"
    file.write_text(GAME)
    here = position(f"{file}:Take")
    (header,) = build(here, folder=tmp_path / "tables")
    opened = open_tables(here.game, header["path"])
    assert opened.probe(here).value == 1  # 10 is no multiple of 4
    assert opened.moves(here)[0].name == "1"  # action 1 takes two: 8 are left
    file.write_text(GAME.replace("wins", "loses"))
    with pytest.raises(InputError, match="other rules"):
        open_tables(here.game, header["path"])


def test_arrays_come_back_as_they_were_and_cannot_be_changed(tmp_path):
    arrays = {"a": np.arange(7, dtype=np.int8), "b": np.arange(12.0).reshape(3, 4)}
    path = tmp_path / "new" / "x.endgame"
    size = storage.write(path, {"game": "none"}, arrays)
    assert path.stat().st_size == size
    header, back = storage.read(path)
    assert header["game"] == "none"
    for name, array in arrays.items():
        assert np.array_equal(back[name], array)
        assert back[name].dtype == array.dtype
        assert not back[name].flags.writeable


def test_an_interrupted_build_leaves_nothing_behind(tmp_path):
    stop = threading.Event()
    with pytest.raises(KeyboardInterrupt):
        build(
            position("connect4(6, 5)"),
            folder=tmp_path,
            stop=stop,
            progress=lambda words: stop.set(),
        )
    assert list(tmp_path.iterdir()) == []


def test_the_default_folder_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("PONDER_DATA", str(tmp_path))
    (header,) = build(position("nim(heaps=(1, 2))"))
    assert Path(header["path"]).parent == tmp_path / "endgame"
    assert open_tables("nim(heaps=(1, 2))").probe(position("nim(heaps=(1, 2))")).value == 1
    monkeypatch.delenv("PONDER_DATA")
    assert storage.default_folder() == Path.home() / ".local" / "share" / "ponder" / "endgame"


def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        build(position("nim(heaps=(1, 2))"), folder=tmp_path / "file" / "below")
