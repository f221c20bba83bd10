"""Othello against OpenSpiel, against a walk along every ray, and its texts."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_checks import check_symmetries, order_of
from oracle_openspiel import compare_with_openspiel
from plain_rules import assert_uniform, compare_plain_with_compiled, complaint, walk
from ponder import MCTS, InputError, position

START = position("othello")
SMALL = "othello(columns=6, rows=4)"


def test_rules_agree_with_openspiel_at_every_step():
    steps = compare_with_openspiel(START, "othello", 2000, seed=1)
    assert steps > 2000 * 55


@pytest.mark.parametrize("game", ["othello", SMALL])
def test_plain_rules_equal_compiled_rules(game):
    assert compare_plain_with_compiled(position(game), 6) > 6 * 15


def test_random_actions_are_uniform():
    here = walk(START, 5)[30]
    assert len(here.legal_actions) > 5
    assert_uniform(here)


# ------------------------------------------------------------ other sizes, by walking along rays


def turned(board: dict[tuple[int, int], str], cell: tuple[int, int], own: str) -> set:
    """The discs that `own` at `cell` turns; the board maps every cell to x, o or "."."""
    found = set()
    if board[cell] != ".":
        return found
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            line = []
            r, c = cell[0] + dr, cell[1] + dc
            while board.get((r, c), ".") not in (".", own):
                line.append((r, c))
                r, c = r + dr, c + dc
            if board.get((r, c)) == own:
                found.update(line)
    return found


def as_board(rows: list[str]) -> dict[tuple[int, int], str]:
    return {(r, c): cell for r, row in enumerate(rows) for c, cell in enumerate(row)}


@pytest.mark.parametrize(("columns", "rows"), [(4, 4), (6, 6), (4, 8), (8, 6), (6, 4)])
def test_every_board_size_follows_the_rules(columns, rows):
    """120 random games a size, each compared at every step with a board that knows only rays."""
    start = position(f"othello(columns={columns}, rows={rows})")
    for seed in range(120):
        for here in walk(start, seed):
            text, own = here.text().split()
            board = as_board(text.split("/"))
            moves = [r * columns + c for r, c in board if turned(board, (r, c), own)]
            theirs = any(turned(board, cell, "o" if own == "x" else "x") for cell in board)
            assert here.is_terminal == (not moves and not theirs)
            if here.is_terminal:
                ahead = text.count("x") - text.count("o")
                assert here.returns == ((ahead > 0) - (ahead < 0), (ahead < 0) - (ahead > 0))
                break
            assert list(here.legal_actions) == (moves or [columns * rows])
            for action in moves:
                after = dict(board)
                cell = divmod(action, columns)
                for disc in {cell, *turned(board, cell, own)}:
                    after[disc] = own
                assert as_board(here.play(action).text().split()[0].split("/")) == after


@pytest.mark.parametrize(
    ("game", "symmetries"), [("othello", 8), ("othello(columns=4, rows=4)", 8), (SMALL, 4)]
)
def test_symmetric_positions_have_symmetric_moves(game, symmetries):
    start = position(game)
    rules = start.rules.part
    assert rules.symmetries() == symmetries
    check_symmetries(start, 3)
    corner = {rules.transform_action(0, k) for k in range(symmetries)}
    assert len(corner) == 4
    beside = {rules.transform_action(1, k) for k in range(symmetries)}
    assert len(beside) == symmetries


# ------------------------------------------------------------ published positions, hooks


def test_the_moves_of_the_ffo_endgames_are_the_listed_ones(corpora):
    lines = (corpora / "othello" / "fforum-1-19.obf").read_text().splitlines()
    problems = [line for line in lines if line and not line.startswith("%")]
    assert len(problems) == 19
    for line in problems:
        board, side, *_ = line.replace(";", " ").split()
        moves = [word.split(":")[0].lower() for word in line.split(";")[1:] if ":" in word]
        cells = board.lower().replace("-", ".")
        rows = "/".join(cells[i : i + 8] for i in range(0, 64, 8))
        here = position("othello", f"{rows} {side.lower()}")
        assert sorted(here.legal_names) == sorted(move.strip() for move in moves)


def test_the_static_evaluation_beats_random_play():
    """One ply deep, 30 games, half of them as second player."""
    rng, score = random.Random(4), 0.0
    for number in range(30):
        here, me = START, number % 2
        while not here.is_terminal:
            if here.current_player == me:
                options = [here.play(a) for a in here.legal_actions]
                values = [o.returns or o.rules.evaluate(o.raw_state) for o in options]
                here = options[max(range(len(options)), key=lambda i: values[i][me])]
            else:
                here = here.play(rng.choice(here.legal_actions))
        score += here.returns[me]
    assert score >= 20  # of 30


def test_corners_are_tried_first_and_their_neighbours_last():
    # Five cells are empty at most: the place alone decides.
    seen: dict[str, set[float]] = {}
    for seed in range(400):
        for here in walk(START, seed)[-6:-1]:
            if here.text().count(".") <= 5:
                for name, score in order_of(here).items():
                    seen.setdefault(name, set()).add(score)
    assert seen["a1"] == seen["h8"] == {4.0}
    assert seen["a3"] == {1.0}
    assert seen["pass"] == {0.0}
    assert seen["b1"] == {-1.0, 1.0}  # beside an empty corner, beside a taken one
    assert set.union(*(seen[name] for name in ("b2", "g2", "b7", "g7"))) == {-2.0, 0.0}


def test_moves_that_leave_the_opponent_few_answers_are_tried_first():
    for seed in range(4):
        for here in walk(START, seed)[:50]:
            scores = order_of(here)
            for a in here.legal_actions:
                answers = here.play(a).legal_names
                count = 0 if answers in ((), ("pass",)) else len(answers)
                corners = sum(name in ("a1", "a8", "h1", "h8") for name in answers)
                place = scores[here.action_name(a)] + count + corners
                assert here.action_name(a) == "pass" or place in (-2.0, -1.0, 0.0, 1.0, 4.0)


def test_scores_are_the_difference_of_the_discs_and_empty_cells_are_the_winners():
    wiped_out = position("othello(columns=4, rows=4, scores=True)", "..../.xx./.xx./.... o")
    assert wiped_out.returns == (16.0, -16.0)
    plain, scored = START, position("othello(scores=True)")
    for seed in range(20):
        end, other = walk(plain, seed)[-1], walk(scored, seed)[-1]
        assert end.history == other.history
        cells = end.text().split()[0]
        ahead = cells.count("x") - cells.count("o")
        sign = (ahead > 0) - (ahead < 0)
        assert end.returns == (sign, -sign)
        assert other.returns[0] == ahead + sign * cells.count(".") == -other.returns[1]


def test_a_player_without_a_move_passes_and_two_such_players_end_the_game():
    stuck = position("othello(columns=4, rows=4)", "..../.xx./.xx./.... o")
    assert stuck.is_terminal
    assert stuck.returns == (1.0, -1.0)
    passing = next(
        here for seed in range(50) for here in walk(START, seed) if here.legal_actions == (64,)
    )
    assert passing.legal_names == ("pass",)
    after = passing.play("pass")
    assert after.current_player != passing.current_player
    assert after.text().split()[0] == passing.text().split()[0]


@given(st.sampled_from(["othello", SMALL]), st.lists(st.integers(0, 999), max_size=70))
def test_every_printed_position_parses_back(game, choices):
    here = position(game)
    for choice in choices:
        if not here.is_terminal:
            here = here.play(here.legal_actions[choice % len(here.legal_actions)])
    again = position(game, here.text())
    assert again == here
    assert again.text() == here.text()
    assert again.facts == here.facts


@given(
    st.one_of(
        st.text(min_size=1),
        st.text("xo./ ", min_size=1),
        st.lists(st.text("xo.", min_size=4, max_size=4), min_size=4, max_size=4).map("/".join),
    )
)
def test_any_other_text_is_refused_in_one_line(text):
    for ending in ("", " x"):
        assert "\n" not in complaint("othello(columns=4, rows=4)", text + ending)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("..../.ox./.xo./....", "who is to move"),
        ("..../.ox./.xo./.... z", "who is to move"),
        ("..../.ox./.xo. x", "4 rows of 4"),
        ("..../.ox./.xo./..... x", "4 rows of 4"),
        ("..../.ox./.xq./.... x", "unknown cell 'q'"),
        ("..../.ox./.x../.... x", "centre"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, reason):
    with pytest.raises(InputError, match=reason):
        position("othello(columns=4, rows=4)", text)


@pytest.mark.parametrize("sizes", ["columns=5", "rows=10", "columns=2, rows=2", "rows=0"])
def test_sizes_other_than_4_6_and_8_are_refused(sizes):
    with pytest.raises(InputError, match="4, 6 or 8"):
        position(f"othello({sizes})")


def test_the_drawing_marks_the_last_move_and_the_legal_ones():
    here = START.play("d3")
    picture = here.svg()
    assert picture.count('r="5"') == len(here.legal_actions) == 3
    assert picture.count('stroke-width="3"') == 1


def test_the_default_search_gives_a_legal_move():
    result = MCTS().search(START, simulations=2000, seed=1)
    assert result.action in START.legal_actions
    assert all(-1 <= value <= 1 for value in result.values)
    assert all(-1 <= row.value <= 1 for row in result.moves)
