"""Plain minimax, and all classical searches on every registered game, against the reference."""

from __future__ import annotations

import random
import threading

import pytest
from hypothesis import given, settings

from ponder import Expectiminimax, InputError, MaxN, Minimax, Position, position
from ponder.core.game import hooks_of
from ponder.core.registry import GAMES, parse_engine
from ponder.games.tree import tree_game
from ponder.search import reference
from reference.naive_tictactoe import NaiveTicTacToe
from reference.nested_tree import nested_trees


@settings(max_examples=300)
@given(nested_trees(2, any_turns=True))
def test_minimax_is_the_reference_node_for_node(nested):
    s = Position(tree_game(nested, 2))
    if not s.is_terminal:
        found = Minimax().search(s, depth=60)
        assert (found.value, found.action, found.line, found.nodes) == reference.minimax(s)


def test_minimax_visits_the_whole_of_tic_tac_toe():
    found = Minimax().search(position("tictactoe"), depth=9)
    assert (found.value, found.nodes, found.stopped_by) == (0, 549_946, "solved")
    assert [row.value for row in found.moves] == [0] * 9


# Small parameters: those without an evaluation are searched to the end.
SMALL = {
    "go": "go(size=2)",
    "hex": "hex(size=4)",
    "nim": "nim(heaps=(1, 2, 3))",
    "pgame": "pgame(branching=2, depth=4)",
    "tictactoe": "tictactoe",
    "tree": "tree",
}


def some_positions(game: str, n: int, widest: int) -> list[Position]:
    """Positions of random games in which a player has at most `widest` moves."""
    rng = random.Random(game)
    found: list[Position] = []
    for _ in range(200):
        here = position(game)
        for _ in range(rng.randrange(12)):
            if not here.is_terminal:
                here = here.play(rng.choice(here.legal_actions))
        if not (here.is_terminal or here.is_chance) and len(here.legal_actions) <= widest:
            found.append(here)
        if len(found) == n:
            break
    return found


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_searches_agree_with_the_reference_on_every_game(name):
    has_estimate = "evaluate" in hooks_of(position(name).game)
    game = SMALL.get(name, name)
    depth, widest = (2, 100) if has_estimate else (60, 6)
    positions = some_positions(game, 2, widest)
    assert positions, f"{name}: nothing small enough to compare"
    for here in positions:
        everybody = reference.max_n(here, depth)
        found = MaxN().search(here, depth=depth)
        assert found.values == pytest.approx(everybody.values, abs=1e-9)
        assert (found.action, found.nodes) == (everybody.action, everybody.nodes)
        if here.players > 2 or (here.players == 2 and not here.rules.spec.zero_sum):
            continue
        wanted = reference.expectiminimax(here, depth)
        for pruning in ("none", "star1", "star2"):
            value = Expectiminimax(pruning=pruning).search(here, depth=depth).value
            assert value == pytest.approx(wanted.value, abs=1e-9)


# ------------------------------------------------------------------ plain Python games


def test_plain_and_compiled_tic_tac_toe_give_the_same():
    moves = [4, 0, 1]
    plain = Position(NaiveTicTacToe()).play_all(moves)
    wanted = reference.minimax(plain)
    for engine in (Minimax(), Expectiminimax(pruning="none"), Expectiminimax()):
        found = engine.search(plain, depth=9)
        assert (found.value, found.action) == (wanted.value, wanted.action)
    assert Minimax().search(plain, depth=9).nodes == wanted.nodes
    assert Expectiminimax().search(plain, depth=9).nodes < wanted.nodes


# ------------------------------------------------------------------ limits


def test_limits_of_nodes_and_time_end_a_search_with_a_move():
    here = position("connect4")
    found = Expectiminimax().search(here, nodes=5000)
    assert found.stopped_by == "nodes"
    assert found.nodes <= 5001
    assert found.action in here.legal_actions
    assert Minimax().search(here, seconds=0.05).stopped_by == "seconds"
    plain = Minimax().search(Position(NaiveTicTacToe()), nodes=2000)
    assert plain.stopped_by == "nodes"
    assert plain.notes


def test_a_stop_from_outside_ends_a_search():
    stop = threading.Event()
    stop.set()
    assert Minimax().search(position("connect4"), depth=12, stop=stop).stopped_by == "stop"


def test_progress_is_told_after_every_depth():
    seen = []
    Expectiminimax().search(position("connect4"), depth=4, progress=seen.append)
    assert [p.depth for p in seen][-1] == 4
    assert seen[-1].nodes > 0


@pytest.mark.parametrize(
    "text",
    [
        "minimax(depth=3)",
        "maxn(depth=2, pruning=True)",
        "expectiminimax(depth=3, memory=16.0, pruning='star1')",
        "paranoid(depth=2)",
        "best_reply(depth=2)",
    ],
)
def test_engines_are_named_by_text(text):
    found = parse_engine(text).search(position("connect4"))
    assert found.engine == text
    assert found.stopped_by == "depth"


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: Minimax().search(position("pig"), depth=2), "use expectiminimax"),
        (lambda: Minimax().search(position("pig(players=3)"), depth=2), r"use maxn\(\)"),
        (lambda: Expectiminimax().search(position("pig(players=3)"), depth=2), r"maxn\(\) or para"),
        (lambda: Minimax().search(position("tictactoe"), depth=3), "no evaluate.*mcts"),
        (lambda: Minimax().search(Position(NaiveTicTacToe()), depth=3), "no evaluate.*mcts"),
        (
            lambda: Minimax().search(position("tree"), memory=5),
            "limited by seconds, nodes and depth",
        ),
        (lambda: parse_engine("expectiminimax(pruning='star3')"), "none, star1, star2"),
        (lambda: parse_engine("expectiminimax(memory=5, table=False)"), "table is off"),
        (lambda: parse_engine("minimax(depth=0)"), "depth must be"),
    ],
)
def test_what_a_search_cannot_do_it_says(call, complaint):
    with pytest.raises(InputError, match=complaint):
        call()
