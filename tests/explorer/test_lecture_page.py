"""The Lecture page in a real browser: the lecture's numbers are seen, and every step is exact."""

from __future__ import annotations

import pytest
from lecturepage import LecturePage


@pytest.fixture
def seen(page, running):
    return LecturePage(page, running.origin)


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
