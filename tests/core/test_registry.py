"""The registry: what the layers bring, under identifiers, each where its text says."""

from __future__ import annotations

import pytest

from ponder.core import registry
from ponder.core.registry import load

pytestmark = pytest.mark.plain
TABLES = (
    *("GAMES", "ADAPTERS", "ENGINES", "PRESETS", "SOLVERS", "EXAMINERS", "RULE_EXAMINERS"),
    *("TABLEBASES", "RENDERERS"),
)
"""Of ``module:Name`` texts."""


@pytest.mark.parametrize("name", [*TABLES, "RECORD_FORMATS"])
def test_the_words_of_a_table_are_identifiers(name):
    table = getattr(registry, name)
    assert table
    assert [word for word in table if not word.isidentifier()] == []


@pytest.mark.parametrize("name", TABLES)
def test_each_text_names_something_that_can_be_called(name):
    for word, target in getattr(registry, name).items():
        assert callable(load(target)), (name, word)


def test_parts_are_found_under_identifiers_too():
    for kind, table in registry.PARTS.items():
        assert kind.isidentifier()
        for word, target in table.items():
            assert word.isidentifier()
            assert callable(load(target)), (kind, word)
