"""The Lecture page lists what the sources say, heading by heading, and answers a question."""

from __future__ import annotations

import pytest
from browser import window_of
from lecturepage import LecturePage

from ponder.explorer.answers import ANSWERS
from ponder.sources.statements import read_map

MAP = read_map()


@pytest.fixture
def seen(running, browser):
    """The page with its map opened."""
    with window_of(browser, running) as window:
        page = LecturePage(window, running.origin)
        window.click(".sources-card > summary")
        window.wait_for_selector("ponder-source-map details")
        yield page


def shown(page) -> list[str]:
    found: list[str] = page.page.locator("ponder-source-map li").evaluate_all(
        "all => all.map(one => one.dataset.number)"
    )
    return found


def test_every_heading_of_every_source_is_listed_with_its_statements(seen):
    sources = seen.page.locator("ponder-source-map > div > details")
    assert sources.count() == 5
    for key in MAP.sources:
        own = seen.page.locator(f'[data-source="{key}"] > details')
        headings = own.evaluate_all("all => all.map(one => one.dataset.heading)")
        assert headings == MAP.headings(key)
    assert sorted(map(int, shown(seen))) == list(range(1, 251))


def test_a_question_is_answered_with_the_statement_and_its_command(seen):
    seen.page.fill("#source-question", "beam search")
    seen.page.keyboard.press("Enter")
    seen.page.wait_for_selector("ponder-source-map > div > ol")
    assert shown(seen)[0] == "168"
    assert "beam=2" in seen.page.locator("ponder-source-map code").first.inner_text()


def test_a_word_that_is_nowhere_is_answered_with_the_nearest(seen):
    seen.page.fill("#source-question", "quiescense")
    seen.page.keyboard.press("Enter")
    seen.until(lambda: "quiescence" in seen.page.inner_text("ponder-source-map [role=status]"))
    assert shown(seen) == []


@pytest.mark.plain
def test_the_answer_holds_all_statements_without_a_question_and_the_found_ones_with_it():
    assert len(ANSWERS["sources"](None, {})["statements"]) == 250
    found = ANSWERS["sources"](None, {"question": "168"})
    assert [one["number"] for one in found["statements"]] == [168]
