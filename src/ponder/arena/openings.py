"""Where the games of a match begin: random openings, or those of a file.

Every opening is played once from each seat, so that an unbalanced one favours nobody; that all
of them differ keeps engines that always answer the same from playing one game again and again.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

from ponder.core.position import Position
from ponder.core.protocols import Action
from ponder.errors import InputError, PonderError
from ponder.files import read_file

MOST_PLIES = 12
"""The longest random opening that is tried when nobody says how long."""
PATIENCE = 100
"""So many random lines in a row, and two more for each opening found, may bring nothing new."""


class Opening(NamedTuple):
    """Moves from the start of the game, by name."""

    moves: tuple[str, ...]

    def position(self, start: Position) -> Position:
        here = start
        for name in self.moves:  # not play_all: names may contain blanks
            here = here.play(name)
        return here


def openings_for(
    start: Position, given: int | str | Path | None, count: int, seed: int
) -> tuple[list[Opening], str]:
    """Openings for `count` rounds (fewer, to be used again, if there are not so many), and a word
    that says which: ``random(3)``, three random plies, or the file's name.

    `given`: a number of random plies, a file, or None: as few random plies as give every round
    an opening of its own. Where dice are rolled or one plays alone None means the start itself.
    """
    if isinstance(given, int):
        if given < 0:
            raise InputError(f"an opening has 0 or more plies, not {given}")
        found = random_openings(start, given, count, _rng(seed, given))
        if not found:
            raise InputError(f"every game is over after {given} random plies: take fewer")
        return [Opening(p.history_names) for p in found], f"random({given})"
    if given is not None:
        return read_openings(start, Path(given)), str(given)
    if start.rules.has_dice or start.players == 1:
        return [Opening(())], "random(0)"
    best, length = [start], 0
    for plies in range(1, MOST_PLIES + 1):
        if len(best) >= count:
            break
        found = random_openings(start, plies, count, _rng(seed, plies))
        if len(found) > len(best):
            best, length = found, plies
    return [Opening(p.history_names) for p in best], f"random({length})"


def random_openings(start: Position, plies: int, count: int, rng: random.Random) -> list[Position]:
    """Up to `count` different positions after `plies` uniformly random moves, none of them the
    end. Dice are rolled as the rules say and count as plies; at the end the dice are cast."""
    found: dict[str, Position] = {}
    in_vain = 0
    while len(found) < count and in_vain < PATIENCE + 2 * len(found):
        here = start
        for _ in range(plies):
            if here.is_terminal:
                break
            here = here.play(draw(here, rng) if here.is_chance else rng.choice(here.legal_actions))
        in_vain += 1
        if not here.is_terminal and here.text() not in found:
            found[here.text()] = here
            in_vain = 0
    return list(found.values())


def draw(position: Position, rng: random.Random) -> Action:
    """A chance outcome."""
    outcomes, chances = zip(*position.chance_outcomes, strict=True)
    drawn: Action = rng.choices(outcomes, chances)[0]
    return drawn


def read_openings(start: Position, path: Path) -> list[Opening]:
    """One opening a line: moves by name, separated by blanks or commas. ``#`` begins a comment;
    the word ``start`` alone is the start itself."""
    data = read_file(path)
    try:
        lines = data.decode().splitlines()
    except UnicodeDecodeError:
        raise InputError(f"cannot read {path}: it is not a text file") from None
    found = []
    for number, line in enumerate(lines, 1):
        moves = line.partition("#")[0].strip()
        if not moves:
            continue
        try:
            here = start if moves == "start" else start.play_all(moves)
        except PonderError as error:
            raise InputError(f"{path}, line {number}: {error}") from None
        if here.is_terminal:
            raise InputError(f"{path}, line {number}: the game is over after these moves")
        found.append(Opening(here.history_names))
    if not found:
        raise InputError(f"{path} has no openings (one line each: moves separated by blanks)")
    return found


def _rng(seed: int, plies: int) -> random.Random:
    return random.Random(f"openings {seed} {plies}")
