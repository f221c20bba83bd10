"""When a search in plain Python is given to compiled code, and what is compared then."""

from __future__ import annotations

import pytest

from ponder import engine, position
from ponder.core.limits import Limit
from ponder.core.tiers import PATIENCE, Forecast, attended_by, digest, needs_compiler

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("known", "compiled"),
    [
        (Forecast(left=100, rate=50.0, compile=10.0), False),
        (Forecast(left=100, rate=5.0, compile=10.0), True),
        (Forecast(left=100, rate=10.0, compile=10.0), False),  # beginning again takes time, too
        (Forecast(left=0, rate=0.001, compile=10.0), False),
        (Forecast(left=1, rate=0.05, compile=30.0), False),
        (Forecast(left=1, rate=0.05, compile=5.0), True),
        # nothing is measured yet: it is tried, unless no plain search could be that fast
        (Forecast(left=100, rate=None, compile=10.0), False),
        (Forecast(left=100, rate=None, compile=10.0, spent=PATIENCE), True),
        (Forecast(left=10_000_000, rate=None, compile=10.0), True),
        # a depth: nobody knows how far it is
        (Forecast(left=None, rate=100.0, compile=10.0), False),
        (Forecast(left=None, rate=100.0, compile=10.0, spent=PATIENCE), True),
        # whoever asks for a second gets a second of compiled search
        (Forecast(left=None, rate=1e6, compile=1e-3, clock=True), True),
    ],
)
def test_the_quicker_way_to_the_end_is_taken(known, compiled):
    assert needs_compiler(known) is compiled


def begun(text, seed=1, moment=20):
    session = engine(text).start(position("tictactoe"), seed=seed)
    session.run(**{session.unit: moment})
    return session


@pytest.mark.parametrize("text", ["mcts()", "plain_alphabeta()", "mcts(backup=solver())"])
def test_equal_searches_have_equal_digests(text):
    assert digest(begun(text)) == digest(begun(text))
    assert digest(begun(text)) != digest(begun(text, moment=21))


def test_the_random_numbers_belong_to_the_digest():
    one, other = begun("mcts()"), begun("mcts()")
    other._run.rng[0] ^= 1  # as if one more had been drawn
    assert digest(one) != digest(other)


class Watcher:
    """Stops the search that it attends to after some looks, and notes what it hears."""

    def __init__(self, looks):
        self.looks, self.heard = looks, []

    def is_set(self):
        self.looks -= 1
        return self.looks < 0

    def begins(self, session, limit):
        self.heard.append(("begins", session.moment))
        return limit

    def ended(self, session, reason):
        self.heard.append((reason, session.moment))


def test_one_session_is_attended_and_can_be_stopped():
    watcher = Watcher(looks=3)
    with attended_by(watcher):
        first = engine("mcts()").start(position("tictactoe"), seed=1)
        first.run(simulations=100_000)
        second = engine("mcts()").start(position("tictactoe"), seed=1)
        second.run(simulations=30)
    assert 0 < first.moment < 100_000
    assert second.moment == 30, "the second is nobody's"
    assert watcher.heard == [("begins", 0), ("stop", first.moment)]


class GoesAhead(Watcher):
    """Runs the session to a moment before it runs by itself, as a search that is taken over."""

    def begins(self, session, limit):
        session._go_to(40)
        return limit


@pytest.mark.parametrize(
    "text", ["mcts()", "mcts(decide=max_robust(extra=0.5))", "crazy_stone()", "strong()"]
)
def test_the_limit_counts_from_the_beginning(text):
    here = position("tictactoe")
    whole = engine(text).search(here, Limit(simulations=100), seed=5)
    with attended_by(GoesAhead(looks=10**9)):
        taken_over = engine(text).search(here, Limit(simulations=100), seed=5)
    assert taken_over.moves == whole.moves
    assert taken_over.simulations == whole.simulations
    assert taken_over.line == whole.line


def test_what_lies_between_the_fields_of_nodes_does_not_count():
    session = engine("mcts(select=rave())").start(position("tictactoe"), seed=1)
    session.run(simulations=20)
    nodes = session._run.store.nodes
    assert nodes.dtype.itemsize > sum(nodes.dtype[name].itemsize for name in nodes.dtype.names)
    before = digest(session)
    nodes.view("u1")[nodes.dtype.itemsize - 1] ^= 1
    assert digest(session) == before
    nodes[3].visits += 1
    assert digest(session) != before
