"""The networks that come with Ponder, and small files."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from ponder import InputError, Strong, position
from ponder.cli import run as cli
from ponder.core.registry import STRONG
from ponder.learn.file import FILE, SCALE, SHIPPED, network_for
from ponder.learn.net import Net
from training_runs import new_run

pytestmark = pytest.mark.plain

GAMES = {
    "breakthrough6": "breakthrough(rows=6, columns=6)",
    "connect4": "connect4",
    "hex7": "hex(size=7)",
    "othello6": "othello(rows=6, columns=6)",
    "tictactoe": "tictactoe",
}


def test_every_shipped_network_is_of_its_game_and_says_how_it_was_trained():
    assert {file.stem for file in SHIPPED.glob("*.network")} == set(GAMES)
    assert sum(file.stat().st_size for file in SHIPPED.iterdir()) < 8e6
    for name, game in GAMES.items():
        network, _ = network_for(name, position(game))
        assert network.players == 2
        trained = FILE.read(SHIPPED / f"{name}.network")[0]["trained"]
        assert trained["games"] > 1_000
        assert trained["seed"] == 1
    with pytest.raises(InputError, match=r"network of connect4\(.*not of tictactoe"):
        network_for("connect4", position("tictactoe"))


def test_strong_takes_the_networks_that_are_better():
    """The games are spelled as their networks spell them, and no other game is meant."""
    games = {name: FILE.read(SHIPPED / f"{name}.network")[0]["game"] for name in GAMES}
    taken = {"breakthrough6", "connect4", "hex7", "othello6"}
    assert set(STRONG) == {games[name] for name in taken}
    for name, game in GAMES.items():
        chosen = Strong(simulations=7).fitted(position(game).play(position(game).legal_actions[0]))
        assert chosen.simulations == 7
        assert (getattr(chosen.evaluate, "file", None) == name) == (name in taken)
    of_other_sizes = ("connect4(columns=6)", "hex(size=6)", "othello", "breakthrough")
    for other in (*of_other_sizes, "hex(size=7, swap=True)"):
        assert not isinstance(Strong().fitted(position(other)).evaluate, Net)


def test_a_small_file_differs_by_half_a_step_at_most(tmp_path, capsys):
    run = new_run(tmp_path / "run", simulations=2, first_positions=5)
    run.run(rounds=1)
    run.close()
    file = tmp_path / "small.network"
    assert cli(["train", "--out", str(tmp_path / "run"), "--export", str(file)]) == 0
    assert "alphazero(net=" in capsys.readouterr().out
    whole = run.road.network.weights
    (small, _) = network_for(str(file), position("tictactoe"))
    step = np.abs(whole.E).max(axis=0) / 127
    assert (np.abs(small.weights.E - whole.E) <= 0.5001 * step).all()
    assert (small.weights.E != whole.E).any()
    for name in ("b1", "W2", "Wp", "bv"):
        assert np.array_equal(getattr(small.weights, name), getattr(whole, name))
    saved = (tmp_path / "run" / "best.network").stat().st_size - file.stat().st_size
    assert saved > 0.95 * 3 * whole.E.size  # one byte instead of four; the rest stays as it is
    header, arrays = FILE.read(file)
    data = file.read_bytes()
    at = data.index(b'"type": "|i1"')  # NumPy takes such a type for a syntax error
    changed = data[:at] + data[at:].replace(b'"type": "|i1"', b'"type": ",i1"', 1)
    checksum = hashlib.blake2b(changed[48:], digest_size=32).digest()
    file.write_bytes(changed[:16] + checksum + changed[48:])
    with pytest.raises(InputError, match="its header makes no sense"):
        network_for(str(file), position("tictactoe"))
    for change in ({SCALE: arrays[SCALE][:-1]}, {SCALE: arrays[SCALE] * np.float32(np.nan)}):
        FILE.write(file, header, {**arrays, **change})
        with pytest.raises(InputError, match=r"has an array E|not finite"):
            network_for(str(file), position("tictactoe"))
