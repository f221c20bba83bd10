"""What a game can do is asked in one place, by names that are listed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import ponder
from ponder.core.hooks import (
    FOR_PEOPLE,
    OPTIONAL,
    PLAIN_ARGUMENTS,
    PLAIN_FACTS,
    REQUIRED,
    fact_of,
    hook_of,
)

pytestmark = pytest.mark.plain
SOURCE = Path(ponder.__file__).parent
HOOKS = {*REQUIRED, *OPTIONAL, *FOR_PEOPLE, *PLAIN_ARGUMENTS}
ENGINES_HAVE_IT_TOO = {("cli/tier.py", "evaluate")}
"""A field of an engine that is called like a hook."""


def calls(*functions):
    """(file, function, name asked for) of all calls in the source with a name written out."""
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id in functions and len(node.args) > 1:
                name = node.args[1]
                if isinstance(name, ast.Constant):
                    yield str(file.relative_to(SOURCE)), node.func.id, name.value


def test_nobody_else_looks_whether_a_game_has_a_hook():
    found = {
        (file, name)
        for file, _, name in calls("getattr", "hasattr")
        if name in HOOKS | set(PLAIN_FACTS) and file != "core/game.py"  # fills in what is missing
    }
    assert found <= ENGINES_HAVE_IT_TOO


def test_only_names_that_are_listed_are_asked_for():
    asked = list(calls("hook_of", "fact_of"))
    assert len(asked) > 20
    for file, function, name in asked:
        assert name in (HOOKS if function == "hook_of" else PLAIN_FACTS), (file, name)


def test_a_game_has_the_hook_that_is_written_and_the_fact_that_it_says():
    class Written:
        players = 3

        def key(self, state):
            return state

    game = Written()
    assert hook_of(game, "key")(5) == 5
    assert hook_of(game, "evaluate") is None
    assert (fact_of(game, "players", 2), fact_of(game, "max_length", 9)) == (3, 9)
