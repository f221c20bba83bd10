"""The front page in a real browser: what its presets and texts promise is seen to happen."""

from __future__ import annotations

import pytest
from tryit import TryIt

TRUTH = 0.60


@pytest.fixture
def seen(page):
    return TryIt(page)


def test_coulom_finds_the_gem_although_another_move_looks_better_at_first(seen):
    seen.load("gem")
    assert seen.visible("C", "truth")
    assert not seen.visible("A", "truth")
    assert (seen.chosen, seen.sentence) == ("", "No recommendation yet. Press play.")
    seen.go_to(60)
    assert (seen.chosen, seen.cut) == ("A", "")
    assert seen.sentence == "Recommends a worse move: A, worth +0.35. C is worth +0.60."
    seen.go_to(180)
    assert (seen.chosen, seen.cut) == ("C", "")
    assert seen.sentence == "Recommends C, the best move."
    assert seen.shown("C")[0] > seen.shown("A")[0]


def test_pruning_cuts_the_gem_and_the_sentence_flips_and_stays(seen):
    seen.load("pruning")
    seen.go_to(23)
    assert (seen.chosen, seen.sentence) == ("C", "Recommends C, the best move.")
    seen.go_to(30)
    assert "C" in seen.cut
    visits = seen.shown("C")[0]
    for moment in (60, 120):
        seen.go_to(moment)
        assert seen.chosen == "A"
        assert seen.sentence == (
            "Recommends a worse move: A, worth +0.35. "
            f"C, worth +0.60, was cut after {visits} playouts averaging {seen.shown('C')[1]:+.2f}."
        )
        assert seen.shown("C")[0] == visits


def test_max_in_the_middle_lifts_the_root_value_above_the_truth_at_once(seen):
    seen.load("gem")
    seen.go_to(150)
    before = seen.root_value
    assert before is not None
    assert before < TRUTH + 0.05
    seen.choose("backup", "Max")
    seen.until(lambda: seen.root_value != before)
    assert seen.moment == 150
    assert seen.root_value > TRUTH + 0.5
    assert "Backup becomes Max" in seen.log


def test_the_preset_with_max_switches_by_itself(seen):
    seen.load("max")
    assert seen.moment == 120
    assert seen.root_value < TRUTH
    seen.page.fill("#speed", "7")
    seen.page.click("button.play")
    seen.until(lambda: "150\nBackup becomes Max" in seen.log)
    seen.until(lambda: seen.moment > 152)
    assert seen.root_value > TRUTH + 0.2


@pytest.mark.parametrize(
    ("preset", "before", "after"),
    [("ucb1", 30, 65), ("epsilon", 250, 290), ("boltzmann", 60, 105), ("puct", 120, 165)],
)
def test_the_other_presets_do_what_they_say(seen, preset, before, after):
    seen.load(preset)
    seen.leap_to(before)
    assert seen.chosen == "A"
    seen.leap_to(after)
    assert seen.chosen == "C"
    assert seen.root_value < TRUTH  # the mean: other moves are averaged in


def test_the_entry_of_a_change_leads_to_just_after_it(seen):
    seen.load("gem")
    seen.go_to(10)
    seen.choose("backup", "Max")
    seen.until(lambda: "10\nBackup becomes Max" in seen.log)
    seen.go_to(14)
    seen.page.locator("ponder-log button", has_text="Backup becomes Max").click()
    seen.at(10)
    chosen = "[data-chooser=backup] :checked"
    label = "one => one.closest('label').textContent"
    seen.until(lambda: "Max" in seen.page.locator(chosen).evaluate(label))


def test_entries_of_the_log_lead_back_and_the_future_stays_in_reach(seen):
    seen.load("pruning")
    seen.go_to(40)
    last = seen.numbers()
    seen.page.get_by_role("button", name="C is cut for good").click()
    seen.at(25)
    assert "C" in seen.cut
    seen.page.keyboard.press("ArrowLeft")
    seen.at(24)
    assert "C" not in seen.cut
    seen.page.keyboard.press("End")
    seen.at(40)
    assert seen.numbers() == last


def test_a_way_that_was_left_can_be_taken_up_again(seen):
    seen.load("pruning")
    seen.go_to(30)
    old = seen.numbers()
    seen.page.keyboard.press("Home")
    seen.at(0)
    seen.choose("selectivity", "Coulom")
    seen.until(lambda: "Selectivity becomes Coulom" in seen.log)
    seen.page.get_by_role("button", name="Left behind: Pruning").last.click()
    seen.at(30)
    assert seen.numbers() == old


def test_pointing_at_moves_explains_every_term_of_the_rule(seen):
    seen.load("gem")
    seen.go_to(20)
    seen.move("C").click()
    panel = seen.page.locator("ponder-why")
    seen.until(lambda: panel.locator("h3").inner_text() == "Move C")
    assert f"{seen.shown('C')[0]} visits" in panel.inner_text()
    seen.move("root").click()
    seen.until(lambda: panel.locator("h3").inner_text() == "The root chooses")
    head = panel.locator("thead").inner_text().split()
    assert head == ["move", "n", "N", "mean", "spread", "floor", "probability"]
    chances = [float(row.split()[-1]) for row in panel.locator("tbody tr").all_inner_texts()]
    assert sum(chances) == pytest.approx(1.0, abs=0.005)
    seen.choose("selectivity", "UCB1")
    seen.until(lambda: "score" in panel.locator("thead").inner_text())


def test_a_hidden_value_is_changed_with_the_keyboard_and_by_dragging(seen):
    seen.load("gem")
    value = seen.page.get_by_role("slider", name="True value of B")
    for _ in range(3):
        value.press("ArrowRight")
    seen.until(lambda: value.get_attribute("aria-valuetext") == "+0.25")
    seen.until(lambda: "0.25" in seen.page.url)
    box = value.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    seen.page.mouse.move(*middle)
    seen.page.mouse.down()
    seen.page.mouse.move(middle[0] + 200, middle[1], steps=4)
    seen.page.mouse.up()
    seen.until(lambda: seen.visible("B", "truth"))
    assert not seen.visible("C", "truth")


def test_each_level_of_explanation_sets_the_page_to_what_it_speaks_of(seen):
    page = seen.page
    page.get_by_role("tab", name="High school").click()
    page.get_by_role("button", name="Stop just before the cut").click()
    seen.at(24)
    assert "C" not in seen.cut
    seen.page.keyboard.press("ArrowRight")
    seen.at(25)
    assert "C" in seen.cut
    page.get_by_role("tab", name="High school").press("ArrowRight")
    page.get_by_role("button", name="Look at every urgency").click()
    seen.at(40)
    seen.until(lambda: "probability" in page.locator("ponder-why thead").inner_text())
    page.get_by_role("tab", name="Researcher").click()
    page.get_by_role("button", name="Put UCB1 in its place").click()
    seen.at(60)
    assert page.get_by_role("radio", name="UCB1").is_checked()
    page.get_by_role("tab", name="Age 5").click()
    page.get_by_role("button", name="Watch it slowly").click()
    seen.until(lambda: page.inner_text("button.play") == "Pause" and 2 <= seen.moment < 40)


def test_another_scenario_begins_anew_with_the_rules_as_they_are(seen):
    seen.load("gem")
    seen.choose("backup", "Robust max")
    seen.go_to(10)
    seen.choose("scenario", "Plain")
    seen.at(0)
    assert seen.visible("A", "truth")
    assert seen.page.get_by_role("radio", name="Robust max").is_checked()


def test_an_address_is_followed_although_the_page_writes_its_own_at_the_same_time(seen):
    seen.load("gem")
    seen.page.evaluate(
        """() => {
            const own = location.hash;
            location.hash = own.replace(/at=\\d+/, "at=12");
            history.replaceState(null, "", own);  // before anybody hears of the other one
        }"""
    )
    seen.at(12)


def test_an_address_that_cannot_be_shown_is_said_and_the_page_works(seen):
    page, origin = seen.page, seen.page.url.partition("#")[0]
    for address, told in (
        ("game=gem&engine=mcts()&seed=first", "Seed must be a whole number"),
        ("game=tictactoe&engine=mcts()&seed=1", "This page searches the game gem alone"),
    ):
        page.goto("about:blank")
        page.goto(f"{origin}#{address}")
        seen.settled()
        assert told in page.inner_text(".notice")
        seen.go_to(1)
    page.get_by_role("button", name="Open it there").click()
    page.wait_for_url("**/search#game=tictactoe&*")
