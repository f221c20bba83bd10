"""Forsyth-Edwards notation: a position as one line of text, and every way it can be wrong.

    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1

Six fields: pieces from the eighth rank down, side to move, castling rights, en passant square,
half-moves since the last capture or pawn move, number of the move. The last two may be missing
together. The en passant square is kept, and printed, only if a pawn can be taken there legally.
Castling rights of Chess960 are read as letters of the rooks' files (HAha) or as KQkq, meaning the
outermost rook, and printed as KQkq unless another rook stands further out (X-FEN).
"""

from __future__ import annotations

from typing import Any

from ponder.errors import InputError, quoted
from ponder.games.chess.attacks import EMPTY, K, P, R
from ponder.games.chess.rules import LONGEST_CLOCK, ChessRules
from ponder.jit import U, popcount

LETTERS = ".PNBRQK"
FILES = "abcdefgh"
SIDES = ("White", "Black")
_SHAPE = (
    "a FEN has 6 fields: pieces, side to move, castling, en passant, half-moves, move number "
    "(the last two may be missing together)"
)


def square_name(square: int) -> str:
    return f"{FILES[square % 8]}{square // 8 + 1}"


def piece_letter(s: Any, square: int) -> str:
    """The piece there as FEN writes it: upper case for White, lower for Black, '.' for none."""
    letter = LETTERS[s.board[square]]
    return letter.lower() if int(s.colour[1]) >> square & 1 else letter


# ------------------------------------------------------------------ state -> text


def fen(s: Any) -> str:
    """The state as FEN."""
    ranks = []
    for rank in range(7, -1, -1):
        row = "".join(piece_letter(s, 8 * rank + file) for file in range(8))
        for empty in range(8, 0, -1):
            row = row.replace("." * empty, str(empty))
        ranks.append(row)
    passant = square_name(s.passant) if s.passant >= 0 else "-"
    return f"{'/'.join(ranks)} {'wb'[s.side]} {_rights_text(s)} {passant} {s.clock} {s.number}"


def _rights_text(s: Any) -> str:
    text = ""
    for side in (0, 1):
        king = _king_square(s, side)
        rights = [q for q in _rooks(s, side) if int(s.rights) >> q & 1]
        for rook in sorted(rights, reverse=True):
            outermost = _outermost_rook(s, side, rook > king)
            letter = ("K" if rook > king else "Q") if rook == outermost else FILES[rook % 8]
            text += letter.upper() if side == 0 else letter.lower()
    return text or "-"


def _king_square(s: Any, side: int) -> int:
    return (int(s.pieces[K]) & int(s.colour[side])).bit_length() - 1


def _rooks(s: Any, side: int) -> list[int]:
    """The rooks on the side's own first rank."""
    rooks = int(s.pieces[R]) & int(s.colour[side])
    return [q for q in range(56 * side, 56 * side + 8) if rooks >> q & 1]


def _outermost_rook(s: Any, side: int, kingside: bool) -> int:
    """The rook farthest from the king on that side of it, or -1."""
    king = _king_square(s, side)
    found = [q for q in _rooks(s, side) if (q > king) == kingside]
    return (found[-1] if kingside else found[0]) if found else -1


def chess960_fen(number: int) -> str:
    """One of the 960 starts by its number 0 to 959 (Scharnagl; 518 is the usual one)."""
    if not 0 <= number < 960:
        raise InputError(f"the starts of Chess960 have numbers 0 to 959, not {number}")
    rank = [""] * 8
    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    number, queen = divmod(number, 6)
    rank[2 * light + 1] = rank[2 * dark] = "B"
    free = [file for file in range(8) if not rank[file]]
    rank[free.pop(queen)] = "Q"
    pairs = [(i, j) for i in range(5) for j in range(i + 1, 5)]
    for i in reversed(pairs[number]):
        rank[free.pop(i)] = "N"
    for file, letter in zip(free, "RKR", strict=True):
        rank[file] = letter
    row = "".join(rank)
    return f"{row.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{row} w KQkq - 0 1"


# ------------------------------------------------------------------ text -> state


def parse_fen(rules: ChessRules, text: str, s: Any) -> None:
    """Fill the record with the position; raises InputError, one line, if there cannot be such."""
    fields = text.split()
    if len(fields) not in (4, 6):
        raise InputError(f"{_SHAPE}; this has {len(fields)}")
    s.pieces[:], s.colour[:], s.board[:] = 0, 0, EMPTY
    _parse_pieces(rules, fields[0], s)
    if fields[1] not in ("w", "b"):
        raise InputError(f"the side to move is w or b, not {quoted(fields[1])}")
    s.side = "wb".index(fields[1])
    s.rights = 0
    _parse_rights(rules, fields[2], s)
    s.passant = _parse_passant(fields[3], s)
    clock, number = fields[4:] or ("0", "1")
    s.clock = _parse_number(clock, "half-moves since the last capture", 0, LONGEST_CLOCK)
    s.number = max(1, _parse_number(number, "number of the move", 0, 1_000_000))
    _check_kings(rules, s)
    rules.complete(s)


def _parse_number(text: str, what: str, lowest: int, highest: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise InputError(f"the {what} must be a whole number, not {quoted(text)}")
    if not lowest <= int(text) <= highest:
        raise InputError(f"the {what} must be {lowest} to {highest}, not {text}")
    return int(text)


def _parse_pieces(rules: ChessRules, text: str, s: Any) -> None:
    ranks = text.split("/")
    if len(ranks) != 8:
        raise InputError(f"the board has 8 ranks, joined by '/', not {len(ranks)}")
    for rank, row in zip(range(7, -1, -1), ranks, strict=True):
        file = 0
        before = ""
        for letter in row:
            if letter in "12345678":
                if before in tuple("12345678"):
                    raise InputError(
                        f"rank {rank + 1} ({quoted(row)}) has two numbers side by side"
                    )
                file += int(letter)
            elif letter.upper() in "PNBRQK" and letter.isascii():
                if file < 8:
                    side = 0 if letter.isupper() else 1
                    rules.put(s, side, LETTERS.index(letter.upper()), 8 * rank + file)
                file += 1
            else:
                raise InputError(
                    f"unknown piece {letter!r} in rank {rank + 1}; "
                    "accepted: PNBRQK (White), pnbrqk (Black) and numbers of empty squares"
                )
            before = letter
        if file != 8:
            raise InputError(f"rank {rank + 1} ({quoted(row)}) describes {file} squares, not 8")
    for side in (0, 1):
        _check_material(s, side)
    if int(s.pieces[P]) & 0xFF000000000000FF:
        raise InputError("a pawn cannot stand on the first or the last rank")


def _check_material(s: Any, side: int) -> None:
    count = [popcount(s.pieces[kind] & s.colour[side]) for kind in range(7)]
    name = SIDES[side]
    if count[K] != 1:
        raise InputError(f"{name} must have one king, not {count[K] or 'none'}")
    if count[P] > 8:
        raise InputError(f"{name} has {count[P]} pawns; there are only 8")
    promoted = sum(max(0, count[k] - n) for k, n in ((2, 2), (3, 2), (4, 2), (5, 1)))
    if promoted > 8 - count[P]:
        raise InputError(
            f"{name} has too many pieces: {promoted} must be promoted pawns, "
            f"but only {8 - count[P]} pawns are missing"
        )


def _parse_rights(rules: ChessRules, text: str, s: Any) -> None:
    if text == "-":
        return
    for letter in text:
        side = 0 if letter.isupper() else 1
        king = _king_square(s, side)
        upper = letter.upper()
        if upper in "KQ":
            rook = _outermost_rook(s, side, upper == "K")
            if not rules.chess960:
                rook = 56 * side + (7 if upper == "K" else 0)
        elif rules.chess960 and upper in "ABCDEFGH" and letter.isascii():
            rook = 56 * side + "ABCDEFGH".index(upper)
        else:
            files = " or files of rooks (HAha)" if rules.chess960 else ""
            raise InputError(f"castling rights are - or some of KQkq{files}, not {quoted(text)}")
        right = U(1) << U(rook) if rook >= 0 else U(0)
        at_home = king // 8 == 7 * side if rules.chess960 else king == 4 + 56 * side
        if not at_home or not s.pieces[R] & s.colour[side] & right:
            raise InputError(
                f"castling right {letter!r} is impossible: {SIDES[side]}'s king and that rook "
                "are not at their places"
            )
        if s.rights & right:
            raise InputError(f"castling rights {quoted(text)} name one rook twice")
        s.rights |= right
    for side in (0, 1):
        king = _king_square(s, side)
        own = [q for q in _rooks(s, side) if int(s.rights) >> q & 1]
        if sum(q > king for q in own) > 1 or sum(q < king for q in own) > 1:
            raise InputError(
                f"castling rights {quoted(text)} name two rooks on one side of the king"
            )


def _parse_passant(text: str, s: Any) -> int:
    if text == "-":
        return -1
    rank = 5 if s.side == 0 else 2
    if len(text) != 2 or text[0] not in FILES or text[1] != str(rank + 1):
        raise InputError(
            f"the en passant square is - or one on rank {rank + 1} "
            f"with {SIDES[s.side]} to move, not {quoted(text)}"
        )
    square = 8 * rank + FILES.index(text[0])
    forward = -8 if s.side == 0 else 8
    pawn = int(s.pieces[P]) & int(s.colour[1 - s.side])
    if not pawn >> (square + forward) & 1:
        raise InputError(f"en passant on {text} is impossible: no pawn has just passed it")
    if s.board[square] or s.board[square - forward]:
        raise InputError(f"en passant on {text} is impossible: the pawn's way was not free")
    return square


def _check_kings(rules: ChessRules, s: Any) -> None:
    side = int(s.side)
    white, black = _king_square(s, 0), _king_square(s, 1)
    if max(abs(white % 8 - black % 8), abs(white // 8 - black // 8)) == 1:
        raise InputError("the kings stand side by side")
    s.side = 1 - side
    rules.find_checks(s)
    s.side = side
    if s.checkers:
        raise InputError(f"{SIDES[1 - side]} is in check, but it is {SIDES[side]}'s turn")
    rules.find_checks(s)
    if popcount(s.checkers) > 2:
        raise InputError(f"{SIDES[side]}'s king cannot be in check by more than two pieces")
