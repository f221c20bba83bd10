"""Which moves are tried first: whatever cuts off early saves the rest."""

from ponder.jit import inlined, kernel
from ponder.search.values import estimate, outcome

QUIET = 5e5
"""Moves of less merit than this are late moves: no table move, no hint, no killer."""


@kernel
def promise(scratch, s, ply, mover, a):
    """The static value for the mover of what a move leads to, as the lecture orders successors."""
    game = scratch.game
    after = scratch.states[ply + 1]
    scratch.states[ply + 1] = s
    game.apply_action(after, a)
    if game.is_terminal(after):
        return outcome(scratch, after, ply + 1, mover)
    return estimate(scratch, after, mover)


@kernel
def rank(scratch, s, ply, mover, n, table_move):
    """Give each of n moves its merit: table move, evaluation or hint, killers, history."""
    on = scratch.on
    frame = scratch.frames[ply]
    for i in range(n):
        a = scratch.actions[ply, i]
        merit = 0.0
        if a == table_move:
            merit = 1e300
        else:
            if on.by_evaluation:
                merit = 1e9 * promise(scratch, s, ply, mover, a)
            elif on.hints:
                merit = 1e6 * scratch.game.order(s, a)
            if on.killers:
                if a == frame.killer:
                    merit += 9e5
                elif a == frame.older_killer:
                    merit += 8e5
            if on.history:
                merit += min(scratch.history[mover, a], QUIET - 1.0)
        scratch.merits[ply, i] = merit


@kernel
@inlined
def bring_best(actions, merits, ply, i, n):
    """Bring the move of highest merit among i .. n - 1 to place i; equals keep their order."""
    best = i
    for j in range(i + 1, n):
        if merits[ply, j] > merits[ply, best]:
            best = j
    action, merit = actions[ply, best], merits[ply, best]
    for j in range(best, i, -1):
        actions[ply, j] = actions[ply, j - 1]
        merits[ply, j] = merits[ply, j - 1]
    actions[ply, i] = action
    merits[ply, i] = merit
