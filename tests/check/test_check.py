"""Every fault of the folder broken_games is found, and nothing else is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ponder import game
from ponder.check import check_game
from ponder.core.gate import load_file
from ponder.jit import COMPILED

FOLDER = Path(__file__).parent / "broken_games"
SOUND = {"countdown": "Countdown", "plain_countdown": "PlainCountdown"}
BROKEN = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in SOUND)


def faults() -> list[str]:
    """All of them; in plain mode nothing is compiled, so nothing can be wrong with that."""
    return [name for name in BROKEN if COMPILED or name not in ("disagreement", "does_not_compile")]


@pytest.mark.parametrize("name", faults())
def test_a_broken_game_is_reported_with_its_own_finding(name):
    path = str(FOLDER / f"{name}.py")
    report = check_game(game(f"{path}:Game"), games=6, seed=1)
    broken = load_file(path)
    assert [finding.kind for finding in report.findings] == [broken.FINDING]
    assert re.search(broken.SAYS, report.findings[0].message), report.findings[0].message
    assert "\n" not in str(report.findings[0])


@pytest.mark.parametrize("name", SOUND)
def test_the_sound_game_they_are_made_from_passes(name):
    report = check_game(game(f"{FOLDER / name}.py:{SOUND[name]}"), games=6)
    assert report.ok, str(report)
    assert report.counts.games == 6
    assert 3 < report.counts.longest <= 7
    assert (report.counts.fewest, report.counts.most) == (1, 2)


def test_a_finding_tells_the_moves_that_show_it():
    report = check_game(game(f"{FOLDER}/no_actions.py:Game"), games=6, seed=1)
    (finding,) = report.findings
    taken = sum(int(move) + 1 for move in finding.moves)
    assert taken == 6, "one counter is left when the fault shows"
    assert f"seed 1, game {finding.game}, after {' '.join(finding.moves)}" in str(finding)


def test_the_same_seed_plays_the_same_games():
    # with time for everything: how much is examined must not depend on how busy the machine is
    one, two, other = (
        check_game(game("tictactoe"), games=3, seed=s, seconds=1000).counts for s in (5, 5, 6)
    )
    assert one == two
    assert one != other


def test_the_report_converts_to_json():
    data = check_game(game("connect4"), games=2).to_json()
    assert data["ok"] is True
    assert data["findings"] == []
    assert data["branching"]["max"] == 7
    assert "random_action" in data["hooks"]
