"""The front page in a real browser: what its presets promise is seen to happen."""

from __future__ import annotations

from tryit import TryIt


def test_coulom_finds_the_gem_although_another_move_looks_better_at_first(page):
    seen = TryIt(page)
    seen.load("gem")
    assert seen.visible("C", "truth")
    seen.go_to(60)
    assert (seen.chosen, "worse move" in seen.sentence) == ("A", True)
    seen.go_to(200)
    assert (seen.chosen, seen.cut) == ("C", "")
    assert seen.sentence == "Recommends C, the best move."
    assert seen.shown("C")[0] > seen.shown("A")[0]
