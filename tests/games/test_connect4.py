"""Connect Four against OpenSpiel, and its own corners."""

from __future__ import annotations

import pytest
from oracle_openspiel import compare_with_openspiel

from ponder import InputError, position


def test_rules_agree_with_openspiel_at_every_step():
    steps = compare_with_openspiel(position("connect4"), "connect_four", 2000, seed=1)
    assert steps > 2000 * 8


def test_position_text_parses_back():
    p = position("connect4").play_all("4 4 3 5 5 1")
    assert position("connect4", p.text()) == p


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("xx", "6 rows"),
        ("/".join(["......."] * 5 + ["..q...."]), "unknown cell"),
        ("/".join(["......."] * 4 + ["..x....", "......."]), "hangs in the air"),
        ("/".join(["......."] * 5 + ["..ooo.."]), "cannot be"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, complaint):
    with pytest.raises(InputError, match=complaint):
        position("connect4", text)
