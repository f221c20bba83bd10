"""Hex against OpenSpiel, a plain flood fill and solved small boards."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hook_checks import check_position_texts, check_symmetries, order_of
from oracle_openspiel import compare_with_openspiel
from plain_rules import assert_uniform, compare_plain_with_compiled, complaint, walk
from ponder import MCTS, InputError, perft, position
from ponder.core.rng import new_rng
from ponder.core.twin import twin
from ponder.jit import kernel

NEIGHBOURS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


# ---------------------------------------------------------------- rules


def test_rules_agree_with_openspiel_on_the_usual_board():
    assert compare_with_openspiel(position("hex"), "hex", 500, seed=1) > 500 * 50


@pytest.mark.parametrize("size", [2, 4])
def test_rules_agree_with_openspiel_on_small_boards(size):
    start = position(f"hex(size={size})")
    assert compare_with_openspiel(start, f"hex(board_size={size})", 500, seed=2) >= 500 * size


def test_the_swap_rule_agrees_with_openspiel():
    start = position("hex(size=3, swap=True)")
    assert compare_with_openspiel(start, "hex(board_size=3,swap=true)", 1000, seed=3) > 5000


def joined(rows: list[str], symbol: str) -> bool:
    """Do these stones join top and bottom? A flood fill, nothing remembered."""
    size = len(rows)
    waiting = [(0, c) for c in range(size) if rows[0][c] == symbol]
    seen = set(waiting)
    while waiting:
        r, c = waiting.pop()
        if r == size - 1:
            return True
        for dr, dc in NEIGHBOURS:
            n = r + dr, c + dc
            if n not in seen and min(n) >= 0 and max(n) < size and rows[n[0]][n[1]] == symbol:
                seen.add(n)
                waiting.append(n)
    return False


@pytest.mark.parametrize("size", [1, 2, 3, 5, 9, 14, 19])
def test_the_winner_is_found_at_once_on_every_size(size):
    for seed in range(3):
        for here in walk(position(f"hex(size={size})"), seed):
            rows = here.text().split()[0].split("/")
            columns = ["".join(column) for column in zip(*rows, strict=True)]
            winner = 0 if joined(rows, "x") else 1 if joined(columns, "o") else -1
            assert here.is_terminal == (winner >= 0)
            if winner >= 0:
                assert here.returns == ((1.0, -1.0), (-1.0, 1.0))[winner]


@pytest.mark.parametrize(("size", "deepest"), [(3, 9), (5, 5)])
def test_perft_equals_openspiels(size, deepest, corpora):
    table = (corpora / "perft" / "oracle_perft_pyspiel_pyffish.tsv").read_text()
    row = next(line for line in table.splitlines() if f"\thex(board_size={size})\t" in line)
    expected = [int(n) for n in row.split("\t")[2].split()]
    start = position(f"hex(size={size})")
    assert [perft(start, depth) for depth in range(deepest + 1)] == expected[: deepest + 1]


def mover_wins(here, memo) -> bool:
    """Exhaustive search: can the player to move win?"""
    if here.key not in memo:
        memo[here.key] = any(beats(here.play(a), memo) for a in here.legal_actions)
    return memo[here.key]


def beats(after, memo) -> bool:
    """Has the player who just moved won, or will he?"""
    return after.is_terminal or not mover_wins(after, memo)


@pytest.mark.parametrize(("size", "winning"), [(1, "a1"), (2, "a2 b1"), (3, "a2 a3 b2 c1 c2")])
def test_winning_openings_of_small_boards(size, winning):
    start, memo = position(f"hex(size={size})"), {}
    found = {name for name in start.legal_names if beats(start.play(name), memo)}
    assert found == set(winning.split())


def test_with_the_swap_rule_the_second_player_wins_on_three_by_three():
    assert not mover_wins(position("hex(size=3, swap=True)"), {})


def test_swap_mirrors_the_stone_and_gives_it_to_white():
    here = position("hex(size=4, swap=True)").play("d1")
    assert "swap" in here.legal_names
    here = here.play("swap")
    assert here.text() == "..../..../..../o... x"
    assert "swap" not in here.legal_names
    assert position("hex(size=4, swap=True)", here.text()) == here


def test_equal_stones_are_equal_positions_however_they_came():
    rng = random.Random(5)
    for _ in range(100):
        visited = walk(position("hex(size=4)"), rng.randrange(10**6))
        last = visited[-1]
        black, white = list(last.history[::2]), list(last.history[1::2])
        order = [black[:-1], white]
        for moves in order:
            rng.shuffle(moves)
        again = position("hex(size=4)")
        for number in range(len(last.history) - 1):
            if again.is_terminal:
                break
            turn = order[number % 2]
            again = again.play(turn[number // 2] if number // 2 < len(turn) else black[-1])
        same = [p for p in visited if p.text() == again.text()]
        for p in same:
            assert p == again
        assert position("hex(size=4)", again.text()) == again


# ---------------------------------------------------------------- the two ways to run the rules


@pytest.mark.parametrize("game", ["hex(size=5)", "hex(size=2, swap=True)", "hex(size=1)"])
def test_plain_rules_agree_with_compiled_rules(game):
    assert compare_plain_with_compiled(position(game), 6) >= 12


@pytest.mark.parametrize(
    ("game", "moves"), [("hex(size=3)", "b2 a1 c3"), ("hex(size=3, swap=True)", "b2")]
)
def test_random_actions_are_uniform(game, moves):
    assert_uniform(position(game).play_all(moves))


def by_moves(rules, states, out, rng):
    while not rules.is_terminal(states[0]):
        rules.apply_action(states[0], rules.random_action(states[0], out, rng))
    return int(states[0].winner)


def at_once(rules, states, out, rng):
    rules.random_rollout(states[0], out, rng)
    return int(states[0].winner)


@pytest.mark.parametrize(
    ("game", "stones", "games"),
    [
        ("hex", 0, 2000),
        ("hex", 60, 1000),
        ("hex", 90, 200),
        ("hex(size=4)", 0, 200),
        ("hex(size=5, swap=True)", 0, 500),
        ("hex(size=5, swap=True)", 1, 500),
        ("hex(size=19)", 0, 100),
    ],
)
def test_a_random_game_at_once_is_the_game_that_moves_would_make(game, stones, games):
    start = position(game)
    for _ in range(stones):
        start = start.play(start.legal_actions[len(start.legal_actions) // 3])
    rules, out = start.rules.part, np.zeros(start.rules.spec.max_actions, np.int32)
    moves, whole = kernel(by_moves), kernel(at_once)
    winners = set()
    one, other = new_rng(5), new_rng(5)
    for _ in range(games):
        winner = moves(rules, start.raw_state.copy(), out, one)
        assert whole(rules, start.raw_state.copy(), out, other) == winner
        assert one[0] == other[0]
        winners.add(winner)
    assert winners == {0, 1}


def test_plain_python_makes_the_same_random_game_at_once():
    start = position("hex(size=6)")
    rules, out = twin(start.rules.part), np.zeros(36, np.int32)
    for seed in range(20):
        one, other = new_rng(seed), new_rng(seed)
        winner = by_moves(rules, start.raw_state.copy(), out, one)
        assert at_once(rules, start.raw_state.copy(), out, other) == winner
        assert one[0] == other[0]


# ---------------------------------------------------------------- hooks


def test_half_a_turn_is_a_symmetry():
    check_symmetries(position("hex(size=4)"), 10)
    check_symmetries(position("hex(size=3, swap=True)"), 10)


def estimate(text: str, size: int = 4) -> float:
    p = position(f"hex(size={size})", text)
    black, white = p.rules.evaluate(p.raw_state)
    assert black == -white
    return black


def missing(rows: list[str], symbol: str) -> int:
    """Fewest stones that join top and bottom: distances relaxed until nothing changes."""
    size = len(rows)
    cost = {symbol: 0, ".": 1}
    far = size * size + 1
    cells = {(r, c): cost.get(rows[r][c], far) for r in range(size) for c in range(size)}
    distance = {cell: cells[cell] if cell[0] == 0 else far for cell in cells}
    for _ in cells:
        for (r, c), price in cells.items():
            around = [distance.get((r + dr, c + dc), far) for dr, dc in NEIGHBOURS]
            distance[r, c] = min(distance[r, c], price + min(around))
    return min(distance[size - 1, c] for c in range(size))


def test_the_estimate_counts_missing_stones():
    # White lacks c4 d4; Black lacks three, c1 c3 c4 for example, and has the move: d = -1 + 0.5
    assert estimate("..../.x../.x../oo.. x") == pytest.approx(-0.5 / 1.5)
    assert estimate("..../..../..../.... x") == pytest.approx(0.5 / 1.5)
    for seed in range(20):
        for here in walk(position("hex(size=5)"), seed)[:-1]:
            rows = here.text().split()[0].split("/")
            columns = ["".join(column) for column in zip(*rows, strict=True)]
            d = missing(columns, "o") - missing(rows, "x") + (0.5, -0.5)[here.current_player]
            assert estimate(here.text(), 5) == pytest.approx(d / (1 + abs(d)))


def test_the_estimate_is_exact_at_the_end():
    assert estimate("x./xo o", 2) == 1.0


def test_order_prefers_the_centre():
    scores = order_of(position("hex(size=3)"))
    assert max(scores, key=scores.get) == "b2"
    assert scores["a1"] == scores["c3"] < scores["b1"]


def test_default_search_gives_a_legal_move_and_values_in_range():
    result = MCTS().search(position("hex"), simulations=2000, seed=1)
    assert result.action in position("hex").legal_actions
    assert all(-1 <= row.value <= 1 for row in result.moves)


def test_search_finds_the_winning_cell():
    here = position("hex(size=4)", ".x../.x../o.../.xo. o")  # Black threatens; White must cut
    result = MCTS().search(here, simulations=5000, seed=1)
    assert here.action_name(result.action) == "b3"


# ---------------------------------------------------------------- text and pictures


@pytest.mark.parametrize("game", ["hex(size=4)", "hex(size=3, swap=True)", "hex"])
def test_positions_of_random_games_parse_back(game):
    check_position_texts(position(game), 3 if game == "hex" else 20)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("... ... ...", "rows joined by"),
        (".../.../... z", "rows joined by"),
        ("../.. x", "3 rows of 3"),
        (".../.q./... x", "unknown cell 'q'"),
        (".../xx./... o", "2 x and 0 o are impossible"),
        (".../x../... x", "are impossible with x to move"),
        ("o../.../... x", "impossible"),
        ("xo./xo./xo. x", "over before the last stone"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, reason):
    assert reason in complaint("hex(size=3)", text)


def test_the_player_to_move_may_be_left_out():
    assert position("hex(size=2)", "x./..").current_player == 1


def test_bad_parameters_are_refused():
    for size in (0, 20, -3):
        with pytest.raises(InputError, match="size of 1 to 19"):
            position(f"hex(size={size})")


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="xo./ q1", max_size=16) | st.text(max_size=30))
def test_random_text_is_a_position_or_an_input_error(text):
    game = "hex(size=3, swap=True)"
    reason = complaint(game, text)
    assert "\n" not in reason
    if not reason:
        here = position(game, text)
        assert position(game, here.text()) == here


def test_the_board_is_a_rhombus():
    shown = str(position("hex(size=3)").play_all("b2 c1"))
    assert shown.splitlines()[:5] == [
        "  a b c",
        " 1 . . o  1",
        "  2 . x .  2",
        "   3 . . .  3",
        "      a b c",
    ]


def test_the_picture_shows_cells_stones_and_marks():
    here = position("hex(size=3, swap=True)").play("c1")
    picture = here.svg()
    assert picture.count("<polygon") == 9
    assert picture.count("<polyline") == 12
    assert picture.count("<circle") == 1 + 1 + 8  # the stone, the last move, eight free cells
    assert here.play("swap").svg().count("<circle") == 1 + 1 + 8
