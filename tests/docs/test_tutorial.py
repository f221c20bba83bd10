"""Pages whose code is run, whose commands are typed and whose output is compared."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path

import pytest

from ponder import engine, game, position
from ponder.check import check_game
from ponder.cli import run
from ponder.core.hooks import (
    OPTIONAL_ARGUMENTS,
    PEOPLE_ARGUMENTS,
    PLAIN_ARGUMENTS,
    REQUIRED,
    signature,
)

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


PAGES = ("your-own-game.md", "your-own-rule.md", "from-python.md")


def blocks(page: str) -> list[tuple[str, str]]:
    return BLOCK.findall((ROOT / "docs" / page).read_text())


def commands(block: str) -> list[tuple[str, list[str]]]:
    """(command, lines of output as printed on the page), for each command of a console block."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(part.splitlines()[0], part.splitlines()[1:]) for part in parts]


def agrees(shown: str, line: str) -> bool:
    """Is this the line on the page, where "..." stands for anything?"""
    return re.fullmatch(".*".join(map(re.escape, shown.split("..."))), line) is not None


def type_in(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run `ponder ...`, or `echo TEXT | ponder ...`."""
    words = shlex.split(command)
    if words[0] == "echo":
        bar = words.index("|")
        monkeypatch.setattr(sys, "stdin", io.StringIO(" ".join(words[1:bar]) + "\n"))
        words = words[bar + 1 :]
    assert words[0] == "ponder"
    run(words[1:])


@pytest.mark.parametrize("page", PAGES)
def test_the_page_does_what_it_says(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for kind, text in blocks(page):
        if kind == "python":
            head, _, code = text.partition("\n")
            target = head.removeprefix("# ")
            if re.search(r"in \w+\.py$", target):  # some methods or classes more
                file = tmp_path / target.rpartition(" ")[2]
                file.write_text(file.read_text() + "\n" + code)
                forget_loaded_files()
            elif target.endswith(".py"):
                (tmp_path / target).write_text(code)
            else:
                exec(compile(code, f"docs/{page}", "exec"), {"__name__": "page"})
            continue
        for command, shown in commands(text):
            capsys.readouterr()
            type_in(command, monkeypatch)
            lines = capsys.readouterr().out.splitlines()
            for expected in shown:
                assert any(agrees(expected, line) for line in lines), (command, expected, lines)


@pytest.fixture
def every_hook(tmp_path):
    """The game of the page that has every hook, in a file."""
    (code,) = (text for _, text in blocks("your-own-game.md") if text.startswith("# my_hooks.py"))
    file = tmp_path / "my_hooks.py"
    file.write_text(code)
    return file


@pytest.mark.plain
def test_the_game_with_every_hook_is_sound_and_has_them_all(every_hook):
    report = check_game(game(f"{every_hook}:Pair"))
    assert report.ok, str(report)
    lacking = {*OPTIONAL_ARGUMENTS, *PEOPLE_ARGUMENTS} - set(report.hooks)
    assert lacking == {"chance_outcomes"}, "which another game of the page has"
    there = position(f"{every_hook}:Pair", "x....o")
    assert engine("alphabeta(depth=3)").search(there).best_move.name == "b"


@pytest.mark.plain
def test_the_page_shows_the_signature_of_every_hook():
    page = (ROOT / "docs" / "your-own-game.md").read_text()
    for name in (*OPTIONAL_ARGUMENTS, *PEOPLE_ARGUMENTS):
        assert f"`{signature(name)}`" in page, name
    for name in set(PLAIN_ARGUMENTS) - set(REQUIRED):
        assert f"`{signature(name, plain=True)}`" in page, name


@pytest.mark.plain
@pytest.mark.parametrize("name", [*OPTIONAL_ARGUMENTS, *PEOPLE_ARGUMENTS])
def test_a_hook_of_another_shape_is_told_its_signature(name, every_hook):
    made = game(f"{every_hook}:Pair")
    wrong = type("Wrong", (type(made),), {name: lambda self, a, b, c, d, e: None})
    messages = [str(finding) for finding in check_game(wrong(), games=1).findings]
    assert any(f"takes (self, a, b, c, d, e), expected {signature(name)}" in m for m in messages)


def forget_loaded_files() -> None:
    """A file is run once per process, whoever imports it; after an edit it has to be run again."""
    here = str(Path.cwd())
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if name.startswith("ponder_file_") or file.startswith(here):
            del sys.modules[name]


@pytest.mark.parametrize(
    "name", ["subtraction.py:Subtraction", "plain_subtraction.py:PlainSubtraction"]
)
def test_the_example_games_are_sound(name, capsys):
    assert run(["check", f"{ROOT}/examples/{name}", "--games", "5"]) == 0
