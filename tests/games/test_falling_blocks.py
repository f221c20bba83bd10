"""Falling blocks against rules written with sets of cells, and exact values by plain recursion."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hook_checks import check_position_texts
from plain_rules import assert_uniform, compare_plain_with_compiled, complaint
from ponder import MCTS, Expectiminimax, InputError, Position, position, value_iteration
from ponder.core.draw import LEGAL
from ponder.core.terms import explain
from ponder.games.falling_blocks.game import FallingBlocks

pytestmark = pytest.mark.plain

# ------------------------------------------------------------------ the rules, with sets of cells
#
# A cell is (x, y), y upward. Turning is turning coordinates, falling is one row at a time.

OUTLINES = {
    "I": {(0, 0), (1, 0), (2, 0), (3, 0)},
    "O": {(0, 0), (1, 0), (0, 1), (1, 1)},
    "T": {(1, 0), (0, 1), (1, 1), (2, 1)},
    "S": {(0, 0), (1, 0), (1, 1), (2, 1)},
    "Z": {(1, 0), (2, 0), (0, 1), (1, 1)},
    "J": {(2, 0), (0, 1), (1, 1), (2, 1)},
    "L": {(0, 0), (0, 1), (1, 1), (2, 1)},
}


def to_the_corner(cells):
    left, low = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - low) for x, y in cells)


@cache
def turned(piece, turns):
    """The outline after so many quarter turns clockwise."""
    cells = OUTLINES[piece]
    for _ in range(turns):
        cells = {(y, -x) for x, y in cells}
    return to_the_corner(cells)


def rotations(piece):
    """Those that differ from the ones before."""
    ways = [turned(piece, turns) for turns in range(4)]
    return [turns for turns in range(4) if ways[turns] not in ways[:turns]]


def dropped(pile, outline, column, columns, rows):
    """Where the squares rest, or None where they cannot."""
    cells = {(x + column, y + rows) for x, y in outline}  # above the board
    if any(x >= columns for x, _ in cells):
        return None
    while True:
        lower = {(x, y - 1) for x, y in cells}
        if lower & pile or any(y < 0 for _, y in lower):
            break
        cells = lower
    return cells if all(y < rows for _, y in cells) else None


def placements(pile, piece, columns, rows):
    """Names, and where the squares rest."""
    found = {}
    for turns in rotations(piece):
        for column in range(columns):
            cells = dropped(pile, turned(piece, turns), column, columns, rows)
            if cells is not None:
                found["abcdefghijklmnop"[column] + str(turns)] = cells
    return found


def cleared(pile, columns):
    """The pile without its complete rows, and how many these were."""
    ys = sorted({y for _, y in pile})
    complete = [y for y in ys if sum((x, y) in pile for x in range(columns)) == columns]
    rest = {(x, y - sum(c < y for c in complete)) for x, y in pile if y not in complete}
    return frozenset(rest), len(complete)


def pile_of(here):
    return {
        (x, y)
        for y, row in enumerate(here.raw_state["row"][0].tolist())
        for x in range(here.game.columns)
        if row >> x & 1
    }


@pytest.mark.parametrize(
    ("columns", "rows", "pieces", "games"),
    [(10, 20, 100, 12), (4, 4, 9, 60), (5, 7, 30, 40), (16, 6, 30, 10)],
)
def test_rules_agree_at_every_step_with_rules_written_with_sets(columns, rows, pieces, games):
    rng = random.Random(columns)
    start = position(f"falling_blocks(columns={columns}, rows={rows}, pieces={pieces})")
    scored = ended_early = 0
    for _ in range(games):
        here, pile, lines, placed = start, frozenset(), 0, 0
        while True:
            assert pile_of(here) == pile
            heights = [max((y + 1 for x, y in pile if x == c), default=0) for c in range(columns)]
            assert here.raw_state["heights"][0].tolist() == heights
            assert (here.state.lines, here.state.placed) == (lines, placed)
            if placed == pieces:
                break
            assert here.is_chance
            assert dict(here.chance_outcomes) == pytest.approx(dict.fromkeys(range(7), 1 / 7))
            assert here.legal_names == tuple("IOTSZJL")
            piece = rng.choice("IOTSZJL")
            here = here.play(piece)
            fitting = placements(pile, piece, columns, rows)
            if not fitting:
                ended_early += 1
                break
            assert set(here.legal_names) == set(fitting)
            # low places are likelier, so that rows are completed
            names = sorted(fitting)
            sums = [sum(y for _, y in fitting[name]) for name in names]
            name = names[sums.index(min(sums))] if rng.random() < 0.7 else rng.choice(names)
            here = here.play(name)
            pile, complete = cleared(pile | fitting[name], columns)
            lines, placed = lines + complete, placed + 1
        assert here.is_terminal
        assert here.returns == (lines,)
        scored += lines
    assert scored > games / 2 or columns == 16
    assert ended_early > 0


# ------------------------------------------------------------------ exact values


@cache
def best_lines(pile, left, columns, rows):
    """The best expected number of lines, the next piece not yet drawn."""
    if left == 0:
        return 0.0
    total = 0.0
    for piece in OUTLINES:
        best = 0.0
        for cells in placements(pile, piece, columns, rows).values():
            rest, complete = cleared(pile | cells, columns)
            best = max(best, complete + best_lines(rest, left - 1, columns, rows))
        total += best / 7
    return total


@pytest.mark.parametrize(("columns", "rows", "pieces"), [(4, 4, 4), (4, 5, 3)])
def test_the_best_expected_lines_are_those_of_plain_recursion(columns, rows, pieces):
    wanted = best_lines(frozenset(), pieces, columns, rows)
    assert wanted > 0.5
    start = position(f"falling_blocks(columns={columns}, rows={rows}, pieces={pieces})")
    assert value_iteration(start).value == pytest.approx(wanted, abs=1e-9)


def test_expectiminimax_finds_the_exact_value():
    start = position("falling_blocks(columns=4, rows=4, pieces=3)", "- lines 0 piece O")
    wanted = max(
        best_lines(frozenset(cells), 2, 4, 4)
        for cells in placements(frozenset(), "O", 4, 4).values()
    )
    assert Expectiminimax().search(start, depth=6).value == pytest.approx(wanted, abs=1e-9)


def test_a_long_search_of_samples_plays_the_exact_best_placement():
    text = "##../##.. lines 0 piece O"
    start = position("falling_blocks(columns=4, rows=4, pieces=4)", text)
    pile = frozenset({(x, y) for x in (0, 1) for y in (0, 1)})
    exact = {}
    for name, cells in placements(pile, "O", 4, 4).items():
        rest, complete = cleared(pile | cells, 4)
        exact[name] = complete + best_lines(rest, 2, 4, 4)
    result = MCTS().search(start, simulations=3000, seed=1)
    assert start.action_name(result.action) == max(exact, key=exact.get) == "c0"


# ------------------------------------------------------------------ the estimate


def features(pile, columns):
    """By looking at each cell: what the page says that the features are."""
    top = max((y + 1 for _, y in pile), default=0)
    heights = [max((y + 1 for x, y in pile if x == c), default=0) for c in range(columns)]

    def filled(x, y):
        return not 0 <= x < columns or y < 0 or (x, y) in pile

    holes = sum((x, y) not in pile for x in range(columns) for y in range(heights[x]))
    across = sum(filled(x, y) != filled(x + 1, y) for y in range(top) for x in range(-1, columns))
    down = sum(filled(x, y) != filled(x, y - 1) for x in range(columns) for y in range(top + 1))
    wells = 0
    for x in range(columns):
        depth = 0
        for y in reversed(range(top)):
            in_well = not filled(x, y) and filled(x - 1, y) and filled(x + 1, y)
            depth = depth + 1 if in_well else 0
            wells += depth
    return [sum(heights) / columns, holes, across, down, wells]


def test_the_features_are_what_the_page_says():
    rng, compared = random.Random(3), 0
    for columns, rows in ((10, 20), (4, 6)):
        for _ in range(6):
            here = position(f"falling_blocks(columns={columns}, rows={rows})")
            while True:
                here = here.play(rng.choice(here.legal_actions))
                if here.is_terminal:
                    break
                terms = explain(here).terms
                assert [term.value for term in terms] == pytest.approx(
                    features(pile_of(here), columns)
                )
                compared += 1
    assert compared > 300


def greedy_lines(rng, choose):
    here = position("falling_blocks(columns=6, rows=10, pieces=40)")
    while not here.is_terminal:
        here = here.play(rng.choice(here.legal_actions) if here.is_chance else choose(here))
    return here.returns[0]


def test_the_estimate_plays_far_better_than_chance():
    rng = random.Random(5)

    def greedy(here):
        return max(here.legal_actions, key=lambda a: _worth(here.play(a)))

    mean = sum(greedy_lines(rng, greedy) for _ in range(4)) / 4
    chance = sum(greedy_lines(rng, lambda p: rng.choice(p.legal_actions)) for _ in range(20)) / 20
    assert mean > 15 > 5 > chance


def _worth(here):
    return here.returns if here.is_terminal else here.rules.evaluate(here.raw_state)


# ------------------------------------------------------------------ hooks, texts, drawing


@pytest.mark.parametrize("game", [FallingBlocks(), FallingBlocks(4, 5, 12)])
def test_plain_rules_equal_compiled_rules(game):
    assert compare_plain_with_compiled(Position(game), 3) > 20


def test_random_placements_are_uniform():
    assert_uniform(position("falling_blocks").play("T"))
    nearly_full = "##../###./.### lines 0 piece T"
    assert_uniform(position("falling_blocks(columns=4, rows=4, pieces=9)", nearly_full))


def test_every_position_of_random_games_parses_back():
    for text in ("falling_blocks", "falling_blocks(columns=4, rows=5, pieces=12)"):
        check_position_texts(position(text), 3)


def test_the_game_ends_where_a_piece_fits_nowhere_and_not_before():
    full = "##.#/.###/#.##/##.#"
    game = "falling_blocks(columns=4, rows=5, pieces=30)"
    assert position(game, f"{full} lines 0").is_chance
    assert position(game, f"{full} lines 0 piece O").is_terminal
    lying = position(game, f"{full} lines 0 piece I")
    assert lying.legal_names == ("a0",)
    assert lying.play("a0").state.lines == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hello", "not a position"),
        ("- lines 0 piece Q", "not a position"),
        ("#.## lines", "not a position"),
        ("#.# lines 0", "rows of 4 cells"),
        ("#-## lines 0", "rows of 4 cells"),
        ("/".join(["#.##"] * 6) + " lines 0", "up to 5 rows"),
        ("..../##.. lines 0", "neither empty nor complete"),
        ("####/##.. lines 0", "neither empty nor complete"),
        ("##.. lines 0", "whole pieces of 4"),
        ("- lines 10", "the game has 9"),
        ("- lines 9 piece T", "one is to be placed"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, reason):
    with pytest.raises(InputError, match=reason):
        position("falling_blocks(columns=4, rows=5, pieces=9)", text)


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=40), st.text(".#/ -0123456789linespcTIO", max_size=40)))
def test_any_other_text_is_refused_in_one_line(text):
    assert "\n" not in complaint("falling_blocks", text)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("columns=3", "4 to 16 columns and 4 to 40 rows, not 3 and 20"),
        ("columns=17", "4 to 16 columns"),
        ("rows=3", "4 to 40 rows"),
        ("pieces=0", "1 to 1000000 pieces, not 0"),
    ],
)
def test_bad_sizes_are_refused(wrong, says):
    with pytest.raises(InputError, match=says):
        position(f"falling_blocks({wrong})")


def test_the_drawing_has_a_dot_where_each_placement_is_and_rings_the_newest_squares():
    here = position("falling_blocks(columns=6)").play("S")
    dots = re.findall(rf'<circle cx="([\d.]+)" cy="([\d.]+)" r="5" fill="{LEGAL}"/>', here.svg())
    assert {(float(x), float(y)) for x, y in dots} == {way[0][:2] for way in here.places}
    assert len(dots) == len(here.legal_actions) == 4 + 5
    assert here.play("a0").svg().count('stroke="#c2452d"') == 4
    # of the four squares of the lying I two are in the row that vanishes: none is left
    nearly = position("falling_blocks(columns=6)", "##..../##.... lines 0 piece I")
    assert nearly.play("c0").svg().count('stroke="#c2452d"') == 0
    standing = position("falling_blocks(columns=4)", "#.../###. lines 0 piece I")
    assert standing.play("d1").svg().count('stroke="#c2452d"') == 3


def test_the_board_is_drawn_as_text():
    here = position("falling_blocks(columns=4, rows=4, pieces=9)", "#.../##.# lines 0 piece S")
    assert str(here).splitlines() == [
        "|. . . .|",
        "|. . . .|",
        "|# . . .|",
        "|# # . #|",
        " a b c d",
        "     #",
        " ##  ##",
        "##    #",
        "0    1",
        "0 lines, 1 of 9 pieces placed, S to be placed",
    ]
