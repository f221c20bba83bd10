"""The README tells the truth: its Python runs, its commands exist, its links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from ponder.core.registry import GAMES

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def test_the_python_of_the_readme_runs():
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert blocks
    for block in blocks:
        program = block.replace("seconds=1", "simulations=20000")
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "visits" in done.stdout


def test_the_commands_of_the_readme_exist():
    commands = set(re.findall(r"^ponder (\w+)", README, re.MULTILINE))
    assert {"games", "search", "play", "check", "bench"} <= commands
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-m", "ponder", command, "--help"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr


def test_the_links_of_the_readme_and_the_docs_lead_somewhere():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text()):
            if not target.startswith(("http://", "https://")):
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


NAMES = {
    "chess (and Chess960)": "chess",
    "Chinese checkers": "chinese_checkers",
    "Connect Four (any size, run and 2 to 4 players)": "connect4",
    "falling blocks": "falling_blocks",
    "the hidden gem": "gem",
    "P-games": "pgame",
    "Pac-Man": "pacman",
    "property trading": "property_trading",
    "tic-tac-toe": "tictactoe",
    "explicit trees": "tree",
    "2048": "twenty48",
}


def test_the_list_of_games_is_that_of_the_program():
    text = " ".join(README.partition("**Games**: ")[2].partition(". The rules")[0].split())
    listed = re.split(r", (?![^(]*\))", text)
    assert sorted(NAMES.get(name, name.lower()) for name in listed) == sorted(GAMES)


def test_the_figures_beside_openspiel_are_those_of_the_page_that_has_their_command():
    page = (ROOT / "docs" / "speed.md").read_text().partition("## Beside OpenSpiel")[2]
    names = {
        "tic-tac-toe": "tictactoe",
        "Connect Four": "connect4",
        "breakthrough 8x8": "breakthrough",
    }
    rows = re.findall(r"^\| ([^|]+) \| ([\d,]+) \| ([\d,]+) \| ([\d.]+) \|$", README, re.MULTILINE)
    assert len(rows) == 9
    for name, *shown in rows:
        cells = re.search(
            rf"^\| {names.get(name, name)} \|(.*)$", page, re.MULTILINE | re.IGNORECASE
        )
        assert cells, name
        _, ours, theirs, ratio, *_ = (cell.strip() for cell in cells[1].split("|"))
        for ours_or_theirs, number in zip((ours, theirs), shown, strict=False):
            value, _, unit = ours_or_theirs.partition(" ")
            whole = float(value) * {"": 1, "k": 1e3, "M": 1e6}[unit]
            assert float(number.replace(",", "")) == whole, (name, number)
        digits = len(shown[2].partition(".")[2])
        assert float(shown[2]) == round(float(ratio.rstrip("x")) + 1e-9, digits), name


def test_what_the_readme_counts_is_so():
    networks = list((ROOT / "src" / "ponder" / "learn" / "networks").glob("*.network"))
    assert "Five trained networks" in README
    assert len(networks) == 5
    methods = (ROOT / "docs" / "your-own-game.md").read_text().partition("## The compiled way")[2]
    first = methods.partition("```python")[2].partition("```")[0]
    assert "seven short methods" in README
    assert len(re.findall(r"^    def ", first, re.MULTILINE)) == 7
    sources = (ROOT / "docs" / "lectures.md").read_text().partition("## 1.")[0]
    assert "goes through five sources" in README
    assert sources.startswith("# The lectures, step by step\n\nFive sources")


def test_scripts_that_figures_are_named_with_exist():
    scripts = re.findall(r"python (benchmarks/\w+/\w+\.py)", README)
    assert scripts
    assert all((ROOT / script).exists() for script in scripts)


def test_a_node_takes_what_the_readme_says():
    from ponder import MCTS, position

    program = "A node of a `mcts()` tree takes 24 bytes"
    assert program in README
    tree = MCTS().search(position("connect4"), simulations=5, seed=1).tree
    assert tree._store.dtype.itemsize == 24


def test_readme_and_demo_say_how_to_reach_the_program():
    demo = (ROOT / "Makefile").read_text().partition("\ndemo:")[2].partition("\n\n")[0]
    last = demo.strip().splitlines()[-1]
    for text in (README, last):
        assert ".venv/bin/ponder" in text
        assert "source .venv/bin/activate" in text
