"""Every game has its page in docs/games, and the page names all that the game has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ponder import game
from ponder.core.game import hooks_of
from ponder.core.registry import GAMES

PAGES = Path(__file__).parents[2] / "docs" / "games"
SECTIONS = [
    "Rules",
    "Parameters",
    "Notation",
    "State record",
    "Returns",
    "Conventions beside OpenSpiel",
    "Hooks",
    "Example",
    "Checked against",
]


def sections(name: str) -> dict[str, str]:
    parts = re.split(r"^## (.*)\n", (PAGES / f"{name}.md").read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def named(text: str) -> set[str]:
    """The words that stand in code marks."""
    return {word for code in re.findall(r"`([^`]+)`", text) for word in re.findall(r"\w+", code)}


def test_there_are_no_other_pages():
    assert {page.stem for page in PAGES.glob("*.md")} == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_a_page_has_the_usual_sections_and_names_everything(name):
    page, made = sections(name), game(name)
    assert list(page) == SECTIONS
    assert not set(made._fields) - named(page["Parameters"])
    fields = [field for field in made.spec().state.names if not field.startswith("_")]
    assert not set(fields) - named(page["State record"])
    assert not set(hooks_of(made)) - named(page["Hooks"])
    assert all(text.strip() for text in page.values())


@pytest.mark.parametrize("name", GAMES)
def test_the_size_of_the_record_is_the_one_on_the_page(name):
    said = re.search(r"([\d,]+) bytes", sections(name)["State record"])
    if said:
        assert int(said[1].replace(",", "")) == game(name).spec().state.itemsize
