"""The Lecture page in a real browser: the lecture's numbers are seen, and every step is exact."""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
import sys

import pytest
from browser import PATIENCE, PHONE, window_of
from lecturepage import LecturePage

TEXTBOOK = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]


@pytest.fixture
def seen(running, browser):
    """The page in a window of its own; an error in a script fails the test."""
    with window_of(browser, running) as window:
        yield LecturePage(window, running.origin)


def test_minimax_gives_the_lectures_values_one_after_the_other(seen):
    seen.topic("minimax")
    assert (seen.step, seen.value()) == (0, "")
    seen.go_to(3)
    assert (seen.value("1"), seen.those("here")) == ("≤3", ["1 1"])
    seen.go_to(6)
    assert (seen.value("1"), seen.value()) == ("3", "≥3")
    seen.press("End")
    assert [seen.value(path) for path in ("", "1", "2", "3")] == ["3", "3", "2", "2"]
    assert seen.those("line") == ["", "1", "1 1"]
    assert seen.counts() == (9, 9)
    assert seen.sentence == "A is worth 3: MAX plays 1. That is the value of the tree."


def test_alpha_beta_greys_the_leaves_of_the_lectures_cut_and_says_why(seen):
    seen.topic("alphabeta")
    seen.go_to(7)
    assert seen.window("2") == "[3, +∞]"
    seen.go_to(8)
    assert seen.those("cut") == ["2 2", "2 3"]
    assert seen.window("2") == "[3, 2]"
    assert "β ≤ α" in seen.node("2").locator(".reason").text_content()
    assert "MAX has better elsewhere, so the other 2 moves are cut" in seen.sentence
    seen.press("End")
    assert (seen.value(), seen.value(figure=1)) == ("3", "3")
    assert (seen.counts(0), seen.counts(1)) == ((7, 9), (9, 9))


def alphabeta(tree, alpha=-math.inf, beta=math.inf, high=True):
    """Value and leaves looked at: the lecture's lines, written down once more."""
    if not isinstance(tree, list):
        return tree, 1
    value, leaves = (-math.inf if high else math.inf), 0
    for below in tree:
        found, seen = alphabeta(below, alpha, beta, not high)
        leaves += seen
        if high:
            value = max(value, found)
            alpha = max(alpha, value)
        else:
            value = min(value, found)
            beta = min(beta, value)
        if beta <= alpha:
            break
    return value, leaves


DEEP = [[[[8, 7], [3, 9]], [[9, 8], [2, 4]]], [[[1, 8], [8, 9]], [[9, 9], [3, 4]]]]


@pytest.mark.parametrize(("tree", "b", "d"), [(TEXTBOOK, 3, 2), (DEEP, 2, 4)])
def test_the_order_of_moves_decides_how_many_leaves_are_looked_at(seen, tree, b, d):
    seen.open(f"#topic=alphabeta&tree={tree}".replace(" ", ""))
    seen.press("End")
    value = seen.value()
    assert seen.counts() == (alphabeta(tree)[1], b**d)
    seen.press("b")
    seen.until(lambda: seen.counts()[0] == b ** math.ceil(d / 2) + b ** (d // 2) - 1)
    for key in ("w", "s", "s"):
        before = seen.tree
        seen.press(key)
        seen.until(lambda: seen.tree != before)  # noqa: B023
        seen.settled()
        assert seen.counts() == (alphabeta(json.loads(seen.tree))[1], b**d)
        if (key, d) == ("w", 2):  # each move is better than those before it: nothing is spared
            assert (seen.counts(), seen.those("cut")) == ((9, 9), [])
    assert seen.value() == seen.value(figure=1) == value, "pruning changes no value"
    seen.press("u", "u", "u", "u")
    assert json.loads(seen.tree) == tree


def test_from_mins_chair_every_sign_turns_and_the_same_leaves_are_cut(seen):
    seen.open("#topic=alphabeta&step=9")
    paths = ("", "1", "2")
    assert [seen.value(path) for path in paths] == ["≥3", "3", "≤2"]
    assert [seen.window(path) for path in paths] == ["[3, +∞]", "[−∞, 3]", "[3, 2]"]
    cut, line = seen.those("cut"), seen.those("line")
    assert seen.those("max") == [""]
    seen.press("c")
    seen.until(lambda: seen.value() == "≤−3")
    assert [seen.value(path) for path in paths] == ["≤−3", "−3", "≥−2"]
    assert [seen.window(path) for path in paths] == ["[−∞, −3]", "[−3, +∞]", "[−2, −3]"]
    assert (seen.those("cut"), seen.those("line")) == (cut, line)
    assert seen.those("min") == [""]
    assert seen.leaf("1 2") == "−12"


def test_a_leaf_is_changed_by_dragging_by_keys_and_by_typing_and_undone(seen):
    seen.open("#topic=minimax")
    seen.press("End")
    box = seen.node("1 1").locator(".box").bounding_box()
    mouse = seen.page.mouse
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.move(x, y)
    mouse.down()
    for lifted in (10, 20, 24):
        mouse.move(x, y - lifted)  # six pixels are one
    seen.until(lambda: seen.leaf("1 1") == "7")
    mouse.up()
    seen.until(lambda: seen.value() == "7")
    assert seen.tree == "[[7, 12, 8], [2, 4, 6], [14, 5, 2]]"
    seen.press("ArrowDown", "ArrowDown")
    seen.until(lambda: (seen.leaf("1 1"), seen.value()) == ("5", "5"))
    seen.press("ArrowRight", "ArrowUp")
    seen.until(lambda: seen.leaf("1 2") == "13")
    seen.page.keyboard.type("-4")
    seen.press("Enter")
    seen.until(lambda: (seen.leaf("1 2"), seen.value("1"), seen.value()) == ("−4", "−4", "2"))
    seen.click("Undo")
    seen.until(lambda: seen.leaf("1 2") == "13")
    seen.click("Undo")
    seen.click("Undo")
    seen.click("Undo")
    seen.until(lambda: seen.leaf("1 1") == "7")
    seen.click("Undo")
    seen.until(lambda: seen.value() == "3")
    seen.page.focus("#main")
    seen.press("c")  # from MIN's chair it is changed in MIN's numbers
    seen.until(lambda: seen.leaf("2 1") == "−2")
    seen.node("2 1").locator("[role=slider]").focus()
    seen.press("ArrowUp")
    seen.until(lambda: seen.leaf("2 1") == "−1")
    assert seen.tree == "[[3, 12, 8], [1, 4, 6], [14, 5, 2]]"


def test_a_list_that_cannot_be_read_gets_one_sentence_and_the_rest_keeps_working(seen):
    seen.open("#topic=alphabeta&step=8")
    before = seen.everything()
    for text, told in (
        ("[[3, 12, 8], [2, 4, 6], [14, 5", "nested lists"),
        ("[[3, x], [1]]", "not x"),
        ('[{"chance": [[0.5, 1], [0.2, 3]]}, 4]', "add up to 1, not 0.7"),
        ("7", "over"),
        ("[[3, 12], []]", "1 to 10000 moves"),
    ):
        seen.write(text)
        seen.until(lambda: told in seen.complaint)  # noqa: B023
        assert seen.complaint.count(". ") == 0
        assert seen.everything() == before
    seen.click("Back")
    seen.until(lambda: seen.step == 7)
    seen.write("[[4, 2], [9, 1]]")
    seen.until(lambda: seen.complaint == "")
    assert seen.leaf("2 1") == "9"


def test_every_step_back_and_forth_shows_what_a_fresh_visit_shows(seen):
    rng = random.Random(7)
    seen.open("#topic=alphabeta")
    for _ in range(3):
        seen.go_to(rng.randrange(seen.steps + 1))
        for key in rng.choices(("ArrowRight", "ArrowLeft", "Shift+ArrowRight"), k=3):
            seen.page.focus("#main")
            seen.press(key)
        shown, address = seen.everything(), seen.page.url
        seen.page.reload()
        seen.settled()
        assert seen.everything() == shown
        assert seen.page.url == address


def test_luck_tuples_beams_and_noise_give_their_lectures_answers(seen):
    seen.topic("expectimax")
    seen.press("End")
    assert [seen.value(path) for path in ("", "1", "2")] == ["6", "6", "4.7"]
    seen.go_to(9)
    assert "0.9 × 3 + 0.1 × 20 = 4.7" in seen.sentence
    assert "0.9" in seen.page.locator("figure .chance").all_text_contents()
    seen.click("Square the leaves")
    seen.until(lambda: [seen.value(path) for path in ("", "1", "2")] == ["48.1", "40", "48.1"])
    seen.topic("expectiminimax")
    seen.press("End")
    assert [seen.value(path) for path in ("", "1", "2")] == ["3", "3", "2.7"]
    seen.topic("maxn")
    seen.press("End")
    assert [seen.value(path) for path in ("", "1", "2")] == ["(7, 2, 1)", "(1, 6, 6)", "(7, 2, 1)"]
    decides = seen.node("1 1").locator(".deciding .number").all_text_contents()
    assert decides == ["6"], "player 1 compares the second numbers"
    seen.click("Three plies")
    seen.until(lambda: seen.value() == "(1, 2, 6)")  # the textbook's answer
    seen.topic("beam")
    seen.press("End")
    assert (seen.value(), seen.value(figure=1)) == ("5", "8")
    assert seen.those("out") == ["1 3", "3", "3 1", "3 2", "3 3"]
    seen.page.fill("#number-beam", "2.5")
    seen.page.keyboard.press("Tab")
    seen.until(lambda: seen.complaint == "Moves in the beam: a whole number from 1 to 9, not 2.5.")
    seen.click("Beam of three")
    seen.until(lambda: seen.value() == "8")
    seen.topic("quiescence")
    seen.press("End")
    assert (seen.value(), seen.those("line")) == ("3", ["", "3"])
    assert (seen.value(figure=1), seen.those("line", 1)) == ("6", ["", "2"])
    seen.click("Search three plies")
    seen.until(lambda: (seen.value(), seen.value(figure=1)) == ("4", "4"))


PULLS = """
import json, sys
from ponder import position
from ponder.core.registry import parse_engine

arms, seed, pulls, *rules = json.loads(sys.argv[1])
for rule in rules:
    game = position(f"bandit(arms=({', '.join(map(str, arms))}))")
    session = parse_engine(f"mcts(select={rule})").start(game, seed=seed)
    session.run(simulations=pulls)
    visits = {row.name: row.visits for row in session.result().moves}
    counts = [visits["ABC"[i]] for i in range(len(arms))]
    lost = sum(n * (max(arms) - p) for n, p in zip(counts, arms))
    print(json.dumps([rule, f"lost {lost:.2f}", [str(n) for n in counts]]))
"""
"""Sessions of their own, in plain mode as the page's."""


def fresh(arms, seed, pulls, *rules):
    done = subprocess.run(
        [sys.executable, "-c", PULLS, json.dumps([arms, seed, pulls, *rules])],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {rule: (lost, counts) for rule, lost, counts in rows}


def test_bandits_lose_what_fresh_sessions_lose_back_and_forth(seen):
    rules = ("ucb1(c=2.83)", "epsilon_greedy()", "boltzmann()")
    seen.open(f"#topic=bandits&seed=3&step=30&rules={'|'.join(rules)}")
    seen.until(lambda: seen.pulls == 30)
    expected = fresh([0.6, 0.55, 0.4], 3, 30, *rules)
    assert seen.gamblers() == expected
    seen.page.focus("#main")
    seen.press("ArrowRight", "ArrowLeft", "ArrowLeft")
    seen.until(lambda: seen.pulls == 29)
    assert seen.gamblers() == fresh([0.6, 0.55, 0.4], 3, 29, *rules)
    seen.page.reload()
    seen.until(lambda: seen.page.locator(".moment").inner_text() == "29 pulls")
    seen.press("ArrowRight")
    seen.until(lambda: seen.pulls == 30)
    assert seen.gamblers() == expected
    chart = seen.page.locator(".regret-chart canvas").get_attribute("aria-label")
    assert all(f"{lost.removeprefix('lost ')} after 30" in chart for lost, _ in expected.values())


def test_arms_are_dragged_rules_are_added_and_one_that_cannot_play_is_refused_in_a_sentence(seen):
    seen.open("#topic=bandits&step=12&rules=ucb1_tuned()")
    seen.until(lambda: seen.pulls == 12)
    handle = seen.page.get_by_role("slider", name="Chance of arm C")
    handle.focus()
    seen.press("ArrowUp")
    seen.until(lambda: handle.get_attribute("aria-valuetext") == "45 %")
    seen.until(lambda: seen.gamblers() == fresh([0.6, 0.55, 0.45], 1, 12, "ucb1_tuned()"))
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    seen.page.mouse.move(x, y)
    seen.page.mouse.down()
    seen.page.mouse.move(x, y - 30, steps=3)
    seen.page.mouse.up()
    seen.until(lambda: int(handle.get_attribute("aria-valuetext").split()[0]) > 55)
    seen.page.fill("#own-rule", "ucb1(c=0.5)")
    seen.page.keyboard.press("Enter")
    seen.until(lambda: list(seen.gamblers()) == ["ucb1_tuned()", "ucb1(c=0.5)"])
    before = seen.gamblers()
    for text, told in (("rave()", "dice between"), ("ucb9()", "ucb9"), ("ucb1(", "ucb1")):
        seen.page.fill("#own-rule", text)
        seen.page.keyboard.press("Enter")
        wrong = seen.page.locator(".part-box .wrong")
        seen.until(lambda: told in wrong.inner_text())  # noqa: B023
        assert seen.gamblers() == before
    seen.page.get_by_role("checkbox", name="Round robin").check(force=True)
    seen.until(lambda: seen.gamblers().get("equal()", ("", []))[1] == ["4", "4", "4"])


def test_greed_gets_stuck_on_the_worst_arm_as_its_note_says(seen):
    seen.topic("bandits")
    seen.click("See it get stuck")
    seen.until(lambda: seen.pulls == 60)
    lost, counts = seen.gamblers()["epsilon_greedy(epsilon=0.0)"]
    assert counts == ["1", "1", "58"]
    assert lost == f"lost {58 * 0.2 + 0.05:.2f}"


def test_every_topic_fits_a_phone_and_has_no_serious_fault(running, browser, artifacts):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    look = {"viewport": PHONE, "color_scheme": "dark", "reduced_motion": "reduce"}
    with browser.new_context(**look) as context:
        context.set_default_timeout(PATIENCE)
        window = context.new_page()
        seen = LecturePage(window, running.origin, f"?token={running.token}")
        for topic in ("alphabeta", "expectiminimax", "maxn", "beam", "quiescence", "bandits"):
            seen.topic(topic)
            seen.press("Shift+ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
            window.screenshot(path=artifacts / f"lecture-{topic}.png", full_page=True)
            wide = window.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{topic} is wider than the screen"
            if topic in ("alphabeta", "maxn", "bandits"):
                found = axe.run(window).response["violations"]
                serious = [one for one in found if one["impact"] in ("serious", "critical")]
                assert not [(one["id"], one["nodes"][0]["html"]) for one in serious]
