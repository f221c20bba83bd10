"""Backgammon for two players, without the doubling cube.

x is player 0, o player 1; each moves from his own point 24 down to 1 and off. The first roll is
one die each: the higher one begins with both. A turn is one action of two checker moves, a double
two actions of two moves each by the same player. `ponder.games.backgammon.plays` says what may be
played, `ponder.games.backgammon.board` how the state is kept.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.draw import Place
from ponder.core.game import CHANCE, Spec, Term, record
from ponder.core.geometry import Geometry
from ponder.core.making import registered
from ponder.games.backgammon import drawing, text
from ponder.games.backgammon.board import BAR, OFF, move, put, score, winner_of
from ponder.games.backgammon.estimate import estimate, pips, terms, utility_of_lead
from ponder.games.backgammon.plays import PLACES, list_pairs, random_pair
from ponder.jit import U, wrap_multiply

MAX_TURNS = 1000
"""A game that is not over after so many turns is a draw (random games take 65 on average)."""

# 15 lone checkers: 15 * 14 pairs of two, and each may run alone in two ways
MAX_ACTIONS = 240
STARTS = ((24, 2), (13, 5), (8, 3), (6, 5))


@registered
class Backgammon(NamedTuple):
    """Backgammon; `scoring` is the most that a game can count.

    3: a gammon counts 2 and a backgammon 3; 2: both count 2; 1: every win counts 1.
    """

    scoring: int = 3

    def problem(self) -> str | None:
        if self.scoring not in (1, 2, 3):
            return (
                "scoring must be 1 (win or loss), 2 (gammons count 2) or 3 (backgammons count 3), "
                f"not {self.scoring}"
            )
        return None

    def spec(self) -> Spec:
        return Spec(
            players=2,
            max_actions=MAX_ACTIONS,
            max_length=3 * MAX_TURNS,  # a roll and at most two actions
            distinct_actions=PLACES * PLACES,
            lowest=-float(self.scoring),
            highest=float(self.scoring),
            # the first five: see `board`. turns: finished ones; player: who rolls or plays, -1
            # before the first roll; high, low: the dice, 0 before the roll; half: 1 when the
            # first two moves of a double have been made
            state=record(
                at=("i8", 2),
                alone=("i8", 2),
                shut=("i8", 2),
                blots=("i8", 2),
                checkers=("i1", (2, 26)),
                turns="i4",
                player="i1",
                high="i1",
                low="i1",
                half="i1",
            ),
            board=Geometry(1, 24, codes=7, extra=8, line=3),
        )

    def start(self, s):
        s.player = -1
        for player in range(2):
            for place, count in STARTS:
                for _ in range(count):
                    put(s, player, place)

    def current_player(self, s):
        return CHANCE if s.high == 0 else np.int64(s.player)

    def chance_outcomes(self, s, out, p):
        n = 0
        for first in range(6):
            for second in range(6):
                if s.player < 0:  # one die each; equal dice are thrown again
                    if first != second:
                        out[n] = 6 * first + second
                        p[n] = 1.0 / 30.0
                        n += 1
                elif first >= second:
                    out[n] = 6 * first + second
                    p[n] = 1.0 / 36.0 if first == second else 1.0 / 18.0
                    n += 1
        return n

    def cells(self, s, player, out):
        """Points from the player's side: 0 empty, 1 to 3 so many own checkers or more, 4 to 6 the
        other's. Then both bars, both numbers off in thirds, the dice, and half a double."""
        for point in range(24):
            mine = s.checkers[player, point + 1]
            theirs = s.checkers[1 - player, 24 - point]
            code = 0
            if mine > 0:
                code = min(mine, 3)
            elif theirs > 0:
                code = 3 + min(theirs, 3)
            out[point] = code
        for side in range(2):
            owner = player if side == 0 else 1 - player
            out[24 + side] = min(s.checkers[owner, BAR], 6)
            out[26 + side] = (s.checkers[owner, OFF] + 2) // 3
        out[28], out[29], out[30] = s.high, s.low, s.half
        out[31] = 1 if s.high == s.low else 0

    def legal_actions(self, s, out):
        me = np.int64(s.player)
        return list_pairs(
            s.at[me], s.alone[me], s.shut[me], s.blots[me], np.int64(s.high), np.int64(s.low), out
        )

    def random_action(self, s, out, rng):
        me = np.int64(s.player)
        high, low = np.int64(s.high), np.int64(s.low)
        return random_pair(s.at[me], s.alone[me], s.shut[me], s.blots[me], high, low, out, rng)

    def apply_action(self, s, a):
        if s.high == 0:
            first, second = a // 6 + 1, a % 6 + 1
            if s.player < 0:
                s.player = 0 if first > second else 1
            s.high, s.low = max(first, second), min(first, second)
            return
        me, high, low = np.int64(s.player), np.int64(s.high), np.int64(s.low)
        p, q = np.int64(a // PLACES), np.int64(a % PLACES)
        if p > 0 and p == q - low:  # one checker runs, the lower die first
            move(s, me, q, low)
            move(s, me, p, high)
        else:
            if p > 0:
                move(s, me, p, high)
            if q > 0:
                move(s, me, q, low)
        if high == low and s.half == 0 and p > 0 and q > 0 and winner_of(s) < 0:
            s.half = 1
            return
        s.high, s.low, s.half = 0, 0, 0
        s.player = 1 - me
        s.turns += 1

    def is_terminal(self, s):
        return winner_of(s) >= 0 or s.turns >= MAX_TURNS

    def returns(self, s, out):
        winner = winner_of(s)
        out[0] = 0.0
        if winner >= 0:
            out[0] = float(score(s, winner, self.scoring))
        if winner == 1:
            out[0] = -out[0]
        out[1] = -out[0]

    def evaluate(self, s, out):
        if self.is_terminal(s):
            self.returns(s, out)
        else:
            estimate(s, self.scoring, out)

    def evaluate_terms(self, s: Any, player: int) -> list[Term]:
        return terms(s, player)

    def squash(self, s: Any, player: int, score: float) -> float:
        """The lead in pips as an expected utility."""
        lead = score if player == 0 else -score  # the estimate is that of player 0
        value = float(utility_of_lead(s, self.scoring, lead, pips(s, 0), pips(s, 1)))
        return value if player == 0 else -value  # zero sum

    def key(self, s):
        """All but the number of turns: the same position, whenever it is reached."""
        h = U(s.player + 1) | (U(s.high) << U(2)) | (U(s.low) << U(5)) | (U(s.half) << U(8))
        for player in range(2):
            for first in range(0, BAR + 1, 13):
                word = U(0)
                for place in range(first, first + 13):
                    word = (word << U(4)) | U(s.checkers[player, place])
                h = wrap_multiply(h ^ word, U(0x9E3779B97F4A7C15))
                h ^= h >> U(29)
        return h

    # ------------------------------------------------------------ for people

    def action_name(self, s: Any, a: int) -> str:
        return text.action_name(s, a)

    def parse_action(self, s: Any, words: str) -> int | None:
        out = np.zeros(MAX_ACTIONS, np.int32)
        legal = [] if s.high == 0 else out[: self.legal_actions(s, out)].tolist()
        return text.parse_action(s, words, legal)

    def board_text(self, s: Any) -> str:
        return text.board_text(s)

    def board_svg(self, s: Any, last: Any = None, legal: Any = (), before: Any = None) -> str:
        return drawing.board_svg(s, last, legal, before)

    def action_places(self, s: Any, a: int) -> tuple[Place, ...]:
        return () if s.high == 0 else drawing.play_places(s, a)

    def position_text(self, s: Any) -> str:
        return text.position_text(s)

    def parse_position(self, words: str, s: Any) -> None:
        text.parse_position(words, s, STARTS, MAX_TURNS)
