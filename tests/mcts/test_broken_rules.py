"""Rules that break their contract below the root end a search with one line, not the process."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from ponder import (
    MCTS,
    AlphaBeta,
    Expectiminimax,
    GameError,
    InputError,
    MaxN,
    Position,
    Spec,
    perft,
    position,
    record,
)
from ponder.jit import BOUNDS_CHECKED
from ponder.mcts.parallel import LeafParallelRun, RootParallelRun, TreeParallelRun
from ponder.mcts.run import CompiledRun
from ponder.mcts.tree import MOST_VISITS, ROOT
from ponder.search.proof_number import can_force
from ponder.search.value_iteration import value_iteration

PILE = 7
FAULTS = {
    0: "there are no legal actions in a state that is not terminal",
    1: "there are 5 actions, max_actions is 2",
    2: "action 9 is outside 0 .. 1 (distinct_actions)",
    3: "current_player gave 5, accepted: 0 to 1 and CHANCE (-1)",
}


class Faulty(NamedTuple):
    """Take 1 or 2 from a pile; something is wrong when `at` are left."""

    fault: int
    at: int = 3

    def spec(self):
        return Spec(2, 2, PILE, record(pile="i4", player="i4"))

    def start(self, s):
        s.pile = PILE

    def current_player(self, s):
        return 5 if self.fault == 3 and s.pile == self.at else s.player

    def legal_actions(self, s, out):
        out[0] = 0
        out[1] = 1
        if s.pile == self.at:
            if self.fault == 0:
                return 0
            if self.fault == 1:
                for i in range(5):
                    out[i] = i
                return 5
            if self.fault == 2:
                out[1] = 9
        return 1 if s.pile == 1 else 2

    def apply_action(self, s, a):
        s.pile -= a + 1
        s.player = 1 - s.player

    def is_terminal(self, s):
        return s.pile <= 0

    def returns(self, s, out):
        out[s.player] = -1.0
        out[1 - s.player] = 1.0


def moves_named_in(message: str) -> list[int]:
    """The moves after which the message says that the fault shows."""
    return [int(word) for word in message.split("(after ")[1].split(",")[0].rstrip(")").split()]


def assert_the_moves_lead_to_the_fault(message: str, fault: int) -> None:
    assert "\n" not in message
    assert FAULTS[fault] in message
    assert PILE - sum(move + 1 for move in moves_named_in(message)) == Faulty(fault).at


SEARCHES = {
    "mcts": lambda p: MCTS().search(p, simulations=500, seed=1),
    "two threads": lambda p: MCTS(threads=2).search(p, simulations=500, seed=1),
    "two trees": lambda p: MCTS(threads=2, parallel="root").search(p, simulations=500, seed=1),
    "two at a leaf": lambda p: MCTS(threads=2, parallel="leaf").search(p, simulations=500, seed=1),
    "alphabeta": lambda p: AlphaBeta().search(p, depth=PILE),
    "maxn": lambda p: MaxN().search(p, depth=PILE),
    "expectiminimax": lambda p: Expectiminimax().search(p, depth=PILE),
    "proof": lambda p: can_force(p, 0),
    "perft": lambda p: perft(p, 6),
    "value iteration": value_iteration,
}
UNSEEN = {("maxn", 2), ("proof", 2), ("perft", 2), ("perft", 3), ("value iteration", 2)}
"""These use neither the number of an action nor that player as an index."""


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("search", SEARCHES)
def test_a_fault_below_the_root_is_named_with_the_moves_that_lead_there(search, fault):
    if (search, fault) in UNSEEN:
        return
    with pytest.raises(GameError) as caught:
        SEARCHES[search](Position(Faulty(fault)))
    message = str(caught.value)
    if fault == 1 and BOUNDS_CHECKED:  # the third action is outside the array already
        assert "legal_actions raised IndexError: index 2 is out of bounds" in message
        message = message.replace("legal_actions raised", f"{FAULTS[1]}: legal_actions raised")
    assert_the_moves_lead_to_the_fault(message, fault)


def test_a_fault_that_only_random_moves_meet_is_named_with_all_moves():
    """The first simulations play at random from the root's children: the tree itself is sound."""
    with pytest.raises(GameError) as caught:
        MCTS().search(Position(Faulty(0, at=1)), simulations=3, seed=2)
    message = str(caught.value)
    assert FAULTS[0] in message
    assert PILE - sum(move + 1 for move in moves_named_in(message)) == 1
    assert "seed 2" in message


class Wide(NamedTuple):
    """So many moves, one after the other, and it is over."""

    moves: int

    def spec(self):
        return Spec(1, self.moves, 1, record(over="i4"))

    def start(self, s):
        s.over = 0

    def current_player(self, s):
        return 0

    def legal_actions(self, s, out):
        for i in range(self.moves):
            out[i] = i
        return self.moves

    def apply_action(self, s, a):
        s.over = 1

    def is_terminal(self, s):
        return s.over == 1

    def returns(self, s, out):
        out[0] = 0.0


def test_more_moves_than_a_node_counts_are_refused():
    with pytest.raises(InputError, match="up to 65,535 moves in a position, not 70,000"):
        MCTS().search(Position(Wide(70_000)), simulations=10, seed=1)


def test_as_many_moves_as_a_node_counts_are_all_there():
    found = MCTS().search(Position(Wide(65_535)), simulations=10, seed=1)
    assert len(found.tree._store.children(ROOT)) == 65_535


KINDS = {
    "one": (CompiledRun, {}),
    "tree": (TreeParallelRun, {"threads": 2}),
    "leaf": (LeafParallelRun, {"threads": 2, "parallel": "leaf"}),
    "root": (RootParallelRun, {"threads": 2, "parallel": "root"}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_no_root_gets_more_visits_than_can_be_counted(kind):
    make, options = KINDS[kind]
    run = make(position("tictactoe"), MCTS(**options), 1, 64.0).prepare()
    run.advance(100)
    runs = getattr(run, "runs", [run])
    runs[0].store.nodes[ROOT].visits = (
        MOST_VISITS - 50 - sum(int(other.store.nodes[ROOT].visits) for other in runs[1:])
    )
    before = run.done
    run.advance(1000)
    assert run.counted_out
    assert run.done - before == 50
    run.advance(1000)
    assert run.done - before == 50


def test_a_tree_that_was_carried_on_stops_by_itself_and_says_why():
    start = position("tictactoe")
    found = MCTS().search(start, simulations=1000, seed=1)
    children = found.tree._store.children(ROOT)
    children.visits[0] += MOST_VISITS - 10 - 1000
    found = MCTS().search(start, simulations=1000, seed=1, tree=found.tree)
    assert found.stopped_by == "visits"
    assert any("start again" in note for note in found.notes)
    assert np.iinfo(np.int32).max > found.tree._store.nodes[ROOT].visits >= MOST_VISITS
