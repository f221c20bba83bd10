"""Makes the pictures of the README and of docs/lectures.md from what the commands really print.

python docs/pictures.py
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

IMAGES = Path(__file__).parent / "images"
SEARCH = ["ponder", "search", "connect4", "--moves", "4 4 4 4 4 2 3", "--seconds", "2"]


TUPLES = (
    "[[{'returns': [1, 6, 6]}, {'returns': [7, 1, 2]}], "
    "[{'returns': [6, 1, 2]}, {'returns': [7, 2, 1]}]]"
)
DICE = "[{'chance': [[0.5, 8], [0.5, 4]]}, {'chance': [[0.9, 3], [0.1, 20]]}]"
BOTH = "[{'chance': [[0.5, [2, 6]], [0.5, [9, 4]]]}, {'chance': [[0.9, [3, 5]], [0.1, [1, 0]]]}]"
GROWN = ["--simulations", "12", "--seed", "1"]
TREES = {
    "minimax": ["tree", "--engine", "minimax()"],
    "alphabeta": ["tree"],
    "wide": ["chess", "--depth", "3", "--most", "40"],
    "tuples": [f'tree("{TUPLES}", players=3)'],
    "expectimax": [f'tree("{DICE}", players=1)'],
    "expectiminimax": [f'tree("{BOTH}")'],
    "mcts": ["tree", "--engine", "uct()", *GROWN],
    "gem": ["gem", "--engine", "crazy_stone()", "--simulations", "200", "--seed", "3"],
}
"""What `ponder show` draws: the trees of docs/lectures.md."""
MOST = {"gem": ["--most", "28"]}


def tree_pictures() -> None:
    for name, arguments in TREES.items():
        file = str(IMAGES / f"{name}.svg")
        command = ["show", *arguments, *MOST.get(name, []), "--svg", file]
        subprocess.run([sys.executable, "-m", "ponder", *command], check=True)


def terminal_picture(command: list[str], file: Path) -> None:
    """Run the command and draw its output as a terminal window."""
    program = [sys.executable, "-m", *command]
    printed = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    shown = " ".join(f"'{word}'" if " " in word else word for word in command)
    console = Console(record=True, width=100, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(Text(f"$ {shown}\n", style="bold"))
    console.print(Text(printed.rstrip()))
    file.write_text(console.export_svg(title="ponder"))


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    tree_pictures()
    terminal_picture(SEARCH, IMAGES / "search.svg")
