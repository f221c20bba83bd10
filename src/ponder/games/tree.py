"""An explicit tree as a game: the example of the textbook, small enough to check by hand.

    >>> from ponder import position
    >>> p = position('tree("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]")')
    >>> p.play("2").legal_names
    ('1', '2', '3')

Decisions, chance and leaves with one utility per player; `ponder.games.tree_notation` describes
the text. A position is written as the names of the moves from the root, ``2 1``; the root as
nothing at all.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from ponder.core.draw import Place
from ponder.core.game import Spec, record
from ponder.core.making import registered
from ponder.core.parts import canonical
from ponder.core.rng import below
from ponder.errors import InputError, quoted
from ponder.files import read_file
from ponder.games.tree_drawing import node_place, tree_svg, tree_text
from ponder.games.tree_notation import FlatTree, read_tree
from ponder.jit import constants

TEXTBOOK = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
"""MAX, then MIN: the example of Russell & Norvig. Its value is 3."""


@registered
@constants(NESTED=("text",))
class TreeGame(NamedTuple):
    """A game that is nothing but its tree, given as text, or as the nested values themselves:
    ``tree([[3, 12], [2, 4]])``."""

    text: str = TEXTBOOK
    players: int = 2

    @classmethod
    def from_file(cls, path: str | Path, players: int = 2) -> TreeGame:
        """The tree that a text file holds, in the same notation."""
        data = read_file(path)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise InputError(f"{path} is not a text file") from None
        return cls(*canonical(cls(text.strip(), players)))

    def problem(self) -> str | None:
        try:
            read_tree(self.text, self.players)
        except InputError as error:
            return str(error)
        return None

    @property
    def flat(self) -> FlatTree:
        return read_tree(self.text, self.players)

    def spec(self) -> Spec:
        tree = self.flat
        leaves = tree.utilities[tree.count == 0]
        sums = leaves.sum(axis=1)
        every = [leaves, tree.estimates[tree.count > 0]] if tree.estimated else [leaves]
        lowest, highest = min(float(v.min()) for v in every), max(float(v.max()) for v in every)
        if lowest == highest:  # a range needs two ends, for whoever scales by it
            highest = lowest + 1.0
        return Spec(
            players=self.players,
            max_actions=max(1, int(tree.count.max())),
            max_length=max(1, tree.depth),  # a single leaf has none
            state=record(node="i4"),
            lowest=lowest,
            highest=highest,
            zero_sum=bool(sums.max() - sums.min() <= 1e-9 * max(1.0, abs(leaves).max())),
        )

    def rules(self) -> TreeRules:
        tree = self.flat
        made = EstimatedTreeRules if tree.estimated else TreeRules
        return made(*tree[: len(TreeRules._fields)])

    # ------------------------------------------------------------ for people

    def action_name(self, s: Any, a: int) -> str:
        tree = self.flat
        return tree.name[int(tree.first[s.node]) + a]

    def position_text(self, s: Any) -> str:
        tree = self.flat
        return " ".join(tree.name[node] for node in tree.path(int(s.node))[1:])

    def parse_position(self, text: str, s: Any) -> None:
        tree = self.flat
        s.node = 0
        for name in text.split():
            named = {tree.name[child]: child for child in tree.children(int(s.node))}
            if name not in named:
                where = repr(self.position_text(s)) if s.node else "the root"
                there = " ".join(list(named)[:20]) or "nothing, it is a leaf"
                raise InputError(
                    f"the tree has no move {quoted(name)} after {where}; it has: {there}"
                )
            s.node = named[name]

    def board_text(self, s: Any) -> str:
        return tree_text(self.flat, int(s.node))

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        return tree_svg(self.flat, int(s.node), last, legal)

    def action_places(self, s: Any, a: int) -> tuple[Place, ...]:
        return node_place(self.flat, int(self.flat.first[s.node]) + a)


class TreeRules(NamedTuple):
    """The rules on the arrays of `FlatTree`; the state is the number of a node."""

    first: Any
    count: Any
    player: Any
    chance: Any
    utilities: Any
    estimates: Any
    noisy: Any

    def start(self, s):
        s.node = 0

    def current_player(self, s):
        return self.player[s.node]

    def is_terminal(self, s):
        return self.count[s.node] == 0

    def legal_actions(self, s, out):
        n = self.count[s.node]
        for i in range(n):
            out[i] = i
        return n

    def random_action(self, s, out, rng):
        return below(rng, self.count[s.node])

    def chance_outcomes(self, s, out, p):
        n = self.count[s.node]
        first = self.first[s.node]
        for i in range(n):
            out[i] = i
            p[i] = self.chance[first + i]
        return n

    def apply_action(self, s, a):
        s.node = self.first[s.node] + a

    def returns(self, s, out):
        for p in range(self.utilities.shape[1]):
            out[p] = self.utilities[s.node, p]


class EstimatedTreeRules(TreeRules):
    """The same with static evaluations, and moves that are noisy."""

    def evaluate(self, s, out):
        for p in range(self.estimates.shape[1]):
            out[p] = self.estimates[s.node, p]

    def noisy_actions(self, s, out):
        n = 0
        for i in range(self.count[s.node]):
            if self.noisy[self.first[s.node] + i]:
                out[n] = i
                n += 1
        return n


def tree_game(nested: Any, players: int = 2) -> TreeGame:
    """The game of a tree given as nested Python values: ``tree_game([[3, 12], [2, 4]])``."""
    try:
        text = json.dumps(nested)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"a tree is made of numbers, lists and dicts: {error}") from None
    return TreeGame(*canonical(TreeGame(text, players)))
