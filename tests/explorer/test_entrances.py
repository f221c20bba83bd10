"""Every text of every message that a page may send: none runs a Python file, and of files that may
not be named none tells whether it exists."""

from __future__ import annotations

import importlib
import inspect
import io
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from entrances import Marker
from ponder import files
from ponder.core.gate import granting
from ponder.core.registry import ENGINES, GAMES, PARTS, PRESETS, load
from ponder.errors import PonderError
from ponder.explorer.answers import ANSWERS
from ponder.explorer.messages import MESSAGES
from ponder.explorer.worker import Desk
from ponder.learn.file import SHIPPED

pytestmark = pytest.mark.plain
HISTORY = {"game": "nim(heaps=(1, 2))", "engine": "mcts()", "seed": 1}
USUAL: dict[str, Any] = {
    **{"game": HISTORY["game"], "engine": "mcts()", "engines": ["random()", "random()"]},
    **{"history": HISTORY, "position": "", "moves": [], "form": "json", "text": "1"},
    **{"experiment": "variance", "version": "quick", "own": [], "sizes": {}, "seed": 1},
    **{
        "tree": "[[3, 12], [2, 4]]",
        "players": 2,
        "order": "best",
        "path": [],
        "value": 1,
        "player": 0,
    },
    **{"rules": ["ucb1()"], "arms": [0.2, 0.8], "pulls": 3, "parts": {}, "to": 0, "paths": []},
    **{"games": 1, "simulations": 4, "first": True, "last": True, "name": "a.jsonl", "part": ""},
}
"""What a message has where nothing bad is put; `simulations` keeps what is begun short."""
PLAIN = (1, 0.5, True, [], {}, [0.5], [[1]], {"a": 1.0}, None)
REACHED = {
    *("open", "change", "board", "table", "think", "match", "match_file", "read_game"),
    *("write_game", "lesson", "bandits", "plan", "lab_run"),
}
"""The messages through which a file is run where it is granted."""


def holding(check: Any, text: str) -> Any:
    """A value that the check accepts and that holds the text; None where it takes no text."""
    if hasattr(check, "fields"):
        inner = {name: holding(one, text) for name, one in check.fields.items()}
        wanted = {name: value for name, value in inner.items() if value is not None}
        return wanted and ({"at": 0} if "at" in check.fields else {}) | wanted
    if check(text) is None:
        return text
    inside = inspect.getclosurevars(check).nonlocals.get("of")
    if inside is not None and (one := holding(inside, text)) is not None:
        return next((v for v in ([one], one, {"a": one}) if check(v) is None), None)
    return None


def asked(word: str, text: str) -> list[dict[str, Any]]:
    """The message once for each field that can hold the text, and with it in all of them."""
    known = MESSAGES[word]
    usual = {
        name: USUAL[name]
        for name in known.fields
        if name in USUAL and (name in known.needed or name in ("simulations", "first", "last"))
    }
    held = {name: holding(check, text) for name, check in known.fields.items()}
    held = {name: value for name, value in held.items() if value is not None}
    if isinstance(history := held.get("history"), dict):
        held["history"] = {**HISTORY, "game": history["game"]}
        one_by_one = [{**HISTORY, **{name: value}} for name, value in history.items()]
        more = [{**usual, "history": one} for one in one_by_one]
    else:
        more = []
    made = [*({**usual, name: value} for name, value in held.items()), *more]
    return [{**usual, **held}, *made] if len(held) > 1 else made


def told(word: str, message: dict[str, Any]) -> str:
    """What a page is told, to the end of what the message begins."""
    desk = Desk(io.BytesIO(), [])
    ANSWERS["open"](desk, {"history": HISTORY})
    said = []
    try:
        said.append(json.dumps(ANSWERS[word](desk, message)))
    except PonderError as error:
        said.append(str(error))
    for job in list(desk.sessions.values()):
        thread = getattr(job, "_thread", None)
        if thread is not None and thread.ident is not None:
            thread.join(60)
            assert not thread.is_alive()
            error = getattr(job, "_error", None)
            assert error is None or isinstance(error, PonderError), error
            said.append(str(error))
        elif word in ("open", "change") and job.name == "main":
            try:
                job.session.step()
            except PonderError as error:
                said.append(str(error))
        if word == "lab_run" and job.name == "lab":
            ANSWERS["lab_stop"](desk, {})
    return " ".join(said)


@pytest.fixture
def marker(tmp_path):
    made = Marker(tmp_path)
    yield made
    made.forget()


def test_each_field_of_each_message_is_known_to_take_texts_or_not():
    """A new kind of check must be taught to this walk before it can hide a text from it."""
    for word, message in MESSAGES.items():
        for name, check in message.fields.items():
            takes = holding(check, "x") is not None
            assert takes or any(check(value) is None for value in PLAIN), f"{word}: {name}"
        assert all(name in USUAL for name in message.needed if name != "run"), word


@pytest.mark.parametrize("word", MESSAGES)
def test_no_text_of_a_message_runs_a_file(word, marker):
    for text in marker.texts():
        for message in asked(word, text):
            said = told(word, message)
            assert not marker.ran, (message, said)


def test_the_walk_reaches_the_file_where_it_is_granted(marker):
    """So the test above can fail, and these are the entrances that it finds."""
    reached = set()
    with granting([marker.file]):
        for word in MESSAGES:
            for text in marker.texts():
                for message in asked(word, text):
                    if word not in reached:
                        told(word, message)
                        if marker.ran:
                            reached.add(word)
                            marker.forget()
    assert reached == REACHED


# ------------------------------------------------------------------ files that may not be named


def naming(path: Path) -> list[str]:
    """Texts of games and engines that name a file, one for each part that has a text or anything
    as a parameter."""
    found = [f"openspiel('{name}(filename={path})')" for name in ("efg_game", "nfg_game")]
    found += [f"openspiel('misere(game=efg_game(filename={path}))')", f"{path}:X()"]
    for field, table in {"game": GAMES, "engine": ENGINES, "preset": PRESETS, **PARTS}.items():
        for name, target in table.items():
            made = load(target)
            hints = get_type_hints(made)
            for parameter, hint in hints.items():
                if hint in (str, Any) and parameter != "return":
                    more = ", engine=random()" if name == "book" and parameter != "engine" else ""
                    call = f"{name}({parameter}={str(path)!r}{more})"
                    inside = field not in ("game", "engine", "preset")
                    found.append(f"mcts({field}={call})" if inside else call)
    limited = f"alphazero(net='{path}', simulations=4)", f"alphabeta(endgame='{path}', depth=1)"
    return [*found, *limited]


@pytest.fixture
def confined(tmp_path):
    """As in a worker; what may be named is in `given`."""
    given = tmp_path / "given"
    given.mkdir()
    before = files._within
    files.confine([given])
    yield given
    files._within = before


@pytest.mark.parametrize("word", ["open", "think", "match", "lesson", "board"])
def test_a_file_that_may_not_be_named_is_answered_the_same_if_it_exists(word, confined, tmp_path):
    there = tmp_path / "abcdef"
    shutil.copy(SHIPPED / "connect4.network", there)
    (confined / "link").symlink_to(there)
    for one, other in answers(word, there, tmp_path / "ghijkl"):
        assert one == other
    assert "no file" in told("think", a_thought(f"alphazero(net='{confined / 'link'}')"))


def test_a_name_that_is_too_long_for_a_file_is_answered_as_any_other(confined):
    """And not with the folder in which Ponder lies."""
    for name in ("a" * 300, str(confined / ("a" * 300))):
        for text in (f"alphazero(net='{name}')", f"mcts(evaluate=net('{name}'))"):
            assert "no file" in told("think", a_thought(text))


def test_a_page_uses_imported_classes_only_beside_files_that_were_given(
    confined, tmp_path, monkeypatch
):
    """Where any other is found would tell what lies on this machine, and where."""
    source = Marker(tmp_path).file.read_text()
    (tmp_path / "a_neighbour.py").write_text(source)
    (tmp_path / "mine.py").write_text("from a_neighbour import Rule\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    here, elsewhere = tmp_path / "a_neighbour.py", tmp_path / "not_there.py"
    refused = told("think", a_thought(f"mcts(select={elsewhere}:Rule())"))
    importlib.import_module("a_neighbour")
    try:
        thought = a_thought(f"mcts(select={here}:Rule())")
        assert told("think", thought) == refused.replace(elsewhere.name, here.name)
        with granting([tmp_path / "mine.py"]):
            assert told("think", thought).endswith("None")
    finally:
        del sys.modules["a_neighbour"]


def test_a_process_that_is_not_confined_would_tell(tmp_path):
    (tmp_path / "abcdef").touch()
    found = answers("think", tmp_path / "abcdef", tmp_path / "ghijkl")
    assert sum(one != other for one, other in found) >= 5


def answers(word: str, there: Path, nowhere: Path) -> Iterator[list[str]]:
    """What is told of messages that name a file, and of the same that name one that is nowhere."""
    for texts in zip(naming(there), naming(nowhere), strict=True):
        for messages in zip(*(asked(word, text) for text in texts), strict=True):
            yield [
                told(word, one).replace(p.name, "")
                for one, p in zip(messages, (there, nowhere), strict=True)
            ]


def a_thought(engine: str) -> dict[str, Any]:
    return {"game": "connect4", "engine": engine, "simulations": 4}


def test_what_comes_with_ponder_and_what_lies_in_a_given_folder_may_be_named(confined):
    shutil.copy(SHIPPED / "connect4.network", confined / "mine.network")
    for name in ("connect4", confined / "mine.network"):
        assert told("think", a_thought(f"alphazero(net='{name}')")).endswith("None")
