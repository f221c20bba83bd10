"""2048 against OpenSpiel, a second set of rules written with lists, and exact numbers."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from functools import cache
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hook_checks import check_symmetries
from ponder import MCTS, IllegalAction, InputError, position
from ponder.core.game import new_states
from ponder.core.rng import new_rng
from ponder.games.twenty48 import LONGEST, MOVES, TILES, Twenty48

# ------------------------------------------------------------------ any size, with plain lists


def push(line):
    """One line slid to the left by the book: the line after it, and which places were merged."""
    tiles = [t for t in line if t]
    after, fresh = [], []
    while tiles:
        fresh.append(len(tiles) > 1 and tiles[0] == tiles[1])
        after.append(tiles[0] * (1 + fresh[-1]))
        tiles = tiles[1 + fresh[-1] :]
    rest = len(line) - len(after)
    return after + [0] * rest, fresh + [False] * rest


def turned(rows, move):
    """The lines of the board, each from where the tiles slide to. Its own inverse."""
    lines = [list(row) for row in rows]
    if move in ("up", "down"):
        lines = [list(line) for line in zip(*lines, strict=True)]
    return lines


def moved(board, move):
    """The rows after a move, and the same for "merged just now"."""
    backward = -1 if move in ("right", "down") else 1
    done = [push(line[::backward]) for line in turned(board, move)]
    after, fresh = ([part[i][::backward] for part in done] for i in (0, 1))
    return turned(after, move), turned(fresh, move)


def points(board, fresh):
    rows = zip(board, fresh, strict=True)
    return sum(tile for row, new in rows for tile, n in zip(row, new, strict=True) if n)


def rows_of(p):
    cells, columns = p.raw_state["cells"][0].tolist(), p.game.columns
    tiles = [1 << e if e else 0 for e in cells]
    return [tiles[i : i + columns] for i in range(0, len(tiles), columns)]


@pytest.mark.parametrize(("columns", "rows"), [(2, 2), (2, 5), (3, 3), (5, 3), (6, 2), (6, 6)])
def test_any_size_agrees_with_rules_written_with_lists(columns, rows):
    rng = random.Random(columns * rows)
    start = position(f"twenty48(columns={columns}, rows={rows})")
    for _ in range(1 if columns * rows > 30 else 10):
        p, score = start, 0
        while not p.is_terminal:
            board = rows_of(p)
            if p.is_chance:
                free = [i for i, tile in enumerate(chain(*board)) if not tile]
                expected = {
                    TILES + 2 * i + four: (0.9, 0.1)[four] / len(free)
                    for i in free
                    for four in (0, 1)
                }
                assert dict(p.chance_outcomes) == pytest.approx(expected)
                p = p.play(rng.choice(p.legal_actions))
                continue
            after = {move: moved(board, move) for move in MOVES}
            legal = [move for move in MOVES if after[move][0] != board]
            assert p.legal_names == tuple(legal)
            move = rng.choice(legal)
            p = p.play(move)
            score += points(*after[move])
            assert rows_of(p) == after[move][0]
            assert p.raw_state["score"][0] == score
            assert p.raw_state["total"][0] == sum(chain(*board))
            assert p.raw_state["empty"][0] == sum(row.count(0) for row in rows_of(p))
        assert all(moved(rows_of(p), move)[0] == rows_of(p) for move in MOVES)
        assert p.returns == (score,)


# ------------------------------------------------------------------ OpenSpiel
#
# Moves have the same numbers there, new tiles those less TILES. Two things differ: OpenSpiel stops
# at a tile of max_tile, which random games never reach here; and its legal_actions (2.0.2) forget
# moves whose only effect is to merge a tile into one that was itself merged in the move before,
# although apply_action makes them. `seen_by_openspiel` says exactly which it sees.


def seen_by_openspiel(board, fresh, move):
    """Does the move slide a tile, or merge one into a tile that is not `fresh`?"""
    backward = -1 if move in ("right", "down") else 1
    for line, new in zip(turned(board, move), turned(fresh, move), strict=True):
        there = list(zip(line[::backward], new[::backward], strict=True))
        if any(tile and not front for (front, _), (tile, _) in pairwise(there)):
            return True
        if any(tile and tile == front and not n for (front, n), (tile, _) in pairwise(there)):
            return True
    return False


def compare_game(game, p, rng):
    """One random game in both programs; how many steps it had and how many moves it forgot."""
    theirs, steps, forgotten, fresh = game.new_initial_state(), 0, 0, None
    while True:
        steps += 1
        board = rows_of(p)
        assert board == [[int(n) for n in row.split()] for row in str(theirs).splitlines()]
        assert theirs.returns() == [p.raw_state["score"][0]]
        assert p.is_terminal == theirs.is_terminal(), str(p)
        if p.is_terminal:
            assert list(p.returns) == theirs.returns()
            return steps, forgotten
        assert p.current_player == theirs.current_player(), str(p)
        if p.is_chance:
            outcomes, chances = zip(*p.chance_outcomes, strict=True)
            their_outcomes, their_chances = zip(*theirs.chance_outcomes(), strict=True)
            assert outcomes == tuple(TILES + outcome for outcome in their_outcomes)
            assert np.allclose(chances, their_chances, rtol=1e-12)
            (action,) = rng.choices(outcomes, chances)
        else:
            fresh = fresh or [[False] * 4] * 4
            seen = [a for a in p.legal_actions if seen_by_openspiel(board, fresh, MOVES[a])]
            assert seen == theirs.legal_actions(), str(p)
            forgotten += len(p.legal_actions) - len(seen)
            action = rng.choice(p.legal_actions)
            fresh = moved(board, MOVES[action])[1]
        theirs.apply_action(action - TILES if p.is_chance else action)
        p = p.play(action)


def test_rules_agree_with_openspiel_at_every_step():
    pyspiel = pytest.importorskip("pyspiel")
    game, start, rng = (
        pyspiel.load_game("2048(max_tile=65536)"),
        position("twenty48"),
        random.Random(1),
    )
    games = [compare_game(game, start, rng) for _ in range(500)]
    assert sum(steps for steps, _ in games) > 500 * 150
    assert sum(forgotten for _, forgotten in games) > 0


# ------------------------------------------------------------------ exact numbers


def test_the_best_expected_score_on_four_cells_is_the_exact_one():
    @cache
    def further(text):
        """The best expected score from here on, by plain expectimax over the rules."""
        p = position("twenty48(columns=2, rows=2)", text)
        if p.is_terminal:
            return 0.0
        if p.is_chance:
            return sum(chance * further(p.play(a).text()) for a, chance in p.chance_outcomes)
        ahead = [p.play(a) for a in p.legal_actions]
        points = [int(q.raw_state["score"][0]) for q in ahead]
        return max(
            won + further(q.text().replace(f" score {won}", ""))
            for q, won in zip(ahead, points, strict=True)
        )

    assert further(". ./. . new 2") == pytest.approx(66.964149457, abs=1e-9)


def test_bounds_of_the_score_and_the_length():
    small = Twenty48(2, 2).spec()
    assert (small.lowest, small.highest, small.max_length) == (0, 196, 64)
    usual = Twenty48().spec()
    assert (usual.highest, usual.max_length) == (3_932_164, 262_144)
    assert Twenty48(6, 6).spec().max_length == 262_144


def test_a_large_board_ends_when_the_tiles_add_up():
    rest = "/".join([". . . . ."] * 4)
    for tiles, over in (("131072 65536 32768 . .", False), ("131072 131072 . . .", True)):
        assert position("twenty48(columns=5, rows=5)", f"{tiles}/{rest}").is_terminal == over
    assert LONGEST == 2 * 131072


# ------------------------------------------------------------------ hooks


def random_positions(n, seed, game="twenty48"):
    rng, found = random.Random(seed), []
    while len(found) < n:
        p = position(game)
        while not p.is_terminal:
            found.append(p)
            p = p.play(rng.choice(p.legal_actions))
    return rng.sample(found, n)


def test_random_moves_are_uniform_over_the_legal_ones():
    game, out, rng = Twenty48(), np.zeros(32, np.int32), new_rng(5)
    for p in random_positions(60, 3):
        if p.is_chance:
            continue
        draws = [int(game.random_action(p.raw_state[0], out, rng)) for _ in range(600)]
        counts = [draws.count(a) for a in p.legal_actions]
        assert sum(counts) == 600
        share = 600 / len(counts)
        assert all(abs(count - share) < 5 * share**0.5 for count in counts)


@pytest.mark.parametrize(
    ("game", "symmetries", "slides"), [(Twenty48(), 8, {0, 1, 2, 3}), (Twenty48(2, 3), 4, {0, 2})]
)
def test_symmetric_boards_have_symmetric_moves_and_tiles(game, symmetries, slides):
    assert game.symmetries() == symmetries
    check_symmetries(position(game), 2)
    assert {game.transform_action(0, k) for k in range(symmetries)} == slides
    corner = {game.transform_action(TILES, k) for k in range(symmetries)}
    last = game.columns * game.rows - 1
    assert corner == {
        TILES + 2 * cell for cell in (0, game.columns - 1, last, last - game.columns + 1)
    }


def test_plain_python_and_compiled_rules_agree():
    rng = random.Random(8)
    for game in (Twenty48(), Twenty48(3, 2)):
        out, chances, value = np.zeros(32, np.int32), np.zeros(32), np.zeros(1)
        for _ in range(3):
            p = position(game)
            states = new_states(game.spec().state, 1)
            s = states[0]
            game.start(s)
            while not p.is_terminal:
                assert not game.is_terminal(s)
                assert game.current_player(s) == p.current_player
                listed = game.chance_outcomes(s, out, chances) if p.is_chance else 0
                n = listed or game.legal_actions(s, out)
                assert tuple(out[:n].tolist()) == p.legal_actions
                game.evaluate(s, value)
                assert p.rules.evaluate(p.raw_state) == tuple(value)
                action = rng.choice(p.legal_actions)
                p = p.play(action)
                game.apply_action(s, action)
                assert states.tobytes() == p.raw_state.tobytes()
            assert game.is_terminal(s)


def greedy_score(rng, greedy):
    p = position("twenty48")
    while not p.is_terminal:
        if p.is_chance:
            (action,) = rng.choices(p.legal_actions, [c for _, c in p.chance_outcomes])
        elif greedy:
            action = max(p.legal_actions, key=lambda a: p.rules.evaluate(p.play(a).raw_state))
        else:
            action = rng.choice(p.legal_actions)
        p = p.play(action)
    return p.returns[0]


def test_the_estimate_plays_better_than_chance():
    rng = random.Random(6)
    greedy = sum(greedy_score(rng, True) for _ in range(15)) / 15
    chance = sum(greedy_score(rng, False) for _ in range(15)) / 15
    assert greedy > 2 * chance


def test_the_estimate_never_falls_below_the_score():
    for p in random_positions(200, 4):
        (value,) = p.rules.evaluate(p.raw_state)
        assert p.raw_state["score"][0] <= value <= p.game.spec().highest


def test_the_default_search_finds_a_legal_move():
    p = position("twenty48").play("a1=2").play("b3=4")
    result = MCTS().search(p, simulations=2000, seed=1)
    assert result.action in p.legal_actions
    assert 0 <= result.values[0] <= p.game.spec().highest


# ------------------------------------------------------------------ text and drawing


def test_every_position_of_random_games_parses_back():
    for game in ("twenty48(columns=2, rows=2)", "twenty48", "twenty48(columns=3, rows=5)"):
        for p in random_positions(100, 9, game):
            again = position(game, p.text())
            assert again.raw_state.tobytes() == p.raw_state.tobytes()
            assert [p.parse_action(name) for name in p.legal_names] == list(p.legal_actions)


def test_moves_may_be_given_by_their_initials():
    p = position("twenty48", "2 . . ./. . . ./. . . ./. . . 2")
    assert [p.parse_action(word) for word in ("u", "R", "down", "Left")] == [0, 1, 2, 3]
    with pytest.raises(IllegalAction, match="legal: up right"):
        p.play("diagonal")


cells = st.sampled_from([".", "2", "4", "8", "16", "32", "64"])


@settings(max_examples=500, deadline=None)
@given(st.lists(cells, min_size=6, max_size=6), st.integers(0, 400), st.integers(0, 2))
def test_every_board_that_is_accepted_prints_and_parses_back(tiles, score, new):
    text = f"{' '.join(tiles[:3])}/{' '.join(tiles[3:])} score {score} new {new}"
    try:
        p = position("twenty48(columns=3, rows=2)", text)
    except InputError:
        return
    again = position("twenty48(columns=3, rows=2)", p.text())
    assert again.raw_state.tobytes() == p.raw_state.tobytes()
    assert p.is_terminal or p.legal_actions


@settings(max_examples=500, deadline=None)
@given(st.one_of(st.text(max_size=60), st.text("./ 0123456789scorenw", max_size=60)))
def test_any_other_text_is_refused_in_one_line_or_read_as_it_is_written(text):
    game = Twenty48(2, 2)
    states = new_states(game.spec().state, 2)
    try:
        game.parse_position(text, states[0])
    except InputError as refusal:
        assert str(refusal).isprintable()  # noqa: PT017 - most texts are refused, not all
    else:
        game.parse_position(game.position_text(states[0]), states[1])
        assert states[0].tobytes() == states[1].tobytes()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("2 2", "2 rows of 2 cells"),
        ("2 2/. . points 4", "2 rows of 2 cells"),
        ("2 3/. .", "not a tile"),
        ("2 64/. .", "up to 32"),
        ("2 ./. .", "1 tiles and 0 to come"),
        (". ./. . new 1", "0 tiles and 1 to come"),
        ("2 ./. . new 2", "1 tiles and 2 to come"),
        ("2 4/8 16 new 1", "full"),
        ("2 2/. . score 4", "0 at most"),
        ("4 2/. . score 2", "multiple of 4"),
        ("32 32/. .", "never exceed 60"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, complaint):
    with pytest.raises(InputError, match=complaint):
        position("twenty48(columns=2, rows=2)", text)


def test_bad_sizes_are_refused():
    with pytest.raises(InputError, match="2 to 6 columns"):
        position("twenty48(columns=1)")


def test_the_drawing_shows_tiles_moves_and_the_newest_tile():
    p = position("twenty48(columns=2, rows=2)", "2 ./. 8")
    picture = ET.fromstring(p.svg())
    words = [part.text for part in picture.iter() if part.tag.endswith("text")]
    assert words == ["2", "8", "↑", "→", "↓", "←", "score 0"]
    q = position("twenty48(columns=2, rows=2)", "2 ./. . new 1").play("b2=2")
    assert q.svg().count('stroke-width="3"') == 1


def test_the_board_is_drawn_as_text():
    assert str(position("twenty48(columns=2, rows=2)", "2 ./. 16")) == "   2   .\n   .  16\nscore 0"
