"""`ponder bench`: what it measures and prints, and the signature that must not move."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ponder import InputError
from ponder.bench import report
from ponder.bench.openspiel import PEERS, Peer, _check_same_start, duel, is_registered, peer_of
from ponder.bench.report import run
from ponder.bench.signature import signature
from ponder.bench.speed import measure, start_of
from ponder.bench.wide_signature import whole_number, wide_signature
from ponder.cli.console import say


def signature_of_another_process(simulations: int, **environment: str) -> str:
    code = f"from ponder.bench.signature import signature; print(signature({simulations}))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_the_signature_is_the_same_in_another_process_and_in_plain_mode():
    ours = signature(25)
    assert len(ours) == 16
    assert signature_of_another_process(25) == ours
    assert signature_of_another_process(25, NUMBA_DISABLE_JIT="1") == ours


def test_the_signature_is_the_published_one():
    published = (Path(__file__).parents[2] / "docs" / "speed.md").read_text()
    assert f"fixed searches, {signature()}." in published


def test_another_number_of_simulations_gives_another_signature():
    assert signature(25) != signature(26)


def test_every_speed_of_a_small_game_is_measured():
    speed = measure("tictactoe", 0.01)
    assert speed.playouts > 0
    assert speed.simulations > 0
    assert speed.perft_nodes > 0
    # from ply 9 on there are fewer sequences; a busy machine may not get to ply 8 in time
    assert 1 < speed.perft_depth <= 8
    assert speed.bytes_per_node == 24


def test_perft_is_not_measured_where_dice_roll():
    speed = measure("pig(target=20)", 0.01)
    assert speed.perft_nodes is None
    assert speed.playouts > 0


def test_speeds_come_as_json_on_stdout_alone(capsys):
    run(["tictactoe"], None, False, 0.01, True, say)
    said = capsys.readouterr()
    (row,) = json.loads(said.out)["bench"]
    assert row["game"] == "tictactoe"
    assert "measuring tictactoe" in said.err


def test_speeds_come_as_a_table(capsys):
    run(["tictactoe"], None, False, 0.01, False, say)
    assert "UCT simulations/s" in capsys.readouterr().out


def test_an_unknown_peer_or_game_is_refused_before_anything_is_measured(capsys):
    with pytest.raises(InputError, match="accepted: openspiel"):
        run([], "gnubg", False, None, False, say)
    with pytest.raises(InputError, match="unknown game"):
        run(["tictactoe", "tictactow"], None, False, None, False, say)
    assert capsys.readouterr().out == ""


def test_without_openspiel_one_line_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(InputError, match="pip install open_spiel"):
        run([], "openspiel", False, None, False, say)


def test_a_game_that_openspiel_does_not_have_is_refused_by_name():
    with pytest.raises(InputError, match="pgame"):
        peer_of("pgame")


@pytest.mark.parametrize("game", [game for game in PEERS if is_registered(game)])
def test_the_games_compared_with_openspiel_start_alike(game):
    pytest.importorskip("pyspiel")
    theirs = Peer(peer_of(game)).state
    _check_same_start(game, start_of(game), theirs)
    assert len(start_of(game).legal_actions) == len(theirs.legal_actions()) or game == "backgammon"


def test_a_game_that_starts_otherwise_is_not_compared():
    pytest.importorskip("pyspiel")
    with pytest.raises(InputError, match="not comparable"):
        _check_same_start("tictactoe", start_of("tictactoe").play("a1"), Peer("tic_tac_toe").state)


def test_both_sides_make_the_same_number_of_simulations():
    pytest.importorskip("pyspiel")
    made = duel("tictactoe", 0.02, repeats=2)
    assert Peer("tic_tac_toe").search(made.simulations, 1) == made.simulations
    assert made.ours.low <= made.ours.median <= made.ours.high
    assert made.ratio == made.ours.median / made.theirs.median


def test_the_signature_is_printed_with_a_number_for_each_group(capsys, monkeypatch):
    """The published number first; as JSON, what each search has found."""
    monkeypatch.setattr(report, "signature", lambda: signature(25))
    monkeypatch.setattr(report, "wide_signature", lambda: wide_signature(["decide"]))
    run([], None, True, None, False, say)
    first, group, whole = capsys.readouterr().out.splitlines()
    (decide,) = wide_signature(["decide"])
    assert first == signature(25)
    assert group == f"{decide.number}  decide"
    assert whole == f"{whole_number([decide])}  all groups"
    run([], None, True, None, True, say)
    made = json.loads(capsys.readouterr().out)
    assert made["signature"] == first
    assert made["wide"] == whole.split()[0]
    assert made["groups"] == {
        "decide": {"signature": decide.number, "lines": list(decide.lines)},
    }


def test_a_group_is_the_same_compiled_as_it_is_noted_in_plain_mode():
    """Kernels of tic-tac-toe that other tests need, too; `wide_signature.txt` is made plainly."""
    (decide,) = wide_signature(["decide"])
    noted = Path(__file__).with_name("wide_signature.txt").read_text()
    assert f"# decide {decide.number}\n" in noted
