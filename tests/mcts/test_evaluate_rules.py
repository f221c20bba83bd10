"""Evaluate rules against arithmetic and against rules that must give the same."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest

from ponder import MCTS, GameError, InputError, Position, engine, position
from ponder.core.rng import new_rng
from ponder.evaluate import Blend, Cutoff, Decisive, EpsilonRollout, Mast, Rollout, Static
from ponder.games.tree import tree_game
from ponder.jit import kernel
from ponder.mcts.assembly import node_types
from ponder.mcts.evaluate.decisive import DecisiveMoves
from ponder.mcts.evaluate.rollout import MastMoves
from ponder.mcts.parts import parts_of
from ponder.mcts.run import new_store, new_work
from ponder.mcts.search import simulate
from reference.naive_tictactoe import NaiveTicTacToe


def tree(nested: Any, players: int = 2) -> Position:
    return Position(tree_game(nested, players))


# ------------------------------------------------------------------ what fits


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("epsilon_rollout(epsilon=1.5)", "epsilon is a probability"),
        ("mast(epsilon=-1)", "epsilon is a probability"),
        ("cutoff(plies=-1)", "plies must be 0 or more"),
        ("blend(weight=2)", "weight is the share"),
        ("blend(evaluate=ucb1())", "ucb1 is a select rule, not an evaluate rule"),
        ('probed(table="")', "table names a file"),
        ("probed()", "probed needs table"),
        ('function(call="nothing", batch=0)', "batch must be 1"),
        ("function(call=3)", "call must be a function"),
        ('function(call="x", virtual_loss=2)', "virtual_loss must be from 0 to 1"),
    ],
)
def test_parameters_out_of_range_are_refused(text, said):
    with pytest.raises(InputError, match=said):
        engine(f"mcts(evaluate={text})")


@pytest.mark.parametrize(
    "text",
    [
        "epsilon_rollout(epsilon=0.3)",
        "mast(epsilon=0.2)",
        "decisive(anti=False)",
        "cutoff(plies=4, epsilon=0.5)",
        "blend(weight=0.25, evaluate=mast(epsilon=0.2))",
        "probed(table='tables', evaluate=decisive())",
    ],
)
def test_rules_are_written_as_they_are_read(text):
    from ponder.core.registry import part_text

    assert part_text(engine(f"mcts(evaluate={text})")) == f"mcts(evaluate={text})"


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (EpsilonRollout(), "rollout_action"),
        (Static(), "evaluate"),
        (Cutoff(), "evaluate"),
        (Blend(), "evaluate"),
    ],
)
def test_a_game_without_the_hook_is_refused(rule, said):
    with pytest.raises(InputError, match=f"needs a game with {said}, which TicTacToe lacks"):
        MCTS(evaluate=rule).search(position("tictactoe"), simulations=1)


def test_a_cutoff_by_the_games_own_moves_needs_such_moves():
    with pytest.raises(InputError, match="rollout_action"):
        MCTS(evaluate=Cutoff(epsilon=0.5)).search(position("breakthrough(5, 5)"), simulations=1)


@pytest.mark.parametrize("rule", [EpsilonRollout(), Cutoff(), Blend()])
def test_plain_python_games_without_the_hook_are_refused(rule):
    with pytest.raises(InputError, match="which NaiveTicTacToe lacks"):
        MCTS(evaluate=rule).search(Position(NaiveTicTacToe()), simulations=1)


# ------------------------------------------------------------------ the same by another name


def searched(rule, game="connect4", simulations=300):
    return MCTS(evaluate=rule).search(position(game), simulations=simulations, seed=5)


@pytest.mark.plain
def test_a_blend_of_weight_one_is_the_rule_inside_and_of_weight_zero_is_static():
    static = searched(Static())
    assert searched(Blend(weight=1.0)).moves == searched(Rollout()).moves
    # the rollouts are made all the same, so that random numbers differ: values do not
    assert searched(Blend(weight=0.0, evaluate=Static())).moves == static.moves


def test_a_blend_of_one_half_lies_half_way():
    # one simulation: one leaf, whose static value and rollout are known from the two rules
    game = position("connect4").play_all("3 3 4 4 5")  # two open ends, one of them remains
    static, rollout, blend = (
        MCTS(evaluate=rule).search(game, simulations=1, seed=9).value
        for rule in (Static(), Rollout(), Blend(weight=0.25))
    )
    assert blend == pytest.approx(0.75 * static + 0.25 * rollout, abs=1e-15)
    assert static not in (0.0, rollout)


@pytest.mark.plain
def test_a_cutoff_at_once_is_static_and_a_late_one_reaches_the_end():
    assert searched(Cutoff(plies=0)).moves == searched(Static()).moves
    ended = searched(Cutoff(plies=42), simulations=50)
    assert all(float(row.value * row.visits).is_integer() for row in ended.moves)


# ------------------------------------------------------------------ values that cannot be


class Loud(NamedTuple):
    """One move to the end; its evaluation is whatever it is told."""

    said: float = 0.0
    nothing: bool = False  # not a number instead
    endless: bool = False  # infinity instead

    def spec(self):
        from ponder.core.game import Spec, record

        return Spec(1, 2, 3, record(ply="i4"), lowest=0.0, highest=1.0)

    def start(self, s):
        s.ply = 0

    def current_player(self, s):
        return 0

    def legal_actions(self, s, out):
        out[0], out[1] = 0, 1
        return 2

    def apply_action(self, s, a):
        s.ply += 1

    def is_terminal(self, s):
        return s.ply >= 3

    def returns(self, s, out):
        out[0] = 1.0

    def evaluate(self, s, out):
        out[0] = np.nan if self.nothing else np.inf if self.endless else self.said


@pytest.mark.plain
@pytest.mark.parametrize(
    "game", [Loud(nothing=True), Loud(endless=True), Loud(-0.001), Loud(1.001)]
)
def test_an_evaluation_outside_the_range_of_utilities_is_an_error_that_names_the_rule(game):
    # the range is 0 to 1; both ends are accepted
    assert MCTS(evaluate=Static()).search(Position(Loud(1.0)), simulations=9).value == 1.0
    loud = Position(game)
    for rule, name in ((Static(), r"static\(\)"), (Cutoff(plies=1), r"cutoff\(plies=1\)")):
        with pytest.raises(GameError, match=rf"{name} gave Loud a value that is not a number from"):
            MCTS(evaluate=rule).search(loud, simulations=9)


# ------------------------------------------------------------------ MAST


@pytest.mark.plain
def test_mast_keeps_the_mean_utility_of_simulations_with_an_action():
    # two moves each: 0 and 1 are the numbers of the actions of both players
    win, draw, loss = {"returns": [1, -1]}, {"returns": [0, 0]}, {"returns": [-1, 1]}
    start = tree([[win, draw], [loss, win]])
    rules = start.rules
    parts = parts_of(MCTS(evaluate=Mast(epsilon=1.0)), start)
    store = new_store(node_types(parts, rules.spec), rules.spec, 1.0)
    work = new_work(parts, rules.spec, start)
    rng = new_rng(7)
    sums, counts = np.zeros((2, 2)), np.zeros((2, 2))
    outcome = {(0, 0): 1, (0, 1): 0, (1, 0): -1, (1, 1): 1}
    for _ in range(40):
        simulate(rules.part, parts, store.tree, work, rng, 1, True)
        length = int(work.trace.length[0])
        assert work.trace.players[:length].tolist() == [0, 1]
        a, b = work.trace.actions[:2].tolist()
        sums[0, a] += outcome[a, b]
        sums[1, b] -= outcome[a, b]
        counts[0, a] += 1
        counts[1, b] += 1
    table = work.memory.evaluate
    assert table.counts.tolist() == counts.tolist()
    assert table.sums.tolist() == sums.tolist()
    assert (work.trace.first == -1).all()


@kernel
def _mast_move(moves, game, work, rng):
    return moves.action(game, work.states[1], work, rng)


@pytest.mark.plain
def test_mast_plays_the_best_average_and_what_it_does_not_know_before_that():
    start = position("tictactoe")
    parts = parts_of(MCTS(evaluate=Mast()), start)
    work = new_work(parts, start.rules.spec, start)
    table = work.memory.evaluate
    table.counts[:] = 2
    table.sums[0] = [0, 0, 0, 1.5, 0, 0, -1, 0, 0]
    table.sums[1] = [0, 0, 0, 0, 0, 2, 0, 0, 0]
    rng = new_rng(3)

    def played(epsilon: float) -> list[int]:
        return [_mast_move(MastMoves(epsilon), start.rules.part, work, rng) for _ in range(900)]

    assert set(played(0.0)) == {3}
    # epsilon 0.4: one of nine moves is the best one by chance as well
    share = played(0.4).count(3) / 900
    expected = 0.6 + 0.4 / 9
    assert abs(share - expected) < 4 * math.sqrt(expected * (1 - expected) / 900)
    table.counts[0, 8] = table.counts[0, 2] = 0
    found = played(0.0)
    assert set(found) == {2, 8}
    assert abs(found.count(2) - 450) < 4 * math.sqrt(900 / 4)


# ------------------------------------------------------------------ decisive moves


def wins_at_once(here: Position) -> set[Any]:
    """The actions that end the game with a win for the mover, by trying them."""
    mover = here.current_player
    after = {action: here.play(action) for action in here.legal_actions}
    return {a for a, p in after.items() if p.is_terminal and p.returns[mover] == 1.0}


@pytest.mark.plain
@pytest.mark.parametrize(
    "name",
    ["tictactoe", "connect4", "connect4(5, 4, run=3, players=3)", "breakthrough(5, 5)"],
)
def test_the_winning_action_of_a_game_is_one_that_wins_and_missing_only_where_none_does(name):
    dice = random.Random(1)
    seen = [0, 0]
    for _ in range(60):
        here = position(name)
        while not here.is_terminal:
            part, record = here.rules.part, here.raw_state[0]
            out = np.zeros(here.rules.spec.max_actions, np.int32)
            found, wins = part.winning_action(record, out), wins_at_once(here)
            assert found in wins if wins else found == -1
            seen[bool(wins)] += 1
            here = here.play(dice.choice(here.legal_actions))
    assert min(seen) > 20


class Untold(NamedTuple):
    """Tic-tac-toe that does not tell its winning moves."""


def _untold() -> None:
    from ponder.games.tictactoe import TicTacToe
    from ponder.jit import methods_of

    for name, method in methods_of(TicTacToe).items():
        if name != "winning_action":
            setattr(Untold, name, method)


_untold()


@kernel
def _decisive_move(moves, game, work, rng):
    return moves.action(game, work.states[1], work, rng)


@pytest.mark.plain
@pytest.mark.parametrize("game", [position("tictactoe").game, Untold()])
def test_decisive_playouts_neither_miss_a_win_nor_allow_one(game):
    def played(text: str, anti: bool) -> set[int]:
        start = Position.parse(game, text)
        parts = parts_of(MCTS(evaluate=Decisive(anti)), start)
        work = new_work(parts, start.rules.spec, start)
        moves, rng = DecisiveMoves(*parts.evaluate), new_rng(1)
        return {_decisive_move(moves, start.rules.part, work, rng) for _ in range(100)}

    assert played("xx./oo./...", True) == played("xx./oo./...", False) == {2}  # x wins
    assert played("xx./o../...", True) == {2}  # o must answer
    assert played("xx./o../...", False) == {2, 4, 5, 6, 7, 8}
    assert played("xox/.o./...", True) == {7}  # x has no win, and must answer
    assert played("xx./.o./x.o", True) == {2, 3, 5, 7}  # two threats, nothing helps: any move
    assert len(played("xx./xo./o..", True)) == 1  # o wins at c1


@pytest.mark.parametrize("game", [position("tictactoe").game, Untold()])
def test_a_leaf_is_lost_where_the_next_player_can_win_at_once(game):
    start = Position.parse(game, "xx./oo./...")
    result = MCTS(evaluate=Decisive()).search(start, simulations=5, seed=1)
    values = {row.name: row.value for row in result.moves}
    assert values.pop("c1") == 1.0  # wins
    assert values.pop("c2") in (-1.0, 0.0, 1.0)  # blocks
    assert set(values.values()) == {-1.0}


def test_wins_are_found_alike_whether_the_game_tells_them_or_not():
    told, untold = (
        MCTS(evaluate=Decisive()).search(Position(game), simulations=400, seed=2)
        for game in (position("tictactoe").game, Untold())
    )
    # which of several wins is played may differ, what they are worth does not
    assert told.moves == untold.moves


# ------------------------------------------------------------------ plain mode

SEARCHES = """
from ponder import engine, position
for rule, game in (
    ("decisive()", "tictactoe"),
    ("cutoff(plies=3)", "connect4"),
    ("mast()", "tictactoe"),
    ("static()", "connect4"),
):
    result = engine(f"mcts(evaluate={rule})").search(position(game), simulations=40, seed=3)
    print([(row.action, row.visits, row.value) for row in result.moves])
"""


def test_plain_mode_gives_the_same():
    said = []
    for plain in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": plain}
        command = [sys.executable, "-W", "error", "-c", SEARCHES]
        said.append(subprocess.check_output(command, env=environment, text=True))
    assert said[0] == said[1]
    assert len(said[0].splitlines()) == 4
