"""Names of moves: UCI (e2e4, e7e8q) and standard algebraic notation (Nf3, exd5, O-O, e8=Q#).

>>> from ponder import position
>>> from ponder.games.chess.notation import parse_san, san
>>> p = position("chess")
>>> san(p, parse_san(p, "Nf3"))
'Nf3'
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ponder.core.game import rules_of
from ponder.core.moves import Move
from ponder.core.position import Position
from ponder.core.protocols import Action, as_number
from ponder.core.twin import PlainAtFirst
from ponder.errors import IllegalAction, quoted
from ponder.games.chess.attacks import EMPTY, K, P
from ponder.games.chess.fen import FILES, LETTERS, square_name
from ponder.games.chess.moves import generate
from ponder.games.chess.rules import CHECKMATE

_SAN = re.compile(
    r"(?P<kind>[KQRBN])?(?P<file>[a-h])?(?P<rank>[1-8])?[-x:]?(?P<to>[a-h][1-8])"
    r"(?:[=(/]?(?P<promotion>[QRBN])\)?)?"
)
_run = PlainAtFirst()
_TRIMMINGS = re.compile(r"(\s*e\.?p\.?)?[+#!?]*$")


def split(action: int) -> tuple[int, int, int]:
    """From, to, and the kind of the promoted piece or EMPTY."""
    promotion = action >> 12
    return action & 63, action >> 6 & 63, promotion + 1 if promotion else EMPTY


def uci(action: int) -> str:
    """The move as the Universal Chess Interface names it."""
    start, to, promotion = split(action)
    letter = LETTERS[promotion].lower() if promotion else ""
    return square_name(start) + square_name(to) + letter


def legal_moves(game: Any, s: Any) -> list[int]:
    """The legal actions in the state, whether or not the game is over by a draw."""
    rules = rules_of(game)
    out = np.zeros(game.spec().max_actions, np.int32)
    n = _run(generate, rules.table, s, out, rules.chess960, False)
    return [int(a) for a in out[:n]]


def castling_side(game: Any, s: Any, action: int) -> str | None:
    """O-O or O-O-O if the action castles."""
    start, to, _ = split(action)
    side = int(s.side)
    rook = rules_of(game).castling_rook(s, side, int(s.board[start]), start, to)
    if rook < 0:
        return None
    return "O-O" if rook > start else "O-O-O"


def san(position: Position, action: Move | Action) -> str:
    """A legal action (or its name) of the position, in standard algebraic notation."""
    number = as_number(position.parse_action(action))
    return san_of(position.game, position.raw_state[0], number)


def san_of(game: Any, s: Any, action: int) -> str:
    """A legal action of the state, in standard algebraic notation."""
    after = s.copy()
    rules_of(game).apply_action(after, action)
    suffix = "#" if after.ending == CHECKMATE else "+" if after.checkers else ""
    return (castling_side(game, s, action) or _plain_name(game, s, action)) + suffix


def _plain_name(game: Any, s: Any, action: int) -> str:
    start, to, promotion = split(action)
    kind = int(s.board[start])
    takes = s.board[to] != EMPTY or (kind == P and start % 8 != to % 8)
    if kind == P:
        name = FILES[start % 8] if takes else ""
    else:
        name = LETTERS[kind] + ("" if kind == K else _which(game, s, action))
    name += ("x" if takes else "") + square_name(to)
    return name + ("=" + LETTERS[promotion] if promotion else "")


def _which(game: Any, s: Any, action: int) -> str:
    """File, else rank, else both: enough to tell the piece from others that could go there."""
    start, to, _ = split(action)
    kind = s.board[start]
    others = [
        q
        for q, target, _ in map(split, legal_moves(game, s))
        if target == to and q != start and s.board[q] == kind
    ]
    if not others:
        return ""
    name = square_name(start)
    if all(q % 8 != start % 8 for q in others):
        return name[0]
    if all(q // 8 != start // 8 for q in others):
        return name[1]
    return name


def parse_san(position: Position, text: str) -> int:
    """The legal action that the text names; IllegalAction says why there is none."""
    found = find_san(position.game, position.raw_state[0], text)
    if len(found) == 1 and not position.is_terminal:
        return found[0]
    if len(found) > 1:
        names = " or ".join(san_of(position.game, position.raw_state[0], a) for a in found)
        raise IllegalAction(f"{quoted(text)} is ambiguous here: {names}?")
    return as_number(position.parse_action(text))  # says what is legal


def find_san(game: Any, s: Any, text: str) -> list[int]:
    """The legal actions that fit a text in algebraic notation; pieces may be over-described."""
    bare = _TRIMMINGS.sub("", text.strip())
    castling = bare.upper().replace("0", "O")
    if castling in ("O-O", "O-O-O"):
        return [a for a in legal_moves(game, s) if castling_side(game, s, a) == castling]
    parts = _SAN.fullmatch(bare)
    if parts is None:
        return []
    kind = LETTERS.index(parts["kind"]) if parts["kind"] else P
    promotion = LETTERS.index(parts["promotion"]) if parts["promotion"] else EMPTY
    found = []
    for action in legal_moves(game, s):
        start, to, promoted = split(action)
        name = square_name(start)
        if (
            s.board[start] == kind
            and square_name(to) == parts["to"]
            and promoted == promotion
            and parts["file"] in (None, name[0])
            and parts["rank"] in (None, name[1])
            and castling_side(game, s, action) is None
        ):
            found.append(action)
    return found
