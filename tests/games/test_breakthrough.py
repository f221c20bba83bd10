"""Breakthrough against OpenSpiel, tables of other programs and solved small boards."""

from __future__ import annotations

import re
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hook_checks import check_position_texts, check_symmetries, noisy_of, order_of
from oracle_openspiel import compare_with_openspiel
from plain_rules import assert_uniform, compare_plain_with_compiled, complaint, walk
from ponder import MCTS, InputError, perft, position


@lru_cache(maxsize=1)
def enemies(here) -> int:
    """The pawns of the player who is not to move."""
    return int(here.raw_state[0].pawns[1 - here.current_player])


def to_spiel(here, action, state) -> int:
    """OpenSpiel numbers (cell, direction of either player, capture)."""
    player = here.current_player
    target = action // 3 + (1, -1)[player] * here.game.columns + action % 3 - 1
    takes = enemies(here) >> target & 1
    return (action // 3 * 6 + 3 * player + action % 3) * 2 + takes


# ---------------------------------------------------------------- rules


def test_rules_agree_with_openspiel():
    start = position("breakthrough")
    assert compare_with_openspiel(start, "breakthrough", 500, to_spiel=to_spiel) > 500 * 30


@pytest.mark.parametrize(("columns", "rows"), [(2, 3), (3, 5), (5, 6), (8, 4), (4, 8)])
def test_rules_agree_with_openspiel_on_other_boards(columns, rows):
    start = position(f"breakthrough(columns={columns}, rows={rows})")
    theirs = f"breakthrough(columns={columns},rows={rows})"
    assert compare_with_openspiel(start, theirs, 150, to_spiel=to_spiel) >= 150 * 3


@pytest.mark.parametrize(
    ("ours", "theirs", "deepest"),
    [
        ("breakthrough", "breakthrough", 5),
        ("breakthrough(columns=6, rows=6)", "breakthrough(rows=6,columns=6)", 5),
        ("breakthrough(columns=5, rows=5)", "breakthrough(rows=5,columns=5)", 6),
    ],
)
def test_perft_equals_openspiels(ours, theirs, deepest, corpora):
    table = (corpora / "perft" / "oracle_perft_pyspiel_pyffish.tsv").read_text()
    row = next(line for line in table.splitlines() if f"\t{theirs}\t" in line)
    expected = [int(n) for n in row.split("\t")[2].split()]
    start = position(ours)
    assert [perft(start, depth) for depth in range(deepest + 1)] == expected[: deepest + 1]


def test_every_state_of_openspiels_playthrough_agrees(corpora):
    text = (corpora / "playthroughs" / "breakthrough.txt").read_text()
    blocks = re.split(r"^# State \d+$", text, flags=re.MULTILINE)[1:]
    here = position("breakthrough")
    assert len(blocks) > 20
    for block in blocks:
        board = re.findall(r"^# \d([bw.]{8})$", block, flags=re.MULTILINE)
        played = re.findall(r'# Apply action "([^"]+)"', block)
        if not board:  # some states are left out, only the action is given
            here = here.play(played[0])
            continue
        assert here.text().split()[0] == "/".join(board)
        assert str(here.is_terminal) == re.search(r"IsTerminal\(\) = (\w+)", block)[1]
        if here.is_terminal:
            returns = re.search(r"^Returns\(\) = \[(.*)\]$", block, flags=re.MULTILINE)[1]
            assert list(here.returns) == [float(x) for x in returns.split(",")]
            return
        legal = re.search(r"StringLegalActions\(\) = \[(.*)\]", block)[1]
        assert sorted(here.legal_names) == sorted(re.findall(r'"([^"]+)"', legal))
        here = here.play(played[0])
    raise AssertionError("the playthrough does not end")


def mover_wins(here, memo) -> bool:
    """Exhaustive search: can the player to move win? The most promising moves first."""
    if here.key not in memo:
        rules, s = here.rules.part, here.raw_state[0]
        moves = sorted(here.legal_actions, key=lambda a: -rules.order(s, a))
        memo[here.key] = any(beats(here.play(a), memo) for a in moves)
    return memo[here.key]


def beats(after, memo) -> bool:
    return after.is_terminal or not mover_wins(after, memo)


@pytest.mark.parametrize(
    ("pawn_rows", "columns", "rows", "first_wins"),
    [
        (2, 2, 4, False),
        (2, 3, 4, False),
        (2, 4, 4, False),
        (2, 2, 5, False),
        (2, 3, 5, False),
        (1, 2, 3, True),
        (1, 3, 3, True),
        (1, 4, 3, True),
        (1, 5, 3, True),
        (1, 2, 4, False),
        (1, 3, 4, True),
        (1, 4, 4, True),
        (1, 2, 5, True),
        (1, 3, 5, True),
    ],
)
def test_small_boards_have_their_known_values(pawn_rows, columns, rows, first_wins):
    game = f"breakthrough(columns={columns}, rows={rows}, pawn_rows={pawn_rows})"
    assert mover_wins(position(game), {}) == first_wins


def test_a_straight_step_never_captures():
    here = position("breakthrough(columns=3, rows=4)", "b../.b./.w./..w b")
    assert set(here.legal_names) == {"a4a3", "b3a2", "b3c2"}


def test_taking_the_last_pawn_wins():
    here = position("breakthrough(columns=2, rows=4)", "b./.b/w./.. b").play("b3a2*")
    assert here.is_terminal
    assert here.returns == (1.0, -1.0)


def test_the_usual_number_of_pawn_rows_is_openspiels():
    assert position("breakthrough(columns=2, rows=5)").text() == "bb/../../../ww b"
    assert position("breakthrough(columns=2, rows=6)").text() == "bb/bb/../../ww/ww b"
    assert position("breakthrough(columns=2, rows=5, pawn_rows=2)").text() == "bb/bb/../ww/ww b"


def test_games_end_within_the_promised_length():
    for seed in range(30):
        start = position("breakthrough(columns=3, rows=7)")
        assert len(walk(start, seed)) - 1 <= start.rules.spec.max_length


# ---------------------------------------------------------------- the two ways to run the rules


@pytest.mark.parametrize("game", ["breakthrough", "breakthrough(columns=3, rows=4)"])
def test_plain_rules_agree_with_compiled_rules(game):
    assert compare_plain_with_compiled(position(game), 3) > 12


@pytest.mark.parametrize("moves", ["", "b7c6 g2g3 c8b7"])
def test_random_actions_are_uniform(moves):
    assert_uniform(position("breakthrough").play_all(moves))


# ---------------------------------------------------------------- hooks


@pytest.mark.parametrize("game", ["breakthrough", "breakthrough(columns=5, rows=4, pawn_rows=2)"])
def test_left_and_right_are_a_symmetry(game):
    check_symmetries(position(game), 5)


def test_noisy_moves_are_captures_and_steps_to_the_last_two_rows():
    for seed in range(20):
        for here in walk(position("breakthrough"), seed)[:-1]:
            goals = "12" if here.current_player == 0 else "78"
            names = {a: here.action_name(a) for a in here.legal_actions}
            loud = {a for a, name in names.items() if name.endswith("*") or name[3] in goals}
            assert set(noisy_of(here)) == loud


def test_order_prefers_steps_home_then_captures():
    here = position("breakthrough(columns=4, rows=5, pawn_rows=2)", "b..b/..w./b.w./..b./w... b")
    scores = order_of(here)
    assert scores["c2c1"] > scores["d5c4*"] > scores["a3a2"] > scores["a5a4"]


def estimate(text: str) -> float:
    p = position("breakthrough(columns=4, rows=5, pawn_rows=2)", text)
    black, white = p.rules.evaluate(p.raw_state)
    assert black == -white
    return black


def test_the_estimate_counts_pawns_and_their_advance():
    assert estimate("bbbb/bbbb/..../wwww/wwww b") == pytest.approx(0.5 / 2.5)
    assert estimate("bbbb/bbbb/..../wwww/wwww w") == pytest.approx(-0.5 / 2.5)
    # Black 1 + 2/16 on the second row, White 1 at home; Black moves
    assert estimate("..../b.../..../..../...w b") == pytest.approx(0.625 / 2.625)


def test_the_estimate_knows_a_win_at_the_next_step():
    assert estimate("..../..../..../b.../w..w b") == 1.0
    assert estimate("..../..../..../b.../w..w w") < 1.0
    assert estimate("..../..../..../..../w..b w") == 1.0  # over


def test_default_search_gives_a_legal_move_and_values_in_range():
    start = position("breakthrough")
    result = MCTS().search(start, simulations=2000, seed=1)
    assert result.action in start.legal_actions
    assert all(-1 <= row.value <= 1 for row in result.moves)


# ---------------------------------------------------------------- text and pictures


@pytest.mark.parametrize("game", ["breakthrough", "breakthrough(columns=2, rows=3)"])
def test_positions_of_random_games_parse_back(game):
    check_position_texts(position(game), 5)


@pytest.mark.parametrize("name", ["b3c2*", "b3c2", "B3c2", "b3xc2", "b3-c2"])
def test_captures_are_understood_with_and_without_a_star(name):
    here = position("breakthrough(columns=3, rows=4)", "b../.b./..w/..w b").play(name)
    assert here.text() == "b../.../..b/..w w"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("bb/bb/ww", "who moves"),
        ("bb/../ww x", "who moves"),
        ("bb/.../ww b", "3 rows of 2"),
        ("bb/../../ww b", "3 rows of 2"),
        ("bb/.q/ww b", "unknown cell 'q'"),
        ("bb/b./ww b", "3 b are impossible"),
        ("../../b. b", "has won already"),
        ("../b./.. b", "has won already"),
        ("w./b./.. w", "has won already"),
        ("../../.. b", "has won already"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, reason):
    assert reason in complaint("breakthrough(columns=2, rows=3)", text)


@pytest.mark.parametrize(
    "parameters", ["columns=1", "rows=2", "columns=9, rows=8", "pawn_rows=5", "pawn_rows=-1"]
)
def test_bad_parameters_are_refused(parameters):
    with pytest.raises(InputError, match=r"breakthrough needs|pawn_rows must be"):
        position(f"breakthrough({parameters})")


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="bw./ q", max_size=14) | st.text(max_size=30))
def test_random_text_is_a_position_or_an_input_error(text):
    game = "breakthrough(columns=2, rows=3)"
    reason = complaint(game, text)
    assert "\n" not in reason
    if not reason:
        here = position(game, text)
        assert position(game, here.text()) == here


def test_the_board_is_shown_with_its_coordinates():
    shown = str(position("breakthrough(columns=2, rows=3)").play("a3a2"))
    assert shown.splitlines() == ["3 . b", "2 b .", "1 w w", "  a b   w moves"]


def test_the_picture_shows_pawns_last_move_and_targets():
    picture = position("breakthrough(columns=2, rows=3)").play("a3a2").svg()
    assert picture.count("<rect") == 6 + 2
    assert picture.count("<circle") == 4 + 2  # pawns; White may go to b2 and take on a2
