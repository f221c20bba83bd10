"""Kept copies of a search: whichever way they were made, the nearest one is used."""

from __future__ import annotations

from ponder.core.copies import Copies


class Counting:
    """A run of which nothing matters but how far it is."""

    nbytes = 1

    def __init__(self, done: int) -> None:
        self.done = done

    def copy(self) -> Counting:
        return Counting(self.done)


def kept(*moments: tuple[int, int]) -> Copies:
    made = Copies()
    for moment, changes in moments:
        made._next = 0.0  # as if the last one were long ago
        made.offer(Counting(moment), changes)
    return made


def test_copies_made_while_going_back_do_not_hide_nearer_ones():
    copies = kept((50, 0), (100, 0), (200, 1), (20, 0), (30, 0))
    found = {at: copies.nearest(at, 1)[0].done for at in (25, 49, 99, 150, 300)}
    assert found == {25: 20, 49: 30, 99: 50, 150: 100, 300: 200}


def test_copies_after_more_changes_are_passed_over():
    copies = kept((10, 0), (20, 0), (20, 1), (30, 1))
    assert copies.nearest(40, 0)[0].done == 20
    assert copies.nearest(40, 0)[1] == 0
    assert copies.nearest(5, 1) is None


def test_a_moment_is_kept_once():
    copies = kept((10, 0), (20, 0), (10, 0))
    assert [one.moment for one in copies._kept] == [10, 20]
