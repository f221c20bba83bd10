"""`ponder games`, `perft`, `check`, `--version`, `--help`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import ponder as package
from ponder.core.registry import GAMES

BROKEN = Path(__file__).parents[1] / "check" / "broken_games"
TICTACTOE = {1: 9, 2: 72, 3: 504, 4: 3024, 5: 15120, 6: 54720}


def test_version_is_the_packages(ponder):
    assert ponder("--version") == (0, f"ponder {package.__version__}\n", "")


@pytest.mark.parametrize("line", [(), ("--help",), ("-h",)])
def test_help_lists_every_command(ponder, line):
    done = ponder(*line)
    assert done.status == 0
    for command in ("games", "search", "play", "perft", "check", "bench"):
        assert f"\n  {command}" in done.out


def test_help_imports_nothing_heavy():
    listing = (
        "import sys; from ponder.cli import run; run(['--help']); run(['search', '--help']);"
        "heavy = ('numpy', 'numba', 'llvmlite', 'rich', 'ponder.jit');"
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", listing], check=False, capture_output=True, text=True
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


def test_games_are_listed_with_sizes_and_hooks(ponder):
    done = ponder("games")
    assert done.status == 0
    assert "connect4(columns=7, rows=6, run=4, players=2)" in done.out
    assert all(f"\n{name}(" in "\n" + done.out for name in GAMES)


def test_games_as_json(ponder):
    games = {row["name"]: row for row in json.loads(ponder("games", "--json").out)["games"]}
    assert set(games) == set(GAMES)
    connect4 = games["connect4"]
    assert connect4["parameters"] == {"columns": 7, "rows": 6, "run": 4, "players": 2}
    assert (connect4["players"], connect4["max_actions"], connect4["max_length"]) == (2, 7, 42)
    assert "random_action" in connect4["hooks"]


@pytest.mark.parametrize("depth", TICTACTOE)
def test_perft_counts_known_numbers(ponder, depth):
    data = json.loads(ponder("perft", "tictactoe", str(depth), "--json").out)
    assert data["nodes"] == TICTACTOE[depth]
    assert data["seconds"] >= 0


def test_perft_of_depth_0_is_1(ponder):
    assert json.loads(ponder("perft", "tictactoe", "0", "--json").out)["nodes"] == 1


def test_perft_begins_at_the_given_position(ponder):
    one = json.loads(ponder("perft", "tictactoe", "2", "--moves", "b2", "--json").out)["nodes"]
    two = ponder("perft", "tictactoe", "2", "--position", ".../.x./...", "--json").out
    assert one == json.loads(two)["nodes"] == 8 * 7


def test_divide_splits_by_first_move(ponder):
    done = ponder("perft", "tictactoe", "3", "--divide")
    rows = [line for line in done.out.splitlines() if ": " in line]
    assert rows == [f"{column}{row}: 56" for row in "123" for column in "abc"]
    assert "perft(3) = 504" in done.out


def test_check_passes_a_sound_game(ponder):
    done = ponder("check", "tictactoe", "--games", "3", "--seed", "4")
    assert done.status == 0
    assert "ok: tictactoe() keeps the contract" in done.out
    assert "3 random games" in done.out


def test_check_reports_a_broken_game_with_status_2(ponder):
    done = ponder("check", f"{BROKEN}/no_actions.py:Game", "--games", "3")
    assert done.status == 2
    assert done.out.startswith("no-actions: ")
    assert "breaks the contract: 1 finding" in done.err


def test_check_as_json(ponder):
    done = ponder("check", f"{BROKEN}/not_zero_sum.py:Game", "--json")
    assert done.status == 2
    data = json.loads(done.out)
    assert data["ok"] is False
    assert [finding["kind"] for finding in data["findings"]] == ["zero-sum"]
    assert data["findings"][0]["moves"]


def test_a_reader_who_leaves_early_is_no_error():
    program = f"{sys.executable} -c 'from ponder.cli import main; main()'"
    line = f"set -o pipefail; {program} games | head -n 1"
    done = subprocess.run(["bash", "-c", line], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1


@pytest.mark.plain
@pytest.mark.parametrize(
    "given", [("--repeats", "0", "--against", "openspiel"), ("--repeats", "3")]
)
def test_repeats_of_bench_are_one_or_more_and_belong_to_a_peer(ponder, given):
    done = ponder("bench", "tictactoe", *given)
    assert done.status == 2
    assert "--repeats" in done.err
