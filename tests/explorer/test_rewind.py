"""Rewinding is exact: whatever way led to a history, the page shows a fresh run of it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from tryit import LETTERS, TryIt

BACKUPS = ("Mix", "Mean", "Max", "Robust max")
SELECTS = ("Coulom", "Pruning", "UCB1", "ε-greedy", "Boltzmann", "PUCT")


@pytest.fixture(scope="module")
def fresh():
    """Asks another process for a fresh run."""
    with subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("fresh_runs.py"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    ) as process:

        def run(history):
            process.stdin.write(json.dumps(history) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield run
        process.stdin.close()


def in_address(url: str) -> dict:
    """The history that an address holds."""
    given = parse_qs(urlsplit(url).fragment, keep_blank_values=True)
    changes = []
    for text in given.get("change", []):
        at, _, parts = text.partition(":")
        pairs = (part.partition("=") for part in parts.split(";"))
        changes.append({"at": int(at), **{kind: value for kind, _, value in pairs}})
    return {
        "game": given["game"][0],
        "engine": given["engine"][0],
        "seed": int(given["seed"][0]),
        "at": int(given["at"][0]),
        "changes": changes,
    }


def assert_exact(seen: TryIt, fresh) -> None:
    """What stands on the page is what a fresh run of the address shows."""
    history = in_address(seen.page.url)
    shown = seen.numbers()
    assert shown["moment"] == history["at"]
    if not history["at"]:
        return
    wanted = fresh(history)
    assert shown["root"] == pytest.approx(wanted["root_value"], abs=0.00501)
    assert (seen.chosen, set(seen.cut)) == (wanted["best"], set(wanted["cut"]))
    for letter in LETTERS:
        visits, value = wanted["moves"].get(letter, [0, None])
        assert shown[letter][0] == visits
        assert shown[letter][1] == (value if value is None else pytest.approx(value, abs=0.00501))


@pytest.mark.parametrize("seed", [1, 2])
def test_after_any_sequence_the_page_shows_a_fresh_run_of_its_history(page, fresh, seed):
    rng = random.Random(seed)
    seen = TryIt(page)
    seen.load(rng.choice(["gem", "pruning", "boltzmann"]))
    furthest = 0
    for _ in range(10):
        moment = seen.moment
        kind = rng.choice(
            ["steps", "steps", "rewind", "entry", "backup", "selectivity", "reload", "fork"]
        )
        if kind == "steps":
            seen.go_to(moment + rng.choice([1, 7, 20]))
            furthest = seen.moment
        elif kind == "rewind" and furthest:
            to = rng.randint(0, furthest)
            seen.page.fill("#moment", str(to))
            seen.at(to)
        elif kind == "entry":  # of the log: a moment, or another way that was left
            entries = seen.page.locator("ponder-log button").all()
            rng.choice(entries).click()
            seen.page.wait_for_selector(".stage:not([aria-busy])")
            seen.page.wait_for_timeout(100)
            furthest = int(seen.page.get_attribute("#moment", "max"))
        elif kind in ("backup", "selectivity"):
            choices = BACKUPS if kind == "backup" else SELECTS
            seen.choose(kind, rng.choice(choices))
            furthest = moment
        elif kind == "reload":
            seen.page.reload()
            seen.settled()
            furthest = moment
        elif kind == "fork":  # the same history, opened by its address in another window
            twin = seen.page.context.new_page()
            twin.goto(seen.page.url)
            seen = TryIt(twin)
            furthest = moment
        seen.page.wait_for_selector(".stage:not([aria-busy])")
        seen.page.wait_for_timeout(100)  # what was switched at the same moment has been painted
        assert seen.moment == moment or kind in ("steps", "rewind", "entry")
        assert_exact(seen, fresh)
