"""The hidden gem: a small tree for one player in which the best move looks bad at first.

Four moves A, B, C, D, a few plies deep. Every root move has a hidden true value, the value of the
best line below it, and a noise. A wrong move on the way down costs up to the root move's *gap*;
at the end the result is sampled around what is left, with the root move's noise. A move with wide
gaps looks bad under random play, although its best line is the best of all: the gem.

Scenarios (the seed shuffles the gaps below; `values`, `noises` and `gaps` replace a scenario's):

    gem       C is best, but noisy and with one good line only; A is steady and looks better
    pruning   the same gem, a little deeper hidden: a method that cuts moves off loses it
    plain     what looks best is best
    twins     two moves alike in value, one steady and one noisy
    noise     no gaps at all: C is best and noisy, and every line below a move is worth the same

A position is written as the moves played, and a number for the sample: ``C a d``, ``C a d +2``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.draw import INK, LAST, LEGAL, STONES, Place, picture
from ponder.core.game import CHANCE, Spec, record
from ponder.core.making import registered
from ponder.errors import InputError, quoted
from ponder.jit import U, wrap_add, wrap_multiply

MOVES = 4
LEVELS = 9
"""Outcomes of the noise: a binomial of eight fair coins, as a stand-in for the normal."""
CHANCES = (1 / 256, 8 / 256, 28 / 256, 56 / 256, 70 / 256, 56 / 256, 28 / 256, 8 / 256, 1 / 256)
SPREAD = 2.0**0.5
"""Standard deviation of the number of heads among eight coins."""

# scenario: for each of A B C D its (true value, noise, gap)
SCENARIOS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "gem": ((0.35, 0.15, 0.1), (0.1, 0.3, 0.2), (0.6, 0.9, 0.8), (-0.2, 0.3, 0.2)),
    "pruning": ((0.35, 0.1, 0.05), (0.1, 0.2, 0.2), (0.6, 0.6, 1.2), (-0.2, 0.2, 0.2)),
    "plain": ((0.6, 0.2, 0.2), (0.3, 0.2, 0.2), (0.1, 0.2, 0.2), (-0.2, 0.2, 0.2)),
    "twins": ((0.4, 0.05, 0.2), (0.1, 0.2, 0.2), (0.4, 0.9, 0.2), (-0.2, 0.2, 0.2)),
    "noise": ((0.35, 0.15, 0.0), (0.1, 0.3, 0.0), (0.6, 0.9, 0.0), (-0.2, 0.3, 0.0)),
}
COLUMNS = ("values", "noises", "gaps")
MOST = 1e6
"""No value, noise or gap is larger."""


@registered
class Gem(NamedTuple):
    """The hidden-gem tree. Utilities are real numbers; the true value of the game is the gem's."""

    scenario: str = "gem"
    seed: int = 0
    plies: int = 3
    values: tuple[float, ...] = ()
    noises: tuple[float, ...] = ()
    gaps: tuple[float, ...] = ()

    def problem(self) -> str | None:
        if self.scenario not in SCENARIOS:
            return f"unknown scenario {self.scenario!r}; accepted: {', '.join(SCENARIOS)}"
        for name, given in zip(COLUMNS, (self.values, self.noises, self.gaps), strict=True):
            if given and not (len(given) == MOVES and all(abs(x) <= MOST for x in given)):
                return f"{name} must be {MOVES} numbers up to a million, one for each of A B C D"
            if name != "values" and any(x < 0 for x in given):
                return f"{name} must be 0 or more"
        if not 1 <= self.plies <= 12:
            return f"plies must be from 1 to 12, not {self.plies}"
        if not 0 <= self.seed < 2**63:
            return f"seed must be 0 or more and below 2**63, not {self.seed}"
        return None

    def table(self) -> tuple[tuple[float, ...], ...]:
        """The values, the noises and the gaps of A, B, C and D: given, or the scenario's."""
        given = self.values, self.noises, self.gaps
        usual = zip(*SCENARIOS[self.scenario], strict=True)
        return tuple(tuple(map(float, g or u)) for g, u in zip(given, usual, strict=True))

    def rules(self) -> GemRules:
        values, noises, gaps = self.table()
        return GemRules(values, noises, gaps, self.seed, self.plies)

    def spec(self) -> Spec:
        rows = zip(*self.table(), strict=True)
        worst = max(abs(v) + SPREAD * 2 * n + g * self.plies for v, n, g in rows)
        return Spec(
            players=1,
            max_actions=LEVELS,
            max_length=self.plies + 1,
            # path: the moves, two bits each; sample: -1 before the noise is known
            state=record(path="i4", depth="i4", sample="i4"),
            lowest=-worst,
            highest=worst,
            zero_sum=False,
        )

    # ------------------------------------------------------------ for people

    def true_values(self) -> tuple[float, ...]:
        """The hidden value of A, B, C and D: what perfect play below each is worth."""
        return self.table()[0]

    def moves_of(self, s: Any) -> list[int]:
        return [int(s.path) >> 2 * i & 3 for i in range(int(s.depth))]

    def action_name(self, s: Any, a: int) -> str:
        if s.depth == self.plies:
            return f"{a - LEVELS // 2:+d}"
        return "ABCD"[a] if s.depth == 0 else "abcd"[a]

    def position_text(self, s: Any) -> str:
        words = [("ABCD" if i == 0 else "abcd")[m] for i, m in enumerate(self.moves_of(s))]
        if s.sample >= 0:
            words.append(f"{int(s.sample) - LEVELS // 2:+d}")
        return " ".join(words) or "start"

    def parse_position(self, text: str, s: Any) -> None:
        words = [] if text.strip() == "start" else text.split()
        names = {f"{a - LEVELS // 2:+d}": a for a in range(LEVELS)}
        moves = words[: self.plies]
        for i, word in enumerate(moves):
            known = "ABCD" if i == 0 else "abcd"
            if len(word) != 1 or word not in known:
                raise InputError(f"unknown move {quoted(word)}; accepted: {' '.join(known)}")
            s.path |= known.index(word) << 2 * i
        s.depth = len(moves)
        s.sample = -1
        if len(words) > self.plies + 1 or (words[self.plies :] and words[self.plies] not in names):
            raise InputError(
                f"{quoted(text)} is not a position: up to {self.plies} moves and a sample, "
                "such as 'C a d +2', or 'start'"
            )
        if words[self.plies :]:
            s.sample = names[words[self.plies]]

    def board_text(self, s: Any) -> str:
        hidden = "  ".join(f"{n} {v:+.2f}" for n, v in zip("ABCD", self.true_values(), strict=True))
        return f"hidden values: {hidden}\nplayed: {self.position_text(s)}"

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        """The root moves with their hidden values; a dashed ring around the truly best one."""
        values, played = self.true_values(), self.moves_of(s)
        parts = []
        for i, value in enumerate(values):
            x = 60 + 90 * i
            parts.append(f'<line x1="195" y1="30" x2="{x}" y2="120" stroke="{INK}"/>')
            if played[:1] == [i]:
                parts.append(f'<circle cx="{x}" cy="120" r="30" fill="none" stroke="{LAST}"/>')
            if value == max(values):
                parts.append(
                    f'<circle cx="{x}" cy="120" r="26" fill="none" stroke="{LEGAL}" '
                    'stroke-width="2" stroke-dasharray="5 4"/>'
                )
            parts.append(
                f'<circle cx="{x}" cy="120" r="20" fill="{STONES[i]}"/>'
                f'<text x="{x}" y="125" font-size="16" font-family="sans-serif" fill="white" '
                f'text-anchor="middle">{"ABCD"[i]}</text>'
                f'<text x="{x}" y="168" font-size="13" font-family="sans-serif" fill="{INK}" '
                f'text-anchor="middle">{value:+.2f}</text>'
            )
        parts.append(
            f'<circle cx="195" cy="30" r="14" fill="{INK}"/>'
            f'<text x="195" y="194" font-size="13" font-family="sans-serif" fill="{INK}" '
            f'text-anchor="middle">played: {self.position_text(s)}</text>'
        )
        return picture(390, 206, parts)

    def action_places(self, s: Any, a: int) -> tuple[Place, ...]:
        """Only the root's moves are on the drawing."""
        return ((60.0 + 90 * a, 120.0, 20.0),) if s.depth == 0 else ()


class GemRules(NamedTuple):
    """The rules of one scenario: value, noise and gap of each root move."""

    values: tuple[float, ...]
    noises: tuple[float, ...]
    gaps: tuple[float, ...]
    seed: int
    plies: int

    def start(self, s):
        s.sample = -1

    def current_player(self, s):
        return CHANCE if s.depth == self.plies else 0

    def legal_actions(self, s, out):
        for a in range(MOVES):
            out[a] = a
        return MOVES

    def chance_outcomes(self, s, out, p):
        for level in range(LEVELS):
            out[level] = level
            p[level] = CHANCES[level]
        return LEVELS

    def apply_action(self, s, a):
        if s.depth == self.plies:
            s.sample = a
        else:
            s.path |= a << (2 * s.depth)
            s.depth += 1

    def is_terminal(self, s):
        return s.sample >= 0

    def order(self, s, a):
        """An old hand's taste: steady moves first. It is wrong about the gem."""
        return -self.noises[a] if s.depth == 0 else 0.0

    def mixed(self, path, depth):
        """A random word for a node of the tree (splitmix64)."""
        x = wrap_add(U(path), wrap_multiply(U(depth + 1), U(0x9E3779B97F4A7C15)))
        x = wrap_add(x, wrap_multiply(U(self.seed), U(0xBF58476D1CE4E5B9)))
        x = wrap_multiply(x ^ (x >> U(30)), U(0xBF58476D1CE4E5B9))
        x = wrap_multiply(x ^ (x >> U(27)), U(0x94D049BB133111EB))
        return x ^ (x >> U(31))

    def cost(self, path, depth, a):
        """What move a costs at the node of `path`: 0 for one of the four, else 0.25 to 1."""
        h = self.mixed(path, depth)
        if np.int64(h & U(3)) == a:
            return 0.0
        return 0.25 + 0.75 * np.int64((h >> U(8 * (a + 1))) & U(255)) / 255.0

    def returns(self, s, out):
        move = s.path & 3
        value = self.values[move]
        for depth in range(1, self.plies):
            above = s.path & ((1 << (2 * depth)) - 1)
            value -= self.gaps[move] * self.cost(above, depth, (s.path >> (2 * depth)) & 3)
        out[0] = value + self.noises[move] * (s.sample - LEVELS // 2) / SPREAD
