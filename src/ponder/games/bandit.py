"""A multi-armed bandit: choose an arm, win or lose by its hidden chance.

One decision and one throw of the dice, so a search of it *is* the bandit problem: every simulation
is a pull, and the select rule at the root decides which arm. The default arms are the lecture's:
A wins 60 %, B 55 %, C 40 %. With several pulls the game goes on and pays the share of wins.

A position is written as pulls made, wins, and the arm just pulled: ``2 1 -`` or ``2 1 B``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.draw import INK, LAST, LEGAL, STONES, picture
from ponder.core.game import CHANCE, Spec, record
from ponder.core.making import registered
from ponder.errors import InputError, quoted

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOSE, WIN = 0, 1


@registered
class Bandit(NamedTuple):
    """Arms with fixed chances of winning 1; after `pulls` pulls the share of wins is paid."""

    arms: tuple[float, ...] = (0.6, 0.55, 0.4)
    pulls: int = 1

    def problem(self) -> str | None:
        if not 1 <= len(self.arms) <= len(LETTERS):
            return f"bandit needs 1 to {len(LETTERS)} arms, not {len(self.arms)}"
        if any(not 0 <= p <= 1 for p in self.arms):
            return "the chance of an arm must be from 0 to 1"
        if not 1 <= self.pulls <= 10_000:
            return f"pulls must be from 1 to 10000, not {self.pulls}"
        return None

    def spec(self) -> Spec:
        return Spec(
            players=1,
            max_actions=max(len(self.arms), 2),
            max_length=2 * self.pulls,
            # arm: the one just pulled, whose outcome is open; -1 when one is to be chosen
            state=record(arm="i4", pulled="i4", wins="i4"),
            lowest=0.0,
            highest=1.0,
            zero_sum=False,
        )

    def start(self, s):
        s.arm = -1

    def current_player(self, s):
        return CHANCE if s.arm >= 0 else 0

    def legal_actions(self, s, out):
        for arm in range(len(self.arms)):
            out[arm] = arm
        return len(self.arms)

    def chance_outcomes(self, s, out, p):
        out[0], out[1] = LOSE, WIN
        p[0], p[1] = 1.0 - self.arms[s.arm], self.arms[s.arm]
        return 2

    def apply_action(self, s, a):
        if s.arm < 0:
            s.arm = a
            s.pulled += 1
        else:
            s.arm = -1
            s.wins += a

    def is_terminal(self, s):
        return s.pulled == self.pulls and s.arm < 0

    def returns(self, s, out):
        out[0] = s.wins / self.pulls

    # ------------------------------------------------------------ for people

    def action_name(self, s: Any, a: int) -> str:
        return LETTERS[a] if s.arm < 0 else ("lose", "win")[a]

    def board_text(self, s: Any) -> str:
        arms = "  ".join(f"{LETTERS[i]} {p:.0%}" for i, p in enumerate(self.arms))
        doing = "choose an arm" if s.arm < 0 else f"{LETTERS[s.arm]} is pulled"
        if self.is_terminal(s):
            doing = "over"
        return f"{arms}\n{int(s.wins)} wins in {int(s.pulled)} of {self.pulls} pulls; {doing}"

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        parts = []
        for i, chance in enumerate(self.arms):
            x, height = 20 + 60 * i, 120 * chance
            edge = LAST if i == s.arm else INK
            parts.append(
                f'<rect x="{x}" y="{140 - height:g}" width="40" height="{height:g}" '
                f'fill="{STONES[i % len(STONES)]}" stroke="{edge}" stroke-width="2"/>'
                f'<text x="{x + 20}" y="160" font-size="14" font-family="sans-serif" '
                f'fill="{INK}" text-anchor="middle">{LETTERS[i]} {chance:.0%}</text>'
            )
        if s.arm < 0:
            parts += [f'<circle cx="{40 + 60 * a}" cy="10" r="5" fill="{LEGAL}"/>' for a in legal]
        return picture(20 + 60 * len(self.arms), 170, parts)

    def position_text(self, s: Any) -> str:
        arm = "-" if s.arm < 0 else LETTERS[s.arm]
        return f"{int(s.pulled)} {int(s.wins)} {arm}"

    def parse_position(self, text: str, s: Any) -> None:
        words = text.split()
        arms = ["-", *LETTERS[: len(self.arms)]]
        if len(words) != 3 or not all(
            w.isascii() and w.isdigit() and len(w) < 6 for w in words[:2]
        ):
            raise InputError(
                f"{quoted(text)} is not a position: pulls, wins and arm, such as '2 1 -'"
            )
        pulled, wins = int(words[0]), int(words[1])
        if words[2] not in arms:
            raise InputError(f"unknown arm {quoted(words[2])}; accepted: {' '.join(arms)}")
        arm = arms.index(words[2]) - 1
        known = pulled - (arm >= 0)  # pulls whose outcome is known
        if pulled > self.pulls or known < 0 or wins > known:
            raise InputError(f"{wins} wins in {pulled} of {self.pulls} pulls are impossible")
        s.pulled, s.wins, s.arm = pulled, wins, arm
