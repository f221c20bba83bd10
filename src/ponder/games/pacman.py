"""Pac-Man in a small maze: single-agent search, minimax against ghosts, or expectimax.

Pac-Man begins with 10 points, loses 1 for every step, gains `pellet` (10) for every pellet and
loses 50 when a ghost catches him. The game ends when all pellets are eaten, when he is caught, or
after `steps` steps of his. Without ghosts in the layout it is a problem for one. With ghosts,
`ghosts` says who they are: "adversarial" ghosts are moved by player 1, one after the other
(minimax); "random" ghosts choose every free neighbour with the same chance (expectimax).

The layout is written row by row: ``#`` wall, ``.`` free, ``o`` pellet, ``P`` Pac-Man, ``G`` ghost.
A position is seven words, with cells numbered from 0 row by row: Pac-Man's cell, the ghosts' cells
(``-`` for none), the pellets as ``o`` (there) and ``x`` (eaten), the score, the steps made, whose
turn it is (0 Pac-Man, 1 the first ghost ...), and 1 if he is caught: ``4 26 oxoo 17 3 1 0``.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from ponder.core.draw import INK, NO_LABELS, STONES, Board, Place, square_place
from ponder.core.game import CHANCE, Spec, Term, record
from ponder.core.making import registered
from ponder.errors import InputError
from ponder.jit import U, constants

DIRECTIONS = ("north", "east", "south", "west")
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
STEP_COST, CAUGHT, FIRST = 1, 50, 10
MOST_GHOSTS, MOST_CELLS, MOST_FOR_A_PELLET = 3, 400, 1000
_NUMBER = re.compile("-?[0-9]{1,5}")


@registered
@constants(ADDED=("pellet",))
class PacMan(NamedTuple):
    """Pac-Man on a layout of your own; alone, against adversaries or among random ghosts."""

    layout: str = "o..P../.##.#./.#..o./.o.#../..G..o"
    ghosts: str = "adversarial"
    steps: int = 20
    pellet: int = 10
    """Points for a pellet. With 0 he plays for time alone: the sooner all are eaten, the better."""

    def rows(self) -> list[str]:
        return self.layout.split("/")

    def ghost_count(self) -> int:
        return self.layout.count("G")

    def problem(self) -> str | None:
        rows = self.rows()
        if len({len(row) for row in rows}) != 1 or not rows[0] or len(self.layout) > MOST_CELLS:
            return f"a layout has rows of one length, joined by '/', {MOST_CELLS} cells at most"
        wrong = set(self.layout) - set("#.oPG/")
        if wrong:
            return f"unknown cell {min(wrong)!r} in the layout; accepted: # . o P G"
        if self.layout.count("P") != 1:
            return f"a layout has one P (Pac-Man), not {self.layout.count('P')}"
        if not 1 <= self.layout.count("o") <= 64:
            return f"a layout has 1 to 64 pellets (o), not {self.layout.count('o')}"
        if self.ghost_count() > MOST_GHOSTS:
            return f"a layout has at most {MOST_GHOSTS} ghosts (G), not {self.ghost_count()}"
        if self.ghosts not in ("adversarial", "random"):
            return f"ghosts must be adversarial or random, not {self.ghosts!r}"
        if not 1 <= self.steps <= 1000:
            return f"steps must be from 1 to 1000, not {self.steps}"
        if not 0 <= self.pellet <= MOST_FOR_A_PELLET:
            return f"a pellet pays 0 to {MOST_FOR_A_PELLET} points, not {self.pellet}"
        return None

    def players(self) -> int:
        return 2 if self.ghost_count() and self.ghosts == "adversarial" else 1

    def rules(self) -> PacManRules:
        cells = "".join(self.rows())
        height, width = len(self.rows()), len(self.rows()[0])
        neighbour = np.full((height * width, 4), -1, np.int32)
        for cell, symbol in enumerate(cells):
            for d, (dr, dc) in enumerate(STEPS):
                r, c = cell // width + dr, cell % width + dc
                if (
                    symbol != "#"
                    and 0 <= r < height
                    and 0 <= c < width
                    and cells[r * width + c] != "#"
                ):
                    neighbour[cell, d] = r * width + c
        pellet = np.full(height * width, -1, np.int32)
        ghost_start = np.zeros(MOST_GHOSTS, np.int32)
        pellets = ghosts = 0
        for cell, symbol in enumerate(cells):
            if symbol == "o":
                pellet[cell] = pellets
                pellets += 1
            elif symbol == "G":
                ghost_start[ghosts] = cell
                ghosts += 1
        adversarial = self.ghosts == "adversarial"
        return PacManRules(
            neighbour,
            pellet,
            ghost_start,
            cells.index("P"),
            pellets,
            ghosts,
            adversarial,
            self.steps,
            width,
            self.pellet,
        )

    def spec(self) -> Spec:
        most = FIRST + self.pellet * self.layout.count("o") + CAUGHT + STEP_COST * self.steps
        return Spec(
            players=self.players(),
            max_actions=5,
            max_length=self.steps * (1 + self.ghost_count()),
            # turn: 0 Pac-Man, 1 the first ghost, ...; eaten: a bit for each pellet
            state=record(
                eaten="u8",
                pacman="i2",
                ghost=("i2", (MOST_GHOSTS,)),
                left="i2",
                score="i4",
                steps="i2",
                turn="i1",
                caught="i1",
            ),
            lowest=float(-most),
            highest=float(most),
            zero_sum=self.players() == 2,
        )

    # ------------------------------------------------------------ for people

    def action_name(self, s: Any, a: int) -> str:
        return "stay" if a == 4 else DIRECTIONS[a]

    def drawn_rows(self, s: Any) -> list[list[str]]:
        rows = [["#" if c == "#" else "." for c in row] for row in self.rows()]
        width = len(rows[0])
        pellet = self.rules().pellet
        for cell in range(len(rows) * width):
            if pellet[cell] >= 0 and not int(s.eaten) >> int(pellet[cell]) & 1:
                rows[cell // width][cell % width] = "o"
        rows[s.pacman // width][s.pacman % width] = "P"
        for g in range(self.ghost_count()):
            rows[s.ghost[g] // width][s.ghost[g] % width] = "G"
        return rows

    def board_text(self, s: Any) -> str:
        board = "\n".join(" ".join(row) for row in self.drawn_rows(s))
        return f"{board}\nscore {int(s.score)}, {self.steps - int(s.steps)} steps left"

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        rows, rules = self.drawn_rows(s), self.rules()
        width = len(rows[0])
        board = Board(width, len(rows))
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                if cell == "#":
                    board.fill(c, r, INK)
                elif cell == "o":
                    board.stone(c, r, STONES[1], 0.12)
                elif cell == "P":
                    board.stone(c, r, "#e8c33a")
                elif cell == "G":
                    board.stone(c, r, STONES[0]).glyph(c, r, "G", "white", 20)
        who = [s.pacman, *s.ghost[: self.ghost_count()]]
        if last is not None:
            moved = int(who[s.turn - 1])
            board.last(moved % width, moved // width)
        places = [int(rules.neighbour[who[s.turn], a]) for a in legal if a < 4]
        return board.legal((p % width, p // width) for p in places).svg()

    def action_places(self, s: Any, a: int) -> tuple[Place, ...]:
        """The cell that Pac-Man or the ghost goes to."""
        rows, who = self.drawn_rows(s), [s.pacman, *s.ghost[: self.ghost_count()]]
        here = int(who[s.turn])
        to = int(self.rules().neighbour[here, a]) if a < 4 else here
        return (square_place(to % len(rows[0]), to // len(rows[0]), NO_LABELS),)

    def position_text(self, s: Any) -> str:
        """Things in one cell hide each other, so every place is given by number."""
        pellets = range(self.layout.count("o"))
        eaten = "".join("x" if int(s.eaten) >> i & 1 else "o" for i in pellets)
        ghosts = ",".join(str(int(s.ghost[g])) for g in range(self.ghost_count())) or "-"
        score, steps, turn = int(s.score), int(s.steps), int(s.turn)
        return f"{int(s.pacman)} {ghosts} {eaten} {score} {steps} {turn} {int(s.caught)}"

    def parse_position(self, text: str, s: Any) -> None:
        words = text.split()
        if len(words) != 7:
            raise InputError(
                "a position is seven words: Pac-Man's cell, the ghosts' cells (or -), pellets as "
                "o and x, score, steps made, turn, caught (0 or 1)"
            )
        pellets = self.layout.count("o")
        if len(words[2]) != pellets or set(words[2]) - set("ox"):
            raise InputError(f"the pellets are {pellets} letters: o still there, x eaten")
        numbers = [words[0], *words[3:], *([] if words[1] == "-" else words[1].split(","))]
        if not all(_NUMBER.fullmatch(word) for word in numbers):
            raise InputError("cells, score, steps, turn and caught are whole numbers")
        pacman, score, steps, turn, caught, *ghosts = (int(word) for word in numbers)
        if len(ghosts) != self.ghost_count() or {pacman, *ghosts} - self._free_cells():
            raise InputError(
                f"Pac-Man and {self.ghost_count()} ghosts stand on free cells of the layout, "
                "numbered from 0 row by row"
            )
        eaten = words[2].count("x")
        if not eaten <= steps <= self.steps:
            raise InputError(f"steps must be from {eaten} (pellets eaten) to {self.steps}")
        if not 0 <= turn <= (len(ghosts) if steps else 0):
            raise InputError(f"turn must be from 0 to {len(ghosts)}, and 0 before the first step")
        if caught != (pacman in ghosts):
            raise InputError("caught is 1 where a ghost stands on Pac-Man's cell, else 0")
        right = FIRST - STEP_COST * steps + self.pellet * eaten - CAUGHT * caught
        if score != right:
            raise InputError(f"after {steps} steps and {eaten} pellets the score is {right}")
        pellet = int(self.rules().pellet[pacman])
        if pellet >= 0 and words[2][pellet] == "o":
            raise InputError("the pellet on Pac-Man's cell must be eaten")
        s.pacman, s.score, s.steps, s.turn, s.caught = pacman, score, steps, turn, caught
        s.left = words[2].count("o")
        s.eaten = sum(1 << i for i, letter in enumerate(words[2]) if letter == "x")
        for g, cell in enumerate(ghosts):
            s.ghost[g] = cell

    def _free_cells(self) -> set[int]:
        return {i for i, c in enumerate("".join(self.rows())) if c != "#"}


class PacManRules(NamedTuple):
    """The rules with the maze as tables."""

    neighbour: Any  # [cells, 4] i4: the cell in each direction, -1 for a wall
    pellet: Any  # [cells] i4: number of the pellet there, -1 for none
    ghost_start: Any  # [MOST_GHOSTS] i4
    pacman_start: int
    pellets: int
    ghosts: int
    adversarial: bool
    steps: int
    width: int
    pays: int  # what a pellet is worth

    def start(self, s):
        s.pacman = self.pacman_start
        s.score = FIRST
        s.left = self.pellets
        for g in range(self.ghosts):
            s.ghost[g] = self.ghost_start[g]

    def current_player(self, s):
        if s.turn == 0:
            return 0
        return 1 if self.adversarial else CHANCE

    def legal_actions(self, s, out):
        """The free neighbours of whoever moves; one who is walled in stays."""
        cell = s.pacman if s.turn == 0 else s.ghost[s.turn - 1]
        n = 0
        for d in range(4):
            if self.neighbour[cell, d] >= 0:
                out[n] = d
                n += 1
        if n == 0:
            out[0] = 4
            n = 1
        return n

    def chance_outcomes(self, s, out, p):
        n = self.legal_actions(s, out)
        for i in range(n):
            p[i] = 1.0 / n
        return n

    def apply_action(self, s, a):
        if s.turn == 0:
            if a < 4:
                s.pacman = self.neighbour[s.pacman, a]
            s.score -= STEP_COST
            s.steps += 1
            pellet = self.pellet[s.pacman]
            if pellet >= 0 and not self.is_eaten(s, pellet):
                s.eaten |= U(1) << U(pellet)
                s.left -= 1
                s.score += self.pays
        elif a < 4:
            s.ghost[s.turn - 1] = self.neighbour[s.ghost[s.turn - 1], a]
        for g in range(self.ghosts):
            if s.ghost[g] == s.pacman and s.caught == 0:
                s.caught = 1
                s.score -= CAUGHT
        s.turn = s.turn + 1 if s.turn < self.ghosts else 0

    def is_eaten(self, s, pellet):
        return (s.eaten >> U(pellet)) & U(1) != U(0)

    def is_terminal(self, s):
        return s.caught != 0 or s.left == 0 or (s.steps == self.steps and s.turn == 0)

    def returns(self, s, out):
        out[0] = s.score
        if self.ghosts > 0 and self.adversarial:
            out[1] = -s.score  # the ghosts want what Pac-Man loses

    def evaluate(self, s, out):
        """The score, half of what the nearest pellet is worth, less the nearness of ghosts.

        A pellet is worth what it pays less the way to it, never less than 0; a ghost at distance
        d costs 10 / (1 + d). Distances are as if there were no walls.
        """
        value = float(s.score)
        if not self.is_terminal(s):
            nearest = self.pays
            for cell in range(self.pellet.shape[0]):
                if self.pellet[cell] >= 0 and not self.is_eaten(s, self.pellet[cell]):
                    nearest = min(nearest, self.distance(s.pacman, cell))
            value += 0.5 * (self.pays - nearest)
            for g in range(self.ghosts):
                value -= 10.0 / (1.0 + self.distance(s.pacman, s.ghost[g]))
        out[0] = value
        if self.ghosts > 0 and self.adversarial:
            out[1] = -value

    def evaluate_terms(self, s: Any, player: int) -> list[Term]:
        sign = 1 if player == 0 else -1  # the ghosts want what Pac-Man loses
        ways = [
            int(self.distance(s.pacman, cell))
            for cell in range(self.pellet.shape[0])
            if self.pellet[cell] >= 0 and not self.is_eaten(s, self.pellet[cell])
        ]
        near = sum(1 / (1 + int(self.distance(s.pacman, s.ghost[g]))) for g in range(self.ghosts))
        return [
            Term("score", sign * float(s.score), 1.0),
            Term(
                "what the nearest pellet is worth", sign * (self.pays - min(self.pays, *ways)), 0.5
            ),
            Term("nearness of ghosts", sign * near, -10.0),
        ]

    def distance(self, a, b):
        """Steps between two cells if there were no walls."""
        rows = abs(a // self.width - b // self.width)
        return rows + abs(a % self.width - b % self.width)
