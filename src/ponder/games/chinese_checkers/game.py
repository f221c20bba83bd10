"""Chinese checkers: bring your ten pieces into the opposite corner of a star, by steps and hops.

2, 3, 4 or 6 players. A piece steps to an empty neighbour, or hops over a neighbouring piece of
anybody into the empty hole right behind it, and may hop on from there. Whoever fills the corner
opposite to his own wins. After `horizon` turns without a winner the game is a draw.

Moves name both holes, ``d1-e5`` for a step and ``c1-e5`` for a hop; a chain is played hop by hop
and ended by ``pass`` where it could go on. Holes: see `star`.

A position is its 17 rows from the top, "." for an empty hole and 1 to 6 for the pieces of the
players, then the turns made so far: whose turn it is follows from that. Within a chain of hops
come the holes entered in it, the one where the piece stands now first:

    1/11/111/1111/............./ ... /............./2222/222/22/2 0
    1/11/.11/1111/....1......../ ... /............./2222/222/22/2 14 e5,c1
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.draw import Place
from ponder.core.game import Spec, record
from ponder.core.making import registered
from ponder.errors import InputError, quoted
from ponder.games.chinese_checkers.drawing import centre, star_svg
from ponder.games.chinese_checkers.rules import PASS, StarRules
from ponder.games.chinese_checkers.star import (
    CORNERS,
    GOAL_SUM,
    HOLES,
    HOME_SUM,
    LONGEST_TURN,
    NAMES,
    PIECES,
    PLACES,
    ROW_LENGTHS,
    ROW_NAMES,
    corner,
    tables,
)

SYMBOLS = "123456"
SCALE = 10.0
"""Steps behind that cost a factor of e in the chance to win: see `StarRules.evaluate`."""


@registered
class ChineseCheckers(NamedTuple):
    """Chinese checkers on the star of 121 holes; a draw after `horizon` turns of all players."""

    players: int = 2
    horizon: int = 1000

    def problem(self) -> str | None:
        if self.players not in CORNERS:
            return f"chinese_checkers is for 2, 3, 4 or 6 players, not {self.players}"
        if not 1 <= self.horizon <= 100_000:
            return f"horizon must be from 1 to 100000 turns, not {self.horizon}"
        return None

    def rules(self) -> StarRules:
        chances = np.exp(-np.arange(HOME_SUM - GOAL_SUM + 1) / SCALE)
        homes = np.array([hole for home in CORNERS[self.players] for hole in corner(home)])
        return StarRules(
            self.players, self.horizon, *tables(self.players), chances, homes.astype(np.int16)
        )

    def spec(self) -> Spec:
        return Spec(
            players=self.players,
            max_actions=6 * PIECES,
            max_length=LONGEST_TURN * self.horizon,
            distinct_actions=PASS + 1,
            # cells: 0 empty, player + 1, and one place behind the edge; pieces: ten holes a player,
            # in order; left: steps of all ten to the tip of the goal; entered: a bit per hole that
            # the chain has been in; hopping: where its piece stands, else -1
            state=record(
                entered=("u8", (2,)),
                cells=("i1", (HOLES + 1,)),
                pieces=("u2", (PIECES * self.players,)),
                left=("i2", (self.players,)),
                turns="i4",
                hopping="i2",
                player="i4",
                winner="i4",
            ),
            lowest=-1.0 / (self.players - 1),
        )

    # ------------------------------------------------------------ for people

    def action_name(self, s: Any, a: int) -> str:
        if a == PASS:
            return "pass"
        return f"{NAMES[a // 6]}-{NAMES[self.rules().landing(s, a)]}"

    def rows(self, s: Any) -> list[str]:
        """The pieces, row by row from the top."""
        symbols = "".join("." if c == 0 else SYMBOLS[c - 1] for c in s.cells[:HOLES].tolist())
        starts = np.cumsum([0, *ROW_LENGTHS]).tolist()
        return [symbols[i : i + n] for i, n in zip(starts, ROW_LENGTHS, strict=False)]

    def board_text(self, s: Any) -> str:
        lines = [
            f"{name} {' '.join(row).center(25).rstrip()}"
            for name, row in zip(ROW_NAMES, self.rows(s), strict=True)
        ]
        if s.winner >= 0:
            doing = f"{SYMBOLS[s.winner]} has won"
        elif s.turns >= self.horizon:
            doing = "a draw"
        elif s.hopping >= 0:
            doing = f"{SYMBOLS[s.player]} hops on from {NAMES[s.hopping]} or passes"
        else:
            doing = f"{SYMBOLS[s.player]} moves"
        ways = ", ".join(f"{SYMBOLS[p]}: {int(n) - GOAL_SUM}" for p, n in enumerate(s.left))
        lines.append(f"turn {int(s.turns)} of {self.horizon}, {doing}; steps to go: {ways}")
        return "\n".join(lines)

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        rules = self.rules()
        targets = sorted({int(rules.landing(s, a)) for a in legal if a != PASS})
        return star_svg(s.cells[:HOLES].tolist(), None if last == PASS else last, targets)

    def action_places(self, s: Any, a: int) -> tuple[Place, ...]:
        if a == PASS:
            return ()
        holes = (a // 6, int(self.rules().landing(s, a)))
        return tuple((*centre(*PLACES[hole]), 12.0) for hole in holes)

    def position_text(self, s: Any) -> str:
        text = f"{'/'.join(self.rows(s))} {int(s.turns)}"
        if s.hopping < 0:
            return text
        others = [h for h in range(HOLES) if has_entered(s, h) and h != s.hopping]
        return f"{text} {','.join(NAMES[h] for h in [int(s.hopping), *others])}"

    # ------------------------------------------------------------ reading positions

    def parse_position(self, text: str, s: Any) -> None:
        words = text.split()
        if len(words) not in (2, 3):
            raise InputError(
                "a position is 17 rows joined by '/', a blank, the turns made so far, and in a "
                "chain of hops the holes entered, such as e5,c1"
            )
        self._place(words[0], s)
        turns = words[1]
        number = turns.isascii() and turns.isdigit() and len(turns) < 7
        if not number or int(turns) > self.horizon:
            raise InputError(
                f"the turns made must be from 0 to {self.horizon}, not {quoted(turns)}"
            )
        s.turns = int(turns)
        s.player = s.turns % self.players
        if len(words) == 3:
            self._enter(words[2], s)
        self._see_winner(s)

    def _place(self, board: str, s: Any) -> None:
        """Put the pieces."""
        rows, symbols = board.split("/"), SYMBOLS[: self.players]
        if tuple(len(row) for row in rows) != ROW_LENGTHS:
            raise InputError(
                f"a position has {len(ROW_LENGTHS)} rows of "
                f"{' '.join(str(n) for n in ROW_LENGTHS)} holes, joined by '/'"
            )
        cells = "".join(rows)
        wrong = set(cells) - set("." + symbols)
        if wrong:
            raise InputError(f"unknown hole {min(wrong)!r}; accepted: . {' '.join(symbols)}")
        steps = tables(self.players).steps
        for p, symbol in enumerate(symbols):
            holes = [h for h, cell in enumerate(cells) if cell == symbol]
            if len(holes) != PIECES:
                raise InputError(f"each player has {PIECES} pieces; {symbol} has {len(holes)}")
            s.pieces[p * PIECES : (p + 1) * PIECES] = holes
            s.left[p] = sum(int(steps[p * HOLES + h]) for h in holes)
        for hole, cell in enumerate(cells):
            s.cells[hole] = 0 if cell == "." else SYMBOLS.index(cell) + 1

    def _enter(self, text: str, s: Any) -> None:
        """Take up a chain of hops."""
        names = text.split(",")
        wrong = [name for name in names if name not in NAMES]
        if wrong:
            raise InputError(f"unknown hole {quoted(wrong[0])}; holes are a1 to q1, such as e13")
        holes = [NAMES.index(name) for name in names]
        if len(holes) < 2 or len(set(holes)) != len(holes):
            raise InputError("a chain has entered at least two holes, and none twice")
        if s.cells[holes[0]] != s.player + 1:
            raise InputError(
                f"{names[0]} must hold a piece of {SYMBOLS[s.player]}, whose turn it is"
            )
        if any(s.cells[h] != 0 for h in holes[1:]):
            raise InputError("the holes that a chain has left must be empty")
        if len({(PLACES[h][0] % 2, sum(PLACES[h]) % 4) for h in holes}) != 1:
            raise InputError("the holes of a chain must be two steps apart, or four ...")
        rules = self.rules()
        s.hopping = holes[0]
        for hole in holes:
            rules.enter(s, hole)
        if s.turns >= self.horizon or not any(
            rules.can_hop_on(s, holes[0] * 6 + direction) for direction in range(6)
        ):
            raise InputError(f"the chain cannot go on from {names[0]}: then the turn is over")

    def _see_winner(self, s: Any) -> None:
        """Only who moved last, or is about to end a chain, can have filled his goal."""
        home = [p for p in range(self.players) if s.left[p] == GOAL_SUM]
        mover = s.player if s.hopping >= 0 else (s.turns - 1) % self.players if s.turns else -1
        if any(p != mover for p in home):
            raise InputError("only the player who moved last can have filled the goal")
        if home and s.hopping < 0:
            s.winner = home[0]


def has_entered(s: Any, hole: int) -> bool:
    """Has the chain of hops been in this hole?"""
    return bool(int(s.entered[hole >> 6]) >> (hole & 63) & 1)
