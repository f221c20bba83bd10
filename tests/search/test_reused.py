"""Tables and arrays that serve search after search: nobody can tell that they were used before."""

from __future__ import annotations

import random

import pytest

from ponder.core.position import Position
from ponder.core.registry import parse_engine
from ponder.core.start import position
from ponder.search import reused, workspace
from ponder.search.reused import OLDEST, empty_table, hand_back
from ponder.search.table import ENTRY, EXACT, find, store


def positions(game: str, count: int) -> list[Position]:
    rng, found = random.Random(game), []
    while len(found) < count:
        here = position(game)
        for _ in range(rng.randrange(2, 12)):
            if not here.is_terminal:
                if here.is_chance:
                    here = here.play(rng.choice([outcome for outcome, _ in here.chance_outcomes]))
                else:
                    here = here.play(rng.choice(here.legal_actions))
        if not here.is_terminal and not here.is_chance:
            found.append(here)
    return found


def forget() -> None:
    reused._spare.clear()
    workspace._spare.clear()


def told(result):
    rows = [(row.action, row.value) for row in result.moves]
    return result.nodes, result.value, result.line, result.deepest, result.memory, rows


@pytest.mark.parametrize(
    ("game", "engine"),
    [
        ("connect4", "alphabeta(depth=4)"),
        ("connect4", "alphabeta(depth=8)"),
        ("othello", "alphabeta(depth=3, null_move=True, memory=1)"),
        ("pig(target=20)", "expectiminimax(depth=4)"),
    ],
)
def test_a_search_after_others_is_as_one_that_is_the_first(game, engine):
    starts, engine = positions(game, 12), parse_engine(engine)
    first = []
    for start in starts:
        forget()
        first.append(told(engine.search(start)))
    forget()
    assert [told(engine.search(start)) for start in starts] == first


def test_nothing_is_found_that_was_stored_at_another_age():
    table = empty_table(ENTRY, 0.001)
    entries = table.entries
    for age in range(2 * OLDEST):
        assert table.entries is entries
        for key in range(5):
            assert find(table, key) == -1, age
            store(table, key, 0.5, 1, 3, EXACT, 1)
            assert find(table, key) >= 0
        hand_back(table)
        table = empty_table(ENTRY, 0.001)


def test_a_large_table_is_not_kept():
    forget()
    hand_back(empty_table(ENTRY, 128.0))
    assert not reused._spare
    parse_engine("alphabeta(depth=2, memory=128)").search(position("connect4"))
    assert not reused._spare
    assert [scratch.table for scratch in workspace._spare.values()] == [None]


def test_sessions_that_go_on_at_once_have_tables_of_their_own():
    starts, engine = positions("connect4", 2), parse_engine("alphabeta()")
    alone = []
    for start in starts:
        session = engine.start(start)
        session.run(depth=7)
        alone.append(told(session.result()))
        session.close()
        session.close()  # which hands nothing back a second time
    both = [engine.start(start) for start in starts]
    for depth in range(1, 8):
        for session in both:
            session.run(depth=depth)
    assert [told(session.result()) for session in both] == alone
    for session in both:
        session.close()
