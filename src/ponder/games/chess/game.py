"""Chess by the rules of FIDE, with the draws that a player could claim taken at once.

White is player 0, Black player 1; a win is 1, a loss -1, a draw 0. The game is drawn by
stalemate, by material with which nobody can mate, after 50 moves of each side without a capture
or a pawn's move, and when a position occurs for the third time. Moves are named as in UCI
(``e2e4``, ``e7e8q``) and read as UCI or in algebraic notation (``Nf3``); positions are FEN.

Begin reading at `ponder.games.chess.rules`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.draw import INK, Board, Place, grid_text, square_place
from ponder.core.game import Spec, rules_of
from ponder.core.making import registered
from ponder.games.chess.attacks import EMPTY
from ponder.games.chess.fen import FILES, fen, parse_fen, piece_letter
from ponder.games.chess.lecture import LectureRules
from ponder.games.chess.lecture_complete import CompleteLectureRules
from ponder.games.chess.notation import find_san, split, uci
from ponder.games.chess.rules import LONGEST_CLOCK, STATE, ChessRules
from ponder.games.chess.tables import tables
from ponder.jit import constants

PAWN_MOVES, CAPTURES = 16 * 6, 30
LARGEST_WEIGHT = 1e100
FILLED, OUTLINED = " \u265f\u265e\u265d\u265c\u265b\u265a", " \u2659\u2658\u2657\u2656\u2655\u2654"
AS_TEXT = "\ufe0e"  # asks for a plain glyph where a pawn would become an emoji


EVALUATIONS = {"own": ChessRules, "lecture": LectureRules}
COMPLETE = "lecture_complete"
WEIGHTS = ("material", "mobility", "king", "safety", "centre")


@registered
@constants(ADDED=WEIGHTS)
class Chess(NamedTuple):
    """Chess; with `chess960`, castling by the rules of Fischer random chess.

    `evaluation` is own; lecture: material 9, 5, 3, 3, 1 and a tenth of the moves; or
    lecture_complete: these, kings, the safety of the king and the centre, with weights.
    """

    chess960: bool = False
    evaluation: str = "own"
    material: float = 1.0
    mobility: float = 0.1
    king: float = 1e100
    safety: float = 0.1
    centre: float = 0.05

    def problem(self) -> str | None:
        if self.evaluation not in (*EVALUATIONS, COMPLETE):
            known = " or ".join((*EVALUATIONS, COMPLETE))
            return f"evaluation of chess is {known}, not {self.evaluation!r}"
        for name in WEIGHTS:
            weight, usual = getattr(self, name), self._field_defaults[name]
            if self.evaluation != COMPLETE and weight != usual:
                return f"{name} is a weight of evaluation={COMPLETE}, not of {self.evaluation}"
            if abs(weight) > LARGEST_WEIGHT:
                return f"{name} must be from -1e100 to 1e100, not {weight}"
        return None

    def rules(self) -> Any:
        if self.evaluation == COMPLETE:
            weights = (getattr(self, name) for name in WEIGHTS)
            return CompleteLectureRules(tables(), self.chess960, *weights)
        return EVALUATIONS[self.evaluation](tables(), self.chess960)

    def spec(self) -> Spec:
        return Spec(
            players=2,
            max_actions=256,  # 218 is the most known
            # Each move that resets the clock, and those after the last one.
            max_length=(PAWN_MOVES + CAPTURES + 1) * LONGEST_CLOCK,
            state=STATE,
            distinct_actions=5 * 4096,
        )

    # ------------------------------------------------------------ for people

    def action_name(self, s: Any, a: int) -> str:
        return uci(int(a))

    def parse_action(self, s: Any, text: str) -> int | None:
        """UCI is found by name; this reads algebraic notation."""
        found = find_san(self, s, text)
        return found[0] if len(found) == 1 else None

    def position_text(self, s: Any) -> str:
        return fen(s)

    def parse_position(self, text: str, s: Any) -> None:
        parse_fen(rules_of(self), text, s)

    def board_text(self, s: Any) -> str:
        rows = [
            [piece_letter(s, 8 * rank + file) for file in range(8)] for rank in range(7, -1, -1)
        ]
        return grid_text(rows, [str(rank) for rank in range(8, 0, -1)], list(FILES))

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        board = Board(8, 8, [str(rank) for rank in range(8, 0, -1)], list(FILES), checkered=True)
        for square in range(64):
            kind = s.board[square]
            if kind == EMPTY:
                continue
            black = int(s.colour[1]) >> square & 1
            board.glyph(*_cell(square), FILLED[kind] + AS_TEXT, INK if black else "#ffffff", 36)
            if not black:
                board.glyph(*_cell(square), OUTLINED[kind] + AS_TEXT, INK, 36)
        if last is not None:
            start, to, _ = split(int(last))
            board.last(*_cell(start)).last(*_cell(to))
        return board.legal(sorted({_cell(split(int(a))[1]) for a in legal})).svg()

    def action_places(self, s: Any, a: int) -> tuple[Place, ...]:
        start, to, _ = split(int(a))
        return square_place(*_cell(start)), square_place(*_cell(to))


def _cell(square: int) -> tuple[int, int]:
    """Column and row of a square as drawn."""
    return square % 8, 7 - square // 8
