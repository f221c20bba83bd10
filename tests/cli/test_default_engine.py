"""Where nobody names an engine, it is the same one on the command line and in the explorer."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from ponder import position
from ponder.cli import book, explore, play
from ponder.cli.options import DEFAULT_ENGINE
from ponder.core.registry import parse_engine, part_text
from ponder.explorer import live

pytestmark = pytest.mark.plain
STATIC = Path(live.__file__).with_name("static")


def test_commands_have_the_same_default() -> None:
    for command in (play.command, book.build):
        assert inspect.signature(command).parameters["engine"].default == DEFAULT_ENGINE


def test_explore_opens_a_game_with_it() -> None:
    _, path = explore.opened("tictactoe", play=False)
    assert parse_qs(path.partition("#")[2])["engine"] == [DEFAULT_ENGINE]


def test_pages_have_the_same_default() -> None:
    spec = (STATIC / "lib" / "spec.js").read_text()
    assert re.findall(r'export const DEFAULT_ENGINE = "(.*)";', spec) == [DEFAULT_ENGINE]
    assert "engine: DEFAULT_ENGINE" in (STATIC / "pages" / "search.js").read_text()
    assert "JUDGE = DEFAULT_ENGINE" in (STATIC / "pages" / "play-choices.js").read_text()
    pages = "".join(file.read_text() for file in (STATIC / "pages").glob("*.js"))
    assert 'engine: "' not in pages.replace('engine: "crazy_stone', ""), "no page has its own"


def test_a_page_searches_with_what_it_chooses_for_the_game_and_can_switch_its_parts() -> None:
    history = live.history_of({"game": "tictactoe", "engine": DEFAULT_ENGINE, "seed": 1})
    session = live.begun(history)
    assert part_text(session.engine) == part_text(
        parse_engine(DEFAULT_ENGINE).resolve(position("tictactoe"))
    )
    assert session.history.memory == live.PAGE_MEMORY
    assert session._run.store.dtype.names is not None
    plain = parse_engine(DEFAULT_ENGINE).start(position("tictactoe"), seed=1)
    assert set(session._run.store.dtype.names) > set(plain._run.store.dtype.names), "kept to switch"
