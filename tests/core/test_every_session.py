"""Every engine's session, of compiled and plain games, before and after dice: what it declares that
it can do works, and what it does not declare is refused in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from ponder import InputError, Session, engine, position
from ponder.backup import Max
from ponder.core.registry import ENGINES
from ponder.core.session import ABILITIES, Capability
from ponder.search.solve import METHODS, start_solving

pytestmark = pytest.mark.plain

PLAIN = Path(__file__).parents[1] / "plain_games.py"
STARTS = {
    "compiled": "tictactoe",
    "plain": f"{PLAIN}:Countdown",
    "dice first": 'tree(\'{"chance": {"a": [0.25, [3, 1]], "b": [0.75, [[-1, 2], [4, 8]]]}}\')',
    "plain, dice first": f"{PLAIN}:EinStein",
}
SPECS = (
    "alphabeta()",
    "best_reply()",
    "expectiminimax()",
    "maxn()",
    "mcts()",
    "mcts(backup=solver())",
    "mcts(evaluate=outside())",
    "mcts(select=puct(), expand=all_children())",
    "mcts(threads=2)",
    "mcts(transpositions=True)",
    "minimax()",
    "paranoid()",
    "random()",
    "strong()",
)
ELSEWHERE = {"book", "openspiel_alphabeta", "openspiel_mcts"}
"""They have a session of one of these engines, or one that answers all at once, as random()."""
NO_DICE = {
    "mcts(transpositions=True)",
    "alphabeta()",
    "minimax()",
    "random()",
    "solve alphabeta",
    "solve minimax",
    "solve proof-number",
}
NOT_PLAIN = {"mcts(threads=2)"}
MOST = 23
"""Simulations or nodes."""


def started(spec, where):
    here = position(STARTS[where])
    if spec.startswith("solve"):
        return start_solving(here, method=spec.partition(" ")[2] or None)
    return engine(spec).start(here, seed=3)


def told(session):
    """What a result says, but for the time it took."""
    found = session.result()
    return found.value, found.moves, getattr(found, "outcomes", ())


def test_these_are_all_engines():
    named = {spec.partition("(")[0] for spec in SPECS}
    assert named | ELSEWHERE == set(ENGINES)


@pytest.mark.parametrize("where", STARTS)
@pytest.mark.parametrize("spec", [*SPECS, "solve", *(f"solve {method}" for method in METHODS)])
def test_a_session_can_do_what_it_declares(spec, where, tmp_path):
    if (spec in NO_DICE and "dice" in where) or (spec in NOT_PLAIN and "plain" in where):
        with pytest.raises(InputError) as refusal:
            started(spec, where)
        assert "\n" not in str(refusal.value)
        return
    session = started(spec, where)
    if Capability.CALLER_EVALUATED in session.capabilities:
        answer_leaves(session)
    else:
        session.run(**{session.unit: MOST})
    assert session.result() is not None
    for ability in ABILITIES:
        if ability in session.capabilities:
            TRIES[ability](session, tmp_path)
        else:
            with pytest.raises(InputError, match=ABILITIES[ability]) as refusal:
                TRIES[ability](session, tmp_path)
            assert "\n" not in str(refusal.value)


def answer_leaves(session):
    for _ in range(4):
        waiting = session.leaves()
        if not len(waiting):  # all simulations of this round ended the game
            continue
        session.answer([[0.0] * session.position.players] * len(waiting))


def try_step(session, folder):
    before = session.moment
    assert session.step() == before + (session._run.ended is None)


def try_change(session, folder):
    session.change(backup=Max())
    session.run(simulations=4)
    assert session.engine.backup == Max()


def try_rewind(session, folder):
    now, found = session.moment, told(session)
    twin = session.fork()
    assert (twin.moment, told(twin)) == (now, found)
    session.rewind(now // 2)
    assert session.moment == now // 2
    session.rewind(now)
    assert told(session) == found


def try_save(session, folder):
    session.save(folder / "one.session")
    again = Session.load(folder / "one.session")
    assert (again.moment, told(again)) == (session.moment, told(session))


def try_events(session, folder):
    events = session.events()
    assert {event.moment for event in events} == set(range(1, session.moment + 1))
    for event in events:
        session.position.play_all(event.path)
        event.to_json()
    assert session.events(9) == [event for event in events if event.moment > 9]


def try_nodes(session, folder):
    # the root counts itself: see `ponder.mcts.tree`
    assert session.nodes(5)[0].visits == session.result().simulations


TRIES = {
    Capability.STEP: try_step,
    Capability.REWIND: try_rewind,
    Capability.SAVE: try_save,
    Capability.EVENTS: try_events,
    Capability.TREE: try_nodes,
    Capability.CALLER_EVALUATED: lambda session, folder: answer_leaves(session),
    Capability.CHANGE: try_change,
}
assert set(TRIES) == set(ABILITIES) == set(Capability)
