"""Looking positions up: counts and scores against a plain count of the same games."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from ponder import InputError, Position, position
from ponder.book.book import Book, BookMove, choose, empty_rows
from ponder.book.builder import BookBuilder
from ponder.book.keys import Signs, stable_bytes


def random_game(start: Position, rng: random.Random) -> list[Position]:
    line = [start]
    while not line[-1].is_terminal:
        line.append(line[-1].play(rng.choice(line[-1].legal_actions)))
    return line


def images(texts: tuple[str, ...], name: str) -> list[tuple[str, ...]]:
    """Boards, all turned and mirrored in the same way, in every way that the game allows."""
    if name == "nim":
        return [texts]
    found = [[text.split("/") for text in texts]]
    for _ in range(3 if name == "tictactoe" else 0):
        found.append(
            [["".join(column) for column in zip(*board[::-1], strict=True)] for board in found[-1]]
        )
    found += [[[row[::-1] for row in board] for board in image] for image in found]
    return [tuple("/".join(board) for board in image) for image in found]


@pytest.mark.parametrize("name", ["connect4(columns=5, rows=4)", "nim", "tictactoe"])
def test_counts_and_scores_are_those_of_the_games(name):
    """Counted a second time by the texts of the position before and after each move."""
    rng = random.Random(5)
    start = position(name)
    builder = BookBuilder(start.game)
    counts, totals, seen = Counter(), Counter(), {}
    for _ in range(60):
        line = random_game(start, rng)
        builder.add_game(line[-1], line[-1].returns, plies=6)
        for before, after in pairwise(line[:7]):
            place = min(images((before.text(), after.text()), name))
            counts[place] += 1
            totals[place] += line[-1].returns[before.current_player]
            seen[before.text()] = before
    book = builder.book()
    assert book.moves == len(counts)
    assert book.positions == len({min(images((text,), name)) for text in seen})
    for before in seen.values():
        for move in book.lookup(before):
            after = before.play(move.action).text()
            place = min(images((before.text(), after), name))
            assert move.count == counts[place]
            assert move.score == pytest.approx(totals[place] / counts[place], abs=1e-6)


def test_mirrored_positions_share_an_entry_and_get_mirrored_moves():
    start = position("connect4")
    builder = BookBuilder(start.game)
    builder.add_game(start.play_all("1 2 3"), (1.0, -1.0), plies=3)
    builder.add_game(start.play_all("7 6 3"), (1.0, -1.0), plies=3)
    book = builder.book()
    assert [(m.name, m.count) for m in book.lookup(start)] == [("1", 2)]
    assert [(m.name, m.count) for m in book.lookup(start.play("1"))] == [("2", 2)]
    assert [(m.name, m.count) for m in book.lookup(start.play("7"))] == [("6", 2)]
    assert {m.name for m in book.lookup(start.play_all("1 2"))} == {"3", "5"}
    assert {m.name for m in book.lookup(start.play_all("7 6"))} == {"5", "3"}


@pytest.mark.parametrize("name", ["othello", "hex(size=5)", "breakthrough"])
def test_every_image_of_a_position_has_the_same_key_and_its_moves_the_same_codes(name):
    from ponder.book.keys import _transform, symmetries_of

    rng = random.Random(8)
    here = position(name)
    for _ in range(7):
        here = here.play(rng.choice(here.legal_actions))
    signs = Signs(here)
    assert symmetries_of(here) > 1
    for k in range(symmetries_of(here)):
        image = here.play(here.legal_actions[0]).undo()
        other = Position(here.game)
        other._state = image.raw_state.copy()
        _transform(here.rules.part, here.raw_state, k, other._state)
        assert Signs(other).key == signs.key
        assert set(Signs(other).legal()) == set(signs.legal())


def test_the_order_of_moves_does_not_matter():
    start = position("connect4")
    builder = BookBuilder(start.game)
    builder.add_game(start.play_all("1 2 3 4"), None, plies=9)
    assert [m.name for m in builder.book().lookup(start.play_all("3 2 1"))] == ["4"]


def test_only_so_many_plies_are_kept():
    start = position("connect4")
    builder = BookBuilder(start.game)
    builder.add_game(start.play_all("1 2 3 4"), None, plies=2)
    book = builder.book()
    assert book.lookup(start.play("1"))
    assert not book.lookup(start.play_all("1 2"))


def test_a_collision_of_keys_cannot_give_an_illegal_move():
    here = position("nim(heaps=(1, 2))")
    rows = empty_rows(3)
    rows["key"] = np.uint64(Signs(here).key)
    rows["move"] = [3, 2, 99]  # two from the second heap, two from the first, nothing at all
    rows["count"] = 1
    assert [m.name for m in Book(here.game, rows).lookup(here)] == ["2:2"]


def test_a_finished_game_and_a_chance_node_are_in_no_book():
    start = position("pig")
    book = BookBuilder(start.game).book()
    assert book.lookup(start.play("roll")) == ()
    over = position("tictactoe").play_all("a1 b1 a2 b2 a3")
    assert BookBuilder(over.game).book().lookup(over) == ()


# ------------------------------------------------------------------ choosing

MOVES = (
    BookMove(0, "a", 60, 0.1, None),
    BookMove(1, "b", 30, 0.2, None),
    BookMove(2, "c", 10, 0.9, None),
)


def test_most_best_and_minimum():
    assert choose(MOVES, "most", 1, 0).name == "a"
    assert choose(MOVES, "best", 1, 0).name == "c"
    assert choose(MOVES, "best", 20, 0).name == "b"
    assert choose(MOVES, "most", 100, 0).name == "a"
    assert choose(MOVES, "most", 101, 0) is None
    assert choose((), "most", 0, 0) is None


def test_by_weight_each_move_comes_as_often_as_it_was_played():
    drawn = Counter(choose(MOVES, "weight", 1, seed).name for seed in range(4000))
    for move in MOVES:
        share = move.count / 100
        assert abs(drawn[move.name] / 4000 - share) < 4 * (share * (1 - share) / 4000) ** 0.5
    assert choose(MOVES, "weight", 1, 7) == choose(MOVES, "weight", 1, 7)


# ------------------------------------------------------------------ plain Python games

PROGRAM = """
from ponder.book.keys import Signs
from ponder import Position
class Words:
    def start(self): return ("ab", frozenset({"x", "yy", "zzz"}), 1.5, None)
    def current_player(self, s): return 0
    def legal_actions(self, s): return ["left", ("right", 2)]
    def apply_action(self, s, a): return (a, *s)
    def is_terminal(self, s): return len(s) > 6
    def returns(self, s): return (0, 0)
signs = Signs(Position(Words()))
print(signs.key, sorted(signs.legal()))
"""


def test_keys_of_plain_games_are_the_same_in_every_process():
    said = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1]
    assert said[0].count(",") == 1


def test_different_plain_values_have_different_bytes():
    values = [1, "1", 1.0, None, True, (1,), ((1,),), ("1", "2"), ("12",), ("1", ("2",)), b"1"]
    assert len({stable_bytes(value, "G") for value in values}) == len(values)


def test_a_plain_state_without_a_lasting_key_is_refused():
    with pytest.raises(InputError, match="needs a key"):
        stable_bytes(object(), "G")
