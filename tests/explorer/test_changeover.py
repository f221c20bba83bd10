"""A page's searches change from a worker in plain mode to another one, as they are."""

from __future__ import annotations

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from talking import worker

from ponder.errors import InputError, PonderError
from ponder.explorer import changeover, page_connection
from ponder.explorer.answers import session
from ponder.explorer.changeover import OWN
from ponder.explorer.frames import ANSWER, HANDED, PLAIN_FIRST, WANTED
from ponder.explorer.messages import read_message
from ponder.explorer.page_connection import PageConnection
from ponder.explorer.pages import EITHER, PAGES, PLAIN
from ponder.explorer.pool import Pool

pytestmark = pytest.mark.plain

GEM = {"game": "gem(scenario=noise)", "engine": "mcts()", "seed": 1}


def known(state):
    """What must be the same, however the search came there."""
    left_out = ("seconds", "running", "tier", "told", "columns", "rows", "trail", "memory")
    return {key: value for key, value in state.items() if key not in left_out}


def test_everything_of_a_search_is_handed_over():
    with worker(PLAIN_FIRST) as one, worker() as other:
        one.ask("open", history=GEM, nodes=50)
        one.ask("step", count=30)
        one.ask("change", parts={"backup": "max()"})
        one.ask("step", count=30)
        one.ask("rewind", to=30, after=True)
        before = one.until(lambda state: state["moment"] == 30)
        given = one.ask("hand_over")["state"]
        assert given[0]["history"]["at"] == 60
        assert other.ask("take_over", state=given) == {"re": 1}
        after = other.until(lambda state: state["moment"] == 30)
        assert known(after) == known(before)
        assert after["notes"] == [], "the two are the same"
        for talk in (one, other):  # the one that was left can go on as well
            assert talk.ask("rewind", to=60)["moment"] == 60
            assert talk.ask("step")["moment"] == 61
        states = [talk.until(lambda state: state["moment"] == 61) for talk in (one, other)]
        assert known(states[0]) == known(states[1])


def test_a_running_search_goes_on_where_it_was():
    with worker(PLAIN_FIRST) as one, worker() as other:
        one.ask("open", history=GEM)
        one.ask("run", until=100_000)
        one.until(lambda state: state["moment"] > 20)
        given = one.ask("hand_over")["state"]
        assert other.ask("take_over", state=given) == {"re": 1}
        later = other.until(lambda state: state["moment"] > given[0]["moment"] + 20)
        assert later["running"]
        trail = [point["moment"] for point in given[0]["trail"]]
        assert trail == sorted(trail)
        assert trail[-1] == given[0]["moment"]


def test_a_game_that_differs_between_the_modes_is_told():
    with worker(PLAIN_FIRST) as one, worker() as other:
        one.ask("open", history=GEM)
        one.ask("step", count=10)
        given = one.ask("hand_over")["state"]
        given[0]["digest"] = "0" * 64
        other.ask("take_over", state=given)
        notes = other.until(lambda state: state["moment"] == 10)["notes"]
        assert "is not the same in plain Python and compiled (the first 10 steps" in notes[0]


def test_what_cannot_be_run_again_is_begun_anew_and_says_so():
    threads = {**GEM, "engine": "mcts(threads=2)"}
    with worker(PLAIN_FIRST) as one, worker() as other:
        one.ask("open", history=threads)
        given = one.ask("hand_over")["state"]
        assert given[0]["moment"] is None
        other.ask("take_over", state=given)
        other.ask("run", until=5)
        state = other.until(lambda state: state["moment"] >= 5)
        assert "begun anew" in state["notes"][0]


def wanted(talk, seconds=20.0):
    """Does the worker ask for the compiler while it runs?"""
    until, talk.state = time.monotonic() + seconds, {}
    while time.monotonic() < until:
        talk.ask("seen")
        if talk.state.get("tier") == "compiling":
            return True
        if not talk.state.get("running", True):
            return False
        time.sleep(0.05)
    raise AssertionError("it neither asked nor ended")


def test_the_compiler_is_wanted_where_it_is_quicker_and_not_elsewhere():
    with worker(PLAIN_FIRST) as one:
        one.ask("open", history=GEM)
        one.ask("run", rate=20, until=20)
        assert not wanted(one), "plain Python keeps that pace"
        one.ask("run", rate=None, until=300)
        assert not wanted(one), "that is over sooner"
        one.ask("run", rate=None, until=10**8)
        assert wanted(one)
        one.ask("alone")
        one.until(lambda state: state["tier"] == "plain")


def test_seconds_of_plain_python_do_not_count_while_it_is_compiled():
    with worker(PLAIN_FIRST) as one:
        one.ask("open", history={**GEM, "engine": "mcts(seconds=0.1)"})
        one.ask("run")
        assert wanted(one)
        time.sleep(0.3)
        one.ask("seen")
        assert one.until(lambda state: True)["running"]
        one.ask("alone")
        one.until(lambda state: not state["running"])


@pytest.mark.parametrize("word", OWN)
def test_a_page_cannot_send_the_servers_own_messages(word):
    with pytest.raises(InputError):
        read_message(json.dumps({"id": 0, "do": word}))


class Scripted:
    """A worker that answers at once: with its name, so that one sees who it was."""

    def __init__(self, name, state=True, compiles=True):
        self.name, self.heard, self.frames = name, [], asyncio.Queue()
        self.state, self.compiles = state, compiles

    def say(self, letter, **data):
        self.frames.put_nowait((letter, json.dumps(data).encode()))

    def send(self, data):
        message = json.loads(data)
        word = message["do"]
        self.heard.append(word)
        if word == "hand_over":
            self.say(HANDED, state=[] if self.state else None)
        elif word == "prepare" and not self.compiles:
            self.say(ANSWER, re=0, error="it does not compile")
        elif word != "alone":
            self.say(ANSWER, re=message["id"], by=self.name)

    async def receive(self):
        return await self.frames.get()


class Two:
    """A pool of one worker in plain mode, and of one that compiles."""

    def __init__(self, **more):
        self.workers = {True: Scripted("plain", **more), False: Scripted("compiled", **more)}
        self.given_back = []

    async def take(self, plain):
        if self.workers[plain] is None:
            raise PonderError("too many")
        return self.workers[plain]

    async def give_back(self, one):
        self.given_back.append(one.name)
        return 0


class Tab:
    """A page that sends what a list says: a message, or something to be done first."""

    def __init__(self, script):
        self.script, self.told = script, []

    async def receive_text(self):
        while self.script:
            one = self.script.pop(0)
            await asyncio.sleep(0.02)
            if not callable(one):
                return json.dumps(one)
            one()
        raise RuntimeError("the page has gone")

    async def send_text(self, text):
        self.told.append(json.loads(text))


def served(pool, script, begins=PLAIN):
    tab = Tab([*script, *[lambda: None] * 5])  # it leaves when it has its answers
    with ThreadPoolExecutor() as other:  # in this thread runs the browser's loop
        other.submit(asyncio.run, PageConnection(tab, pool, begins).serve()).result()
    return [(one["re"], one["by"]) for one in tab.told if "by" in one]


OPEN = {"id": 1, "do": "open", "history": GEM}


def step(number):
    return {"id": number, "do": "step"}


def test_messages_go_to_the_worker_that_has_the_searches():
    pool = Two()

    def want():
        pool.workers[True].say(WANTED, openings=[GEM])

    answers = served(pool, [OPEN, step(2), want, step(3), step(4)])
    assert answers[:2] == [(1, "plain"), (2, "plain")]
    assert answers[-1] == (4, "compiled")
    assert [number for number, _ in answers] == [1, 2, 3, 4], "none is lost, none twice"
    assert pool.workers[False].heard[:2] == ["prepare", "take_over"]
    assert sorted(pool.given_back) == ["compiled", "plain"], "at the end the page has left"


@pytest.mark.parametrize("more", [{"state": False}, {"compiles": False}])
def test_where_nothing_can_be_taken_over_plain_python_goes_on(more):
    pool = Two(**more)

    def want():
        pool.workers[True].say(WANTED, openings=[GEM])

    answers = served(pool, [OPEN, want, step(2), step(3), step(4)])
    assert answers == [(number, "plain") for number in (1, 2, 3, 4)]
    assert "alone" in pool.workers[True].heard
    assert sorted(pool.given_back) == ["compiled", "plain"]


def test_where_there_are_too_many_workers_nobody_waits_for_the_compiler():
    pool = Two()

    def want():
        pool.workers[False] = None
        pool.workers[True].say(WANTED, openings=[GEM])

    assert served(pool, [OPEN, want, step(2)]) == [(1, "plain"), (2, "plain")]
    assert "alone" in pool.workers[True].heard


def test_a_worker_whose_end_nobody_waits_for_leaves_its_place():
    class Left:
        async def end(self):
            raise asyncio.CancelledError

    pool, worker = Pool([]), Left()
    pool._used.add(worker)
    with ThreadPoolExecutor(1) as other, pytest.raises(asyncio.CancelledError):
        other.submit(asyncio.run, pool.give_back(worker)).result()
    assert not pool._used


def test_a_long_history_is_opened_compiled():
    pool, long = Two(), {**OPEN, "id": 2, "history": {**GEM, "at": 50_000}}
    assert served(pool, [OPEN, long, step(3)]) == [(1, "plain"), (2, "compiled"), (3, "compiled")]
    assert served(Two(), [{**long, "id": 1}], EITHER) == [(1, "compiled")]


def test_what_is_compiled_already_is_not_begun_in_plain_mode(monkeypatch):
    for there, name in ((False, "plain"), (True, "compiled")):
        monkeypatch.setattr(page_connection.cache_times, "is_compiled", lambda what, r=there: r)
        assert served(Two(), [OPEN], EITHER) == [(1, name)]
        assert served(Two(), [OPEN], PLAIN) == [(1, "plain")], "small searches stay there"


def test_pages_with_matches_experiments_and_training_never_begin_in_plain_mode():
    begin = {page.name: page.begins for page in PAGES}
    assert {begin[name] for name in ("play", "arena", "lab", "training")} == {"compiled"}


def test_what_is_compiled_is_remembered_by_what_pages_ask_for(monkeypatch):
    """An engine that chooses its parts has another text when it searches."""
    noted = []
    monkeypatch.setattr(changeover.cache_times, "note", lambda what, watch: noted.append(what))
    history = {"game": "tictactoe()", "engine": "strong()", "seed": 1}
    desk = SimpleNamespace(sessions={})
    session.open_(desk, {"history": history})
    opening = changeover.opening(desk.sessions["main"])
    assert opening["engine"] != "strong()"
    changeover.prepare(desk, {"openings": [opening]})
    assert noted == ["explore tictactoe strong()"]
