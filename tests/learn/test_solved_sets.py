"""The drawn set of solved positions: it is what its page says, and late scores are those of plain
recursion, which shares nothing with the solvers."""

from __future__ import annotations

import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks" / "strength"))

from solved_sets import SOURCES, STRATA, Solved, plies_to_end, read_set, score_at  # noqa: E402

pytestmark = pytest.mark.plain
COLUMNS, ROWS = 7, 6


@pytest.fixture(scope="module")
def solved():
    return read_set(ROOT / "benchmarks" / "strength" / "data" / "connect4-strata-1.txt.gz")


def board_of(columns):
    """For each column its stones, from the lowest, as the numbers of their players."""
    board = [()] * COLUMNS
    for ply, name in enumerate(columns):
        board[int(name) - 1] += (ply % 2,)
    return tuple(board)


def wins(board, column):
    """Is the highest stone of the column one of four in a row?"""
    row = len(board[column]) - 1
    player = board[column][row]

    def has(c, r):
        return 0 <= c < COLUMNS and 0 <= r < len(board[c]) and board[c][r] == player

    for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
        run = 1
        for sign in (1, -1):
            k = 1
            while has(column + sign * k * dc, row + sign * k * dr):
                k += 1
            run += k - 1
        if run >= 4:
            return True
    return False


@cache
def score_of_move(board, column):
    """22 less the winner's stones if the mover wins, negative if the other does."""
    stones = sum(map(len, board))
    after = (*board[:column], (*board[column], stones % 2), *board[column + 1 :])
    if wins(after, column):
        return 22 - (stones // 2 + 1)
    return -max((score_of_move(after, c) for c in open_columns(after)), default=0)


def open_columns(board):
    return [c for c in range(COLUMNS) if len(board[c]) < ROWS]


def test_every_stratum_has_as_many_positions_as_the_page_says(solved):
    page = (ROOT / "docs" / "solved-positions.md").read_text().replace("**", "")
    rows = re.findall(
        r"^\| (\w+(?:, \w+)?) \| (\d+) to (\d+) \| (\d+) [^|]*\| (\d+) \|$", page, re.M
    )
    said = {name: (int(low), int(high), int(near), int(n)) for name, low, high, near, n in rows}
    assert said == {one.name: (*one.stones, one.plies[0], one.count) for one in STRATA}
    counts = Counter((one.source, one.stratum.name) for one in solved)
    assert counts == {(source, one.name): one.count for source in SOURCES for one in STRATA}


def test_no_position_comes_twice_from_one_source_nor_as_its_mirror_image(solved):
    met = set()
    for one in solved:
        board = board_of(one.columns)
        assert not {(one.source, board), (one.source, board[::-1])} & met
        met.add((one.source, board))


def test_positions_can_be_played_and_the_game_goes_on(solved):
    for one in solved[::10]:
        for ply in range(1, one.stones + 1):
            board = board_of(one.columns[:ply])
            assert not wins(board, int(one.columns[ply - 1]) - 1)
        assert [c for c in range(COLUMNS) if one.scores[c] is not None] == open_columns(board)


def test_late_scores_are_those_of_plain_recursion(solved):
    late = [one for one in solved if one.stones >= 34]
    assert len(late) > 100
    for one in late:
        board = board_of(one.columns)
        exact = {c: score_of_move(board, c) for c in open_columns(board)}
        assert exact == {c: score for c, score in enumerate(one.scores) if score is not None}


def test_only_what_gives_the_result_away_is_a_mistake():
    won = Solved("random", "4455", (3, 8, 0, -2, None, 1, -18))
    assert [won.is_mistake(c) for c in (0, 1, 2, 3, 5, 6)] == [
        False,
        False,
        True,
        True,
        False,
        True,
    ]
    drawn = Solved("random", "4455", (0, -8, None, None, None, 0, -18))
    assert [drawn.is_mistake(c) for c in (0, 1, 5, 6)] == [False, True, False, True]
    lost = Solved("random", "4455", (-1, -8, None, None, None, -2, -18))
    assert not any(lost.is_mistake(c) for c in (0, 1, 5, 6))
    assert (won.can_go_wrong, drawn.can_go_wrong, lost.can_go_wrong) == (True, True, False)


def test_scores_and_plies_to_the_end_say_the_same():
    for stones in range(42):
        for plies in range(1, 43 - stones):
            value = 1 if plies % 2 else -1  # who makes the last move wins
            assert plies_to_end(stones, score_at(stones, value, plies)) == plies
        assert plies_to_end(stones, 0) == 42 - stones
