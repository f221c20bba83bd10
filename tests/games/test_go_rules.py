"""The rules of Go: against OpenSpiel step by step, and cases made by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest

from hook_checks import check_symmetries, image
from ponder import position
from ponder.core.game import new_states
from ponder.games.go import Go, final_score, ownership


def compare_games(start, spiel_game, games, seed, pass_rate=1.0):
    """Random games in both programs; returns steps and how often superko forbade a move.

    OpenSpiel lets a player repeat a board and then calls the game a draw; here it is illegal. So
    every legal move of OpenSpiel that is missing here must end its game in a draw at once.
    Moves are uniform, but of the passes only `pass_rate` are kept where other moves exist.
    """
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(spiel_game)
    rng = random.Random(seed)
    steps = repeats = 0
    for _ in range(games):
        ours, theirs = start, game.new_initial_state()
        while not ours.is_terminal:
            steps += 1
            assert not theirs.is_terminal()
            assert ours.current_player == theirs.current_player()
            legal, spiel_legal = ours.legal_actions, theirs.legal_actions()
            if list(legal) != spiel_legal:
                assert set(legal) < set(spiel_legal), str(ours)
                for action in set(spiel_legal) - set(legal):
                    repeated = theirs.child(action)
                    assert repeated.is_terminal(), f"{ours}\n{ours.action_name(action)}"
                    assert repeated.returns() == [0, 0]
                    repeats += 1
            action = rng.choice(legal)
            if action == legal[-1] and len(legal) > 1 and rng.random() >= pass_rate:
                action = rng.choice(legal[:-1])
            ours = ours.play(action)
            theirs.apply_action(action)
        assert theirs.is_terminal()
        assert list(ours.returns) == theirs.returns(), str(ours)
    return steps, repeats


def test_9x9_agrees_with_openspiel_at_every_step():
    start = position("go(size=9, komi=7.5)")
    steps, _ = compare_games(start, "go(board_size=9,komi=7.5)", 500, seed=1)
    assert steps > 500 * 50


def test_19x19_agrees_with_openspiel_at_every_step():
    start = position("go(size=19, komi=0.5)")
    steps, _ = compare_games(start, "go(board_size=19,komi=0.5)", 500, seed=2)
    assert steps > 500 * 100


def test_small_boards_agree_with_openspiel_where_superko_matters_most():
    seen = 0
    for size, games in ((2, 300), (3, 300), (5, 300)):
        start = position(Go(size=size, komi=float(size % 2), max_length=20 * size))
        spiel = f"go(board_size={size},komi={size % 2}.0,max_game_length={20 * size})"
        _, repeats = compare_games(start, spiel, games, seed=size, pass_rate=0.1)
        seen += repeats
    assert seen > 1000


# ------------------------------------------------------------ made by hand


def go(rows, status="X -", **parameters):
    """The position with these rows (text from the top) on a board of their size."""
    lines = rows.split()
    game = Go(size=len(lines), columns=len(lines[0]), **parameters)
    return position(game, "/".join(lines) + " " + status)


def rows_of(p):
    return p.text().split()[0].replace("/", " ")


def test_a_string_without_liberties_is_captured():
    p = go("..... .XX.. XOO.. .XX.. .....")
    assert rows_of(p.play("D3")) == "..... .XX.. X..X. .XX.. ....."


def test_one_move_captures_several_strings_at_once():
    p = go(".XO. XO.O .XO. ....", "X -").play("C3")
    assert rows_of(p) == ".XO. X.XO .XO. ...."
    p = go("XO.OX .XOX. ..X.. ..... .....").play("C5")
    assert rows_of(p) == "X.X.X .X.X. ..X.. ..... ....."


def test_capturing_comes_before_suicide():
    p = go(".OX. OX.. X... ....", "X -")
    assert "A4" in p.legal_names  # without a liberty of its own, but it takes two strings
    assert rows_of(p.play("A4")) == "X.X. .X.. X... ...."


def test_suicide_is_legal_only_where_allowed():
    assert "A3" not in go("XO.. .O.. OO.. ....").legal_names
    allowed = go("XO.. .O.. OO.. ....", suicide=True)
    assert "A3" in allowed.legal_names
    assert rows_of(allowed.play("A3")) == ".O.. .O.. OO.. ...."


@pytest.mark.parametrize("simple_ko", [False, True])
def test_a_single_stone_may_never_kill_itself(simple_ko):
    assert "A4" not in go(".O.. O... .... ....", suicide=True, simple_ko=simple_ko).legal_names


KO = ".XO. XO.O .XO. ...."


@pytest.mark.parametrize("simple_ko", [False, True])
def test_a_ko_may_not_be_retaken_at_once(simple_ko):
    p = go(KO, simple_ko=simple_ko).play("C3")
    assert p.text().endswith("O B3")
    assert "B3" not in p.legal_names
    later = p.play("A1").play("D1")
    assert "B3" in later.legal_names


def test_retaking_after_two_stones_is_no_ko():
    p = go(".XXO. XOO.O .XXO. ..... .....").play("D4")
    assert rows_of(p) == ".XXO. X..XO .XXO. ..... ....."
    assert p.text().endswith("O -")
    assert rows_of(p.play("C4")) == ".XXO. X.O.O .XXO. ..... ....."


@pytest.mark.parametrize("simple_ko", [False, True])
def test_random_games_on_one_line_repeat_boards_only_under_simple_ko(simple_ko):
    repeated, rng = 0, random.Random(3)
    for _ in range(20):
        p = go("....", simple_ko=simple_ko, max_length=40)
        boards = {rows_of(p)}
        while not p.is_terminal:
            moves = p.legal_actions[:-1]
            p = p.play(rng.choice(moves) if moves else "pass")
            repeated += bool(moves) and rows_of(p) in boards
            boards.add(rows_of(p))
    assert (repeated > 0) == simple_ko


def test_superko_holds_through_triple_ko():
    """Three kos, each taken and retaken: the last capture would restore the first board."""
    board = """
        .XO..XO.
        XO.OXO.O
        .XO..XO.
        ........
        .XO.....
        XO.O....
        .XO.....
        ........
    """
    taken = "C7 pass G7 B7 C3 F7 pass"
    p = go(board).play_all(taken)
    free = go(board, simple_ko=True).play_all(taken)
    assert "B3" in free.legal_names
    assert "B3" not in p.legal_names


def test_passes_twice_end_the_game_and_the_board_is_scored():
    p = position("go(size=5, komi=0.5)").play_all("C3 pass pass")
    assert p.is_terminal
    assert p.returns == (1.0, -1.0)
    assert final_score(p) == 24.5


def test_a_pass_between_moves_does_not_end_the_game():
    assert not position("go(size=5)").play_all("pass C3 pass").is_terminal


def test_equal_areas_without_komi_are_a_tie():
    p = position("go(size=3, komi=0)").play_all("pass pass")
    assert p.returns == (0.0, 0.0)


def test_max_length_ends_the_game_by_scoring():
    p = position("go(size=5, komi=0.5, max_length=3)").play_all("C3 B2 D2")
    assert p.is_terminal
    assert final_score(p) == 0.5
    assert p.returns == (1.0, -1.0)


def test_area_counts_stones_and_regions_of_one_colour():
    p = go(".X.O. XX.O. ...O. OOOO. .....", "X over", komi=1.5)
    owners = [
        ["O"] * 5,
        ["O", "O", "O", "O", "O"],
        [".", ".", ".", "O", "O"],
        ["X", "X", ".", "O", "O"],
        ["X", "X", ".", "O", "O"],
    ]
    assert ownership(p) == owners
    assert final_score(p) == 4 - 16 - 1.5
    assert p.returns == (-1.0, 1.0)


def test_final_score_agrees_with_the_compiled_score_in_every_position():
    for size, columns in ((5, 5), (3, 7), (1, 9)):
        p = position(Go(size=size, columns=columns, komi=0.5))
        rng = random.Random(size)
        while not p.is_terminal:
            rules, before = p.rules.part, p.raw_state.tobytes()
            assert rules.score(p.raw_state[0]) == final_score(p)
            assert p.raw_state.tobytes() == before
            p = p.play(rng.choice(p.legal_actions))
        assert p.returns[0] == np.sign(final_score(p))


# ------------------------------------------------------------ solved boards


def best_score(p, low, high):
    """Black's score with best play by both, by plain alpha-beta over whole games."""
    if p.is_terminal:
        return final_score(p)
    black = p.current_player == 0
    best = low if black else high
    for action in p.legal_actions:
        value = best_score(p.play(action), low, high)
        if black:
            best = low = max(low, value)
        else:
            best = high = min(high, value)
        if low >= high:
            break
    return best


@pytest.mark.parametrize(("columns", "score"), [(2, 0), (3, 3), (4, 4)])
def test_boards_of_one_line_have_their_published_scores(columns, score):
    """Van der Werf & Winands 2009."""
    start = position(Go(size=1, columns=columns, komi=0, max_length=150))
    assert best_score(start, -columns, columns) == score


# ------------------------------------------------------------ symmetries


@pytest.mark.parametrize(
    ("game", "symmetries"),
    [
        (Go(size=5, max_length=60), 8),
        (Go(size=2, max_length=60), 8),
        (Go(size=3, columns=4, suicide=True, max_length=60), 4),
        (Go(size=4, simple_ko=True), 8),
        (Go(size=9, max_length=40), 8),
    ],
)
def test_the_image_of_a_game_is_the_game_of_the_images(game, symmetries):
    start = position(game)
    rules = start.rules.part
    assert rules.symmetries() == symmetries
    check_symmetries(start, 1 if game.size == 9 else 3)
    beside = {rules.transform_action(1, k) for k in range(symmetries)}
    assert len(beside) == (4 if game.size == 2 else symmetries)
    assert {rules.transform_action(rules.passing, k) for k in range(symmetries)} == {rules.passing}


@pytest.mark.parametrize(
    "start",
    [
        go(".XO.. XO.O. .XO.. ..... .....", "O -"),
        go(".XO. X.XO .XO. ....", "O B3"),
        go("X.. .O. ...", "O pass"),
        go("X.. .O.", "X pass", simple_ko=True),
    ],
)
def test_the_image_of_a_position_given_as_text_is_whole(start):
    check_symmetries(start, 2)


def test_an_image_is_written_over_whatever_the_record_held():
    p = go(".XO. XO.O .XO. ....", max_length=50).play_all("C3 pass A1")
    states = new_states(p.rules.spec.state, 1)
    for field in ("colour", "first", "moves", "libs", "seen", "head", "next", "ply", "thinned"):
        states[field] = 7
    p.rules.part.transform(p.raw_state[0], 4, states[0])
    assert states.tobytes() == image(p, 4)
