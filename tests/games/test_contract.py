"""Every registered game keeps the contract."""

from __future__ import annotations

import pytest

from ponder import game
from ponder.check import check_game
from ponder.core.registry import GAMES

OTHER_SIZES = (
    "connect4(columns=9, rows=9)",
    "connect4(columns=5, rows=4, run=3, players=3)",
    "nim(heaps=(2, 3, 4), misere=True)",
    "pig(target=20, players=3)",
    "othello(columns=6, rows=6)",
    "hex(size=4)",
    "go(size=5)",
    "breakthrough(columns=5, rows=5)",
    "chinese_checkers(players=6)",
)


@pytest.mark.parametrize("text", [*GAMES, *OTHER_SIZES])
def test_a_registered_game_keeps_the_contract(text):
    report = check_game(
        game(text), games=5, seed=1, seconds=6
    )  # slow rules on a busy machine need it
    assert report.ok, str(report)
    assert report.counts.games == 5
    assert report.counts.examined >= 10
