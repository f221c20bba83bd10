"""docs/command-line.md names every command, every option and every finding."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ponder.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "command-line.md").read_text()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_is_on_the_page(ponder, command):
    section = PAGE.partition(f"\n## ponder {command}\n")[2].partition("\n## ")[0]
    assert section, f"no section about ponder {command}"
    for option in re.findall(r"--[a-z-]+", ponder(command, "--help").out):
        assert option == "--help" or f"{option}" in section, f"{option} of ponder {command}"


def test_every_option_of_endgame_is_on_the_page(ponder):
    section = PAGE.partition("\n## ponder endgame\n")[2]
    for command in ("build", "probe"):
        for option in re.findall(r"--[a-z-]+", ponder("endgame", command, "--help").out):
            assert option == "--help" or option in section, f"{option} of ponder endgame {command}"


def test_the_list_at_the_top_has_every_command():
    listed = set(re.findall(r"^ponder ([a-z]+) ", PAGE.partition("\n## ")[0], re.MULTILINE))
    assert listed == {*COMMANDS, "book", "endgame"}


def test_every_finding_is_on_the_page():
    source = "".join(file.read_text() for file in (ROOT / "src/ponder/check").glob("*.py"))
    kinds = set(re.findall(r'(?:Broken|findings\.add)\(\s*"([a-z_-]+)"', source))
    assert len(kinds) > 25
    assert not [kind for kind in kinds if f"`{kind}`" not in PAGE]
