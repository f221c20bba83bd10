"""Plain Python games in the classical searches: the same values as their compiled twins, exact
solutions, and errors in the rules that stop every kernel."""

from __future__ import annotations

from functools import cache

import pytest

from plain_games import Countdown, EinStein
from ponder import GameError, InputError, Position, engine, perft, position, solve
from ponder.core import plain_graph
from ponder.search.proof_number import can_force
from ponder.search.value_iteration import value_iteration
from reference.naive_tictactoe import NaiveTicTacToe

# ------------------------------------------------------------ the same as compiled games


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "expectiminimax", "maxn"])
@pytest.mark.parametrize("moves", [(), (4, 0), (0, 4, 8, 2)])
def test_the_values_of_tictactoe_are_those_of_the_compiled_game(name, moves):
    plain, compiled = Position(NaiveTicTacToe()), position("tictactoe")
    for move in moves:
        plain, compiled = plain.play(move), compiled.play(move)
    one, two = engine(name).search(plain, depth=9), engine(name).search(compiled, depth=9)
    assert (one.value, one.line) == (two.value, two.line)
    assert {m.action: m.value for m in one.moves} == {m.action: m.value for m in two.moves}
    if name in ("minimax", "maxn"):  # nothing depends on places in a table
        assert one.nodes == two.nodes
    assert one.position is plain
    assert one.action in plain.legal_actions


@pytest.mark.parametrize("method", ["alphabeta", "proof-number", "value-iteration", "minimax"])
def test_every_method_solves_a_plain_game(method):
    found = solve(position(Countdown(pile=11, most=3)), method=method)
    assert found.value == 1.0
    assert [move.action for move in found.moves if move.value == 1.0] == [3]  # leaves 8
    assert sorted(move.action for move in found.moves) == [1, 2, 3]


def test_a_game_of_80_states_is_solved_although_it_has_10_million_million_lines():
    found = solve(position(Countdown(pile=40, most=3)))
    assert (found.value, found.distance) == (-1.0, 20)
    assert solve(position(Countdown(pile=39, most=3))).best[0].action == 3


def test_perft_and_proofs_take_plain_games():
    plain = Position(NaiveTicTacToe())
    assert [perft(plain, depth) for depth in (1, 2, 3, 4)] == [9, 72, 504, 3024]
    assert can_force(position(Countdown(pile=8, most=3)), 1, "win") is True
    assert can_force(position(Countdown(pile=9, most=3)), 1, "win") is False


# ------------------------------------------------------------ dice


def by_recursion(game):
    """The value for player 0, by a recursion with a dictionary."""

    @cache
    def value(state):
        if game.is_terminal(state):
            return game.returns(state)[0]
        player = game.current_player(state)
        if player == -1:
            pairs = game.chance_outcomes(state)
            return sum(p * value(game.apply_action(state, a)) for a, p in pairs)
        after = [value(game.apply_action(state, a)) for a in game.legal_actions(state)]
        return max(after) if player == 0 else min(after)

    return value


@pytest.mark.parametrize("stones", [1, 2, 3])
def test_einstein_wuerfelt_nicht_is_solved_as_by_a_recursion(stones):
    game = EinStein(stones)
    start = position(game)
    value = by_recursion(game)
    found = solve(start)
    assert found.method == "value-iteration"
    assert found.value == pytest.approx(value(start.state), abs=1e-9)
    for move in found.moves:  # the outcomes of the first die
        assert move.value == pytest.approx(value(start.play(move.action).state), abs=1e-9)


def test_expectiminimax_and_value_iteration_agree_with_the_recursion_on_dice():
    game = EinStein(2)
    value, rolled = by_recursion(game), position(game).play(1)
    assert engine("expectiminimax").search(rolled, depth=100).value == pytest.approx(
        value(rolled.state)
    )
    solution = value_iteration(rolled)
    assert solution.value == pytest.approx(value(rolled.state), abs=1e-9)
    best = solution.best_actions(rolled)
    after = {a: value(rolled.play(a).state) for a in rolled.legal_actions}
    assert set(best) == {a for a, v in after.items() if v == pytest.approx(max(after.values()))}


def test_advice_for_dice_names_methods_that_work():
    rolled = position(EinStein(1)).play(1)
    for method in ("alphabeta", "proof-number", "minimax"):
        with pytest.raises(InputError, match="use value-iteration or expectiminimax"):
            solve(rolled, method=method)
    for method in ("value-iteration", "expectiminimax"):
        assert solve(rolled, method=method).value is not None
    with pytest.raises(InputError, match="leave what merely counts out of its key"):
        solve(rolled, hold=("plies",))


# ------------------------------------------------------------ more states than fit into memory


class Endless:
    """Every line of moves is a state of its own."""

    players = 2

    def start(self):
        return ()

    def current_player(self, state):
        return len(state) % 2

    def legal_actions(self, state):
        return range(5)

    def apply_action(self, state, action):
        return (*state, action)

    def is_terminal(self, state):
        return len(state) == 60

    def returns(self, state):
        return self.evaluate(state)

    def evaluate(self, state):
        mine = (hash(state) % 101 - 50) / 50
        return mine, -mine


@pytest.fixture
def little_room(monkeypatch):
    monkeypatch.setattr(plain_graph, "NEARLY", 3000 / plain_graph.ROOM)


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "expectiminimax", "maxn", "paranoid"])
def test_a_search_that_meets_too_many_states_ends_with_what_it_knows(name, little_room):
    found = engine(name).search(Position(Endless()), seconds=60)
    assert found.stopped_by == "memory"
    assert found.depth >= 3
    assert found.action in found.position.legal_actions
    assert found.nodes >= engine(name).search(found.position, depth=found.depth).nodes


@pytest.mark.parametrize("method", ["alphabeta", "proof-number"])
def test_solving_that_meets_too_many_states_ends_with_bounds(method, little_room):
    found = solve(Position(Endless()), seconds=60, method=method)
    assert found.stopped_by == "memory"
    assert found.value is None
    assert (found.low, found.high) == (-1.0, 1.0)


# ------------------------------------------------------------ faults in the rules


class Faulty(Countdown):
    """Raises, or says what cannot be, when the pile is down to 7."""

    def __init__(self, fault):
        super().__init__(pile=12, most=3)
        self.fault = fault

    def legal_actions(self, state):
        if state[0] == 7:
            if self.fault == "raises":
                raise KeyError("seven")
            if self.fault == "interrupt":
                raise KeyboardInterrupt
            if self.fault == "none":
                return []
            if self.fault == "unhashable":
                return [[1]]
        return super().legal_actions(state)

    def apply_action(self, state, n):
        if state[0] == 7 and self.fault == "apply":
            raise ZeroDivisionError("seven")
        return super().apply_action(state, n)

    def current_player(self, state):
        return 9 if state[0] == 7 and self.fault == "player" else state[1]

    def returns(self, state):
        return {"count": (1, 0, 0), "range": (2.0, -2.0), "nan": (float("nan"), 0)}.get(
            self.fault, super().returns(state)
        )


FAULTS = {
    "raises": "the rules of Faulty raised KeyError: 'seven'",
    "apply": "the rules of Faulty raised ZeroDivisionError: seven",
    "none": "gave no legal action in a state that is not terminal",
    "unhashable": r"the action \[1\] of Faulty cannot be hashed",
    "player": "current_player gave 9; accepted: 0 to 1",
    "count": "returns gave 3 utilities, but there are 2 players",
    "range": "returns gave 2; utilities are from -1 to 1",
    "nan": "returns gave nan; utilities are from -1 to 1",
}
SEARCHES = {
    "mcts": lambda p: engine("mcts(simulations=500)").search(p, seed=1),
    "rave": lambda p: engine("mcts(select=rave(), simulations=500)").search(p, seed=1),
    "minimax": lambda p: engine("minimax(depth=30)").search(p),
    "alphabeta": lambda p: engine("alphabeta(depth=30)").search(p),
    "expectiminimax": lambda p: engine("expectiminimax(depth=30)").search(p),
    "maxn": lambda p: engine("maxn(depth=30)").search(p),
    "paranoid": lambda p: engine("paranoid(depth=30)").search(p),
    "best_reply": lambda p: engine("best_reply(depth=30)").search(p),
    "exact": lambda p: solve(p, method="alphabeta"),
    "proof": lambda p: solve(p, method="proof-number"),
    "iteration": lambda p: solve(p, method="value-iteration"),
    "perft": lambda p: perft(p, 12),
}


@pytest.mark.parametrize("search", list(SEARCHES))
@pytest.mark.parametrize("fault", list(FAULTS))
def test_a_fault_in_the_rules_ends_every_search_with_its_own_words(search, fault):
    if (search, fault) in {("perft", "count"), ("perft", "range"), ("perft", "nan")}:
        pytest.skip("perft asks for no utilities")
    with pytest.raises(GameError, match=FAULTS[fault]):
        SEARCHES[search](position(Faulty(fault)))
    assert (
        engine("minimax").search(position(Countdown()), depth=9).value == 1
    )  # nothing is left behind


@pytest.mark.parametrize("search", ["mcts", "alphabeta", "minimax", "exact", "perft"])
def test_ctrl_c_in_the_rules_is_not_lost(search):
    with pytest.raises(KeyboardInterrupt):
        SEARCHES[search](position(Faulty("interrupt")))
