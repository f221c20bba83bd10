"""Tables of any game: against the reference search, known counts, cycles and odd turns."""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from ponder import AlphaBeta, InputError, Spec, position, record
from ponder.core.tablebase import NoEndgame, search_part
from ponder.endgame.tables import build, open_tables
from ponder.search.values import STEP


def walk(rng: random.Random, game, plies: int):
    """A random position, not terminal."""
    while True:
        here = position(game)
        for _ in range(rng.randrange(plies)):
            if here.is_terminal:
                break
            here = here.play(rng.choice(here.legal_actions))
        if not here.is_terminal:
            return here


@pytest.mark.parametrize(
    ("game", "positions", "value", "distance"),
    [
        ("tictactoe", 5478, 0, 0),
        ("connect4(4, 4)", 161029, 0, 0),
        ("nim(heaps=(1, 3, 5))", None, 1, None),
        ("breakthrough(3, 5)", None, None, None),
    ],
)
def test_tables_agree_with_alpha_beta_to_the_end(tmp_path, game, positions, value, distance):
    (header,) = build(position(game), folder=tmp_path)
    if positions is not None:
        assert header["positions"] == positions
    tables = open_tables(game, tmp_path)
    start = tables.probe(position(game))
    if value is not None:
        assert start.value == value
    if distance is not None:
        assert start.distance == distance
    rng = random.Random(6)
    for _ in range(40):
        here = walk(rng, game, 9)
        found = tables.probe(here)
        searched = AlphaBeta().search(here, depth=99)
        assert found.value == searched.value
        if found.value:
            assert f"in {int(found.distance)} plies" in searched.notes[0]


class Circle(NamedTuple):
    """Two players on a ring of cells: steps of 1 or 2 forward, or 1 back. Turns do not alternate:
    who lands on an even cell moves again. Cell 0 wins for who lands there, cell `trap` loses."""

    cells: int = 9
    trap: int = 4

    def spec(self) -> Spec:
        return Spec(
            players=2, max_actions=3, max_length=1000, state=record(at="i8", player="i8", over="i8")
        )

    def start(self, s):
        s.at = 3

    def current_player(self, s):
        return s.player

    def legal_actions(self, s, out):
        for i in range(3):
            out[i] = i
        return 3

    def apply_action(self, s, a):
        step = -1 if a == 2 else a + 1
        s.at = (s.at + step + self.cells) % self.cells
        if s.at == 0:
            s.over = 1 + s.player
        elif s.at == self.trap:
            s.over = 2 - s.player
        elif s.at % 2:
            s.player = 1 - s.player

    def is_terminal(self, s):
        return s.over > 0

    def returns(self, s, out):
        out[0] = 1.0 if s.over == 1 else -1.0
        out[1] = -out[0]


def values_by_repetition(cells: int, trap: int) -> dict[tuple[int, int], int]:
    """Signed codes for player 0 by the definition: repeat until nothing changes."""
    codes: dict[tuple[int, int], int] = {}
    for level in range(1, 60):
        for at in range(1, cells):
            for player in (0, 1):
                if at == trap or (at, player) in codes:
                    continue
                sign = 1 if player == 0 else -1
                after = []
                for step in (1, 2, -1):
                    to = (at + step) % cells
                    if to == 0:
                        after.append(1)
                    elif to == trap:
                        after.append(-1)
                    else:
                        after.append(sign * codes.get((to, 1 - player if to % 2 else player), 0))
                best = min((c for c in after if c > 0), default=0)
                if best and best + 1 == level + 1:
                    codes[at, player] = sign * (best + 1)
                elif not best and 0 not in after and max(-c for c in after) + 1 == level + 1:
                    codes[at, player] = -sign * (level + 1)
    return codes


@pytest.mark.parametrize(("cells", "trap"), [(9, 4), (12, 5), (15, 7), (8, 6)])
def test_cycles_are_draws_and_turns_need_not_alternate(tmp_path, cells, trap):
    game = Circle(cells, trap)
    build(position(game), folder=tmp_path)
    tables = open_tables(game, tmp_path)
    wanted = values_by_repetition(cells, trap)
    seen, fresh = set(), [position(game)]
    while fresh:
        here = fresh.pop()
        key = int(here.state.at), int(here.state.player)
        if here.is_terminal or key in seen:
            continue
        seen.add(key)
        found = tables.probe(here)
        code = wanted.get(key, 0) * (1 if here.current_player == 0 else -1)
        assert (found.value, found.distance) == (np.sign(code), max(abs(code) - 1, 0))
        fresh += [here.play(a) for a in here.legal_actions]


def test_checkers_with_two_pieces_begins_from_all_placements(tmp_path):
    (header,) = build(position("checkers"), pieces=2, folder=tmp_path)
    assert header["player 0 wins"] == header["player 1 wins"]  # the board turned round
    tables = open_tables("checkers", tmp_path)
    assert tables.probe(position("checkers", "B:WK1:BK32")).value == 0
    assert tables.probe(position("checkers")) is None
    rng = random.Random(2)
    for _ in range(12):
        a, b = rng.sample(range(5, 29), 2)
        here = position("checkers", f"{rng.choice('BW')}:W{rng.choice(['', 'K'])}{a}:BK{b}")
        if here.is_terminal:
            continue
        rows = tables.moves(here)
        assert tables.probe(here).value == max(row.value for row in rows)
        searched = AlphaBeta().search(here, depth=6)
        if "plies" in " ".join(searched.notes):
            assert tables.probe(here).value == searched.value
            assert f"in {int(tables.probe(here).distance)} plies" in searched.notes[0]


def test_the_part_for_kernels_says_the_same_and_prefers_the_short_win(tmp_path):
    build(position("connect4(4, 4)"), folder=tmp_path)
    part = search_part(position("connect4(4, 4)").game, str(tmp_path), 1.0, STEP)
    tables = open_tables("connect4(4, 4)", tmp_path)
    rng = random.Random(1)
    for _ in range(200):
        here = walk(rng, "connect4(4, 4)", 14)
        words = here.raw_state.view(np.uint64).reshape(1, -1)
        found = tables.probe(here)
        me = here.current_player
        wanted = found.value * (1 - found.distance * STEP)
        assert part.probe(None, here.raw_state, words, 0, me) == wanted
        assert part.probe(None, here.raw_state, words, 0, 1 - me) == -wanted
    assert search_part(here.game, "", 1.0, STEP) == NoEndgame()
    assert np.isnan(NoEndgame().probe(None, here.raw_state, words, 0, 0))


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("connect4", "more than 4 MB"),
        ("pig", "has chance"),
        ("connect4(players=3)", "two players"),
        ("chess", "by classes"),
    ],
)
def test_games_without_a_table_are_refused(tmp_path, game, words):
    with pytest.raises(InputError, match=words):
        build(position(game), folder=tmp_path, memory=4)
    assert list(tmp_path.iterdir()) == []


def test_a_plain_python_game_is_refused(tmp_path):
    file = Path(__file__).parents[1] / "check" / "broken_games" / "plain_countdown.py"
    with pytest.raises(InputError, match="compiled games"):
        build(position(f"{file}:PlainCountdown"), folder=tmp_path)
