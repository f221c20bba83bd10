"""`solve`: exact values of published positions, and against visiting everything."""

from __future__ import annotations

import random
from functools import cache

import pytest

from ponder import InputError, position, solve
from ponder.search.exact import ExactSearch
from ponder.search.proof_number import can_force


@cache
def naive(here):
    """(value for player 0, plies to the end) with best play, by visiting everything.

    Both hurry to win and delay a loss. Positions are equal if their records are.
    """
    if here.is_terminal:
        return here.returns[0], 0
    sign = 1 if here.current_player == 0 else -1

    def merit(result):
        value, plies = result
        return (sign * value, -plies if sign * value > 0 else plies)

    value, plies = max((naive(here._after(a)) for a in here.legal_actions), key=merit)
    return value, plies + 1


def walked(game, seed, plies):
    """A position after random moves; None if the game ended before."""
    rng = random.Random(seed)
    here = position(game)
    for _ in range(plies):
        here = here.play(rng.choice(here.legal_actions))
        if here.is_terminal:
            return None
    return here


@pytest.mark.parametrize(
    ("game", "plies", "memory"),
    [
        ("tictactoe", 2, None),
        ("tictactoe", 3, 0.0001),  # a table of two entries
        ("connect4(columns=4, rows=4)", 7, None),
        ("connect4(columns=5, rows=3, run=3)", 5, None),
        ("othello(columns=4, rows=4)", 3, None),
        ("breakthrough(columns=3, rows=4)", 3, None),
        ("hex(size=3)", 3, None),
        ("nim(heaps=(2, 3), misere=True)", 0, None),
    ],
)
def test_every_move_has_the_value_and_distance_of_full_search(game, plies, memory):
    seen = 0
    for seed in range(5):
        here = walked(game, seed, plies)
        if here is None:
            continue
        seen += 1
        found = solve(here, memory=memory)
        sign = 1 if here.current_player == 0 else -1
        for move in found.moves:
            value, further = naive(here._after(move.action))
            assert move.value == sign * value
            assert move.distance == (further + 1 if value else None)
        value, distance = naive(here)
        assert (found.value, found.distance) == (sign * value, distance if value else None)
        assert found.best[0] == found.moves[0]
        assert (found.method, found.stopped_by) == ("alphabeta", "solved")
    assert seen


@pytest.mark.parametrize(
    ("heaps", "misere"), [((1, 2, 3), False), ((1, 2, 4), False), ((3, 5), False), ((2, 2), True)]
)
def test_nim_is_won_unless_the_exclusive_or_is_zero(heaps, misere):
    total = 0
    for heap in heaps:
        total ^= heap
    found = solve(position(f"nim(heaps={heaps}, misere={misere})"))
    assert found.value == (1.0 if total else -1.0)


# Width x height, the value of the empty board in stones, then of each first column where listed:
# J. Tromp's table, and exact scores computed independently.
BOARDS = [
    (4, 4, 0, (0, 0, 0, 0)),
    (5, 4, 0, (-1, 0, 0, 0, -1)),
    (4, 5, 0, None),
    (5, 5, 0, (0,) * 5),
    (6, 4, -1, (-1,) * 6),
    (4, 6, 0, None),
    (7, 4, 0, (-1, -1, -1, 0, -1, -1, -1)),
    (6, 5, 0, (0,) * 6),
    (5, 6, 0, (0,) * 5),
]


def stones(columns, rows, played, value, distance):
    """The usual score: 1 for a win with one's last stone, 2 for one stone earlier ..."""
    if value is None or distance is None:
        return 0
    before = played + distance - 1  # stones on the board just before the winning move
    return int(value) * ((columns * rows + 1 - before) // 2)


@pytest.mark.parametrize(("columns", "rows", "score", "by_column"), BOARDS)
def test_small_connect_four_boards_have_the_published_values(columns, rows, score, by_column):
    found = solve(position(f"connect4(columns={columns}, rows={rows})"), memory=64)
    assert stones(columns, rows, 0, found.value, found.distance) == score
    scores = {m.name: stones(columns, rows, 0, m.value, m.distance) for m in found.moves}
    if by_column is not None:
        assert tuple(scores[str(c + 1)] for c in range(columns)) == by_column


@pytest.mark.parametrize("name", ["Test_L3_R1", "Test_L2_R1"])
def test_connect_four_positions_have_their_published_scores(corpora, name):
    lines = (corpora / "connect4" / name).read_text().splitlines()
    assert len(lines) == 1000
    start = position("connect4")
    search = ExactSearch(start, 64)
    for line in lines:
        columns, score = line.split()
        here = start
        for column in columns:
            here = here._after(int(column) - 1)
        value, distance = search.value_and_distance(search.bounds_of(here))
        assert stones(7, 6, len(columns), value, distance) == int(score), columns


def test_a_position_without_a_safe_move_still_has_the_value_of_full_search():
    # x threatens both ends of the bottom row: o loses in two plies, whatever he plays
    here = position("connect4").play_all("3 3 4 4 5")
    found = solve(here)
    assert (found.value, found.distance) == (-1.0, 2)
    assert len(found.best) == 7


# ------------------------------------------------------------ Othello


def othello_problems(corpora):
    for line in (corpora / "othello" / "fforum-1-19.obf").read_text().splitlines():
        board, *moves = [part.strip() for part in line.split(";") if part.strip()]
        cells, turn = board.lower().replace("-", ".").split()
        rows = "/".join(cells[i : i + 8] for i in range(0, 64, 8))
        scores = {name.lower(): int(score) for name, score in (m.split(":") for m in moves)}
        yield f"{rows} {turn}", scores


def test_othello_endgames_have_their_published_scores_for_every_move(corpora):
    for text, scores in list(othello_problems(corpora))[1:5]:
        found = solve(position("othello(scores=True)", text), memory=64)
        assert {move.name: move.value for move in found.moves} == scores
        assert found.value == max(scores.values())


@cache
def naive_othello(here, credit):
    """Black's discs minus White's with best play; `credit`: empty cells count for the winner."""
    if here.is_terminal:
        cells = here.text().split()[0].replace("/", "")
        ahead = cells.count("x") - cells.count("o")
        empty = cells.count(".") if credit else 0
        return ahead + (empty if ahead > 0 else -empty if ahead < 0 else 0)
    values = [naive_othello(here._after(a), credit) for a in here.legal_actions]
    return max(values) if here.current_player == 0 else min(values)


def test_othello_on_four_by_four_is_won_by_white_with_eleven_discs_to_three():
    start = position("othello(columns=4, rows=4)")
    assert naive_othello(start, credit=False) == -8  # published
    scored = position("othello(columns=4, rows=4, scores=True)")
    assert solve(scored).value == naive_othello(start, credit=True) == -10
    assert solve(start).value == -1


def test_othello_on_six_by_four_is_won_by_black_whichever_way_the_board_lies():
    wide, high = "othello(columns=6, rows=4", "othello(columns=4, rows=6"
    assert solve(position(f"{wide}, scores=True)")).value == 16
    assert solve(position(f"{high}, scores=True)")).value == 16
    # another search altogether: proof numbers
    assert can_force(position(f"{wide})"), 0)
    assert not can_force(position(f"{wide})"), 1)


# ------------------------------------------------------------ other games


@pytest.mark.parametrize(
    ("size", "openings"),
    [(1, {"a1"}), (2, {"b1", "a2"}), (3, {"c1", "a2", "b2", "c2", "a3"})],
)
def test_hex_is_won_by_the_known_first_stones(size, openings):
    found = solve(position(f"hex(size={size})"))
    assert {move.name for move in found.moves if move.value == 1.0} == openings


@pytest.mark.parametrize(
    ("columns", "rows", "pawn_rows", "value"),
    [(c, r, 2, -1) for c, r in [(2, 4), (3, 4), (4, 4), (5, 4), (6, 4), (2, 5), (3, 5)]]
    + [(c, 3, 1, 1) for c in (2, 3, 4, 5)]
    + [(2, 4, 1, -1), (3, 4, 1, 1), (4, 4, 1, 1), (2, 5, 1, 1), (3, 5, 1, 1)],
)
def test_small_breakthrough_boards_have_the_known_winner(columns, rows, pawn_rows, value):
    game = f"breakthrough(columns={columns}, rows={rows}, pawn_rows={pawn_rows})"
    search = ExactSearch(position(game), 64)
    assert search.value_and_distance(search.bounds_of(position(game)))[0] == value


@pytest.mark.parametrize(
    ("rows", "columns", "score"), [(1, 2, 0), (1, 3, 3), (1, 4, 4), (1, 5, 0), (2, 3, 0), (2, 4, 8)]
)
def test_small_go_boards_have_the_published_score(rows, columns, score):
    for komi, value in ((score - 0.5, 1.0), (score + 0.5, -1.0)):
        start = position(f"go(size={rows}, columns={columns}, komi={komi})")
        search = ExactSearch(start, 64)
        assert search.value_and_distance(search.bounds_of(start))[0] == value


def test_three_by_three_go_is_won_whole_from_the_centre():
    search = ExactSearch(position("go(size=3, komi=8.5)"), 64)
    start = position("go(size=3, komi=8.5)")
    assert search.value_and_distance(search.bounds_of(start))[0] == 1.0


def test_superko_makes_two_by_two_go_a_win_by_one_point():
    # Under positional superko, and long enough a game, Black is one point ahead (J. Tromp)
    for komi, value in ((0.5, 1.0), (1.5, -1.0)):
        assert solve(position(f"go(size=2, komi={komi}, max_length=40)")).value == value


def test_chess_mates_are_found_without_searching_the_game_to_its_end():
    back_rank = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"
    search = ExactSearch(position("chess", back_rank), 16)
    assert search.value_and_distance(search.bounds_of(position("chess", back_rank))) == (1.0, 1)


# ------------------------------------------------------------ chance, many players, plain games


def test_chance_games_that_fit_into_memory_are_solved_by_value_iteration():
    found = solve(position("pig(target=2, horizon=60)"))
    assert found.method == "value-iteration"
    assert found.value == pytest.approx(2 * 6 / 7 - 1, abs=1e-9)
    assert [move.name for move in found.best] == ["roll"]
    assert found.distance is None


def test_counters_can_be_held_so_that_positions_come_back():
    found = solve(position("pig(target=10)"), hold=("decisions",))
    assert found.method == "value-iteration"
    assert (found.value + 1) / 2 == pytest.approx(0.709424323, abs=1e-9)
    with pytest.raises(InputError, match="not for alphabeta"):
        solve(position("connect4"), hold=("ply",), method="alphabeta")


def test_a_position_in_which_chance_moves_is_worth_the_average_of_its_outcomes():
    start = position("twenty48(columns=2, rows=2)")
    found = solve(start)
    assert found.value == pytest.approx(66.964149457, abs=1e-6)
    chances = {start.action_name(a): p for a, p in start.chance_outcomes}
    average = sum(chances[m.name] * m.value for m in found.moves)
    assert average == pytest.approx(found.value, abs=1e-6)
    assert found.best == ()


def test_expectiminimax_gives_the_same_where_the_tree_is_small():
    here = position("pig(target=3, sides=2, horizon=6)")
    wanted = solve(here)
    found = solve(here, method="expectiminimax")
    assert found.value == pytest.approx(wanted.value)
    assert {m.name: m.value for m in found.moves} == pytest.approx(
        {m.name: m.value for m in wanted.moves}
    )


def test_three_players_are_solved_by_maxn():
    found = solve(position("connect4(columns=3, rows=3, run=3, players=3)"))
    assert found.method == "maxn"
    assert found.stopped_by == "solved"
    assert all(move.value is not None for move in found.moves)
    assert len(found.values) == 3
    assert found.values[0] == found.value
    best = found.best[0]
    assert best.values == found.values
    for move in found.moves:
        after = solve(found.position.play(move.action))
        assert move.values == after.values, "the same seen from the position after the move"


class TakeAway:
    """Take one or two from five; whoever takes the last wins. A plain Python game."""

    players = 2

    def start(self):
        return (5, 0)

    def current_player(self, state):
        return state[1]

    def legal_actions(self, state):
        return [n for n in (1, 2) if n <= state[0]]

    def apply_action(self, state, action):
        return (state[0] - action, 1 - state[1])

    def is_terminal(self, state):
        return state[0] == 0

    def returns(self, state):
        return [-1.0, 1.0] if state[1] == 0 else [1.0, -1.0]


def test_plain_python_games_are_solved_too():
    found = solve(position(TakeAway()))
    assert (found.value, found.distance, found.method) == (1.0, 3, "alphabeta")
    assert [move.action for move in found.best] == [2]


# ------------------------------------------------------------ limits and refusals


def test_what_is_not_known_in_time_is_none():
    found = solve(position("connect4"), seconds=0.2, memory=8)
    assert (found.value, found.distance, found.stopped_by) == (None, None, "seconds")
    assert all(move.value is None for move in found.moves)
    assert found.best == ()


def test_an_unfit_method_is_refused_with_a_reason():
    with pytest.raises(InputError, match="unknown method"):
        solve(position("tictactoe"), method="guess")
    with pytest.raises(InputError, match="cannot handle chance"):
        solve(position("pig"), method="alphabeta")
    with pytest.raises(InputError, match="zero-sum"):
        solve(position("connect4(players=3)"), method="proof-number")
