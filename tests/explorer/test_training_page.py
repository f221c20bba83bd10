"""The Training page in a real browser, and `ponder explore GAME`.

The run is a tiny one of tic-tac-toe, made in plain mode; the server shows its folder.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest
from browser import PHONE, explorer, serious_faults, window_of
from tabs import tab

from ponder.files import line_of, object_of

MAKE = """
import sys
from pathlib import Path
from ponder import position
from ponder.learn import training
from ponder.learn.config import training as settings
from ponder.learn.solved_positions import solved_positions

training.RATING_GAMES, training.RATING_SIMULATIONS = 2, 4
config = settings(simulations=4, first_positions=30, batch=16, seed=5)
run = training.TrainingRun(position("tictactoe"), Path(sys.argv[1]), config, 1)
run.solved = solved_positions(run.position, 5)
run.run(seconds=1000, rounds=3)
run.rate()
run.close()
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with two runs, one of them damaged, and an environment without a compiler."""
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_DISABLE_JIT", "1")
        subprocess.run([sys.executable, "-c", MAKE, str(folder / "small")], check=True)
        (folder / "damaged").mkdir()
        (folder / "damaged" / "config.json").write_text("{")
        yield folder


@pytest.fixture(scope="module")
def server(runs):
    with explorer("tictactoe", "--play", "--runs", str(runs)) as made:
        yield made


@pytest.fixture
def window(server, browser):
    with window_of(browser, server) as made:
        yield made


def shown(runs):
    """What the command says of the run, as text and as data."""
    command = [sys.executable, "-m", "ponder", "train", "--show", str(runs / "small")]
    text, data = (
        subprocess.run([*command, *more], capture_output=True, text=True, check=True).stdout
        for more in ((), ("--json",))
    )
    return text, json.loads(data)


def test_a_run_is_shown_with_the_numbers_of_the_command(window, server, runs, artifacts, axe):
    page = window
    page.goto(f"{server.origin}/training#run=small")
    page.locator(".games li").first.wait_for()
    text, data = shown(runs)
    last = data["rounds"][-1]
    tiles = dict(
        zip(
            page.locator(".tiles dt").all_inner_texts(),
            page.locator(".tiles dd").all_inner_texts(),
            strict=True,
        )
    )
    assert tiles["Games"] == f"{last['games']:,}"
    assert tiles["Positions"] == f"{last['positions']:,}"
    assert tiles["Policy loss"] == f"{last['policy_loss']:.3f}"
    assert tiles["Mistakes"].replace(" ", "") == f"{last['search_mistakes']:.0%}"
    page.keyboard.press("t")
    rows = [row.split("\t") for row in page.locator(".rounds tbody tr").all_inner_texts()]
    assert [[cell for cell in row if cell.strip()] for row in rows] == [
        line.split() for line in text.splitlines()[2 : 2 + len(data["rounds"])]
    ]
    assert page.locator(".curve[data-name='policy']").count() == 1
    assert page.locator("tr[data-rung='0']").inner_text().startswith("random()")
    assert "left" in page.inner_text(".sentence")  # of the 1,000 seconds it was given
    moves = data["games"][0]["moves"]
    assert page.locator(".games .moves").first.inner_text() == " ".join(moves)
    page.screenshot(path=artifacts / "training-run.png", full_page=True)
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=artifacts / "training-run-phone.png", full_page=True)
    assert not serious_faults(axe, page)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.locator(".games a").first.click()
    page.locator(".record-move").nth(len(moves) - 1).wait_for()
    played = page.locator(".record-move > span:not(.dice)").all_inner_texts()
    assert played == moves


def test_a_round_that_is_finished_appears_by_itself(window, server, runs):
    shutil.copytree(runs / "small", runs / "growing")
    page = window
    page.goto(f"{server.origin}/training#run=growing")
    page.locator("[data-tile=Rounds]", has_text="3").wait_for()
    log = runs / "growing" / "log.jsonl"
    lines = log.read_bytes().splitlines()
    more = {**object_of(lines[-1]), "rounds": 4, "games": 1234}
    log.write_bytes(b"".join([*(line + b"\n" for line in lines), line_of(more)]))
    page.locator("[data-tile=Rounds]", has_text="4").wait_for()
    assert page.inner_text("[data-tile=Games]") == "1,234"
    assert "Training" in page.inner_text(".sentence")


def test_what_is_wrong_with_a_run_is_a_sentence_and_paths_lead_nowhere(window, server, runs):
    page = window
    page.goto(f"{server.origin}/training#run=damaged")
    page.locator(".wrong", has_text="is damaged: it is no JSON object").wait_for()
    with tab(server, "training") as asked:
        for name in ("..", "../small", str(runs / "small"), "small/games", ""):
            assert "there is no run" in asked.ask("training_run", run=name)["error"]
            assert "there is no run" in asked.ask("training_games", run=name)["error"]


def test_explore_opens_the_game_that_it_is_given(window, server):
    """The server of these tests was started as `ponder explore tictactoe --play`."""
    window.goto(server.address)
    assert "/play#game=tictactoe" in window.url
    window.locator("h1", has_text="Tic-tac-toe").wait_for()
    window.locator("ponder-board").first.wait_for()
