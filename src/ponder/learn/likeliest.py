"""The likeliest move of a network in many positions at once, without a search.

Of networks inside the kernel; the move that is likeliest by its priors in a search is the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ponder.core.game import new_list, new_states
from ponder.core.position import Position
from ponder.jit import copy_record_from, kernel
from ponder.learn.file import network_for
from ponder.learn.network import hidden, logit, scratch_for


def likeliest_moves(name: str, positions: Sequence[Position]) -> list[int]:
    """By the network of this name, which is that of the positions' game; somebody is to move in
    all of them."""
    if not positions:
        return []
    first = positions[0]
    network, cells = network_for(name, first)
    spec = first.rules.spec
    states = new_states(spec.state, len(positions))
    for i, here in enumerate(positions):
        states[i] = here.raw_state[0]
    found = np.zeros(len(positions), np.int64)
    scratch = scratch_for(network, spec, cells)
    actions = new_list(spec, np.int32)
    write_likeliest(network, first.rules.part, states, scratch, actions, found)
    return [int(action) for action in found]


@kernel
def write_likeliest(net, game, states, scratch, actions, found):
    """The first of the legal moves with the highest logit, for every state."""
    for i in range(found.size):
        copy_record_from(scratch.states, 0, states, i)
        s = scratch.states[0]
        player = game.current_player(s)
        hidden(net, game, s, scratch, player)
        n = game.legal_actions(s, actions)
        top = -np.inf
        for k in range(n):
            action = np.int64(actions[k])
            score = logit(net, game.seen_action(action, player), scratch)
            if score > top:
                top = score
                found[i] = action
