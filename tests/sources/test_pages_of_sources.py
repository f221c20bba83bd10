"""The pages with a picture: made anew they are the same, and they say what the sources say."""

from __future__ import annotations

import itertools
import re
import shlex
import sys
from xml.etree import ElementTree

import pytest
from map_places import ROOT

from ponder.core.registry import GAMES
from ponder.core.start import position

pytestmark = pytest.mark.plain
DOCS = ROOT / "docs"
sys.path.append(str(DOCS))
import figures  # noqa: E402
import types_of_games  # noqa: E402

KINDS = {text: types_of_games.kind_of(text) for text in types_of_games.games()}


@pytest.mark.parametrize("name", figures.PICTURES)
def test_a_picture_is_what_the_script_draws(name):
    assert (DOCS / "images" / name).read_text() == figures.PICTURES[name](), "docs/figures.py"


@pytest.mark.parametrize("name", [*figures.PICTURES, "types-of-games.svg"])
def test_a_picture_is_legible_on_light_and_dark_paper_and_nothing_leaves_it(name):
    svg = (DOCS / "images" / name).read_text()
    assert "prefers-color-scheme: dark" in svg
    root = ElementTree.fromstring(svg)
    width, height = (float(root.get(side)) for side in ("width", "height"))
    for word in root.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 < float(word.get("x")) < width, word.text
        assert 0 < float(word.get("y")) < height, word.text


def test_every_event_of_the_timeline_stands_on_its_page_with_its_line():
    page = (DOCS / "timeline.md").read_text()
    for event in figures.EVENTS:
        assert str(event.year) in page
        assert event.line in page, event
    assert sorted(e.year for e in figures.EVENTS) == [e.year for e in figures.EVENTS]


def test_the_labels_of_the_timeline_do_not_cover_each_other():
    heights = [y for _, y in figures.spread(1950, 70.0, 8.0, 30.0)]
    assert all(below - above >= 30.0 for above, below in itertools.pairwise(heights))


def test_every_game_stands_in_the_cell_of_its_own_facts():
    page = (DOCS / "types-of-games.md").read_text()
    made = page.partition(types_of_games.BEGIN)[2].partition(types_of_games.END)[0]
    assert made == types_of_games.markdown(KINDS), "python docs/types_of_games.py"
    picture = (DOCS / "images" / "types-of-games.svg").read_text()
    assert picture == types_of_games.picture(KINDS), "python docs/types_of_games.py"
    assert set(GAMES) <= set(KINDS)


def test_the_cells_of_some_games_are_those_of_the_textbook():
    two = types_of_games.Kind(False, 2, True)
    assert {KINDS[name] for name in ("chess", "checkers", "go")} == {two}
    assert KINDS["backgammon"] == types_of_games.Kind(True, 2, True)
    assert KINDS["pacman(layout='P.o')"].players == 1
    assert KINDS["pacman(ghosts='random')"].chance
    assert not KINDS["pacman"].chance


def test_the_command_of_each_game_names_one_that_begins():
    page = (DOCS / "types-of-games.md").read_text()
    commands = re.findall(r"`(ponder search [^`]+)`", page)
    assert len(commands) == len(KINDS)
    for command in commands:
        words = shlex.split(command)
        assert words[3:] == ["--simulations", "100", "--seed", "1"]
        assert not position(words[2]).is_terminal
