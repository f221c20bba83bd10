"""Makes the pictures of the README from what the commands really print.

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
    terminal_picture(SEARCH, IMAGES / "search.svg")
