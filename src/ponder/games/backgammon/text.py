"""Backgammon in words: rolls, plays, positions and the board.

A play is written as usual: ``8/5 6/5``, ``bar/22``, ``6/off``, ``13/8`` for one checker that runs,
``8/5(2)`` for the same move twice, ``*`` after a point where a blot is hit, ``pass``.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Any

from ponder.errors import InputError, quoted
from ponder.games.backgammon.board import BAR, CHECKERS, OFF, put

NAMES = "xo"
FORM = "x 24:2 13:5 8:3 6:5 / o 24:2 13:5 8:3 6:5 / x 31"


# ------------------------------------------------------------------ rolls and plays


def steps(s: Any, a: int) -> list[tuple[int, int]]:
    """The checker moves of an action as (from, to), in an order in which they can be made."""
    p, q = divmod(int(a), 26)
    high, low = int(s.high), int(s.low)
    made = [(p, max(p - high, OFF))] if p else []
    if q:
        made.append((q, max(q - low, OFF)))
    return made[::-1] if p and p == q - low else made


def place_name(place: int) -> str:
    return "bar" if place == BAR else "off" if place == OFF else str(place)


def action_name(s: Any, a: int) -> str:
    """A roll as two digits, a play in the usual notation."""
    if s.high == 0:
        return f"{a // 6 + 1}{a % 6 + 1}"
    moves = steps(s, a)
    if not moves:
        return "pass"
    blots = int(s.blots[s.player])
    shown = {
        place: place_name(place) + ("*" if place and blots >> place & 1 else "")
        for _, place in moves
    }
    if len(moves) == 2 and moves[0][1] == moves[1][0]:  # one checker runs
        (start, via), (_, end) = moves
        hit = f"{shown[via]}/" if shown[via].endswith("*") else ""
        return f"{place_name(start)}/{hit}{shown[end]}"
    if len(moves) == 2 and moves[0] == moves[1]:
        return f"{place_name(moves[0][0])}/{shown[moves[0][1]]}(2)"
    words = []
    for start, end in sorted(moves, reverse=True):
        words.append(f"{place_name(start)}/{shown[end]}")
        shown[end] = place_name(end)  # a blot is hit once
    return " ".join(words)


_MOVE = re.compile(r"(bar|\d+)((?:/(?:off|\d+)\*?)+)(?:\((\d)\))?")


def parse_action(s: Any, words: str, legal: list[int]) -> int | None:
    """The action meant: a roll in either order, a play in any order, hits marked or not."""
    words = words.strip().lower()
    if s.high == 0:
        if not re.fullmatch("[1-6][1-6]", words):
            return None
        first, second = int(words[0]), int(words[1])
        if s.player >= 0 and first < second:
            first, second = second, first
        return 6 * (first - 1) + second - 1
    hops = _hops(re.split(r"[\s+]+", words))
    if hops is None:
        return None
    named = {place for hop in hops for place in hop}
    same = [a for a in legal if _change(steps(s, a)) == _change(hops)]
    meant = [a for a in same if named <= {place for step in steps(s, a) for place in step}]
    if not meant and not any((s.shut | s.blots)[s.player] >> p & 1 for p in named if 0 < p < BAR):
        meant = same  # a run written by way of the other free point
    if len(meant) > 1:
        meant = [a for a in meant if action_name(s, a) == words]
    return meant[0] if len(meant) == 1 else None


def _hops(words: list[str]) -> list[tuple[int, int]] | None:
    """The (from, to) pairs of a written play, or None."""
    hops: list[tuple[int, int]] = []
    for word in words:
        found = _MOVE.fullmatch(word)
        if not found:
            return None
        places = [found[1], *found[2].replace("*", "").split("/")[1:]]
        numbers = [BAR if p == "bar" else OFF if p == "off" else int(p) for p in places]
        hops += list(pairwise(numbers)) * int(found[3] or 1)
    return hops


def _change(moves: list[tuple[int, int]]) -> dict[int, int]:
    """What moves do to the number of checkers at each place."""
    change: Counter[int] = Counter()
    for start, end in moves:
        change[start] -= 1
        change[end] += 1
    return {place: n for place, n in change.items() if n}


# ------------------------------------------------------------------ positions


def position_text(s: Any) -> str:
    """Checkers of x, of o (each in his own counting; the rest are off), turn and dice."""
    sides = []
    for player, name in enumerate(NAMES):
        places = [
            f"{place_name(place)}:{s.checkers[player, place]}"
            for place in range(BAR, OFF, -1)
            if s.checkers[player, place]
        ]
        sides.append(" ".join([name, *places]))
    turn = "-" if s.player < 0 else NAMES[s.player]
    if s.high:
        turn += f" {s.high}{s.low}" + (" half" if s.half else "")
    counted = [f"turn {s.turns}"] if s.turns else []
    return " / ".join([*sides, turn, *counted])


def parse_position(words: str, s: Any, starts: Any, max_turns: int) -> None:
    """Fill the record, whatever it holds, with the position that `words` describe."""
    parts = [part.split() for part in words.strip().lower().split("/")]
    if len(parts) not in (3, 4) or not all(parts) or [parts[0][0], parts[1][0]] != ["x", "o"]:
        raise InputError(
            f"{quoted(words)} is not a position: it is written as the checkers of x, those of "
            f"o and who is on roll, such as {FORM}"
        )
    sides = [_side(name, part[1:]) for name, part in zip(NAMES, parts, strict=False)]
    for place in sides[0]:
        if place != BAR and 25 - place in sides[1]:
            raise InputError(
                f"x:{place} and o:{25 - place} are the same point: only one can hold it"
            )
    over = [not side for side in sides]
    if all(over):
        raise InputError("one player must have a checker left: both cannot have all of them off")
    player, high, low, half = _turn(parts[2])
    turns = _turns(parts[3], max_turns) if len(parts) == 4 else 0
    if any(over) and (high or player != over.index(False)):
        raise InputError(
            f"{NAMES[over.index(True)]} has all checkers off and has won: "
            f"write {NAMES[over.index(False)]} without dice"
        )
    if player < 0 and (turns or sides != [dict(starts)] * 2):
        raise InputError("'-', the first roll, is for the start position only; say x or o")
    if turns == max_turns and high:
        raise InputError(f"after {max_turns} turns the game is over: no dice")
    for field in ("at", "alone", "shut", "blots", "checkers"):
        s[field][...] = 0
    for who, side in enumerate(sides):
        s.checkers[who, OFF] = CHECKERS - sum(side.values())
        for place, count in side.items():
            for _ in range(count):
                put(s, who, place)
    s.player, s.high, s.low, s.half, s.turns = player, high, low, half, turns


def _side(name: str, words: list[str]) -> dict[int, int]:
    """The checkers of one player by place."""
    side: dict[int, int] = {}
    for word in words:
        found = re.fullmatch(r"(bar|\d{1,2}):(\d{1,2})", word, re.ASCII)
        place = BAR if found and found[1] == "bar" else int(found[1]) if found else 0
        if not found or not (found[1] == "bar" or 1 <= place <= 24) or not int(found[2]):
            raise InputError(
                f"{quoted(word)} is not point:checkers; accepted: 1 to 24 or bar, and "
                "1 to 15 checkers"
            )
        if place in side:
            raise InputError(f"{name} has the place {place_name(place)} twice")
        side[place] = int(found[2])
    if sum(side.values()) > CHECKERS:
        raise InputError(f"{name} has {sum(side.values())} checkers; there are {CHECKERS}")
    return side


def _turn(words: list[str]) -> tuple[int, int, int, int]:
    """Player, higher die, lower die, half."""
    if words == ["-"]:
        return -1, 0, 0, 0
    dice = words[1] if len(words) > 1 else "00"
    rolled = re.fullmatch("[1-6][1-6]", dice) is not None
    half = words[2:] == ["half"] and rolled and dice[0] == dice[1]
    if words[0] not in ("x", "o") or (len(words) > 1 and not rolled) or (words[2:] and not half):
        raise InputError(
            f"{quoted(' '.join(words))} does not say whose turn it is; accepted: x or o, with "
            "the dice once rolled (x 31), and half after two moves of a double (x 33 half); or -"
        )
    high, low = sorted((int(dice[0]), int(dice[1])), reverse=True)
    return NAMES.index(words[0]), high, low, int(half)


def _turns(words: list[str], max_turns: int) -> int:
    found = re.fullmatch(r"turn (\d{1,6})", " ".join(words), re.ASCII)
    if not found or int(found[1]) > max_turns:
        raise InputError(
            f"{quoted(' '.join(words))} is not a number of turns, such as turn 12, "
            f"up to {max_turns}"
        )
    return int(found[1])


# ------------------------------------------------------------------ the board


def board_text(s: Any) -> str:
    """The board as x sees it: o's checkers stand on x's point 25 - p."""
    top, bottom = range(13, 25), range(12, 0, -1)
    lines = [_edge(top)]
    lines += [_row(s, top, depth) for depth in range(5)]
    lines.append("|" + " " * 18 + "|   |" + " " * 18 + "|")
    lines += [_row(s, bottom, depth) for depth in range(4, -1, -1)]
    lines.append(_edge(bottom))
    counts = [f"{n} bar {s.checkers[i, BAR]} off {s.checkers[i, OFF]}" for i, n in enumerate(NAMES)]
    return "\n".join([*lines, ", ".join(counts) + "; " + turn_text(s)])


def turn_text(s: Any) -> str:
    """Who does what next."""
    if s.checkers[0, OFF] == CHECKERS or s.checkers[1, OFF] == CHECKERS:
        return f"{NAMES[int(s.checkers[1, OFF] == CHECKERS)]} has won"
    if s.player < 0:
        return "first roll"
    if not s.high:
        return f"{NAMES[s.player]} to roll"
    return f"{NAMES[s.player]} to play {s.high}{s.low}" + (" (second half)" if s.half else "")


def holder(s: Any, point: int) -> tuple[int, int]:
    """Who stands on x's point, and with how many checkers; (-1, 0) if it is empty."""
    for player, place in enumerate((point, 25 - point)):
        if s.checkers[player, place]:
            return player, int(s.checkers[player, place])
    return -1, 0


def _edge(points: range) -> str:
    labels = [f"{point:>3}" for point in points]
    return "+" + "".join(labels[:6]) + "+---+" + "".join(labels[6:]) + "+"


def _row(s: Any, points: range, depth: int) -> str:
    cells = []
    for point in points:
        player, count = holder(s, point)
        cell = NAMES[player] if count > depth else "."
        if depth == 4 and count > 5:
            cell = str(count)
        cells.append(f"{cell:>3}")
    return "|" + "".join(cells[:6]) + "|   |" + "".join(cells[6:]) + "|"
