"""One engine: what each declares is so, limits are merged once, small searches are no others."""

from __future__ import annotations

import pytest

from ponder import MCTS, AlphaBeta, InputError, Limit, Minimax, engine, position, solve
from ponder.core.engine import (
    Engine,
    Player,
    canonical_engine,
    checked_engine,
    is_quick,
    refuse_unfit,
)
from ponder.core.limits import LIMITS, UNLIMITED, merged_limit
from ponder.core.registry import ENGINES, PRESETS, load, parse_engine
from ponder.core.session import Capability, Session
from ponder.core.tiers import attended_by
from ponder.expand import AllChildren
from ponder.jit import COMPILED
from ponder.mcts.between_moves import Remembering
from ponder.priors import UniformPriors
from ponder.search.solve import Solve
from ponder.select import PUCT, UCB1

START = position("tictactoe")
LATE = START.play_all("b2 a1 c1 a3")
NEEDING = {"book", "openspiel_alphabeta", "openspiel_mcts"}
"""A file, a package of others."""
SPECS = [*(f"{name}()" for name in sorted(set(ENGINES) - NEEDING)), "mcts(threads=2)", "uct()"]


def results(found):
    """All that a result says but for what depends on the clock."""
    told = found.to_json()
    for name in ("seconds", "memory_bytes"):
        del told[name]
    return told


@pytest.mark.plain
@pytest.mark.parametrize("name", sorted(ENGINES))
def test_every_registered_engine_is_one(name):
    cls = load(ENGINES[name])
    for method in ("resolve", "new_game", "new_session", "start", "search", "traits", "limit"):
        assert hasattr(cls, method), method
    assert isinstance(Solve(), Engine)
    assert isinstance(Remembering(MCTS()), Engine)


@pytest.mark.plain
def test_what_is_no_engine_is_refused_in_one_line():
    for wrong in (START.game, "mcts()", None, UCB1()):
        with pytest.raises(InputError, match="is no engine") as refused:
            checked_engine(wrong)
        assert "\n" not in str(refused.value)


@pytest.mark.plain
@pytest.mark.parametrize("spec", SPECS)
def test_an_engine_obeys_the_limits_that_it_declares_and_refuses_the_others(spec):
    made = parse_engine(spec)
    traits = made.resolve(START).traits
    for name, number in {"simulations": 2, "nodes": 2, "depth": 9}.items():
        given = {name: number}
        if name in traits.limits:
            assert made.search(LATE, seed=1, **given).action in LATE.legal_actions
        else:
            for call in (
                lambda given=given: made.search(LATE, **given),
                lambda given=given: made.search(LATE, Limit(**given)),
                lambda given=given: made.start(LATE).run(**given),
            ):
                with pytest.raises(InputError, match=f"is limited by .*; {name} is a limit of"):
                    call()


@pytest.mark.plain
@pytest.mark.parametrize("spec", SPECS)
def test_an_option_that_an_engine_does_not_take_is_refused(spec):
    made = parse_engine(spec)
    with pytest.raises(InputError, match="has no parameter 'sed'; did you mean seed"):
        made.search(START, sed=1)
    traits = made.resolve(START).traits
    if not traits.restricts_moves:
        with pytest.raises(InputError, match="has no parameter 'moves'"):
            made.search(START, moves=["b2"])
    if not traits.continues_trees:
        with pytest.raises(InputError, match="has no parameter 'tree'"):
            made.search(START, tree=None)


@pytest.mark.plain
def test_traits_follow_the_engine_as_it_is():
    assert MCTS().traits.repeatable
    assert not MCTS(threads=2).traits.repeatable
    assert (
        not MCTS(evaluate=lambda positions: [[0.0, 0.0]] * len(positions))
        .resolve(START)
        .traits.repeatable
    )
    assert "memory" in parse_engine("expectiminimax()").traits.limits
    assert "memory" not in parse_engine("expectiminimax(table=False)").traits.limits
    assert not Solve().traits.plays


@pytest.mark.plain
def test_limits_are_merged_as_a_whole():
    own = AlphaBeta(depth=4, memory=2.0)
    assert merged_limit(None, {}, own) is own.limit
    assert merged_limit(Limit(nodes=9), {}, own) == Limit(nodes=9, memory=2.0)
    assert merged_limit(None, {"memory": 8.0}, own) == Limit(depth=4, memory=8.0)
    assert merged_limit(Limit(depth=2), {"nodes": 3}, own) == Limit(depth=2, memory=2.0)
    assert AlphaBeta().limit is UNLIMITED
    with pytest.raises(InputError, match="depth must be a whole number above 0, not True"):
        merged_limit(None, {"depth": True}, AlphaBeta())
    assert merged_limit(None, {"depth": 1}, AlphaBeta()) == Limit(depth=1)


@pytest.mark.plain
def test_an_engine_is_checked_by_what_it_holds_not_by_what_it_equals():
    """Tuples of two classes with equal fields are equal, and True is 1."""
    puct = MCTS(PUCT(), AllChildren(UniformPriors()))
    assert canonical_engine(puct) is canonical_engine(puct)
    assert type(canonical_engine(MCTS(UCB1(2))).select.c) is float
    assert type(canonical_engine(MCTS(UCB1(2.0))).select.c) is float
    with pytest.raises(InputError, match="c of UCB1 must be a number, not True"):
        canonical_engine(MCTS(UCB1(1)) and MCTS()._replace(select=UCB1()._replace(c=True)))
    assert canonical_engine(Minimax(depth=3)).depth == 3


@pytest.mark.plain
def test_an_unfit_engine_is_refused_with_nothing_prepared(monkeypatch):
    def prepared(self):
        raise AssertionError("nothing is to be prepared")

    monkeypatch.setattr(Session, "prepare", prepared)
    refuse_unfit(MCTS(), START)
    refuse_unfit(AlphaBeta(), START, Limit(depth=9))
    with pytest.raises(InputError, match="TicTacToe has no evaluate"):
        refuse_unfit(AlphaBeta(), START, Limit(depth=2))
    with pytest.raises(InputError, match="for games without dice"):
        refuse_unfit(MCTS(transpositions=True), position("pig(target=12)"))


@pytest.mark.plain
def test_a_session_constructs_without_calling_what_a_subclass_writes():
    class Silent(Session):
        def _new_run(self):
            raise AssertionError

        def _report(self, run, seconds, reason):
            raise AssertionError

    session = MCTS().start(START, seed=1)
    made = Silent(session.history, Capability.STEP)
    assert made.capabilities is Capability.STEP
    assert made.position == START


@pytest.mark.plain
@pytest.mark.parametrize("spec", ["mcts()", "mcts(decide=max_robust())", "alphabeta()"])
def test_a_slice_is_its_budget_and_nothing_more(spec):
    session = engine(spec).start(START, seed=1)
    for made in (1, 4, 9):
        assert session.advance(Limit(**{session.unit: made - session.moment})) is None
        assert session.moment == made
    assert session.advance(Limit(seconds=1e-6)) is None
    assert session.moment >= 10, "at least one step, however short the time"


@pytest.mark.plain
def test_a_slice_says_why_there_is_nothing_left_to_do():
    near = START.play_all("b2 a1 c1 a3 b3 b1")
    session = engine("mcts(backup=solver())").start(near, seed=1)
    assert session.advance(Limit(simulations=500)) == "solved"
    assert session.advance(Limit(simulations=500)) == "solved"
    session = AlphaBeta().start(near)
    assert session.advance(Limit(depth=1, nodes=10_000)) in ("depth", "solved")

    class Set:
        def is_set(self):
            return True

    assert MCTS().start(START).advance(Limit(simulations=5), Set()) == "stop"


ENGINES_OF_SMALL = (
    "mcts()",
    "mcts(backup=solver())",
    "mcts(select=rave())",
    "mcts(select=puct(), expand=all_children(priors=uniform()))",
)


@pytest.mark.skipif(not COMPILED, reason="in plain Python nothing is small")
@pytest.mark.parametrize("spec", ENGINES_OF_SMALL)
def test_a_small_search_is_the_search_of_a_session(spec):
    made = engine(spec)
    assert is_quick(made)

    class Nobody:
        """Who attends to a session keeps it from being answered without one."""

        seen = 0

        def is_set(self):
            return False

        def begins(self, session, limit):
            self.seen += 1
            return limit

        def ended(self, session, reason):
            pass

    for number, simulations in ((1, 1), (2, 10), (3, 10), (4, 137)):
        nobody = Nobody()
        here = START.play_all("b2 a1") if number == 3 else START
        moves = here.legal_actions[:3] if number == 4 else None
        given = {"simulations": simulations, "seed": number, "moves": moves}
        small = made.search(here, **given)
        with attended_by(nobody):
            whole = made.search(here, **given)
        assert nobody.seen == 1
        assert results(small) == results(whole)
        assert small.tree.size == whole.tree.size
        assert (small.tree._store.nodes == whole.tree._store.nodes).all()


@pytest.mark.plain
def test_players_are_told_apart_by_what_they_are():
    class Own:
        def search(self, position, limit=None, *, seed):
            raise AssertionError

    player: Player = Own()
    assert not isinstance(player, Engine)
    assert isinstance(MCTS(reuse=True).new_game(), Remembering)
    assert MCTS().new_game() == MCTS()
    assert {*LIMITS} >= set(MCTS().traits.limits)
    with pytest.raises(InputError, match="solve plays no moves"):
        Solve().search(START)
    assert solve(START.play_all("b2 a1 c1 a3")).value is not None
    assert sorted(PRESETS)
