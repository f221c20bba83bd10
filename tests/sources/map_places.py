"""Where a record of `ponder.sources` points: names in Python, pages, verdicts of the lab."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
VERDICT = re.compile(r"lab (\w+): ([\w-]+) (holds|does not hold|undecided|not run)")


def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def resolved(name: str) -> Any:
    """What the dotted name stands for: a module, or something in one."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            found = getattr(found, part)
        return found
    raise ModuleNotFoundError(name)


def fault(where: str) -> str:
    """What is wrong with this place; nothing if it is there."""
    if VERDICT.fullmatch(where):
        return ""
    if where.startswith("ponder."):
        try:
            resolved(where)
        except (ModuleNotFoundError, AttributeError) as error:
            return f"{where}: {error}"
        return ""
    file, mark, section = where.partition("#")
    if not (ROOT / file).is_file():
        return f"{where}: no such file"
    if mark and section not in anchors(ROOT / file):
        return f"{where}: no such heading"
    return ""
