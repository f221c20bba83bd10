"""Matches: seats, seeds, dice, processes, forfeits, one player and many."""

from __future__ import annotations

import sys
import threading
from types import SimpleNamespace

import pytest

from ponder import (
    MCTS,
    AlphaBeta,
    InputError,
    Limit,
    PonderError,
    RandomPlayer,
    position,
    solve,
)
from ponder.arena import match
from ponder.arena.game import Played, Task, seatings
from ponder.arena.openings import Opening
from ponder.errors import GameError


def moves_of(result):
    return [(p.task, p.moves, p.returns, p.ended) for p in result.records]


# ---------------------------------------------------------------- who wins


def test_a_search_beats_random_moves():
    result = match("tictactoe", "mcts(simulations=200)", "random()", games=40, seed=1)
    assert result.games == result.wins + result.draws + result.losses == 40
    assert result.wins >= 30
    assert result.losses <= 2
    assert result.rating.elo_low > 150
    assert match("tictactoe", "random()", "mcts(simulations=200)", games=40, seed=1).elo < -150


def test_one_game_is_too_few_for_a_difference():
    result = match("nim((1,))", "random()", "random()", games=1, seed=1)
    assert result.score == 1.0
    assert "elo     beyond measure   95 % interval" in str(result)
    assert result.to_json()["elo"] is None


def test_the_same_deterministic_engine_on_both_sides_scores_a_half_in_every_round():
    result = match(
        "connect4", "alphabeta(depth=2, memory=1)", "alphabeta(depth=2, memory=1)", games=24, seed=2
    )
    assert result.score == 0.5
    assert result.pairs == (0, 0, 12, 0, 0)
    for first, second in result.rounds:
        assert first.moves == second.moves
        assert (first.task.seats, second.task.seats) == ((0, 1), (1, 0))


def test_exchanging_the_engines_exchanges_the_result():
    one = match(
        "connect4", "alphabeta(depth=3, memory=1)", "alphabeta(depth=1, memory=1)", games=20, seed=3
    )
    two = match(
        "connect4", "alphabeta(depth=1, memory=1)", "alphabeta(depth=3, memory=1)", games=20, seed=3
    )
    assert (one.wins, one.draws, one.losses) == (two.losses, two.draws, two.wins)
    assert one.score + two.score == pytest.approx(1.0)
    assert one.elo == pytest.approx(-two.elo)
    assert one.wins > one.losses


def test_every_opening_is_played_from_both_seats():
    result = match("connect4", "random()", "random()", games=20, openings=3, seed=4)
    for played in result.rounds:
        assert len({p.task.opening for p in played}) == 1
        assert [p.first_seat for p in played] == [0, 1]
    assert len({played[0].task.opening for played in result.rounds}) == 10
    assert sum(map(sum, result.by_seat())) == 20


def test_fewer_openings_than_rounds_are_played_again_and_noted():
    result = match("connect4", "random()", "random()", games=40, openings=1, seed=4)
    assert result.notes == ("there are 7 different openings for 20 rounds",)
    assert result.records[0].task.opening == result.records[14].task.opening
    assert result.records[0].moves != result.records[14].moves


# ---------------------------------------------------------------- repeatable


def test_a_seed_repeats_a_match_and_another_one_does_not():
    specs = ("mcts(simulations=30)", "random()")
    first, again, other = (match("connect4", *specs, games=6, seed=s) for s in (1, 1, 2))
    assert moves_of(first) == moves_of(again)
    assert moves_of(first) != moves_of(other)


def test_the_number_of_processes_changes_nothing():
    specs = ("mcts(simulations=40)", "alphabeta(depth=2, memory=1)")
    one = match("connect4", *specs, games=9, seed=7)
    two = match("connect4", *specs, games=9, seed=7, jobs=2)
    assert moves_of(one) == moves_of(two)
    assert one.rating == two.rating


FILE = '''
class Countdown:
    """Take 1 or 2 from the pile; whoever takes the last one wins."""
    def __init__(self, pile=5): self.pile = pile
    def start(self): return (self.pile, 0)
    def current_player(self, state): return state[1]
    def legal_actions(self, state): return [n for n in (1, 2) if n <= state[0]]
    def apply_action(self, state, n): return (state[0] - n, 1 - state[1])
    def is_terminal(self, state): return state[0] == 0
    def returns(self, state): return (1, -1) if state[1] else (-1, 1)
'''


def test_a_game_from_a_users_file_reaches_the_other_processes(tmp_path):
    file = tmp_path / "own_countdown.py"
    file.write_text(FILE)
    game = f"{file}:Countdown(pile=9)"
    one, two = (
        match(game, "minimax(depth=9)", "random()", games=6, seed=1, jobs=j) for j in (1, 2)
    )
    assert moves_of(one) == moves_of(two)
    assert one.game.endswith("own_countdown.py:Countdown(pile=9)")


def test_a_player_that_cannot_be_sent_to_another_process_is_refused_in_one_line():
    player = SimpleNamespace(search=RandomPlayer().search, lock=threading.Lock())
    with pytest.raises(InputError, match="cannot be sent to another process"):
        match("tictactoe", player, "random()", games=4, jobs=2)


def test_both_games_of_a_round_get_the_same_dice():
    result = match("pig(target=20)", "random()", "random()", games=10, seed=1)
    for first, second in result.rounds:
        rolls = [[m for m, who in zip(p.moves, p.movers, strict=True) if who is None]
                 for p in (first, second)]  # fmt: skip
        assert len(rolls[0]) > 3
        for one, two in zip(*rolls, strict=False):
            assert one == two
    assert result.rounds[0][0].moves != result.rounds[1][0].moves


def test_the_moves_of_a_record_can_be_played_again():
    for game in ("connect4", "pig(target=20)"):
        result = match(game, "random()", "random()", games=2, seed=5)
        for played in result.records:
            here = played.task.opening.position(position(game))
            for name in played.moves:
                here = here.play(name)
            assert here.returns == played.returns


# ---------------------------------------------------------------- limits


def test_a_match_limit_holds_for_the_engine_that_names_none():
    limit = Limit(simulations=20, depth=2)
    result = match("connect4", "mcts()", "alphabeta()", games=2, limit=limit, seed=1)
    assert result.effort(0)["simulations_per_move"] == 20
    own = match("connect4", "mcts(simulations=7)", "mcts()", games=2, limit=limit, seed=1)
    assert own.effort(0)["simulations_per_move"] == 7
    assert own.effort(1)["simulations_per_move"] == 20


def test_without_any_limit_a_move_takes_a_tenth_of_a_second():
    result = match("tictactoe", "mcts()", "random()", games=1, seed=1)
    assert result.limit == {"seconds": 0.1}
    assert result.effort(0)["seconds_per_move"] >= 0.1


@pytest.mark.parametrize(
    ("first", "limit", "complaint"),
    [
        ("mcts()", Limit(depth=3), "mcts.. has no limit of depth; it is limited by seconds"),
        ("alphabeta()", Limit(simulations=3), "alphabeta.. has no limit of simulations"),
    ],
)
def test_a_limit_that_an_engine_does_not_know_is_refused(first, limit, complaint):
    with pytest.raises(InputError, match=complaint):
        match("tictactoe", first, "random()", limit=limit)


# ---------------------------------------------------------------- forfeits


class Breaks:
    """Plays well until it breaks."""

    def __init__(self, after: int, how):
        self.after, self.how = after, how

    def search(self, here, limit=None, *, seed=0):
        if len(here.history) >= self.after:
            return self.how()
        return AlphaBeta(depth=1, memory=1).search(here)


def fails():
    raise ZeroDivisionError("division by zero")


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        (fails, "ZeroDivisionError: division by zero"),
        (lambda: SimpleNamespace(action=99), "illegal move: 99 is not legal here; legal:"),
        (lambda: SimpleNamespace(action="a99"), "illegal move: 'a99' is not legal here"),
        (lambda: None, "AttributeError"),
    ],
)
def test_a_player_that_breaks_forfeits_the_game_and_the_record_says_why(how, reason):
    result = match("connect4", "random()", Breaks(4, how), games=4, openings=0, seed=1)
    assert (result.wins, result.losses) == (4, 0)
    assert result.forfeits == (0, 4)
    for played in result.records:
        assert (played.ended, played.forfeited_by, played.returns) == ("forfeit", 1, None)
        assert played.reason.startswith(reason)
    assert f"forfeit second: 4 games, as {reason}" in str(result)
    turned = match("connect4", Breaks(4, how), "random()", games=4, openings=0, seed=1)
    assert (turned.wins, turned.losses, turned.forfeits) == (0, 4, (4, 0))


@pytest.mark.parametrize("seats", [("alphabeta()", "random()"), ("random()", "alphabeta()")])
def test_an_engine_that_is_not_for_this_game_is_refused_at_once(seats):
    with pytest.raises(InputError, match="alphabeta cannot handle chance"):
        match("pig(target=20)", *seats, games=4)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_the_rules_ends_the_match_and_is_nobodys_forfeit(tmp_path, jobs):
    file = tmp_path / f"broken{jobs}.py"
    file.write_text(
        FILE.replace("return (state[0] - n", "return (state[0] - n if n < 2 else {}[n]")
    )
    with pytest.raises(GameError, match="the rules of Countdown raised KeyError"):
        match(f"{file}:Countdown", "random()", "random()", games=20, openings=0, jobs=jobs, seed=1)


DIES = FILE.replace(
    "def legal_actions(self, state): return",
    """def legal_actions(self, state):
        import multiprocessing, os
        if state[0] == 3 and multiprocessing.parent_process():
            os._exit(7)
        return""",
)


def test_a_process_that_dies_is_told_of(tmp_path):
    file = tmp_path / "dies.py"
    file.write_text(DIES)
    with pytest.raises(PonderError, match=r"died .exit status 7. while it played"):
        match(f"{file}:Countdown", "random()", "random()", games=9, openings=0, jobs=2, seed=1)


ENDLESS = FILE.replace("(state[0] - n, 1 - state[1])", "(state[0], 1 - state[1])").replace(
    "def start", "max_length = 30\n    def start"
)


def test_a_game_that_does_not_end_is_a_draw(tmp_path):
    file = tmp_path / "endless.py"
    file.write_text(ENDLESS)
    result = match(f"{file}:Countdown", "random()", "random()", games=2, openings=0, seed=1)
    assert (result.draws, result.records[0].ended) == (2, "length")
    assert result.records[0].reason == "not over after 30 plies"
    assert len(result.records[0].moves) == 30


# ---------------------------------------------------------------- one player, three players


def played(returns, seats):
    task = Task(0, 0, seats, Opening(()))
    return Played(task, (), returns, "rules", "", None, (), (), (), ())


@pytest.mark.parametrize(
    ("returns", "seats", "points", "verdict"),
    [
        ((1, -1), (0, 1), 1.0, "win"),
        ((1, -1), (1, 0), 0.0, "loss"),
        ((0, 0), (1, 0), 0.5, "draw"),
        ((3, -3), (0, 1), 1.0, "win"),  # a backgammon counts as a win
        ((-0.5, -2), (0, 1), 1.0, "win"),  # more than the opponent is enough
        ((1, -1, -1), (0, 1, 1), 1.0, "win"),
        ((1, -1, -1), (1, 0, 1), 0.25, "loss"),  # behind one, level with the other
        ((2, 0, 1), (1, 1, 0), 0.5, "loss"),
        ((1, 1, 0), (0, 1, 1), 0.75, "draw"),  # the win is shared
        ((0, 0, 0), (1, 0, 1), 0.5, "draw"),
    ],
)
def test_points_are_counted_against_every_opponent(returns, seats, points, verdict):
    game = played(returns, seats)
    assert (game.points(), game.verdict()) == (points, verdict)


def test_of_three_players_the_first_sits_in_every_seat_against_two_of_the_second():
    assert seatings(3) == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    game = "pig(target=12, players=3)"
    result = match(game, "mcts(simulations=60)", "random()", games=30, seed=1)
    assert [sum(row) for row in result.by_seat()] == [10, 10, 10]
    assert result.wins > 15
    assert result.score > 0.6
    same = match(game, "random()", "random()", games=60, seed=2)
    assert same.rating.score_low < 0.5 < same.rating.score_high


def test_alone_the_higher_mean_return_is_better():
    result = match("twenty48", "mcts(simulations=3)", "random()", games=4, seed=1)
    assert result.games == 4
    assert len(result.records) == 8
    for first, second in result.rounds:
        assert (first.task.seats, second.task.seats) == ((0,), (1,))
    data = result.to_json()
    assert data["elo"] is None
    mean = sum(a.returns[0] - b.returns[0] for a, b in result.rounds) / 4
    assert data["difference"] == pytest.approx(mean)
    assert data["difference"] > 0
    assert data["difference_low"] < data["difference"] < data["difference_high"]
    assert "return" in str(result)


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"games": 0}, "games must be a whole number above 0, not 0"),
        ({"games": 2.5}, "games must be a whole number above 0, not 2.5"),
        ({"jobs": 0}, "jobs must be a whole number above 0, not 0"),
        ({"resume": True}, "resume needs the file"),
        ({"openings": []}, "the list of openings is empty"),
        ({"out": "/nowhere/at/all"}, "there is no folder /nowhere/at"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused(arguments, complaint):
    with pytest.raises(InputError, match=complaint):
        match("tictactoe", "random()", "random()", **arguments)


def test_what_cannot_search_is_no_player():
    with pytest.raises(InputError, match="is not a player"):
        match("tictactoe", "random()", 7)


def test_the_json_names_the_limit_of_each_engine():
    result = match(
        "tictactoe",
        "mcts(simulations=7)",
        "mcts()",
        games=2,
        limit=Limit(simulations=5),
        openings=0,
        seed=1,
    )
    engines = result.to_json()["engines"]
    assert [engine["limit"] for engine in engines] == [{"simulations": 7}, {"simulations": 5}]


# ---------------------------------------------------------------- as data


@pytest.mark.plain
@pytest.mark.parametrize("game", ["tictactoe", "pig(target=10)", "chinese_checkers(players=3)"])
def test_a_result_has_what_its_json_has_under_the_same_names(game):
    result = match(game, "random()", "random()", games=2, seed=1)
    for name, value in result.to_json().items():
        own = getattr(result, name)
        if value is not None:
            assert (list(own) if isinstance(own, tuple) else own) == value
    assert [row["name"] for row in result.engines] == ["first", "second"]
    assert [row["name"] for row in result.seats] == [f"seat {i}" for i in range(len(result.seats))]
    assert result.records[1].name == "round 1, game 2"


@pytest.mark.plain
def test_results_become_frames_where_pandas_is_there(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=list))
    result = match("tictactoe", "random()", "random()", games=2, seed=1)
    rows = result.to_frame()
    assert [row["name"] for row in rows] == ["round 1, game 1", "round 1, game 2"]
    assert rows[0]["moves"] == list(result.records[0].moves)
    found = MCTS().search(position("tictactoe"), simulations=20, seed=1)
    assert found.to_frame() == [row.to_json() for row in found.moves]
    exact = solve(position("tictactoe").play_all(["a1", "b2", "c3", "a2"]))
    assert [row["name"] for row in exact.to_frame()] == [move.name for move in exact.moves]


@pytest.mark.plain
def test_without_pandas_a_frame_is_refused_in_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match=r"^to_frame needs pandas \(pip install pandas\); to_json"):
        match("tictactoe", "random()", "random()", games=1, seed=1).to_frame()
