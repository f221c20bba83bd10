"""P-games: the random minimax trees of Kocsis & Szepesvari (2006), the classic test of UCT.

Every position has `branching` moves and every game `depth` plies. Each move of player 0 (MAX)
is worth a random whole number from 0 to 127, each move of player 1 (MIN) one from -127 to 0.
MAX wins if the sum over the game is above 0, MIN if it is below, and 0 is a draw.

No tree is stored: the value of a move is a hash of the seed and of the way from the root, so
that the same seed is the same tree, on every machine.

Moves are called 1, 2, 3 ...; a position is written as the moves from the root, ``2 1 1``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.draw import INK, LAST, LEGAL, LINE, STONES, picture
from ponder.core.game import Spec, record
from ponder.core.making import registered
from ponder.core.rng import below
from ponder.core.scoring import share_out
from ponder.errors import InputError, quoted
from ponder.jit import U, kernel, wrap_add, wrap_multiply


@registered
class PGame(NamedTuple):
    """A random minimax tree: 2 moves at each of 20 plies unless told otherwise."""

    branching: int = 2
    depth: int = 20
    seed: int = 0

    def problem(self) -> str | None:
        if not 2 <= self.branching <= 1000 or self.depth < 1:
            return "pgame needs a branching of 2 to 1000 and a depth of at least 1"
        # the way from the root is kept as one number in base `branching`
        if self.depth > 63 or self.branching**self.depth > 2**63:
            return (
                f"pgame has at most 2**63 leaves; {self.branching}**{self.depth} are more: "
                "take a smaller branching or depth"
            )
        if not 0 <= self.seed < 2**63:
            return f"seed must be 0 to 2**63 - 1, not {self.seed}"
        return None

    def spec(self) -> Spec:
        return Spec(
            players=2,
            max_actions=self.branching,
            max_length=self.depth,
            # path: a 1, then the moves as digits in base `branching`; total: the sum so far
            state=record(path="u8", total="i4", ply="i4"),
        )

    def start(self, s):
        s.path = U(1)

    def current_player(self, s):
        return s.ply & 1

    def legal_actions(self, s, out):
        for a in range(self.branching):
            out[a] = a
        return self.branching

    def random_action(self, s, out, rng):
        return below(rng, self.branching)

    def apply_action(self, s, a):
        s.path = s.path * U(self.branching) + U(a)
        value = move_value(U(self.seed), s.path)
        s.total += -value if s.ply & 1 else value
        s.ply += 1

    def is_terminal(self, s):
        return s.ply == self.depth

    def returns(self, s, out):
        winner = -1
        if s.total > 0:
            winner = 0
        elif s.total < 0:
            winner = 1
        share_out(winner, 2, out)

    # ------------------------------------------------------------ for people

    def moves_so_far(self, s: Any) -> list[int]:
        path, moves = int(s.path), []
        for _ in range(s.ply):
            path, move = divmod(path, self.branching)
            moves.append(move)
        return moves[::-1]

    def worth(self, s: Any) -> list[int]:
        """What each move from here would add to the sum; nothing at the end."""
        if s.ply == self.depth:
            return []
        sign = -1 if s.ply & 1 else 1
        ways = [int(s.path) * self.branching + a for a in range(self.branching)]
        return [sign * int(move_value(U(self.seed), U(way))) for way in ways]

    def action_name(self, s: Any, a: int) -> str:
        return str(a + 1)

    def position_text(self, s: Any) -> str:
        return " ".join(str(move + 1) for move in self.moves_so_far(s))

    def parse_position(self, text: str, s: Any) -> None:
        names = text.split()
        if len(names) > self.depth:
            raise InputError(f"{len(names)} moves are more than the depth of {self.depth}")
        accepted = {str(a + 1): a for a in range(self.branching)}
        for name in names:
            if name not in accepted:
                raise InputError(
                    f"{quoted(name)} is not a move: a position is a list of moves from 1 to "
                    f"{self.branching}, such as 2 1 1"
                )
            self.apply_action(s, accepted[name])

    def board_text(self, s: Any) -> str:
        sums = f"ply {s.ply} of {self.depth}, sum {s.total:+d}"
        way = f"moves {self.position_text(s) or '-'}"
        if s.ply == self.depth:
            return f"{sums}, the end\n{way}"
        mover = ("MAX", "MIN")[s.ply & 1]
        shown = " ".join(f"{a + 1}:{v:+d}" for a, v in enumerate(self.worth(s)[:12]))
        more = " ..." if self.branching > 12 else ""
        return f"{sums}, {mover} (player {s.ply & 1}) to move\n{way}\nworth {shown}{more}"

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        """The sum after each ply: above the line MAX is ahead, below it MIN."""
        width, height = 20 * (self.depth + 1) + 20, 220
        path, total, sums = U(1), 0, [0]
        for ply, move in enumerate(self.moves_so_far(s)):
            path = path * U(self.branching) + U(move)
            value = int(move_value(U(self.seed), path))
            total += -value if ply & 1 else value
            sums.append(total)
        after = [total + value for value in self.worth(s)]
        scale = 90 / max(127, *(abs(v) for v in (*sums, *after)))

        def place(ply: int, value: float) -> tuple[float, float]:
            return 20.0 * (ply + 1), height / 2 - scale * value

        parts = [f'<path d="M10 {height / 2:g}H{width - 10}" stroke="{LINE}" stroke-width="1.5"/>']
        for ply, value in enumerate(sums[1:]):
            (x1, y1), (x2, y2) = place(ply, sums[ply]), place(ply + 1, value)
            colour = LAST if ply == s.ply - 1 and last is not None else STONES[ply & 1]
            parts.append(
                f'<path d="M{x1:g} {y1:.1f}L{x2:g} {y2:.1f}" stroke="{colour}" stroke-width="3"/>'
            )
        x, y = place(s.ply, total)
        parts.append(f'<circle cx="{x:g}" cy="{y:.1f}" r="4" fill="{INK}"/>')
        for a in legal:
            x, y = place(s.ply + 1, after[a])
            parts.append(f'<circle cx="{x:g}" cy="{y:.1f}" r="4" fill="{LEGAL}"/>')
        return picture(width, height, parts)


@kernel
def move_value(seed, path):
    """0 to 127, equally likely: the top 7 bits of splitmix64's mixing of seed and way."""
    x = wrap_add(wrap_multiply(path, U(0x9E3779B97F4A7C15)), mixed(seed))
    return int(mixed(x) >> U(57)) & 127


@kernel
def mixed(x):
    """Each bit of the result depends on all bits of x (the finaliser of splitmix64)."""
    x = wrap_add(x, U(0x9E3779B97F4A7C15))
    x = wrap_multiply(x ^ (x >> U(30)), U(0xBF58476D1CE4E5B9))
    x = wrap_multiply(x ^ (x >> U(27)), U(0x94D049BB133111EB))
    return x ^ (x >> U(31))
