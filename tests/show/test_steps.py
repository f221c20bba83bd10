"""A search step by step: what is told is what the search did."""

from __future__ import annotations

import re

import pytest

from ponder import MCTS, Expectiminimax, Limit, MaxN, position
from ponder.errors import InputError
from ponder.games.tree import tree_game
from ponder.presets import plain_alphabeta
from ponder.show.steps import Steps

CHANGE = re.compile(r"▸ (\S+) +(\d+) → (\d+)")


def stepped(engine, game, **limit):
    session = engine.start(position(game), seed=1, plan=Limit(**limit))
    session.run(**limit)
    return Steps(session)


def test_alpha_beta_is_told_as_enter_best_cut_leave():
    steps = stepped(plain_alphabeta(), "tree", depth=2)
    assert steps.count == 11
    assert steps.lines(7) == [
        "node 7 of 11",
        "      enter  2 1: the game is over",
        "      leave  2 1: 2",
        "    best   2: 1 is the best so far, 2",
        "    cut    2: β ≤ α: 2 ≤ 3",
        "    leave  2: ≤2",
    ]
    assert steps.lines(6)[1] == "    enter  2: MIN to move, window [3, +∞], depth 1"


def test_a_cut_behind_the_last_move_says_that_it_saves_nothing():
    """The lecture's third node: 14, 5, 2. The drawing shows no cut there."""
    last = stepped(plain_alphabeta(), "tree", depth=2).lines(11)
    assert "    cut    3: β ≤ α: 2 ≤ 3, with nothing left" in last
    assert "    leave  3: 2" in last, "all below was seen: no bound, as in the drawing"


def test_every_simulation_adds_a_visit_to_what_was_selected_and_to_nothing_else():
    """The scores before one simulation are those after the one before it."""
    steps = stepped(MCTS(), "tree", simulations=25)
    visits = dict.fromkeys("123", 0) | {steps.events(1)[0].path[0]: 1}
    for number in range(2, 26):
        lines = steps.lines(number)
        at_root = lines[2 : 2 + 4]
        (move, before, after), *more = [m.groups() for m in map(CHANGE.search, at_root) if m]
        assert not more
        assert int(after) == int(before) + 1
        path = steps.events(number)[0].path
        assert path == (move,)
        assert visits[move] == int(before)
        visits[move] = int(after)
        backed = [line for line in lines if line.startswith("  back up")]
        assert backed[-1].startswith(f"  back up   {move}  n {before} → {after}")
        assert lines[-1].split("n ")[1] == f"{number - 1} → {number}"


def test_a_simulation_has_four_phases_and_ends_where_the_game_does():
    steps = stepped(MCTS(), tree_game([[[3, 12], [8, 2]], [[4, 6], [14, 5]]]), simulations=60)
    told = {number: steps.lines(number) for number in range(1, 61)}
    phases = {n: {line.split()[0] for line in lines[1:]} for n, lines in told.items()}
    assert {"select", "expand", "simulate"} <= phases[3]
    over = [n for n, lines in told.items() if any("(the game is over)" in one for one in lines)]
    assert over
    for number, lines in told.items():
        (leaf,) = (event for event in steps.events(number) if event.kind == "evaluated")
        played = any("(played to the end)" in line for line in lines)
        # three moves make a game: what was not selected is played
        assert len(leaf.path) + len(leaf.facts.get("moves", ())) == 3
        assert played == (len(leaf.path) < 3) == (number not in over)


def test_moves_after_dice_are_not_told():
    dice = tree_game([{"chance": [[0.5, [2, 4]], [0.5, [6, 1]]]}, [3, 5]])
    steps = stepped(MCTS(), dice, simulations=20)
    for number in range(1, 21):
        (leaf,) = (event for event in steps.events(number) if event.kind == "evaluated")
        assert ("moves" in leaf.facts) == (leaf.path == ("2",))


def test_chance_and_several_players_are_told_too():
    dice = tree_game([{"chance": [[0.5, 2], [0.5, 6]]}, 3], players=1)
    assert "chance" in " ".join(stepped(Expectiminimax(), dice, depth=3).lines(2))
    three = tree_game([{"returns": [1, 2, 3]}, {"returns": [3, 2, 1]}], players=3)
    assert any("(3, 2, 1)" in line for line in stepped(MaxN(), three, depth=2).lines(3))


def test_a_step_that_is_none_and_a_search_that_tells_nothing_are_refused():
    steps = stepped(plain_alphabeta(), "tree", depth=2)
    with pytest.raises(InputError, match="nodes from 1 to 11, not 12"):
        steps.lines(12)
    with pytest.raises(InputError, match="reports no events"):
        Steps(MCTS(threads=2).start(position("tree")))
