"""Backgammon as a picture: triangles, checkers, bar, dice and the checkers borne off."""

from __future__ import annotations

from typing import Any

from ponder.core.draw import INK, LAST, LEGAL, LINE, PAPER, STONES, Place, picture
from ponder.games.backgammon.board import BAR, CHECKERS, OFF
from ponder.games.backgammon.text import holder, steps, turn_text

WIDTH, TALL, EDGE = 40, 190, 20  # a point's width and height, and the margin
BAR_LEFT = EDGE + 6 * WIDTH
RIGHT = BAR_LEFT + 7 * WIDTH  # the edge of the board; the checkers borne off lie beyond
HEIGHT = 2 * TALL + 60


def centre(point: int) -> float:
    """The middle of x's point, from the left edge of the picture."""
    column = 12 - point if point <= 12 else point - 13
    return EDGE + WIDTH * (column + (column >= 6)) + WIDTH / 2


def board_svg(s: Any, last: Any = None, legal: Any = (), before: Any = None) -> str:
    """The board from x's side. Dots: points from which a checker may be played.

    Of the last play, small rings mark the places that checkers left and large ones where they
    arrived; of a roll, the dice are marked. Who played with which dice is known from the record
    `before` it only: nothing is marked without.
    """
    parts = [
        f'<rect x="{EDGE}" y="{EDGE}" width="{13 * WIDTH}" height="{HEIGHT}" fill="{PAPER}" '
        f'stroke="{INK}"/>',
        f'<rect x="{BAR_LEFT}" y="{EDGE}" width="{WIDTH}" height="{HEIGHT}" fill="{LINE}"/>',
    ]
    movable = _movable_points(s, legal)
    for point in range(1, 25):
        parts += _point(s, point, point in movable)
    for player in (0, 1):
        parts += _aside(s, player)
    if 0 in movable:
        y = EDGE + HEIGHT / 2 + (48 if s.player == 0 else -48)
        parts.append(_mark(BAR_LEFT + WIDTH / 2, y))
    rolled = before is not None and before.high == 0
    parts += _dice(s, rolled)
    if before is not None and not rolled:
        parts += _last_play(s, before, last)
    parts.append(_words(EDGE + 6.5 * WIDTH, 2 * EDGE + HEIGHT + 16, turn_text(s), 14))
    return picture(RIGHT + 3 * EDGE, 2 * EDGE + HEIGHT + 36, parts)


def _movable_points(s: Any, legal: Any) -> set[int]:
    """x's points (and 0 for the bar) from which a legal play takes a checker."""
    if s.high == 0:
        return set()
    places = {step[0] for a in legal for step in steps(s, a)}
    return {0 if p == BAR else p if s.player == 0 else 25 - p for p in places}


def _point(s: Any, point: int, marked: bool) -> list[str]:
    x, top = centre(point), point > 12
    edge, inward = (EDGE, 1) if top else (EDGE + HEIGHT, -1)
    shade = "#e3d8c2" if point % 2 else "#d3c3a3"
    half = WIDTH / 2
    parts = [
        f'<polygon points="{x - half:g},{edge} {x + half:g},{edge} {x:g},{edge + inward * TALL}" '
        f'fill="{shade}" stroke="{LINE}"/>',
        _words(x, edge - inward * 9, str(point), 11),
    ]
    player, count = holder(s, point)
    parts += _stack(x, edge, inward, player, count)
    if marked:
        parts.append(_mark(x, edge + inward * 18))
    return parts


def _mark(x: float, y: float) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="{LEGAL}" stroke="#ffffff"/>'


def _stack(x: float, edge: float, inward: int, player: int, count: int) -> list[str]:
    """Up to five checkers, the number on the last where there are more."""
    parts = [
        f'<circle cx="{x:g}" cy="{edge + inward * (18 + 36 * i):g}" r="17" '
        f'fill="{STONES[player]}" stroke="{INK}"/>'
        for i in range(min(count, 5))
    ]
    if count > 5:
        parts.append(_words(x, edge + inward * (18 + 36 * 4), str(count), 16, "#ffffff"))
    return parts


def _aside(s: Any, player: int) -> list[str]:
    """Checkers on the bar and off: those of x in the lower half."""
    middle = EDGE + HEIGHT / 2
    down = 1 if player == 0 else -1
    parts = _stack(
        BAR_LEFT + WIDTH / 2, middle + 30 * down, down, player, int(s.checkers[player, BAR])
    )
    off = int(s.checkers[player, OFF])
    for i in range(min(off, CHECKERS)):
        y = EDGE + HEIGHT - 10 * (i + 1) if player == 0 else EDGE + 10 * i
        parts.append(
            f'<rect x="{RIGHT + 8}" y="{y:g}" width="34" height="9" fill="{STONES[player]}" '
            f'stroke="{INK}"/>'
        )
    return parts


def _last_play(s: Any, before: Any, last: int) -> list[str]:
    """Where checkers were and are: a run by way of a point marks its beginning and its end."""
    player = int(before.player)
    moves = steps(before, last)
    left, reached = [start for start, _ in moves], [end for _, end in moves]
    if len(moves) == 2 and moves[0][1] == moves[1][0]:
        left, reached = left[:1], reached[1:]
    parts = [_ring(*_place(s, player, place, 1), 6) for place in sorted(set(left))]
    return parts + [
        _ring(*_place(s, player, place, 1 - i), 17 if place else 4)
        for place in sorted(set(reached))
        for i in range(1, 1 + reached.count(place))
    ]


def play_places(s: Any, a: int) -> tuple[Place, ...]:
    """Where the checkers of a play come from and go to, one pair after another."""
    player = int(s.player)
    made: list[Place] = []
    for start, end in steps(s, a):
        made.append((*_place(s, player, start, 0), 17.0))
        made.append((*_place(s, player, end, 1), 17.0))
    return tuple(made)


def _place(s: Any, player: int, place: int, above: int) -> tuple[float, float]:
    """The middle of the `above`-th checker above the top one (0) of a place."""
    down = 1 if player == 0 else -1
    at = int(s.checkers[player, place]) - 1 + above
    if place == OFF:
        y = EDGE + HEIGHT - 10 * at - 5 if player == 0 else EDGE + 10 * at + 4
        return RIGHT + 25, y
    at = max(min(at, 4), 0)
    if place == BAR:
        return BAR_LEFT + WIDTH / 2, EDGE + HEIGHT / 2 + down * (48 + 36 * at)
    point = place if player == 0 else 25 - place
    edge, inward = (EDGE, 1) if point > 12 else (EDGE + HEIGHT, -1)
    return centre(point), edge + inward * (18 + 36 * at)


def _ring(x: float, y: float, radius: int) -> str:
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius}" fill="none" stroke="{LAST}" stroke-width="3"/>'
    )


def _dice(s: Any, marked: bool) -> list[str]:
    if s.high == 0:
        return []
    left = EDGE + WIDTH * (9 if s.player == 0 else 2)
    y = EDGE + HEIGHT / 2 - 17
    parts = []
    for i, die in enumerate((int(s.high), int(s.low))):
        parts.append(
            f'<rect x="{left + 42 * i}" y="{y:g}" width="34" height="34" rx="6" '
            f'fill="#ffffff" stroke="{LAST if marked else STONES[s.player]}" '
            f'stroke-width="{3 if marked else 2}"/>'
        )
        parts.append(_words(left + 42 * i + 17, y + 17, str(die), 20))
    return parts


def _words(x: float, y: float, words: str, size: int, colour: str = INK) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-family="sans-serif" fill="{colour}" '
        f'text-anchor="middle" dy="0.35em">{words}</text>'
    )
