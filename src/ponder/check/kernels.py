"""The optional hooks as compiled code, one call each: compared with plain Python."""

from ponder.jit import kernel


@kernel
def random_action(game, states, out, rng):
    return int(game.random_action(states[0], out, rng))


@kernel
def rollout_action(game, states, out, rng):
    return int(game.rollout_action(states[0], out, rng))


@kernel
def random_rollout(game, states, out, rng, utilities):
    game.random_rollout(states[0], out, rng)
    game.returns(states[0], utilities)


@kernel
def noisy_actions(game, states, out):
    return int(game.noisy_actions(states[0], out))


@kernel
def enough_actions(game, states, out):
    return int(game.enough_actions(states[0], out))


@kernel
def order(game, states, a):
    return float(game.order(states[0], a))


@kernel
def cells(game, states, player, out):
    game.cells(states[0], player, out)


@kernel
def urgent(game, states, a):
    return bool(game.urgent(states[0], a))


@kernel
def winning_action(game, states, out):
    return int(game.winning_action(states[0], out))


@kernel
def exact_key(game, states):
    return game.exact_key(states[0])


@kernel
def in_check(game, states):
    return bool(game.in_check(states[0]))


@kernel
def pass_turn(game, states):
    return bool(game.pass_turn(states[0]))


@kernel
def symmetries(game):
    return int(game.symmetries())


@kernel
def transform(game, states, k):
    game.transform(states[0], k, states[1])


@kernel
def transform_action(game, a, k):
    return int(game.transform_action(a, k))


@kernel
def count_random_actions(game, states, out, rng, counts, n):
    """Draw n random actions; counts[a] of each, counts[-1] of those that are no action at all."""
    for _ in range(n):
        a = int(game.random_action(states[0], out, rng))
        if a < 0 or a >= len(counts) - 1:
            a = len(counts) - 1
        counts[a] += 1
