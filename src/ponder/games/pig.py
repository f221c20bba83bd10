"""Pig: roll the die as often as you like, but a 1 loses what the turn brought; hold to keep it.

2 to 10 players take turns. In a turn a player decides again and again: *roll* (action 0) or *hold*
(action 1). A roll of 2 or more adds to the turn total; a 1 ends the turn with nothing. Holding
adds the turn total to the player's score and ends the turn; `target` points then win the game: 1
for the winner, -1 shared among the others. As soon as the turn total suffices for that, holding is
the only legal action. Outcomes of the die are numbered from 0: face - 1.

Nothing in these rules makes the game end, so there is a horizon: after `horizon` decisions
without a winner it is a draw.

A position is written with all scores, whose turn it is, the turn total and the decisions made so
far, ``12-30 player 0 total 5 after 17``; where the die is about to fall, `` rolling`` follows.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ponder.core.draw import INK, LAST, LINE, STONES, picture
from ponder.core.game import CHANCE, Spec, Term, record
from ponder.core.making import registered
from ponder.core.rng import below
from ponder.core.scoring import share_out
from ponder.errors import InputError, quoted

ROLL, HOLD = 0, 1
LARGEST_DIE, LARGEST_TARGET, LARGEST_HORIZON = 100, 1_000_000, 1_000_000


@registered
class Pig(NamedTuple):
    """Pig to 100 points with a six-sided die for two players unless told otherwise."""

    target: int = 100
    sides: int = 6
    players: int = 2
    horizon: int = 1000
    """Decisions (not rolls of the die) after which the game is a draw."""

    def problem(self) -> str | None:
        if not 1 <= self.target <= LARGEST_TARGET:
            return f"the target of pig is 1 to {LARGEST_TARGET} points, not {self.target}"
        if not 2 <= self.sides <= LARGEST_DIE:
            return f"the die of pig has 2 to {LARGEST_DIE} sides, not {self.sides}"
        if not 2 <= self.players <= 10:
            return f"pig is for 2 to 10 players, not {self.players}"
        if not 1 <= self.horizon <= LARGEST_HORIZON:
            return f"the horizon of pig is 1 to {LARGEST_HORIZON} decisions, not {self.horizon}"
        return None

    def spec(self) -> Spec:
        return Spec(
            players=self.players,
            max_actions=max(2, self.sides),
            max_length=2 * self.horizon - 1,  # a roll of the die after all decisions but the last
            # total: of the turn; decisions: made so far; rolling: is the die about to fall?
            state=record(
                scores=("i4", (self.players,)),
                total="i4",
                decisions="i4",
                player="i1",
                rolling="i1",
                winner="i1",
            ),
        )

    def start(self, s):
        s.winner = -1

    def current_player(self, s):
        return CHANCE if s.rolling else int(s.player)

    def legal_actions(self, s, out):
        if self.must_hold(s):
            out[0] = HOLD
            return 1
        out[0] = ROLL
        out[1] = HOLD
        return 2

    def random_action(self, s, out, rng):
        return HOLD if self.must_hold(s) else below(rng, 2)

    def must_hold(self, s):
        """Does the turn total already win?"""
        return s.scores[s.player] + s.total >= self.target

    def chance_outcomes(self, s, out, p):
        for i in range(self.sides):
            out[i] = i
            p[i] = 1.0 / self.sides
        return self.sides

    def apply_action(self, s, a):
        if s.rolling:
            s.rolling = 0
            if a == 0:  # the face 1
                self.end_turn(s)
            else:
                s.total += a + 1
            return
        s.decisions += 1
        if a == ROLL:
            s.rolling = 1
        else:
            s.scores[s.player] += s.total
            if s.scores[s.player] >= self.target:
                s.winner = s.player
            self.end_turn(s)

    def end_turn(self, s):
        """The next player begins with nothing."""
        s.total = 0
        s.player = s.player + 1 if s.player + 1 < self.players else 0

    def is_terminal(self, s):
        return s.winner >= 0 or s.decisions >= self.horizon

    def returns(self, s, out):
        share_out(s.winner, self.players, out)

    def evaluate(self, s, out):
        """The lead over the mean of the others, the turn total counted, as a share of `target`."""
        points = 0.0
        for p in range(self.players):
            points += self.standing(s, p)
        for p in range(self.players):
            own = self.standing(s, p)
            out[p] = (own - (points - own) / (self.players - 1)) / self.target

    def evaluate_terms(self, s: Any, player: int) -> list[Term]:
        points = [float(self.standing(s, p)) for p in range(self.players)]
        lead = points[player] - (sum(points) - points[player]) / (self.players - 1)
        return [Term("lead in points", lead, 1 / self.target)]

    def standing(self, s, p):
        """Score and turn total of player p, at most the target."""
        points = s.scores[p] + s.total if p == s.player else s.scores[p]
        return float(min(points, self.target))

    # ------------------------------------------------------------ for people

    def action_name(self, s: Any, a: int) -> str:
        return str(a + 1) if s.rolling else ("roll", "hold")[a]

    def board_text(self, s: Any) -> str:
        lines = [
            f"player {p}: {score:>4}" + (f"  + {s.total} this turn" if p == s.player else "")
            for p, score in enumerate(s.scores)
        ]
        if s.winner >= 0:
            lines.append(f"player {s.winner} has won")
        elif s.decisions >= self.horizon:
            lines.append(f"a draw: {self.horizon} decisions without a winner")
        else:
            does = "rolls the die" if s.rolling else "is to roll or hold"
            lines.append(
                f"player {s.player} {does} ({s.decisions} of {self.horizon} decisions made)"
            )
        return "\n".join(lines)

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        """A bar for each player, the turn total in lighter colour at its end."""
        width, parts = 300, []
        for p, score in enumerate(map(int, s.scores)):
            kept = width * min(score, self.target) / self.target
            total = width * min(int(s.total), self.target) / self.target if p == s.player else 0.0
            at = 12 + 28 * p
            for x, length, fade in ((0.0, kept, 1.0), (kept, min(total, width - kept), 0.4)):
                parts.append(
                    f'<rect x="{80 + x:g}" y="{at}" width="{length:g}" height="18" '
                    f'fill="{STONES[p % len(STONES)]}" fill-opacity="{fade}"/>'
                )
            parts.append(
                f'<rect x="80" y="{at}" width="{width}" height="18" fill="none" stroke="{LINE}"/>'
            )
            parts.append(_words(8, at + 9, f"{'> ' if p == s.player else ''}player {p}"))
            parts.append(_words(90 + width, at + 9, str(score)))
        low = 12 + 28 * self.players
        if last is not None:
            parts.append(_words(8, low + 9, f"last: {self.last_name(s, last)}", LAST))
        if legal:
            names = " ".join(self.action_name(s, a) for a in legal)
            parts.append(_words(150, low + 9, f"legal: {names}"))
        return picture(150 + width, low + 28, parts)

    def last_name(self, s: Any, last: int) -> str:
        """The name of the action that led to s: a die leaves points or ends the turn."""
        if s.rolling:
            return "roll"
        return "hold" if s.total == 0 and last == HOLD else str(last + 1)

    def position_text(self, s: Any) -> str:
        scores = "-".join(str(int(score)) for score in s.scores)
        rolling = " rolling" if s.rolling else ""
        return f"{scores} player {s.player} total {s.total} after {s.decisions}{rolling}"

    def parse_position(self, text: str, s: Any) -> None:
        number = "([0-9]{1,9})"
        found = re.fullmatch(
            rf"([0-9]{{1,9}}(?:-[0-9]{{1,9}})*) player {number} total {number} after {number}"
            r"( rolling)?",
            text.strip(),
        )
        if not found:
            raise InputError(
                f"{quoted(text)} is not a position of pig, such as 12-30 player 0 total 5 after 17 "
                "(scores, turn, turn total, decisions made; then maybe 'rolling')"
            )
        scores = [int(score) for score in found[1].split("-")]
        player, total, decisions = int(found[2]), int(found[3]), int(found[4])
        rolling = found[5] is not None
        fault = self.impossible(scores, player, total, decisions, rolling)
        if fault:
            raise InputError(fault)
        for p, score in enumerate(scores):
            s.scores[p] = score
            if score >= self.target:
                s.winner = p
        s.player, s.total, s.decisions, s.rolling = player, total, decisions, rolling

    def impossible(
        self, scores: list[int], player: int, total: int, decisions: int, rolling: bool
    ) -> str | None:
        """Why no game leads there, or None."""
        if len(scores) != self.players:
            return f"this game has {self.players} players, not {len(scores)} scores"
        if player >= self.players:
            return f"players are numbered 0 to {self.players - 1}; there is no player {player}"
        for points in (*scores, total):
            if points == 1 or (self.sides == 2 and points % 2):
                return f"no rolls of 2 to {self.sides} add up to {points}"
        winners = [p for p, score in enumerate(scores) if score >= self.target]
        if winners and (winners != [(player - 1) % self.players] or total or rolling):
            return "a score that reaches the target ends the game: the next player has no turn"
        if max(*scores, scores[player] + total) >= self.target + self.sides:
            return f"nobody rolls on with {self.target} points: one roll earlier there were as many"
        if rolling and scores[player] + total >= self.target:
            return f"player {player} has {self.target} points with the turn total and must hold"
        # Every turn so far took a decision at least; each point scored, its rolls besides.
        turns = max((p + 1 for p, score in enumerate(scores) if score), default=0)
        turns += (player - turns) % self.players
        rolls = sum(-(-points // self.sides) for points in (*scores, total))
        if not turns + rolls + rolling <= decisions <= self.horizon:
            return (
                f"{decisions} decisions are impossible: "
                f"these points take {turns + rolls + rolling} "
                f"or more, and the game ends after {self.horizon}"
            )
        return None


def _words(x: float, y: float, text: str, colour: str = INK) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="13" font-family="sans-serif" fill="{colour}" '
        f'dy="0.35em">{text}</text>'
    )
