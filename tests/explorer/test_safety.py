"""Who is let in, what messages cannot do, and that nothing is left behind."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import importlib.util
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from browser import Explorer, explorer
from tabs import SMALL, tab
from talking import worker
from tryit import TryIt
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ponder.errors import InputError
from ponder.explorer.answers import ANSWERS
from ponder.explorer.guard import Guard
from ponder.explorer.messages import LONGEST_MESSAGE, MESSAGES, read_message
from ponder.explorer.pages import PAGES
from ponder.explorer.server import Guarded
from ponder.explorer.serving import bound

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks" / "stress" / "mutate_messages.py"


@pytest.fixture(scope="module")
def mutated():
    spec = importlib.util.spec_from_file_location("mutate_messages", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.mutated


def asked(running, path="/", **headers) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=20)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.body = answer.read().decode()
    connection.close()
    return answer


def cookie(running) -> dict[str, str]:
    return {"Cookie": f"ponder_{running.port}={running.token}"}


# ------------------------------------------------------------------ who is let in


def test_the_token_in_the_address_becomes_a_cookie_that_scripts_cannot_read(running):
    answer = asked(running, f"/?token={running.token}")
    assert answer.status == 303
    assert answer.headers["location"] == "/"
    given = answer.headers["set-cookie"].lower()
    assert "httponly" in given
    assert "samesite=strict" in given
    assert asked(running, **cookie(running)).status == 200


@pytest.mark.parametrize(
    "path", ["//evil.example/x", "/%2F/evil.example", "/\\evil.example", "/nowhere"]
)
def test_an_address_with_the_token_leads_to_a_page_of_ours(running, path):
    answer = asked(running, f"{path}?token={running.token}")
    assert answer.status == 303
    assert answer.headers["location"] == "/"
    assert asked(running, f"/search?token={running.token}").headers["location"] == "/search"


@pytest.mark.parametrize("given", ["token=wrong", "once=used", "token="])
def test_whoever_has_the_cookie_shares_an_address_without_any_token(running, given):
    answer = asked(running, f"/play?{given}", **cookie(running))
    assert (answer.status, answer.headers["location"]) == (303, "/play")


def test_the_address_that_a_browser_is_started_with_works_once():
    guard = Guard.new("127.0.0.1", 1)
    code = guard.one_time_code()
    assert code != guard.token
    assert not guard.admits(code)
    assert not guard.redeems(None)
    assert [guard.redeems(code), guard.redeems(code)] == [True, False]


def test_a_browser_that_has_been_let_in_already_uses_the_address_up_too():
    guard = Guard.new("127.0.0.1", 1)
    code = guard.one_time_code()
    headers = [(b"host", b"127.0.0.1:1"), (b"cookie", f"{guard.cookie}={guard.token}".encode())]
    scope = {"type": "http", "method": "GET", "path": "/", "headers": headers}
    said = []

    async def send(message):
        said.append(message)

    visit = scope | {"query_string": f"once={code}".encode()}
    with ThreadPoolExecutor(1) as other:  # a browser's loop may run in this thread
        other.submit(asyncio.run, Guarded(None, guard)(visit, None, send)).result()
    assert said[0]["status"] == 303
    assert not guard.redeems(code)


def test_a_browser_gets_no_token_that_others_could_read_in_its_command_line(tmp_path):
    program = tmp_path / "browser"
    program.write_text(
        f'#!/bin/sh\necho "$1" > {tmp_path}/opened.part\n'
        f"mv {tmp_path}/opened.part {tmp_path}/opened\n"
    )
    program.chmod(0o755)
    command = [sys.executable, "-m", "ponder", "explore", "tictactoe", "--port", "0"]
    environment = {**os.environ, "BROWSER": str(program)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        mine = Explorer(process, process.stdout.readline().split()[-1])
        wait_for((tmp_path / "opened").exists)
        opened = (tmp_path / "opened").read_text().strip()
        assert mine.token not in opened
        path, _, fragment = opened.removeprefix(mine.origin).partition("#")
        assert "game=tictactoe" in fragment
        answers = [asked(mine, path) for _ in range(2)]
        process.terminate()
    assert [one.status for one in answers] == [303, 403]
    assert answers[0].headers["location"] == "/search"
    assert f"ponder_{mine.port}={mine.token}" in answers[0].headers["set-cookie"]


@pytest.mark.parametrize("path", ["/", "/?token=wrong", "/nowhere", "/?once=x"])
def test_without_the_token_there_is_only_a_page_that_says_so(running, path):
    answer = asked(running, path)
    assert answer.status == 403
    assert "the whole address that ponder explore printed" in answer.body


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.nip.io"])
def test_a_foreign_host_is_refused_even_with_the_token(running, host):
    named = f"{host}:{running.port}" if ":" not in host and host != "127.0.0.1" else host
    for path in ("/", f"/?token={running.token}", "/static/base.css"):
        assert asked(running, path, Host=named, **cookie(running)).status == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_a_foreign_origin_gets_neither_pages_nor_sockets(running, origin):
    assert asked(running, Origin=origin, **cookie(running)).status == 403
    with pytest.raises(InvalidStatus), tab(running, Origin=origin):
        pass


def test_without_the_token_there_is_no_socket(running):
    with pytest.raises(InvalidStatus), tab(running, Cookie="ponder=x"):
        pass


def test_a_page_that_does_not_exist_is_a_page_that_says_so(running):
    answer = asked(running, "/nowhere", **cookie(running))
    assert answer.status == 404
    assert "There is no such page" in answer.body
    for page in PAGES:  # and where to go instead
        assert f'<li><a href="{page.path}">{page.title}</a>' in answer.body


# ------------------------------------------------------------------ what messages cannot do


def test_every_message_is_answered_and_documented():
    assert set(ANSWERS) == set(MESSAGES)
    page = (ROOT / "docs" / "explorer.md").read_text()
    rows = {row[0]: row[1] for row in re.findall(r"^\| `(\w+)` \| (.*?) \|", page, re.MULTILINE)}
    for word, message in MESSAGES.items():
        assert word in rows, f"{word} is not in the table"
        assert set(re.findall(r"`(\w+)`", rows[word])) == set(message.fields), word


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "[" * 100_000,
        '{"do": "open"}',
        '{"id": 1, "do": "fly"}',
        '{"id": true, "do": "pause"}',
        '{"id": 1, "do": "step", "count": 1e300}',
        '{"id": 1, "do": "step", "count": NaN}',
        '{"id": 1, "do": "watch", "nodes": 1000000}',
        '{"id": 1, "do": "step", "count": 1, "more": 1}',
        '{"id": 1, "do": "rewind", "to": ' + "9" * 5000 + "}",
        '{"id": 1, "do": "open", "history": {"game": "gem", "engine": "mcts()", "seed": -1}}',
    ],
)
def test_a_message_that_is_none_is_refused_in_one_sentence(text):
    with pytest.raises(InputError) as error:
        read_message(text)
    assert len(str(error.value)) < 300


def test_mutated_messages_are_answered_and_other_pages_notice_nothing(running, mutated):
    rng = random.Random(5)
    with tab(running) as quiet, tab(running) as noisy:
        before = quiet.ask("open", history={**SMALL, "at": 20})
        noisy.ask("open", history=SMALL)
        for _ in range(400):
            noisy.send(mutated(rng))
            answer = noisy.next()
            assert "re" in answer or "told" in answer
        assert quiet.ask("rewind", to=10)["moment"] == 10
        assert quiet.ask("open", history={**SMALL, "at": 20})["moves"] == before["moves"]


def test_a_message_too_long_ends_that_page_alone(running):
    with tab(running) as other:
        other.ask("open", history=SMALL)
        with tab(running) as one:
            one.send('{"id": 1, "do": "' + "x" * LONGEST_MESSAGE + '"}')
            with pytest.raises(ConnectionClosed):
                one.next()
        assert other.ask("step")["moment"] == 1


def test_a_large_upload_is_refused_before_it_is_sent(running):
    with socket.create_connection(("127.0.0.1", running.port), 20) as wire:
        head = f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{running.port}\r\nContent-Length: {1 << 30}\r\n"
        token = f"Cookie: ponder_{running.port}={running.token}\r\n\r\n"
        wire.sendall((head + token).encode() + b"x" * 1000)
        assert wire.recv(100).startswith(b"HTTP/1.1 405")


def test_a_text_runs_no_python_file_that_the_server_was_not_started_with(tmp_path):
    marker = tmp_path / "was_run"
    file = tmp_path / "mine.py"
    source = (ROOT / "src/ponder/games/nim.py").read_text()
    file.write_text(f"{source}\nopen({str(marker)!r}, 'w').close()\n")
    history = {"game": f"{file}:Nim", "engine": "mcts()", "seed": 1}
    rule = {**SMALL, "engine": f"mcts(select={file}:Rule())"}
    with worker() as talk:
        for one in (history, rule):
            assert "was not started with mine.py" in talk.ask("open", history=one)["error"]
        assert not marker.exists()
    with worker(str(tmp_path)) as talk:
        assert talk.ask("open", history=history)["moment"] == 0
    assert marker.exists()


# ------------------------------------------------------------------ nothing is left behind


def gone(pid: int) -> bool:
    """Has the process ended? It may have been somebody else's child."""
    with contextlib.suppress(OSError):
        return "Z" in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]
    return True


def wait_for(condition) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen")


def test_closed_tabs_leave_no_process_behind(running):
    with tab(running) as first:
        first.ask("open", history=SMALL)
    wait_for(lambda: len(running.plain_workers()) == 1)
    with contextlib.ExitStack() as stack:
        tabs = [stack.enter_context(tab(running)) for _ in range(3)]
        for one in tabs:
            one.ask("open", history=SMALL)
            one.ask("run", rate=None)
        assert len(running.plain_workers()) >= 3
    wait_for(lambda: len(running.plain_workers()) == 1)


def test_a_killed_worker_is_a_message_and_a_button_and_nothing_more(page, running):
    told = []
    page.on("websocket", lambda wire: wire.on("framereceived", lambda frame: told.append(frame)))
    page.reload()
    seen = TryIt(page)
    seen.load("pruning")
    seen.go_to(20)
    before = seen.numbers()
    ready = [text for text in told if isinstance(text, str) and '"ready"' in text][-1]
    with tab(running) as other:
        other.ask("open", history=SMALL)
        os.kill(json.loads(ready)["process"], signal.SIGKILL)
        page.get_by_text("The search was ended from outside (SIGKILL).").wait_for()
        page.get_by_role("button", name="Search again from here").click()
        page.wait_for_function("() => !document.querySelector('#notices .notice')")
        seen.at(20)
        assert seen.numbers() == before
        seen.go_to(21)
        assert other.ask("step")["moment"] == 1


@pytest.mark.parametrize(
    ("address", "there"),
    [
        ("/search#game=tree&engine=random()&seed=1", "is to move"),
        ("/play#game=tictactoe&seats=you|you", "X to move"),
        ("/lab", "Not run yet"),
    ],
)
def test_a_worker_killed_while_a_page_opens_is_a_message_and_a_button_that_opens_it(
    page, running, address, there
):
    lost = []

    def between(wire):
        server = wire.connect_to_server()

        def pass_on(message):
            """The first worker is killed as soon as it is there; no answer of it arrives."""
            told = json.loads(message) if isinstance(message, str) else {}
            if not lost and told.get("told") == "ready":
                os.kill(told["process"], signal.SIGKILL)
            if told.get("told") == "lost":
                lost.append(told)
            if lost:
                wire.send(message)

        server.on_message(pass_on)

    page.goto("about:blank")
    page.route_web_socket("**/socket?*", between)
    page.goto(running.origin + address)
    page.get_by_text("The search was ended from outside (SIGKILL).").first.wait_for()
    assert page.locator(".notice").count() == 1
    page.locator(".notice button.primary").click()
    page.locator("#main").get_by_text(there).first.wait_for()
    assert page.locator(".notice").count() == 0


def test_workers_end_with_a_server_that_was_killed():
    with explorer() as mine, tab(mine) as one:
        one.ask("open", history=SMALL)
        one.ask("run", rate=None)
        workers = mine.workers()
        assert workers
        mine.process.kill()
        wait_for(lambda: all(map(gone, workers)))


def test_the_server_begins_without_the_compiler(running):
    """It takes a second and eighty megabytes, which the workers alone need."""
    mapped = Path(f"/proc/{running.process.pid}/maps").read_text()
    assert "llvmlite" not in mapped
    assert "numpy" not in mapped


def test_a_busy_port_is_passed_over():
    with bound("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with bound("127.0.0.1", port) as second:
            assert port < second.getsockname()[1] <= port + 20


def test_a_busy_port_and_a_missing_browser_are_said():
    without = {name: value for name, value in os.environ.items() if name != "BROWSER"}
    with bound("127.0.0.1", 0) as busy:
        port = busy.getsockname()[1]
        process = subprocess.Popen(
            [sys.executable, "-m", "ponder", "explore", "--port", str(port)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**without, "PATH": ""},
        )
        try:
            said = [process.stderr.readline() for _ in range(3)]
        finally:
            process.terminate()
            printed, _ = process.communicate(timeout=20)
    assert f"port {port} is in use; taking " in said[0]
    assert f":{said[0].split()[-1]}/?token=" in printed
    assert "no browser was found here: open the address above in one" in said[2]


def test_an_update_right_after_an_answer_does_not_wait_for_an_acknowledgement():
    async def accepted() -> int:
        loop = asyncio.get_running_loop()
        found: asyncio.Future[int] = loop.create_future()

        def look(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            made = writer.get_extra_info("socket")
            found.set_result(made.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with bound("127.0.0.1", 0) as listener:
            async with await asyncio.start_server(look, sock=listener):
                _, writer = await asyncio.open_connection(*listener.getsockname())
                writer.close()
                return await found

    with ThreadPoolExecutor() as other:  # here runs the browser's loop
        assert other.submit(asyncio.run, accepted()).result()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--port", "99999"), "--port takes a number from 0 to 65535"),
        (("nothing.txt",), "neither a Python file nor a folder"),
        (("conect4",), "unknown game 'conect4'; did you mean connect4?"),
        (("--runs", "nowhere"), "there is no folder nowhere"),
        (("--host", "203.0.113.7"), "cannot listen on 203.0.113.7"),
    ],
)
def test_bad_input_is_one_line(arguments, sentence):
    command = [sys.executable, "-m", "ponder", "explore", "--no-browser", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") <= 2


def test_messages_that_pass_the_table_are_plain_json():
    text = json.dumps({"id": 3, "do": "open", "history": SMALL})
    assert read_message(text)["history"] == SMALL
