"""Makes the pictures of docs/timeline.md and docs/go-ranks.md, and draws that of types-of-games.md.

python docs/figures.py

Every date and rank is one that the sources give, with the line where it stands; the pages say where
the literature differs. Colours and fonts are those of all drawings (`ponder.show`).
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import NamedTuple

from ponder.show.svg import document
from ponder.show.svg_words import LINE, SMALL, TITLE, VALUE, Line, fill, stroke, text

IMAGES = Path(__file__).parent / "images"
MARGIN = 24.0


class Event(NamedTuple):
    """Something that a source dates."""

    year: int
    game: str
    what: str
    line: str
    """Where: the key of the source in `ponder.sources`, and the line."""


EVENTS = (
    Event(1952, "tic-tac-toe", "a computer masters the game", "tsinghua 25"),
    Event(1956, "", "birth of AI", "tsinghua 90"),
    Event(1983, "", "Ken Thompson receives the Turing Award", "tsinghua 570"),
    Event(1990, "checkers", "Chinook defeats the human champion", "tsinghua 31"),
    Event(1995, "backgammon", "TD-Gammon competes with the best players", "tsinghua 40"),
    Event(1997, "chess", "Deep Blue defeats the world champion, Garry Kasparov", "tsinghua 49"),
    Event(1997, "Othello", "Logistello defeats the human world champion", "tsinghua 69"),
    Event(2012, "", "the era of deep learning begins", "tsinghua 93"),
    Event(2014, "Atari", "DQN learns to play the games", "tsinghua 76"),
    Event(2015, "Go", "AlphaGo defeats Fan Hui, 2 dan", "tsinghua 82"),
    Event(2015, "Go", "an encyclopaedia: playing all of Go is very unlikely", "tsinghua 58"),
    Event(2016, "Go", "AlphaGo defeats Lee Sedol, 9 dan, 4 to 1", "tsinghua 62, alphago 5"),
)
"""The lecture's timeline, in the order of the years."""


class Rank(NamedTuple):
    """A human opponent of known rank whom a program defeated."""

    year: int
    dan: int
    who: str


RANKS = (Rank(2015, 2, "Fan Hui, 2 dan"), Rank(2016, 9, "Lee Sedol, 9 dan (4 to 1)"))
EXPECTED = 2026
"""The victory came about ten years early, says a source (alphago 5)."""


class Table(NamedTuple):
    """A picture of a table: cells of a few words each."""

    title: str
    about: str
    columns: tuple[str, ...]
    rows: list[tuple[str, list[list[str]]]]


def words(
    x: float,
    y: float,
    what: str,
    role: str = "ink",
    size: float = 13.0,
    bold: bool = False,
    anchor: str = "start",
) -> str:
    """A line of text at x."""
    return text(x, y, Line((what,), role, size, bold), anchor)


def segment(x1: float, y1: float, x2: float, y2: float, role: str, width: float = 1.0) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {stroke(role)} '
        f'stroke-width="{width:g}"/>'
    )


def dot(x: float, y: float, radius: float, role: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" {fill(role)}/>'


def ring(x: float, y: float, radius: float, role: str) -> str:
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" {stroke(role)} fill="none" '
        f'stroke-width="2" stroke-dasharray="3 3"/>'
    )


def timeline_svg() -> str:
    """The years true to scale from the top down; each event on a line of its own beside them."""
    first, last, scale, gap = 1950, 2020, 8.0, 30.0
    top, axis, labels, width = 70.0, 90.0, 170.0, 720.0
    parts = [
        words(MARGIN, MARGIN + TITLE, "Computers in games, 1952 to 2016", size=TITLE, bold=True)
    ]
    bottom = top + (last - first) * scale
    parts.append(segment(axis, top, axis, bottom, "soft", 2))
    for year in range(first, last + 1, 10):
        y = top + (year - first) * scale
        parts.append(segment(axis - 6, y, axis, y, "soft", 2))
        parts.append(words(axis - 12, y + 4, str(year), "soft", size=SMALL + 1, anchor="end"))
    for event, y in spread(first, top, scale, gap):
        at = top + (event.year - first) * scale
        role = "clay" if event.game == "Go" else "sage" if event.game else "soft"
        parts.append(segment(axis, at, labels - 10, y, role))
        parts.append(dot(axis, at, 4.5, role))
        parts.append(words(labels, y + 4, str(event.year), role, bold=True))
        told = f"{event.game}: {event.what}" if event.game else event.what
        parts.append(words(labels + 50, y + 4, told))
    about = "; ".join(f"{e.year} {e.game} {e.what}".replace("  ", " ") for e in EVENTS)
    return document(width, bottom + MARGIN, "Computers in games, 1952 to 2016", about, parts)


def spread(first: int, top: float, scale: float, gap: float) -> list[tuple[Event, float]]:
    """Heights of the labels: as near to their years as room allows, from the last one upwards."""
    placed: list[tuple[Event, float]] = []
    below = float("inf")
    for event in reversed(EVENTS):
        below = min(top + (event.year - first) * scale, below - gap)
        placed.append((event, below))
    return placed[::-1]


def go_ranks_svg() -> str:
    """Rank of the opponent over years, and when it had been expected."""
    width, height, left, bottom, top = 720.0, 380.0, 90.0, 310.0, 80.0
    first, last = 2012, 2028

    def x(year: float) -> float:
        return left + (year - first) * (width - left - MARGIN - 20) / (last - first)

    def y(dan: float) -> float:
        return bottom - dan * (bottom - top) / 10

    title = "Go: opponents that AlphaGo defeated"
    parts = [words(MARGIN, MARGIN + TITLE, title, size=TITLE, bold=True)]
    parts.append(segment(left, bottom, width - MARGIN, bottom, "soft", 2))
    parts.append(segment(left, top - 10, left, bottom, "soft", 2))
    for year in range(first, last + 1, 2):
        parts.append(segment(x(year), bottom, x(year), bottom + 5, "soft", 2))
        parts.append(
            words(x(year), bottom + 20, str(year), "soft", size=SMALL + 1, anchor="middle")
        )
    for dan in range(1, 10):
        parts.append(segment(left - 5, y(dan), left, y(dan), "soft", 2))
        parts.append(words(left - 10, y(dan) + 4, f"{dan} dan", "soft", size=SMALL, anchor="end"))
    for rank in RANKS:
        parts.append(dot(x(rank.year), y(rank.dan), 6, "clay"))
        told = f"{rank.year}: {rank.who}"
        parts.append(words(x(rank.year) + 14, y(rank.dan) + 5, told, size=VALUE))
    parts.append(ring(x(EXPECTED), y(9), 7, "grey"))
    parts.append(
        words(
            x(EXPECTED), y(9) + 24, "about when expected", "soft", size=SMALL + 1, anchor="middle"
        )
    )
    note = (
        "Before MCTS: decades of knowledge and alpha-beta, weak to intermediate (no year, no rank)"
    )
    parts.append(words(left, bottom + 44, note, "soft", size=SMALL + 1))
    about = "; ".join(f"{r.year} {r.who}" for r in RANKS)
    return document(width, height, title, about, parts)


def table_svg(table: Table) -> str:
    """A table as a picture: a head, rows of cells, each cell with as many lines as it needs."""
    head, column, letters = 170.0, 320.0, 46
    width = 2 * MARGIN + head + column * len(table.columns)
    parts = [words(MARGIN, MARGIN + TITLE, table.title, size=TITLE, bold=True)]
    parts.append(words(MARGIN, MARGIN + TITLE + 20, table.about, "soft", size=SMALL + 1))
    y = MARGIN + TITLE + 54
    for i, name in enumerate(table.columns):
        parts.append(words(MARGIN + head + i * column, y, name, "soft", bold=True))
    y += 12
    for name, cells in table.rows:
        parts.append(segment(MARGIN, y, width - MARGIN, y, "grey"))
        wrapped = [textwrap.wrap(", ".join(cell), letters) for cell in cells]
        parts.append(words(MARGIN, y + 22, name, "soft", bold=True))
        for i, lines in enumerate(wrapped):
            empty = cells[i][0].startswith("empty")
            for k, line in enumerate(lines):
                where = MARGIN + head + i * column
                parts.append(
                    words(where, y + 22 + k * 1.3 * LINE, line, "soft" if empty else "ink")
                )
        y += 22 + max(len(lines) for lines in wrapped) * 1.3 * LINE
    about = "; ".join(f"{name}: {cell}" for name, cell in table.rows)
    return document(width, y + MARGIN / 2, table.title, about, parts)


PICTURES = {"timeline.svg": timeline_svg, "go-ranks.svg": go_ranks_svg}


def main() -> None:
    for name, draw in PICTURES.items():
        (IMAGES / name).write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
