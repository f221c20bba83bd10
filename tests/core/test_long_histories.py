"""Histories from files: what would run for hours is refused with its figure, or granted."""

from __future__ import annotations

import io
import json
import sys
import zlib

import pytest

from ponder import MCTS, InputError, Position, Session, engine, position
from ponder.cli.replay import _is_granted
from ponder.core import effort as module
from ponder.core.effort import Effort, LongHistory, duration
from ponder.explorer.live import Live
from ponder.games.tictactoe import TicTacToe

pytestmark = pytest.mark.plain


@pytest.fixture
def saved(tmp_path):
    """Writes the history of a short search with some fields changed, its checksum right."""
    session = MCTS().start(position("connect4"), seed=1)
    session.run(simulations=20)
    session.save(tmp_path / "search.session")

    def write(**fields):
        data = session.history.to_json() | fields
        text = json.dumps(data)
        end = json.dumps({"checksum": zlib.crc32(text.encode())})
        (tmp_path / "search.session").write_text(f"{text}\n{end}\n")
        return tmp_path / "search.session"

    return write


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(module, "FIRST_LOOK", 0.05)


def test_a_history_that_would_run_for_years_is_one_line_with_the_figure(saved, quick):
    with pytest.raises(LongHistory) as refusal:
        Session.load(saved(at=10**12))
    said = str(refusal.value)
    assert "running this history again (1,000,000,000,000 steps) takes about" in said
    assert "years" in said
    assert "ponder replay --long" in said
    assert "\n" not in said


def test_a_moment_of_a_change_may_take_as_long(saved, quick):
    path = saved(at=10**12, changes=[{"at": 10**11, "backup": "max()"}])
    with pytest.raises(LongHistory):
        Session.load(path)


def test_many_changes_at_one_moment_take_as_long(saved, quick, monkeypatch):
    monkeypatch.setattr(module, "MOST_SECONDS", 0.1)
    changes = [{"at": 1, "backup": "max()"}] * 300
    with pytest.raises(LongHistory, match=r"\(300 changes\)"):
        Session.load(saved(changes=changes))
    assert len(Session.load(saved(changes=changes[:100]), long=True).history.changes) == 100


def test_steps_between_changes_are_not_taken_for_changes(saved, quick, monkeypatch):
    """Else few changes that come late would be taken for many."""
    seen = []
    monkeypatch.setattr(Effort, "look", lambda self, done, now=None: seen.append((self.what, now)))
    Session.load(
        saved(at=300, changes=[{"at": 1, "backup": "max()"}, {"at": 300, "backup": "mean()"}])
    )
    assert len([clock for what, clock in seen if what == "changes" and clock is not None]) == 2
    assert all(clock is None for what, clock in seen if what == "steps")


def test_more_changes_than_anybody_makes_are_refused_before_they_are_read(saved):
    with pytest.raises(InputError, match="at most 10,000 changes"):
        Session.load(saved(changes=[{"at": 1, "backup": "max()"}] * 10_001), long=True)


def test_it_is_run_where_that_is_granted(saved, monkeypatch):
    monkeypatch.setattr(module, "FIRST_LOOK", 0.0)
    monkeypatch.setattr(module, "MOST_SECONDS", 0.0)
    path = saved(at=200)
    with pytest.raises(LongHistory):
        Session.load(path)
    assert Session.load(path, long=True).moment == 200


def test_an_ordinary_history_is_run_unasked(saved):
    assert Session.load(saved()).moment == 20


def test_a_history_beyond_the_end_of_its_search_is_refused(tmp_path):
    session = engine("mcts(backup=solver())").start(
        Position.parse(TicTacToe(), "xox/xo./o.."), seed=1
    )
    session.run(simulations=1000)
    assert session.moment < 1000
    session.save(tmp_path / "search.session")
    assert Session.load(tmp_path / "search.session").moment == session.moment
    text = json.dumps(session.history.to_json() | {"at": 900})
    end = json.dumps({"checksum": zlib.crc32(text.encode())})
    (tmp_path / "search.session").write_text(f"{text}\n{end}\n")
    with pytest.raises(InputError, match="it says 900 steps, and the search ends after"):
        Session.load(tmp_path / "search.session")


def test_a_page_is_refused_it_too(saved, quick):
    history = Session.load(saved()).history
    with pytest.raises(LongHistory):
        Live("main", module_replaced(history, moment=10**7), 100, 0, 0.05, 0)


def module_replaced(history, **fields):
    from dataclasses import replace

    return replace(history, **fields)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[" * 100_000, "not a saved session, or damaged"),
        ('{"checksum": ' + "9" * 400 + "}", "not a saved session, or damaged"),
        ("[]", "not a saved session, or damaged"),
    ],
)
def test_a_second_line_that_is_none_is_refused_in_one_line(saved, line, reason):
    path = saved()
    path.write_text(path.read_text().splitlines()[0] + f"\n{line}\n")
    with pytest.raises(InputError, match=reason) as refusal:
        Session.load(path)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "fields",
    [
        {"seed": 10**299},
        {"seed": 1.5},
        {"at": -1},
        {"at": True},
        {"plan": 0},
        {"plan": 10**200},
        {"engine": ["mcts()"]},
        {"only": [1]},
        {"only": "ab"},
        {"only": ["a1", "a1"]},
        {"changes": {}},
        {"changes": [{"at": 1, "backup": 3}]},
        {"changes": [{"at": 1, "backup": "[" * 100_000}]},
        {"memory": -1},
        {"memory": "x"},
        {"depth": 10**200},
        {"moves": 10**20},
        {"game": {"a": 1}},
        {"game": "(" * 100_000},
    ],
)
def test_what_no_session_has_written_is_one_line(saved, fields):
    with pytest.raises(InputError) as refusal:
        Session.load(saved(**fields))
    assert "\n" not in str(refusal.value)


def test_the_estimate_follows_the_speed_after_the_first_piece(monkeypatch):
    clock = iter([0.0, 100.0, 101.0])  # the first piece waits for the compiler, for 100 seconds
    monkeypatch.setattr(module.time, "perf_counter", lambda: next(clock))
    effort = Effort(1_000_001)
    next(clock)
    effort.look(1)
    with pytest.raises(LongHistory, match="takes about 2 minutes"):
        effort.look(10_001)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(61, "61 seconds"), (100, "2 minutes"), (9000, "2 hours"), (2e5, "2 days"), (1e9, "32 years")],
)
def test_a_duration_is_said_in_the_largest_unit(seconds, said):
    assert duration(seconds) == said


class Typed(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("typed", "granted"), [("y\n", True), ("\n", False), ("no\n", False)])
def test_at_a_terminal_one_is_asked(monkeypatch, typed, granted):
    said = Typed()
    monkeypatch.setattr(sys, "stdin", Typed(typed))
    monkeypatch.setattr(sys, "stderr", said)
    assert _is_granted(LongHistory(10**12, 1e6)) is granted
    assert "takes about 12 days" in said.getvalue()


def test_elsewhere_nobody_is_asked(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    assert _is_granted(LongHistory(10**12, 1e6)) is False
