"""A page's connection: what it may send, that it keeps its searches, and that it leaves nothing."""

from __future__ import annotations

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tabs import SMALL, tab

from ponder.errors import InputError, PonderError
from ponder.explorer import pool as pools
from ponder.explorer.messages import ENVELOPE, MESSAGES, read_message
from ponder.explorer.page_connection import MOST_WAITING, PageConnection
from ponder.explorer.pages import PLAIN
from ponder.explorer.pool import Pool

HUGE = 10**400
"""No float is as large."""


def wait_for(condition) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen")


@pytest.mark.parametrize("word", MESSAGES)
def test_a_number_of_400_digits_is_refused_in_any_field(word):
    for field in {**ENVELOPE, **MESSAGES[word].fields}:
        for value in (HUGE, -HUGE, [HUGE], {"x": HUGE}):
            with pytest.raises(InputError):
                read_message(json.dumps({"id": 1, "do": word, field: value}))


def test_after_a_message_of_huge_numbers_the_page_has_its_searches(running):
    with tab(running) as one:
        one.ask("open", history=SMALL)
        one.ask("step", count=5)
        assert "rate must be a number" in one.ask("run", rate=HUGE)["error"]
        assert (
            "at must be a whole number" in one.ask("open", history={**SMALL, "at": HUGE})["error"]
        )
        assert one.ask("step")["moment"] == 6


def test_a_page_that_leaves_while_its_workers_pipe_is_full_leaves_nothing(running):
    descriptors = Path(f"/proc/{running.process.pid}/fd")
    with tab(running) as one:
        one.ask("open", history=SMALL)
    wait_for(lambda: len(running.plain_workers()) == 1)
    before = len(list(descriptors.iterdir()))
    with tab(running) as one:
        one.ask("open", history=SMALL)
        for number in range(400):  # nobody reads the answers
            one.send(json.dumps({"id": number, "do": "catalogue"}))
        time.sleep(3.0)
        one.socket.socket.close()
    wait_for(lambda: len(running.plain_workers()) == 1)
    wait_for(lambda: len(list(descriptors.iterdir())) <= before)


class Silent:
    """A worker that never answers."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def send(self, data: bytes) -> None:
        self.heard.append(data)

    async def receive(self) -> None:
        await asyncio.sleep(3600.0)


class OneWorker:
    async def take(self, plain: bool) -> Silent:
        self.worker = Silent()
        return self.worker

    async def give_back(self, worker: Silent) -> None:
        pass


class Sending:
    """The socket of a page that sends so many messages and leaves."""

    def __init__(self, texts: list[str]) -> None:
        self.texts, self.told = texts, []

    async def receive_text(self) -> str:
        if not self.texts:
            raise RuntimeError("the page has gone")
        return self.texts.pop(0)

    async def send_text(self, text: str) -> None:
        self.told.append(json.loads(text))


def run_alone(main):
    with ThreadPoolExecutor() as other:  # in this thread runs the browser's loop
        return other.submit(asyncio.run, main).result()


def test_a_page_that_does_not_wait_for_answers_is_told_to():
    text = json.dumps({"id": 1, "do": "read_game", "game": "go", "text": "x" * 100_000})
    page, workers = Sending([text] * 400), OneWorker()
    run_alone(PageConnection(page, workers, begins=PLAIN).serve())
    assert sum(map(len, workers.worker.heard)) <= MOST_WAITING
    assert len(page.told) == 400 - len(workers.worker.heard) > 100
    assert "too many messages wait" in page.told[0]["error"]


def test_a_fault_of_the_servers_own_is_told_and_the_page_goes_on(monkeypatch, capsys):
    class Failing(OneWorker):
        async def take(self, plain: bool) -> Silent:
            raise ZeroDivisionError("at a bad moment")

    page = Sending(['{"id": 7, "do": "runs"}'] * 2)
    run_alone(PageConnection(page, Failing(), begins=PLAIN).serve())
    assert [one["re"] for one in page.told] == [7, 7]
    assert "an error in the explorer: ZeroDivisionError" in page.told[1]["error"]
    assert "Traceback" in capsys.readouterr().err


def test_pages_that_come_at_the_same_time_do_not_pass_the_limit(monkeypatch):
    monkeypatch.setattr(pools, "MOST_WORKERS", 5)

    async def slowly(self, plain):
        await asyncio.sleep(0.01)
        return Silent()

    monkeypatch.setattr(Pool, "_begin", slowly)

    async def rush() -> list:
        pool = Pool([])
        return await asyncio.gather(*(pool.take(True) for _ in range(20)), return_exceptions=True)

    got = run_alone(rush())
    assert sum(isinstance(one, Silent) for one in got) == 5
    refused = [one for one in got if not isinstance(one, Silent)]
    assert all(isinstance(one, PonderError) for one in refused)
    assert "5 pages are searching already" in str(refused[0])
