"""Go: surround territory and capture stones without liberties.

Area scoring, positional superko and no suicide unless told otherwise; two passes, or `max_length`
moves, end the game. The rules follow Tromp and Taylor with suicide forbidden by default, as in
OpenSpiel. See `ponder.games.go.board` for how a position is kept and `docs/games/go.md` for the
conventions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.draw import Place, grid_text
from ponder.core.game import Spec, record
from ponder.core.geometry import Geometry
from ponder.core.making import registered
from ponder.core.position import Position
from ponder.errors import InputError
from ponder.games.go.drawing import go_board_svg, point_place
from ponder.games.go.patterns import pattern_table
from ponder.games.go.rules import GoRules
from ponder.games.go.text import LARGEST, area_owners, parse_text, point_name, stones_of, text_of

PLACES = (111, 211, 421)
"""Points and border of 9x9, 13x13 and 19x19. The record has the first of these sizes that holds
the board, so that most boards share one compiled form."""
FEWEST_BOARDS = 256
"""Room for earlier boards, at least: enough for 9x9, and the same for all smaller ones."""


@registered
class Go(NamedTuple):
    """Go on `size` rows and `columns` columns (0: as many as rows); 9 by 9 by default."""

    size: int = 9
    komi: float = 7.5
    columns: int = 0
    simple_ko: bool = False
    """Forbid only the immediate recapture of a ko, not every repetition of a board."""
    suicide: bool = False
    """Allow moves that leave the own string, of two stones or more, without liberties."""
    max_length: int = 0
    """The game is scored after so many moves; 0: twice the number of points."""
    urgencies: bool = False
    """Play `game_rollout()` by Crazy Stone's urgencies instead of captures, escapes, patterns."""
    points: bool = False
    """Play for points: the utility is the score, not won or lost."""

    def problem(self) -> str | None:
        columns = self.columns or self.size
        if not 1 <= self.size <= LARGEST or not 1 <= columns <= LARGEST:
            return f"go needs a size (and columns) of 1 to {LARGEST}"
        if self.size * columns < 2:
            return "go needs a board of at least 2 points"
        if not abs(self.komi) <= 1000:
            return f"komi must be between -1000 and 1000, not {self.komi:g}"
        if self.max_length and not 2 <= self.max_length <= 10000:
            return f"max_length must be 2 to 10000 moves, or 0, not {self.max_length}"
        return None

    def rules(self) -> GoRules:
        columns = self.columns or self.size
        points = self.size * columns
        return GoRules(
            rows=self.size,
            columns=columns,
            stride=columns + 1,
            passing=points,
            komi=self.komi,
            max_length=self.max_length or 2 * points,
            simple_ko=self.simple_ko,
            suicide=self.suicide,
            per_column=(1 << 16) // columns + 1,
            per_stride=(1 << 16) // (columns + 1) + 1,
            urgencies=self.urgencies,
            points=self.points,
            patterns=pattern_table(),
        )

    def spec(self) -> Spec:
        rules = self.rules()
        places = next(n for n in PLACES if n >= (rules.rows + 2) * rules.stride + 1)
        boards = FEWEST_BOARDS
        while 2 * boards < 3 * (rules.max_length + 1):
            boards *= 2  # a power of 2, and at most two thirds of it filled
        most = rules.passing + abs(self.komi) if self.points else 1.0
        return Spec(
            players=2,
            lowest=-most,
            highest=most,
            max_actions=rules.passing + 1,
            max_length=rules.max_length,
            board=Geometry(rules.rows, rules.columns, codes=3, extra=2),
            state=record(
                hash="u8",
                libs=("i8", (places,)),
                seen=("u8", (1 if self.simple_ko else boards,)),
                head=("u2", (places,)),
                next=("u2", (places,)),
                stones=("u2", (places,)),
                where=("u2", (places,)),
                empty=("u2", (places,)),
                moves=("u2", (2 * boards // 3,)),
                colour=("i1", (places,)),
                first=("i1", (places,)),
                ply="i4",
                empties="i2",
                fewest="i2",
                ko="i2",
                last="i2",
                player="i1",
                passes="i1",
                thinned="i1",
            ),
        )

    # ------------------------------------------------------------ for people

    def action_name(self, s: Any, a: int) -> str:
        rules = self.rules()
        return "pass" if a == rules.passing else point_name(a // rules.columns, a % rules.columns)

    def position_text(self, s: Any) -> str:
        return text_of(self.rules(), s)

    def parse_position(self, text: str, s: Any) -> None:
        parse_text(self.rules(), text, s)

    def board_text(self, s: Any) -> str:
        grid = stones_of(self.rules(), s)
        left = [str(r + 1) for r in range(len(grid))]
        below = [point_name(0, c)[0] for c in range(len(grid[0]))]
        return grid_text(grid[::-1], left[::-1], below)

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        return go_board_svg(stones_of(self.rules(), s), last, legal)

    def action_places(self, s: Any, a: int) -> tuple[Place, ...]:
        rules = self.rules()
        if a == rules.passing:
            return ()
        return (point_place(a // rules.columns, a % rules.columns, rules.rows),)


def final_score(position: Position) -> float:
    """Black's area minus White's minus komi, as if the game ended here."""
    owners = [owner for row in ownership(position) for owner in row]
    return owners.count("X") - owners.count("O") - float(position.rules.game.komi)


def ownership(position: Position) -> list[list[str]]:
    """Who owns each point as it stands: "X", "O" or "." for neither; row 1 (the lowest) first."""
    if not isinstance(position.game, Go):
        raise InputError(
            f"only positions of go have a score, not of {type(position.game).__name__}"
        )
    return area_owners(stones_of(position.game.rules(), position.raw_state[0]))
