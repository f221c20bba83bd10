"""`Any` in the public API: where it is, and why. There is to be less of it, never more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.plain

NOTED = (Path(__file__).parents[1] / "public_api.txt").read_text().splitlines()
"""Every public name with its signature; `test_public_names` compares it with what there is."""
MOST = 74
"""Signatures with a bare `Any`: to be lowered where one goes."""
WHY = {
    r"Position\.(state|raw_state|state_for)\b": "a record, or any object of a plain game's author",
    r"Position\.rules ": "for searchers: which of three kinds follows from the game",
    r"ponder\.SearchResult(\(|\.tree)": "the class of a tree is of a layer above results",
    r"Solved(\(|\.solution)": "the class of a solution is imported where one is made",
    r"\.to_frame\(": "pandas need not be installed",
    r"\.(leaves|answer)\(": "an array of records, or a list of positions",
    r"\.(nodes|snapshot)\(": "an array of records",
    r"\.(explain|numbers|deciding|memory)\(": "what kernels work on",
    r"\bparts: Any|Parts(\(|\.)": "the parts of kernels, completed and fitted",
    r"ponder\.rules\.(kernel|constants)\(": "a decorator for functions of any kind",
    r"\.problem\(self: Any\)": "a method of rules that have a field `points`",
    r"games\.\w+\.\w+\.\w+\(self, .*s: Any": "a record of the game's own fields",
    r"(Book|PolyglotBook)\(game: Game, \w+: Any\)": "an array of records",
    r"tree_game\(nested: Any": "lists in lists, as deep as one likes",
    r"[Ff]unction(\(|\.)call: Any": "a function of positions, or of an array of records",
    r"alphabeta\(|AlphaBeta(\(|\.evaluate)": "a network; its class is of a layer above",
    r"Session\.(tree|live_tree)\(": "the class of a tree is of a layer above sessions",
    r"Strong\.start\(": "what `MCTS.start` takes besides",
}
"""Which signatures have one, and the reason."""


def without_brackets(line):
    while (shorter := re.sub(r"\[[^\[\]]*\]", "", line)) != line:
        line = shorter
    return line


LINES = [line for line in NOTED if re.search(r"\bAny\b", without_brackets(line))]


def test_there_is_no_more_any_than_there_was():
    assert len(LINES) <= MOST, "give the new ones a type"


def test_every_any_has_a_reason_and_every_reason_is_needed():
    unexplained = [line for line in LINES if not any(re.search(key, line) for key in WHY)]
    assert not unexplained
    assert not [key for key in WHY if not any(re.search(key, line) for line in LINES)]


@pytest.mark.parametrize("name", ["Position", "SearchResult", "game", "position", "MCTS", "Move"])
def test_what_everybody_uses_says_its_types(name):
    """All but what is listed above."""
    own = [line for line in LINES if re.match(rf"ponder\.{name}\b", line)]
    allowed = r"\.(state|raw_state|state_for|rules|tree|to_frame|new_game|search|start)\b|Result\("
    assert not [line for line in own if not re.search(allowed, line)]
