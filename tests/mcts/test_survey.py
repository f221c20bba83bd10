"""The survey's pseudo-code to the letter: BESTCHILD, UCTSEARCH and BACKUPNEGAMAX."""

from __future__ import annotations

import math

import pytest

from ponder import MCTS, InputError, position
from ponder.backup import Negamax
from ponder.core.parts import canonical
from ponder.core.registry import parse_engine, part_text
from ponder.mcts.why import why
from ponder.presets import uct_search
from ponder.select import BestChild

pytestmark = pytest.mark.plain
TWICE = 'tree({"moves": {"again": {"player": 0, "moves": [5, 4]}, "stop": 2}})'
"""Player 0 may move twice in a row, for 5."""


def uct_by_hand(values, simulations, cp, width):
    """Visits of the root's moves, all of which end the game: the pseudo-code, on lists."""
    n, q = [0] * len(values), [0.0] * len(values)
    for total in range(simulations):
        if 0 in n:
            move = n.index(0)
        else:
            move = max(
                range(len(values)),
                key=lambda i: q[i] / n[i] + cp * width * math.sqrt(2 * math.log(total) / n[i]),
            )
        n[move] += 1
        q[move] += values[move]
    return n


@pytest.mark.parametrize("simulations", [3, 10, 57, 200, 1000])
@pytest.mark.parametrize("cp", [1 / math.sqrt(2), 0.25])
def test_visits_are_those_of_the_pseudo_code(simulations, cp):
    values = (1.0, 0.53, -0.21, 0.11, -1.0)  # a range of 2, and no ties
    start = position(f"tree({list(values)}, players=1)")
    result = uct_search(cp=cp).search(start, simulations=max(simulations, 5), seed=3)
    wanted = uct_by_hand(values, max(simulations, 5), cp, 2.0)
    assert {row.action: row.visits for row in result.moves} == dict(enumerate(wanted))


def test_the_root_counts_its_simulations_and_other_nodes_their_visits():
    tree = uct_search().search(position("tictactoe"), simulations=200, seed=1).tree
    for reason in why(tree):
        assert reason.numbers["N"] == 200
        # 1/sqrt(2) * sqrt(2 ln N / n), rewards from -1 to 1 counting as twice those from 0 to 1
        assert reason.terms["exploration"] == pytest.approx(
            2 * math.sqrt(math.log(200) / reason.visits)
        )
    busiest = max(tree.root.children, key=lambda child: child.visits)
    for reason in why(tree, busiest):
        assert reason.numbers["N"] == busiest.visits


def test_the_best_mean_is_returned():
    for seed in range(5):
        result = uct_search().search(position("tictactoe"), simulations=60, seed=seed)
        best = max(row.value for row in result.moves if row.visits)
        assert result.value == best


def test_the_preset_is_its_parts():
    made = parse_engine("uct_search()")
    assert part_text(made) == "mcts(select=best_child(), decide=highest_value())"
    with pytest.raises(InputError, match="cp is a parameter of the select that was replaced"):
        parse_engine("uct_search(cp=1, select=ucb1())")
    with pytest.raises(InputError, match="cp of best_child must be 0 or more, not -1"):
        canonical(BestChild(-1))


# ------------------------------------------------------------------ backup negamax


ALTERNATING = ("tictactoe", "connect4(columns=5, rows=4)", "nim", "breakthrough")


@pytest.mark.parametrize("game", ALTERNATING)
def test_negamax_is_the_mean_where_players_alternate(game):
    def nodes(backup):
        engine = MCTS(backup=backup) if backup else MCTS()
        tree = engine.search(position(game), simulations=300, seed=2).tree
        return tree._store.nodes[["visits", "value", "action", "player"]].tolist()

    general, turned = nodes(None), nodes(Negamax())
    assert turned == general  # N and Q of every node, and so every choice
    assert len(general) > 50


def test_negamax_turns_two_moves_in_a_row_the_wrong_way_round():
    start = position(TWICE)
    right, wrong = (
        MCTS(backup=backup).search(start, simulations=200, seed=1)
        for backup in (MCTS().backup, Negamax())
    )
    assert start.action_name(right.action) == "again"
    assert right.value == pytest.approx(5, abs=0.5)
    assert start.action_name(wrong.action) == "stop"
    again = next(row for row in wrong.moves if row.name == "again")
    assert -5 <= again.value <= -3  # the 5 and the 4, as if the other player had them


@pytest.mark.parametrize("game", ["twenty48", "connect4(players=3)"])
def test_negamax_is_for_two_players(game):
    with pytest.raises(InputError, match="two players with opposite interests"):
        MCTS(backup=Negamax()).search(position(game), simulations=1)
    with pytest.raises(InputError, match="leave out transpositions"):
        MCTS(backup=Negamax(), transpositions=True).search(position("nim"), simulations=1)
