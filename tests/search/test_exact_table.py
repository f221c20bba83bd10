"""The tables of the exact search: they give back what was stored, and nothing else."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ponder import position
from ponder.jit import U, kernel
from ponder.search.exact import ExactSearch
from ponder.search.exact_table import WordTable, new_exact_table, take_over
from ponder.search.table import EXACT, LOWER, NO_BOUND, UPPER

BASE = 2.0**20


@kernel
def keep(table, key, value, bound, work):
    table.keep(key, BASE, value, 1, bound, work)


@kernel
def find(table, key):
    return table.find(key, BASE)


@pytest.mark.parametrize("exact_key", [False, True])
def test_a_table_gives_back_what_was_stored(exact_key):
    table = new_exact_table(1, exact_key)
    values = [0.0, 1.0, -64.0, 28000.0, BASE - 1, BASE - 4000, 1 - BASE, 4000 - BASE]
    for i, value in enumerate(values):
        bound = (EXACT, LOWER, UPPER)[i % 3]
        keep(table, U(i), value, bound, 5)
        assert find(table, U(i))[:2] == (bound, value)
    assert find(table, U(1000))[0] == NO_BOUND


def test_values_that_a_word_has_no_room_for_are_not_stored():
    table = new_exact_table(1, True)
    for key, value in enumerate((0.5, 40000.0, BASE - 5000)):
        keep(table, U(key), value, EXACT, 5)
        assert find(table, U(key))[0] == NO_BOUND


@pytest.mark.parametrize("exact_key", [False, True])
def test_a_larger_table_takes_over_all_entries(exact_key):
    small, large = new_exact_table(1, exact_key), new_exact_table(4, exact_key)
    rng = random.Random(1)
    keys = [U(rng.randrange(1 << 56)) for _ in range(20000)]
    for i, key in enumerate(keys):
        keep(small, key, float(i), LOWER, i % 50)
    take_over(large, small)
    kept = [key for key in keys if find(small, key)[0] != NO_BOUND]
    assert len(kept) > 15000
    assert [find(large, key) for key in kept] == [find(small, key) for key in kept]


def test_keys_are_shuffled_without_loss():
    """Different keys stay different: multiplications by odd numbers, and shifts, can be undone."""
    table = new_exact_table(1, True)
    assert isinstance(table, WordTable)

    class Fixed:
        def exact_key(self, s):
            return U(s)

    rng = random.Random(2)
    keys = {rng.randrange(1 << 56) for _ in range(2000)} | set(range(2000))
    shuffled = {int(table.key(Fixed(), key, None, 0)) for key in keys}
    assert len(shuffled) == len(keys)
    assert max(shuffled) < 1 << 56


def test_exact_keys_are_shared_by_mirror_images_alone():
    def key(here):
        return int(here.rules.part.exact_key(here.raw_state[0]))

    rng = random.Random(3)
    texts: dict[int, set[str]] = {}
    for _ in range(400):
        here = position("connect4(columns=5, rows=4)")
        while not here.is_terminal:
            mirrored = "/".join(row[::-1] for row in here.text().split("/"))
            texts.setdefault(key(here), set()).add(min(here.text(), mirrored))
            here = here._after(rng.choice(here.legal_actions))
    assert all(len(same) == 1 for same in texts.values())
    assert len(texts) == len({text for same in texts.values() for text in same})


def test_a_table_that_grows_changes_no_value():
    here = position("connect4(columns=5, rows=5)")
    found = []
    for memory in (4.0, 64.0):
        search = ExactSearch(here, memory)
        search.full_at = min(search.full_at, 30_000)  # sooner than usual
        found.append(search.bounds_of(here))
        assert search.memory == min(memory, 32.0)
    assert found[0] == found[1]
    assert found[0].known
    assert np.sign(found[0].low) == 0  # 5 x 5 is a draw
