"""The Lab page in a real browser: an experiment run to its verdicts, stopped, continued, refused.

The server is one of its own, in plain mode, with an empty folder for what is kept.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest
from browser import PHONE, explorer, serious_faults, window_of
from tabs import tab

from ponder.lab import EXPERIMENTS

TINY = ("experiment=scale", "size=quick", "seed=3", "size.trees=2")
LONGER = ("experiment=scale", "size=quick", "seed=3", "size.trees=40")
"""Two steps of some seconds each: the second must outlast a reload."""


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """The environment of the server: nothing is compiled, nothing was kept."""
    kept = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_DISABLE_JIT", "1")
        patch.setenv("XDG_CACHE_HOME", str(kept))
        patch.delenv("NUMBA_CACHE_DIR", raising=False)
        yield


@pytest.fixture(scope="module")
def server(plain):
    with explorer() as made:
        yield made


@pytest.fixture
def window(server, browser):
    with window_of(browser, server) as made:
        yield made


def opened(page, server, *words):
    page.goto("about:blank")
    page.goto(f"{server.origin}/lab#{'&'.join(words)}")
    page.locator(".clause").first.wait_for()
    return page


def says(page, text):
    page.locator(".sentence", has_text=text).wait_for()


def saved(page, what):
    return unquote(page.locator(f"[data-do={what}]").get_attribute("href").partition(",")[2])


def verdicts(page):
    """By clause: the word that stands beside it, without its sign."""
    rows = page.locator(".clause").all()
    return {
        row.get_attribute("data-clause"): row.locator(".verdict-badge").inner_text().split("\n")[-1]
        for row in rows
    }


def experiment_processes(server):
    """Their numbers, as long as a worker of the server has them."""
    found = []
    for worker in server.workers():
        children = Path(f"/proc/{worker}/task/{worker}/children")
        found += children.read_text().split() if children.exists() else []
    return [number for number in found if lives(number)]


def lives(number):
    """Does the process run? One that has ended and waits to be asked has no command any more."""
    try:
        return b"experiment" in Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return False


def test_an_experiment_says_what_it_claims_then_runs_to_what_the_command_prints(
    window, server, artifacts, axe
):
    page = opened(window, server, *TINY)
    assert page.locator(".experiments a").count() == len(EXPERIMENTS)
    assert set(verdicts(page).values()) == {"to be decided"}
    assert "no monotone change moves a minimax decision" in page.inner_text(".clauses").lower()
    said = page.inner_text(".command")
    assert said == "ponder lab scale --quick --size trees=2 --seed 3"
    page.click("[data-do=run]")
    says(page, "Finished: 2 steps")
    command = [sys.executable, "-m", "ponder", *said.split()[1:], "--json"]
    known = json.loads(subprocess.run(command, capture_output=True, check=False).stdout)
    assert json.loads(saved(page, "json")) == known
    assert verdicts(page) == {one["id"]: one["verdict"] for one in known["clauses"]}
    assert known["verdict"] in page.inner_text(".overall")
    rows = saved(page, "csv").splitlines()
    assert len(rows) == 1 + len(known["observations"])
    page.click(".tables summary")
    shown = page.locator(".unit tbody tr").first.inner_text().split("\t")
    assert shown[0] == known["observations"][0]["series"]
    page.screenshot(path=artifacts / "lab-result.png", full_page=True)
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=artifacts / "lab-result-phone.png", full_page=True)
    assert not serious_faults(axe, page)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    # whoever opens the address sees what was found
    again = opened(page, server, *TINY)
    says(again, "Run on")
    assert verdicts(again) == {one["id"]: one["verdict"] for one in known["clauses"]}


def test_a_run_is_stopped_continued_and_survives_a_reload(window, server):
    page = opened(window, server, *LONGER)
    page.keyboard.press("r")
    says(page, "Step 2: expectiminimax")
    assert len(experiment_processes(server)) == 1
    page.keyboard.press("s")
    says(page, "Stopped after 1 step.")
    assert experiment_processes(server) == []
    page.keyboard.press("c")
    says(page, "Step 2: expectiminimax")
    page.reload()
    says(page, "Step 2: expectiminimax")  # it went on by itself, and the first step was kept
    (number,) = experiment_processes(server)
    for worker in server.workers():
        os.kill(worker, signal.SIGKILL)
    page.get_by_role("button", name="Go on from here").click()
    says(page, "Finished: 2 steps")
    assert not lives(number)
    whole = json.loads(saved(page, "json"))
    command = whole["command"].split()[1:]
    known = subprocess.run(
        [sys.executable, "-m", "ponder", *command, "--json"], capture_output=True, check=False
    )
    assert whole == json.loads(known.stdout)
    page.keyboard.press("r")
    says(page, "of 2:")  # how long it is, is known by now
    (number,) = experiment_processes(server)
    page.goto("about:blank")  # gone for good
    for _ in range(200):
        if not lives(number):
            break
        page.wait_for_timeout(50)
    assert not lives(number)


def test_what_cannot_be_run_is_refused_where_one_looks(window, server):
    page = opened(window, server, *TINY)
    for wrong in ("0", "2.5"):
        page.fill("input[name=trees]", wrong)
        page.keyboard.press("Tab")
        told = f"The size trees must be a whole number, 1 or more, not {wrong}."
        page.locator(".wrong", has_text=told).wait_for()
    page.fill("input[name=trees]", "3")
    page.keyboard.press("Tab")
    page.locator(".command", has_text="trees=3").wait_for()
    assert page.inner_text(".wrong") == ""
    assert "size.trees=3" in page.url
    page = opened(window, server, "experiment=variance", "size=quick", "with=nonsense()")
    page.locator(".wrong", has_text="nonsense").wait_for()
    assert page.inner_text("h2").startswith("variance")
    page = opened(window, server, "experiment=variance", "size=quick", "with=ucb1(c=3)")
    page.locator(".command", has_text='--with "ucb1(c=3').wait_for()
    page = opened(window, server, "experiment=scale", "size.trees=2.5")
    page.locator(".wrong", has_text="must be a whole number, 1 or more, not 2.5").wait_for()
    page = opened(window, server, "experiment=scale", "seed=first")
    page.locator(".wrong", has_text="Seed must be a whole number").wait_for()
    page = opened(window, server, "experiment=nonsense")
    page.locator(".wrong", has_text="Unknown experiment 'nonsense'").wait_for()


def test_no_code_runs_that_the_server_was_not_started_with(server, tmp_path):
    rule = tmp_path / "rule.py"
    rule.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    with tab(server, "lab") as page:
        own = page.ask("plan", experiment="gem", own=[f"{rule}:Rule()"])
        game = page.ask("lab_run", experiment="tune", game=f"{rule}:Game")
        size = page.ask("plan", experiment="scale", sizes={"trees": 10**9})
    assert "rule.py" in own["error"]
    assert "rule.py" in game["error"]
    assert size["error"] == "the size trees must be 100,000,000 at most, not 1,000,000,000"
    assert not (tmp_path / "ran").exists()
    assert os.listdir(tmp_path) == ["rule.py"]
