"""Makes the table and the picture of docs/types-of-games.md from what the games say of themselves.

python docs/types_of_games.py

Chance is what random play meets; the players and the sum of utilities are those of `Game.spec`;
that nothing is hidden and that one player moves at a time is the contract of every game.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path
from typing import NamedTuple

if __name__ == "__main__":  # tests import this, too
    os.environ.setdefault("NUMBA_DISABLE_JIT", "1")  # a few moves of each game: nothing to compile

from figures import IMAGES, Table, table_svg

from ponder.core.registry import GAMES, parse_game
from ponder.core.start import position

PAGE = Path(__file__).with_name("types-of-games.md")
BEGIN, END = "<!-- made by docs/types_of_games.py -->\n", "<!-- end -->\n"
VARIANTS = {
    "chinese_checkers": ["chinese_checkers(players=3)"],
    "connect4": ["connect4(players=3)"],
    "pacman": ["pacman(layout='P.o')", "pacman(ghosts='random')"],
    "pig": ["pig(players=3)"],
    "tree": [
        "tree([3, 5], players=1)",
        "tree([{'chance': [[0.5, 1], [0.5, 3]]}, 2], players=1)",
        "tree([{'chance': [[0.5, 1], [0.5, 3]]}, 2])",
        "tree([{'returns': [2, 1]}, {'returns': [0, 3]}, {'returns': [1, 1]}])",
        "tree([{'chance': [[0.5, {'returns': [2, 1]}], [0.5, {'returns': [0, 0]}]]}, 1])",
        "tree([[1, 6, 6], [7, 1, 2]], players=3)",
    ],
}
"""Games whose parameters move them into another cell, beside their defaults."""
PLIES, TIMES = 12, 3
"""How far random play goes, and how often, to meet chance."""
WHO = ("one player", "two, zero-sum", "two, not zero-sum", "three or more")
SEEN = ("fully observable", "partially observable")
ABSENT = {
    (False, "partially observable"): "empty here (Kriegspiel, Battleship)",
    (True, "partially observable"): "empty here (card games)",
}
"""The lecture's examples of what no game here is."""


class Kind(NamedTuple):
    """Where a game stands."""

    chance: bool
    players: int
    zero_sum: bool

    @property
    def who(self) -> str:
        if self.players == 1:
            return WHO[0]
        if self.players > 2:
            return WHO[3]
        return WHO[1] if self.zero_sum else WHO[2]


def kind_of(text: str) -> Kind:
    """The cell of a game, from its own rules."""
    spec = parse_game(text).spec()
    return Kind(meets_chance(text), spec.players, spec.zero_sum)


def meets_chance(text: str) -> bool:
    """Does random play come to a chance node?"""
    rng = random.Random(0)
    for _ in range(TIMES):
        here = position(text)
        for _ in range(PLIES):
            if here.is_terminal:
                break
            if here.is_chance:
                return True
            here = here.play(rng.choice(here.legal_actions))
    return False


def games() -> list[str]:
    """Every game of ours, and its variants."""
    return [text for name in sorted(GAMES) for text in (name, *VARIANTS.get(name, ()))]


def cells(kinds: dict[str, Kind]) -> dict[tuple[bool, str], list[str]]:
    """The games of each cell that can have one."""
    found: dict[tuple[bool, str], list[str]] = {
        (chance, who): [] for chance in (False, True) for who in WHO
    }
    for text, kind in kinds.items():
        found[kind.chance, kind.who].append(text)
    return found


def markdown(kinds: dict[str, Kind]) -> str:
    """The tables of the page."""
    lines = ["| fully observable, in turns | without chance | with chance |", "|---|---|---|"]
    found = cells(kinds)
    for who in WHO:
        sides = [", ".join(f"`{t}`" for t in found[chance, who]) for chance in (False, True)]
        lines.append(f"| {who} | " + " | ".join(side or "empty" for side in sides) + " |")
    lines.append("| **partially observable** | empty | empty |")
    lines.append("| **simultaneous moves** | empty | empty |")
    lines += ["", "| game | chance | players | zero-sum | command |", "|---|---|---:|---|---|"]
    for text, kind in kinds.items():
        sums = "" if kind.players == 1 else "yes" if kind.zero_sum else "no"
        chance = "yes" if kind.chance else "no"
        lines.append(f"| `{text}` | {chance} | {kind.players} | {sums} | `{command(text)}` |")
    return "\n".join(lines) + "\n"


def command(text: str) -> str:
    quote = f'"{text}"' if "(" in text else text
    return f"ponder search {quote} --simulations 100 --seed 1"


def short(text: str) -> str:
    """A game's name in the picture: a variant by what makes it one."""
    name, mark, rest = text.partition("(")
    if name == "tree" and mark:
        return "tree (another)"
    return f"{name} ({rest.rstrip(')')})" if mark else name


def picture(kinds: dict[str, Kind]) -> str:
    found = cells(kinds)
    sides = (False, True)
    rows = [(who, [[short(t) for t in found[c, who]] or ["empty"] for c in sides]) for who in WHO]
    rows.append((SEEN[1], [[ABSENT[c, SEEN[1]]] for c in sides]))
    rows.append(("simultaneous moves", [["empty here"] for _ in sides]))
    return table_svg(
        Table(
            "Types of games",
            "Fully observable and in turns, but for the last two rows.",
            ("without chance", "with chance"),
            rows,
        )
    )


def main() -> None:
    kinds = {text: kind_of(text) for text in games()}
    (IMAGES / "types-of-games.svg").write_text(picture(kinds), encoding="utf-8")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(before + BEGIN + markdown(kinds) + END + after, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
