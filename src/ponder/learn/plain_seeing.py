"""The kernel's side of `ponder.learn.plain_codes`: what writes the codes of a plain Python game.

A state is a number that means something in one process only (`ponder.core.graph_game`). What is
kept of a game of self-play are therefore not states but what a network sees of them: codes, who is
to move, and the outputs that its legal actions are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import Spec, record
from ponder.core.plain_graph import GraphRules
from ponder.jit import call_python, inlined
from ponder.learn.plain_codes import PlainCodes, action_text


class PlainCells(NamedTuple):
    """Asks Python for the codes of a state. For one thread: they come in an array."""

    ask: int  # the address of who answers
    codes: Any  # [cells] i4: the answer

    @inlined
    def write(self, game, s, raw, player, out):
        call_python(self.ask, s.handle, player)
        for i in range(self.codes.size):
            out[i] = self.codes[i]
        out[self.codes.size] = player


def plain_cells(rules: GraphRules, codes: PlainCodes) -> PlainCells:
    """What writes codes for this graph, which from now on numbers actions by their outputs."""
    answer, known = np.zeros(codes.board.cells, np.int32), codes.outputs()
    numbered = 0

    def number_actions(graph: GraphRules) -> None:
        nonlocal numbered
        while numbered < len(graph.actions):  # those that were met since the last time
            text = action_text(graph.actions[numbered])
            graph.seen[numbered] = known.get(text, len(known))
            numbered += 1

    def ask(graph: GraphRules, handle: int, player: int) -> int:
        answer[:] = codes.codes(graph.rules, graph.state_at(handle), player)
        number_actions(graph)  # those of this state are listed before its priors are asked for
        return 0

    return PlainCells(rules.answered_by(ask), answer)


class SeenGame(NamedTuple):
    """As much of a game as the learner asks for, where a state is what was seen of it."""

    @inlined
    def current_player(self, s):
        return np.int64(s.player)

    @inlined
    def legal_actions(self, s, out):
        for i in range(s.count):
            out[i] = s.actions[i]
        return np.int64(s.count)

    @inlined
    def seen_action(self, a, player):
        return a


class SeenCells(NamedTuple):
    """The codes that were seen."""

    @inlined
    def write(self, game, s, raw, player, out):
        for i in range(out.size):
            out[i] = s.codes[i]


def seen_spec(spec: Spec, cells: int) -> Spec:
    """The spec of a `SeenGame`."""
    state = record(codes=("u1", cells), actions=("i4", spec.max_actions), count="i4", player="i4")
    return spec._replace(state=state)
