"""Every select rule gives its reasons, and they are those by which it selects."""

from __future__ import annotations

import pytest

from ponder import MCTS, position
from ponder.core.registry import parse_engine
from ponder.mcts.evaluate.function import Function
from ponder.mcts.expand import AllChildren
from ponder.mcts.priors import GivenPriors
from ponder.mcts.select.puct import PUCT
from ponder.mcts.why import why

START = position("tictactoe")


def searched(engine, simulations=300, **more):
    return parse_engine(engine).search(START, simulations=simulations, seed=1, **more)


def test_thompson_shows_the_belief_it_draws_from():
    result = searched("mcts(select=thompson())")
    rows = why(result.tree)
    for row in rows:
        wins = row.visits * (row.value + 1.0) / 2.0  # a result in [-1, 1] as a share of a win
        a, b = 1.0 + wins, 1.0 + row.visits - wins
        assert (row.terms["a"], row.terms["b"]) == pytest.approx((a, b))
        assert row.score == pytest.approx(a / (a + b))
        assert row.terms["deviation"] ** 2 == pytest.approx(a * b / (a + b) ** 2 / (a + b + 1))
        assert "drawn" in row.remark
    assert rows[0].score == max(row.score for row in rows)


def test_progressive_pruning_tells_what_is_cut():
    engine = "mcts(select=progressive_pruning(z=0.5))"
    rows = why(searched(engine, 600).tree)
    session = parse_engine(engine).start(START, seed=1)
    session.run(simulations=900)
    chosen = [e.path[0] for e in session.events(since=600) if e.kind == "selected"]
    later = set(chosen)
    cut = {row.name for row in rows if row.remark == "cut"}
    assert cut
    assert not cut & later
    assert all(row.closed and row.score is None for row in rows if row.name in cut)
    assert rows[0].name == chosen[0]
    safe = max(row.terms["lower"] for row in rows if row.name not in cut)
    assert all(row.terms["upper"] > safe for row in rows if row.name not in cut)


def test_sequential_halving_knows_the_number_of_simulations(tmp_path):
    result = searched("mcts(select=sequential_halving())")
    rows = why(result.tree)
    assert {row.name for row in rows} == {move.name for move in result.moves}
    result.tree.save(tmp_path / "a.tree")
    assert why(type(result.tree).load(tmp_path / "a.tree")) == rows
    assert why(result.tree, result.tree.after("b2"))[0].terms.keys() == {"mean", "exploration"}
    few = why(searched("mcts(select=sequential_halving())", 4).tree)
    assert few[0].remark == "untried"


def test_a_tree_from_a_file_says_why_whatever_evaluated_it(tmp_path):
    function = Function(lambda positions: [[0.0, 0.0] for _ in positions], batch=2)
    engine = MCTS(PUCT(), AllChildren(GivenPriors()), function._replace(call=with_priors))
    for made in (MCTS(evaluate=function), engine):
        result = made.search(START, simulations=50, seed=1)
        result.tree.save(tmp_path / "a.tree")
        assert why(type(result.tree).load(tmp_path / "a.tree")) == why(result.tree)


def with_priors(positions):
    values = [[0.0, 0.0] for _ in positions]
    return values, [dict.fromkeys(p.legal_actions, 1.0) for p in positions]
