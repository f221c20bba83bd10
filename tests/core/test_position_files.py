"""Saved positions and other JSON: a checksum tells what was changed; old files have none."""

from __future__ import annotations

import json

import pytest

from ponder import InputError, Position
from ponder.games.tictactoe import TicTacToe
from ponder.learn.config import read_config, save_config, training
from ponder.learn.example_files import read_codes, write_codes
from ponder.learn.plain_games import saved_codes

pytestmark = pytest.mark.plain


@pytest.fixture
def here():
    return Position(TicTacToe()).play_all("b2 a1")


def test_a_changed_position_is_refused(here, tmp_path):
    here.save(tmp_path / "p.json")
    text = (tmp_path / "p.json").read_text()
    assert Position.load(tmp_path / "p.json") == here
    (tmp_path / "p.json").write_text(text.replace("a1", "c1"))  # as legal as the other
    with pytest.raises(InputError, match="is damaged: its checksum does not agree") as refusal:
        Position.load(tmp_path / "p.json")
    assert "\n" not in str(refusal.value)


def test_a_position_without_a_checksum_is_read(here, tmp_path):
    (tmp_path / "p.json").write_text(json.dumps(here.to_json(), indent=1))
    assert Position.load(tmp_path / "p.json") == here


def test_how_a_position_is_laid_out_does_not_matter(here, tmp_path):
    here.save(tmp_path / "p.json")
    data = json.loads((tmp_path / "p.json").read_text())
    (tmp_path / "p.json").write_text(json.dumps(data, indent=4))
    assert Position.load(tmp_path / "p.json") == here


def test_settings_and_codes_have_a_checksum_too(tmp_path):
    save_config(tmp_path, "tictactoe", training(seed=5))
    before = read_config(tmp_path)
    path = tmp_path / "config.json"
    data = json.loads(path.read_text())
    path.write_text(json.dumps({**data, "seed": 6}))
    with pytest.raises(InputError, match="its checksum does not agree"):
        read_config(tmp_path)
    del data["checksum"]
    path.write_text(json.dumps(data))
    assert read_config(tmp_path) == before

    codes = tmp_path / "codes.json"
    write_codes(codes)
    said = saved_codes(tmp_path)
    codes.write_text(codes.read_text().replace("board.0", "board.1"))
    with pytest.raises(InputError, match="is damaged"):
        saved_codes(tmp_path)
    codes.write_text(json.dumps(said))  # as they were written before
    assert read_codes(codes)
