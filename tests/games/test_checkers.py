"""Checkers against OpenSpiel, published perft counts and its own corners."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hook_checks import check_position_texts, noisy_of, order_of
from oracle_openspiel import compare_with_openspiel
from plain_rules import assert_uniform, compare_plain_with_compiled, complaint, walk
from ponder import MCTS, perft, position
from ponder.core.game import new_states
from ponder.jit import kernel

# ---------------------------------------------------------------- rules


met = Counter()
"""What the comparison has come across."""


@lru_cache(maxsize=1)
def captures(here) -> bool:
    s = here.raw_state[0]
    met["kings"] += int(s.kings > 0)
    met["jumps that go on"] += int(s.jumper >= 0)
    met["near draws"] += int(s.quiet == 39)
    return any("x" in name for name in here.legal_names)


def to_spiel(here, action, state) -> int:
    """OpenSpiel's first player sits at the bottom: half a turn, square n becomes 33 - n.

    Its directions are up left, up right, down right, down left.
    """
    square = 32 - (action // 4 + 1)
    row = square // 4
    column = 2 * (square % 4) + 1 - row % 2
    direction = (1, 0, 3, 2)[action % 4]
    return ((row * 8 + column) * 4 + direction) * 2 + captures(here)


def test_rules_agree_with_openspiel():
    steps = compare_with_openspiel(position("checkers"), "checkers", 600, to_spiel=to_spiel)
    assert steps > 600 * 40
    assert met["kings"] > 1000
    assert met["jumps that go on"] > 300
    assert met["near draws"] > 30


def table(corpora, file: str, name: str) -> list[int]:
    lines = (corpora / "perft" / file).read_text().splitlines()
    row = next(line.split("\t") for line in lines if name in line.split("\t")[:2])
    return [int(n) for n in row[row.index(name) + 1].split()]


def test_perft_equals_openspiels(corpora):
    expected = table(corpora, "oracle_perft_pyspiel_pyffish.tsv", "checkers")
    start = position("checkers")
    assert len(expected) == 9
    assert [perft(start, depth) for depth in range(9)] == expected


@kernel
def whole_moves(game, states, actions, ply, depth, moves):
    """Sequences of `depth` whole moves: the jumps of a multiple jump count as one."""
    s = states[ply]
    if game.is_terminal(s):
        return 0
    n = game.legal_actions(s, actions[ply])
    total = 0
    for i in range(n):
        states[ply + 1] = s
        game.apply_action(states[ply + 1], actions[ply, i])
        if states[ply + 1].jumper >= 0:
            total += whole_moves(game, states, actions, ply + 1, depth, moves)
        elif moves + 1 == depth:
            total += 1
        else:
            total += whole_moves(game, states, actions, ply + 1, depth, moves + 1)
    return total


def test_published_counts_of_whole_moves(corpora):
    expected = table(corpora, "checkers_draughts.tsv", "english")
    start = position("checkers")
    states = new_states(start.rules.spec.state, 40)
    states[0] = start.raw_state[0]
    actions = np.zeros((40, start.rules.spec.max_actions), np.int32)
    for depth in range(1, 11):
        found = whole_moves(start.rules.part, states, actions, 0, depth, 0)
        assert found == expected[depth], depth


def test_capturing_is_forced():
    here = position("checkers").play_all("11-15 22-18")
    assert here.legal_names == ("15x22",)


def test_a_multiple_jump_is_several_actions_of_one_player():
    here = position("checkers", "B:W6,14,15,22,30:B1,12").play("1x10")
    assert here.current_player == 0
    assert set(here.legal_names) == {"10x17", "10x19"}  # not 12: the jumping piece goes on
    here = here.play("10x17")
    assert here.legal_names == ("17x26",)
    here = here.play("17x26")
    assert here.current_player == 1


def test_a_man_who_is_crowned_by_a_jump_stops():
    # from 31 a king could go on over 27, but a man just crowned may not
    here = position("checkers", "B:W26,27,8:B22").play("22x31")
    assert here.current_player == 1
    assert here.text() == "W:W8,27:BK31"


def test_a_king_goes_on_jumping_in_all_directions():
    here = position("checkers", "B:W6,7,14,15,32:BK1").play_all("1x10 10x3")
    assert here.current_player == 1  # the man on 7, over whom it came, is gone
    assert here.text() == "W:W14,15,32:BK3"


def test_a_player_without_a_move_has_lost():
    blocked = position("checkers", "W:W32:B23,24,27,28")
    assert blocked.is_terminal
    assert blocked.returns == (1.0, -1.0)
    nobody = position("checkers", "B:W30:B")
    assert nobody.returns == (-1.0, 1.0)


def test_forty_actions_without_a_capture_are_a_draw():
    here = position("checkers", "B:WK32:BK1:H38").play("1-6")
    assert not here.is_terminal
    here = here.play("32-28")
    assert here.is_terminal
    assert here.returns == (0.0, 0.0)


def test_a_capture_begins_the_count_again():
    here = position("checkers", "B:WK6,K32:BK1:H39").play("1x10")
    assert here.text() == "W:WK32:BK10"


def test_a_draw_by_count_comes_before_a_blocked_player():
    here = position("checkers", "B:W32:B19,23,27,28:H39").play("19-24")
    assert here.is_terminal
    assert here.returns == (0.0, 0.0)


def test_games_end_within_the_promised_length():
    start = position("checkers")
    assert all(len(walk(start, seed)) - 1 <= start.rules.spec.max_length for seed in range(20))


# ---------------------------------------------------------------- the two ways to run the rules


def test_plain_rules_agree_with_compiled_rules():
    assert compare_plain_with_compiled(position("checkers"), 4) > 100


@pytest.mark.parametrize(
    "text", ["B:W21-32:B1-12", "W:WK10,K15,22,29:BK3,12,13", "B:W6,14,15,22,30:B10,12:J10"]
)
def test_random_actions_are_uniform(text):
    assert_uniform(position("checkers", text))


# ---------------------------------------------------------------- hooks


def test_noisy_moves_are_the_captures():
    for seed in range(10):
        for here in walk(position("checkers"), seed)[:-1]:
            loud = [a for a in here.legal_actions if "x" in here.action_name(a)]
            assert noisy_of(here) == loud


def test_order_prefers_kings_taken_then_crowning_then_foremost_men():
    scores = order_of(position("checkers", "B:WK6,7:B2"))
    assert scores["2x9"] > scores["2x11"]
    scores = order_of(position("checkers", "B:W9:B3,25,18,K4"))
    assert scores["25-29"] > scores["18-22"] > scores["3-7"] > scores["4-8"]


def estimate(text: str) -> float:
    here = position("checkers", text)
    black, white = here.rules.evaluate(here.raw_state)
    assert black == -white
    return black


def test_the_estimate_weighs_men_kings_advance_and_back_row():
    assert estimate("B:W21-32:B1-12") == pytest.approx(0.05 / 1.55)
    assert estimate("W:W21-32:B1-12") == pytest.approx(-0.05 / 1.55)
    # Black: king 1.5; White: man on the back row 1.1; the move 0.05
    assert estimate("B:W32:BK1") == pytest.approx(0.45 / 1.95)
    # White's man has come five rows: 1.15
    assert estimate("B:W9:BK32") == pytest.approx(0.4 / 1.9)
    assert estimate("B:W32:BK1:H20") == pytest.approx(0.45 / 1.95 * 0.75)


def test_the_estimate_is_exact_at_the_end():
    assert estimate("W:W32:B23,24,27,28") == 1.0
    assert estimate("W:W32:BK1,K2,K3:H40") == 0.0


def test_default_search_gives_a_legal_move_and_values_in_range():
    start = position("checkers")
    result = MCTS().search(start, simulations=2000, seed=1)
    assert result.action in start.legal_actions
    assert all(-1 <= row.value <= 1 for row in result.moves)


def test_search_takes_the_longer_jump():
    here = position("checkers", "B:W6,7,14,22,32:B2,4")  # 2x9x18x25 against 2x11
    result = MCTS().search(here, simulations=5000, seed=1)
    assert here.action_name(result.action) == "2x9"


# ---------------------------------------------------------------- text and pictures


def test_positions_of_random_games_parse_back():
    check_position_texts(position("checkers"), 20)


def test_the_start_is_the_usual_fen():
    start = position("checkers")
    assert position("checkers", "B:W21-32:B1-12.") == start
    assert start.text() == ("B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12")


def test_a_fen_is_printed_as_it_was_given():
    text = "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"
    assert position("checkers", text).text() == text
    assert position("checkers", "b:B12,16,20,K22,K25,K29 : w18,24,K10,27,28,K15").text() == text


@pytest.mark.parametrize("name", ["11-15", "11x15", "11:15", "11 15", " 11-15 "])
def test_moves_are_understood_in_several_spellings(name):
    assert position("checkers").play(name).last_action == 4 * 10 + 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hello", "PDN FEN"),
        ("X:W21:B1", "PDN FEN"),
        ("B:W21:W1", "given twice"),
        ("B:W21:B1:Q3", "unknown or given twice"),
        ("B:W21:", "unknown or given twice"),
        ("B:W21:H3", "both sides are needed"),
        ("B:W21,x:B1", "is not a square"),
        ("B:W33:B1", "squares are 1 to 32"),
        ("B:W0:B1", "squares are 1 to 32"),
        ("B:W30-22:B1", "squares are 1 to 32"),
        ("B:W21,21:B1", "square 21 is given twice"),
        ("B:W21:B21", "given to both"),
        ("B:W3:B1", "would be a king: write K3"),
        ("B:W21:B30", "would be a king: write K30"),
        ("B:W20-32:B1", "12 at most"),
        ("B:W:B1", "W moved last and must have a piece"),
        ("B:W21:B1:H41", "it is a draw"),
        ("B:W21:B1:Hx", "is not a number"),
        ("B:W6:B1:J1:H3", "exclude each other"),
        ("B:W21-32:B1,K17:J17", "has all its pieces"),
        ("B:W6:B1,12:J12", "can jump from there"),
        ("B:W6:B1:J6", "can jump from there"),
        ("B:W6:B1:J40", "can jump from there"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, reason):
    assert reason in complaint("checkers", text)


squares = st.lists(st.sampled_from(["K"] * 5 + [""] * 5).flatmap(
    lambda k: st.integers(0, 34).map(lambda n: f"{k}{n}")), max_size=6).map(",".join)  # fmt: skip
fens = st.tuples(st.sampled_from("BW"), squares, squares, st.sampled_from(["", ":H7", ":J18"])).map(
    lambda parts: f"{parts[0]}:W{parts[1]}:B{parts[2]}{parts[3]}"
)


@settings(max_examples=400, deadline=None)
@given(fens | st.text(alphabet="BWKHJ:,.-0123456789", max_size=24) | st.text(max_size=20))
def test_random_text_is_a_position_or_an_input_error(text):
    reason = complaint("checkers", text)
    assert "\n" not in reason
    if not reason:
        here = position("checkers", text)
        assert position("checkers", here.text()) == here
        assert here.is_terminal or here.legal_names


def test_the_board_is_shown_with_square_numbers():
    shown = str(position("checkers", "B:W6,14,22,30:B10,12,K3:J10")).splitlines()
    assert shown[0] == "  .   .   B   .    1-4"
    assert shown[1] == ".   w   .   .      5-8"
    assert shown[-1] == "b moves, 10 must go on jumping"


def test_the_picture_shows_pieces_kings_and_targets():
    picture = position("checkers", "B:W6,32:BK1").svg()
    assert picture.count("♔") == 1
    assert picture.count("<circle") == 3 + 1


@pytest.mark.parametrize(("move", "text"), [("1-5", "B:W32:BK1"), ("1x10", "B:W6,32:BK1")])
def test_the_picture_marks_where_the_last_move_began_and_ended(move, text):
    here = position("checkers", text)
    end = here.game.grid(here.play(move).state)
    row, column = next((r, c) for r in range(8) for c in range(8) if end[r][c] == "B")
    marks = [part for part in here.play(move).svg().split("<rect ") if 'stroke-width="3"' in part]
    assert len(marks) == 2
    assert f'x="{24 + 48 * 1 + 3}" y="{24 + 3}"' in marks[0]
    assert f'x="{24 + 48 * column + 3}" y="{24 + 48 * row + 3}"' in marks[1]
