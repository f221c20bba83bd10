"""What the solver proves, against exhaustive search: never anything wrong, and in the end all."""

from __future__ import annotations

import random

import pytest

from plain_games import Countdown
from ponder import MCTS, Position, position
from ponder.backup import Max, Mix, Solver
from ponder.games.tree import tree_game
from ponder.search.reference import expectiminimax, max_n, minimax
from ponder.select import UCB1
from reference.whole_game import solve_all

SOLVER = MCTS(backup=Solver())
TRYING = MCTS(backup=Solver(wins="tried"))  # trees tell no winning moves


def proofs(result):
    """Every node with a position and its bounds, one (low, high) a player."""
    store = result.tree._store
    for node in result.tree.walk(least_visits=1):
        record = store.nodes[node.index]
        yield node, tuple(zip(record.low.tolist(), record.high.tolist(), strict=True))


def random_tree(rng, depth, chance=0.0, players=2, values=(-2, -1, 0, 1, 2)):
    """Nested decisions (and dice), leaves at any depth below the root."""
    if depth == 0 or (rng.random() < 0.15 and depth < 4):
        if players == 2:
            return rng.choice(values)
        return {"returns": [rng.choice(values) for _ in range(players)]}
    below = [random_tree(rng, depth - 1, chance, players, values) for _ in range(rng.randint(1, 3))]
    if rng.random() < chance:
        return {"chance": [[f"1/{len(below)}", node] for node in below]}
    return below


def rooted(rng, depth, **options):
    """The same with two or three decisions at the root."""
    return [random_tree(rng, depth - 1, **options) for _ in range(rng.randint(2, 3))]


# ------------------------------------------------------------------ two players


@pytest.mark.parametrize("wins", ["known", "none"])
def test_tic_tac_toe_is_proven_a_draw(wins):
    engine = MCTS(backup=Solver(wins=wins))
    result = engine.search(position("tictactoe"), simulations=1_000_000, seed=1)
    assert result.stopped_by == "solved"
    assert result.simulations < 1_000_000
    assert result.values == (0.0, 0.0)
    assert max(row.low for row in result.moves) == 0.0
    assert result.moves[0].proven == 0.0


def test_every_proof_in_a_tree_of_tic_tac_toe_is_right():
    known = solve_all(position("tictactoe"))
    result = SOLVER.search(position("tictactoe"), simulations=1_000_000, seed=2)
    exact = 0
    nodes = list(proofs(result))
    for node, bounds in random.Random(1).sample(nodes, 1500):
        (low, high), (other_low, other_high) = bounds
        value = known[node.position.key].value
        assert low <= value <= high, node.position
        assert other_low <= -value <= other_high, node.position
        exact += low == high
    assert exact > 300


def test_the_proven_value_of_every_position_of_tic_tac_toe_is_minimax():
    known = solve_all(position("tictactoe"))
    undecided = [k for k in known.values() if not k.position.is_terminal]
    late = [k for k in undecided if len(k.position.legal_actions) <= 3]
    early = [k for k in undecided if len(k.position.legal_actions) > 3]
    for k in late + random.Random(3).sample(early, 300):
        result = SOLVER.search(k.position, simulations=1_000_000, seed=1)
        assert result.stopped_by == "solved", k.position
        assert result.values == (k.value, -k.value), k.position
        assert result.action in k.best, k.position


@pytest.mark.parametrize("columns", [3, 4])
def test_small_boards_of_connect_four_are_solved(columns):
    start = position(f"connect4(columns={columns}, rows=4, run=3)")
    truth = solve_all(start)[start.key]
    result = SOLVER.search(start, simulations=2_000_000, seed=1)
    assert result.stopped_by == "solved"
    assert result.values == (truth.value, -truth.value)
    assert result.action in truth.best


def test_proven_moves_are_shown_with_their_bounds():
    # x to move wins at once with c1
    start = position("tictactoe").play_all("a1 a2 b1 b2")
    result = SOLVER.search(start, simulations=1_000, seed=1)
    assert result.best_move.name == "c1"
    assert result.moves[0].proven == 1.0
    assert result.stopped_by == "solved"
    assert "proven" in str(result)
    assert result.to_json()["moves"][0]["low"] == 1.0
    assert "proven" not in str(MCTS().search(start, simulations=10, seed=1))


# ------------------------------------------------------------------ random trees


@pytest.mark.parametrize("engine", [SOLVER, TRYING])
def test_two_hundred_random_trees_are_solved_exactly(engine):
    rng = random.Random(5)
    for _ in range(200):
        s = Position(tree_game(rooted(rng, 5)))
        result = engine.search(s, simulations=20_000, seed=1)
        exact = minimax(s).value
        assert result.stopped_by == "solved", s.game
        assert result.values == (exact, -exact), s.game
        for row in result.moves:
            assert row.low <= minimax(s.play(row.action), player=0).value <= row.high, s.game


@pytest.mark.parametrize("engine", [SOLVER, TRYING])
def test_nothing_wrong_is_proven_in_two_hundred_random_trees_with_chance(engine):
    rng = random.Random(6)
    settled = 0
    for i in range(200):
        s = Position(tree_game(rooted(rng, 5, chance=0.3)))
        result = engine.search(s, simulations=(20, 100, 1000)[i % 3], seed=i)
        for node, bounds in proofs(result):
            value = expectiminimax(node.position, player=0).value
            assert bounds[0][0] - 1e-12 <= value <= bounds[0][1] + 1e-12, s.game
            assert bounds[1][0] - 1e-12 <= -value <= bounds[1][1] + 1e-12, s.game
            settled += node.is_expanded and bounds[0][0] == bounds[0][1]
    assert settled > 500  # inner nodes: it proves something, too


def test_utilities_that_need_all_their_digits_are_proven_exactly():
    rng = random.Random(7)
    values = (0.1, 0.2, 0.3, 1 / 3, 0.1 + 0.2, -0.7)  # 0.3 and 0.1 + 0.2 differ in the last bit
    for _ in range(50):
        s = Position(tree_game(rooted(rng, 4, values=values)))
        result = SOLVER.search(s, simulations=5_000, seed=1)
        assert result.stopped_by == "solved", s.game
        assert result.values[0] == minimax(s).value, s.game


@pytest.mark.parametrize("wins", ["none", "tried"])
@pytest.mark.parametrize("simulations", [50, 2_000])
def test_nothing_wrong_is_proven_for_three_players(simulations, wins):
    # values that differ: with ties max^n has several answers
    rng, solved = random.Random(8), 0
    for i in range(60):
        numbers = rng.sample(range(-1000, 1000), 400)

        def unique(node, numbers=numbers):
            if isinstance(node, dict):
                return {"returns": [numbers.pop() for _ in range(3)]}
            return [unique(below) for below in node]

        s = Position(tree_game(unique(rooted(rng, 4, players=3)), players=3))
        engine = MCTS(select=UCB1(c=0.5), backup=Solver(wins=wins))
        result = engine.search(s, simulations=simulations, seed=i)
        for node, bounds in proofs(result):
            for (low, high), value in zip(bounds, max_n(node.position).values, strict=True):
                assert low <= value <= high, s.game
        if result.stopped_by == "solved":
            solved += 1
            assert result.values == max_n(s).values, s.game
        elif simulations == 2_000:
            # Somebody is sure of the highest utility of all, goes there, and does not ask what a
            # tie with it would mean for the others.
            top = (s.rules.spec.highest,) * 2
            assert any(
                node.is_expanded
                and bounds[node.position.current_player] == top
                and any(low < high for low, high in bounds)
                for node, bounds in proofs(result)
            ), s.game
    assert solved > (40 if simulations == 2_000 else 10)


def every_max_n_value(s, known):
    """All vectors that max^n can give, whichever of equal moves is taken."""
    if s.key not in known:
        if s.is_terminal:
            known[s.key] = {s.returns}
        else:
            mover = s.current_player
            below = [every_max_n_value(s.play(a), known) for a in s.legal_actions]
            floor = max(min(v[mover] for v in vectors) for vectors in below)
            known[s.key] = {v for vectors in below for v in vectors if v[mover] >= floor}
    return known[s.key]


@pytest.mark.parametrize("wins", ["none", "known", "tried"])
def test_proofs_of_three_player_connect_four_hold_however_ties_are_broken(wins):
    start = position("connect4(columns=3, rows=3, run=3, players=3)")
    known = {}
    every_max_n_value(start, known)
    engine = MCTS(backup=Solver(wins=wins))
    result = engine.search(start, simulations=20_000, seed=1)
    exact = 0
    for node, bounds in proofs(result):
        for vector in known[node.position.key]:
            for (low, high), value in zip(bounds, vector, strict=True):
                assert low <= value <= high, node.position
        exact += node.is_expanded and all(low == high for low, high in bounds)
    assert exact > 100


# ------------------------------------------------------------------ wins at once


def threatened():
    """x has a1 and b1, o has a2 and b2 and, after x's next move, wins with c2."""
    return position("tictactoe").play_all("a1 a2 c3 b2")


@pytest.mark.parametrize("wins", ["known", "tried"])
def test_a_leaf_that_is_won_at_once_is_proven_by_its_first_visit(wins):
    start = threatened()
    result = MCTS(backup=Solver(wins=wins)).search(start, simulations=5, seed=1)
    assert [row.visits for row in result.moves] == [1] * 5
    # all moves but c2 let o complete the middle row; b1 and c1 leave x no line of its own either
    for row in result.moves:
        assert row.proven == (None if row.name == "c2" else -1.0), row.name
        assert row.value == -1.0 or row.name == "c2"
    for node in result.tree.root.children:
        assert not node.is_expanded


def test_without_looking_the_winning_answer_has_to_be_tried():
    result = MCTS(backup=Solver(wins="none")).search(threatened(), simulations=5, seed=1)
    assert all(row.proven is None for row in result.moves)


def test_only_games_that_tell_their_wins_are_asked_for_them():
    # both moves of player 0 let player 1 win at once, by the second of two moves
    s = Position(tree_game([[0, -1], [1, -1]]))
    told = SOLVER.search(s, simulations=2, seed=1)
    tried = TRYING.search(s, simulations=3, seed=1)
    assert all(row.proven is None for row in told.moves)
    assert all(row.proven == -1.0 for row in tried.moves)
    assert (tried.simulations, tried.stopped_by) == (2, "solved")
    assert tried.values == (-1.0, 1.0)


def test_what_is_not_the_highest_utility_of_all_is_no_win():
    # player 1 gets 1 at best on the left, where 2 is to be had elsewhere
    s = Position(tree_game([[0, -1], [2, -2]]))
    left, right = sorted(
        TRYING.search(s, simulations=2, seed=1).tree.root.children, key=lambda c: c.action
    )
    bounds = {node.index: pair for node, pair in proofs(TRYING.search(s, simulations=2, seed=1))}
    assert bounds[left.index] == ((-2.0, 2.0), (-2.0, 2.0))
    assert bounds[right.index] == ((-2.0, -2.0), (2.0, 2.0))


def test_of_three_players_only_the_winner_is_sure():
    # Player 1 wins at once with either move; what that leaves to the others is open.
    either = [{"returns": [-1, 1, 0]}, {"returns": [0, 1, -1]}]
    s = Position(tree_game([either, {"returns": [0, 0, 0]}], players=3))
    result = TRYING.search(s, simulations=2, seed=1)
    leaf = min(result.tree.root.children, key=lambda c: c.action)
    bounds = {node.index: pair for node, pair in proofs(result)}
    assert bounds[leaf.index] == ((-1.0, 1.0), (1.0, 1.0), (-1.0, 1.0))


def test_a_leaf_behind_dice_that_is_won_at_once_never_gets_children():
    # heads: player 1 wins at once; tails: a draw
    s = Position(tree_game([{"chance": [["1/2", [1, -1]], ["1/2", 0]]}, -1]))
    result = TRYING.search(s, simulations=500, seed=1)
    dice = max(result.tree.root.children, key=lambda c: c.visits)
    heads = min(dice.children, key=lambda c: c.action)
    assert heads.visits > 100
    assert heads.value == -1.0  # for player 0, who rolled
    assert not heads.is_expanded


def test_the_tree_of_a_proven_leaf_is_begun_anew_and_the_win_played():
    start = threatened()
    before = SOLVER.search(start, simulations=5, seed=1)
    after = start.play("b1")  # a blunder
    result = SOLVER.search(after, simulations=100, seed=1, tree=before.tree)
    assert result.best_move.name == "c2"
    assert result.stopped_by == "solved"


def test_an_evaluation_function_is_not_asked_about_leaves_that_are_won_at_once():
    asked = []

    def nothing(positions):
        asked.extend(positions)
        return [(0.0, 0.0)] * len(positions)

    MCTS(evaluate=nothing, backup=Solver()).search(threatened(), simulations=5, seed=1)
    assert [p.last_action for p in asked] == [None]  # of five children one
    assert len(asked[0].legal_actions) == 4


def test_it_looks_for_wins_with_several_threads_too():
    for parallel in ("tree", "root", "leaf"):
        engine = MCTS(backup=Solver(wins="tried"), threads=2, parallel=parallel)
        result = engine.search(position("tictactoe"), simulations=1_000_000, seed=1)
        assert result.stopped_by == "solved"
        assert result.values == (0.0, 0.0)


# ------------------------------------------------------------------ with other parts


@pytest.mark.parametrize("inner", [Max(), Mix()])
def test_any_backup_rule_may_stand_inside(inner):
    rng = random.Random(9)
    for _ in range(30):
        s = Position(tree_game(rooted(rng, 5)))
        result = MCTS(backup=Solver(inner)).search(s, simulations=50_000, seed=1)
        assert result.stopped_by == "solved", s.game
        assert result.values[0] == minimax(s).value, s.game


def test_a_search_that_is_not_finished_stays_within_what_is_proven():
    result = SOLVER.search(position("tictactoe"), simulations=3_000, seed=1)
    assert result.stopped_by == "simulations"
    for row in result.moves:
        assert row.low <= row.value <= row.high


def test_the_solver_proves_plain_python_games():
    result = SOLVER.search(Position(Countdown()), simulations=5_000, seed=1)
    assert (result.stopped_by, result.value, result.best_move.name) == ("solved", 1.0, "2")
