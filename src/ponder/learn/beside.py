"""Networks beside the kernel: what they are shown of states, and what their answers mean.

A *predictor* is anything that is called with codes [n, cells] int64 and gives logits
[n, actions] and values [n, values], arrays of 32-bit floats: `ponder.learn.modules.TorchPredictor`,
`ponder.learn.onnx_file.OnnxPredictor`.

As inside the kernel, the board is seen by the player to move, illegal actions take no part in the
policy, and where dice are to fall an outcome is drawn before a state is shown. Which one follows
from the state alone, so that an answer does not depend on what else is asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ponder.core.game import CHANCE, new_list, new_states
from ponder.core.position import Position
from ponder.core.rng import new_rng, sample
from ponder.errors import GameError, PonderError
from ponder.jit import U, copy_record_from, kernel, wrap_multiply
from ponder.learn.network import softmax, value_count
from ponder.learn.seeing import Sight


@kernel
def seed_by(rng, raw):
    """Random numbers that follow from the bytes of a record (FNV-1a)."""
    x = U(14695981039346656037)
    for i in range(raw.size):
        x = wrap_multiply(x ^ U(raw[i]), U(1099511628211))
    rng[0] = x if x != U(0) else U(1)


@kernel
def show(game, cells, states, raw, codes, movers, utilities, actions, chances, rng, longest):
    """Write the codes of all states, in place after any dice; movers[i] is who is to move, or
    CHANCE where the game is over and utilities[i] say how. `raw` is the memory of states[-1].

    Returns the number of a state in which the dice never end; -1 if there is none.
    """
    last = states.size - 1
    for i in range(last):
        copy_record_from(states, last, states, i)
        s = states[last]
        if not game.is_terminal(s) and game.current_player(s) == CHANCE:
            seed_by(rng, raw)
            rolls = 0
            while not game.is_terminal(s) and game.current_player(s) == CHANCE:
                if rolls > longest:
                    return i
                n = game.chance_outcomes(s, actions, chances)
                game.apply_action(s, actions[sample(rng, chances, n)])
                rolls += 1
            copy_record_from(states, i, states, last)
        if game.is_terminal(s):
            movers[i] = CHANCE
            game.returns(s, utilities[i])
        else:
            movers[i] = game.current_player(s)
            cells.write(game, s, raw, movers[i], codes[i])
    return -1


@kernel
def spread(values, player, players, lowest, highest, out):
    """The utilities of all players, where `player` is to move and a network gave these values."""
    middle, half = 0.5 * (highest + lowest), 0.5 * (highest - lowest)
    for j in range(values.size):
        value = min(1.0, max(-1.0, np.float64(values[j])))
        # value j belongs to the j-th player after the mover
        out[(player + j) % players] = middle + half * value
    if values.size == 1 and players == 2:
        # opposite ends: what one wins the other loses
        out[1 - player] = highest + lowest - out[player]


@kernel
def read(game, states, movers, logits, values, lowest, highest, actions, scores, utilities, priors):
    """What the network's answers mean: utilities of all players, probabilities of legal actions."""
    for i in range(movers.size):
        player = movers[i]
        if player == CHANCE:
            continue
        spread(values[i], player, utilities.shape[1], lowest, highest, utilities[i])
        n = game.legal_actions(states[i], actions)
        for k in range(n):
            scores[k] = logits[i, game.seen_action(np.int64(actions[k]), player)]
        softmax(scores, n)
        for k in range(n):
            priors[i, actions[k]] = scores[k]


def predicted(predict: Any, codes: Any, actions: int, count: int) -> tuple[Any, Any]:
    """The logits of so many actions and so many values, for each of these codes; GameError unless
    they are just that, and finite: kernels read them. A module may give others for a batch of
    another size than it was tried out with."""
    try:
        logits, values = predict(codes.astype(np.int64))
        found = [(one.shape, one.dtype) for one in (logits, values)]
    except PonderError:
        raise
    except Exception as error:
        raise GameError(
            f"the network raised {type(error).__name__} for {len(codes)} boards: {error}"
        ) from error
    expected = [((len(codes), n), np.dtype(np.float32)) for n in (actions, count)]
    if found != expected:
        raise GameError(
            f"the network gave arrays of shape {logits.shape} and {values.shape} for {len(codes)} "
            f"boards; expected {expected[0][0]} and {expected[1][0]} in float32"
        )
    if not (np.isfinite(logits).all() and np.isfinite(values).all()):
        raise GameError("the network gave something that is not a finite number")
    return np.ascontiguousarray(logits), np.ascontiguousarray(values)


class AskedNetwork:
    """A predictor as the function of `ponder.mcts.evaluate.function.Function` with raw=True."""

    def __init__(self, name: str, position: Position, sight: Sight, predict: Any) -> None:
        self.__qualname__ = name
        self.game, self.spec = position.rules.part, position.rules.spec
        self.sight, self.predict = sight, predict
        self.actions = new_list(self.spec, np.int32)
        self.chances = new_list(self.spec, np.float64)
        self.scores = np.zeros(self.spec.max_actions)
        self.rng = new_rng(0)

    def __call__(self, given: Any) -> tuple[Any, Any]:
        spec, n = self.spec, len(given)
        states = new_states(spec.state, n + 1)
        states[:n] = given
        raw = states.view(np.uint8).reshape(n + 1, -1)[n]
        codes = np.zeros((n, self.sight.board.cells), np.int32)
        movers = np.zeros(n, np.int64)
        utilities = np.zeros((n, spec.players))
        priors = np.zeros((n, self.sight.actions))
        lists = self.actions, self.chances
        longest = int(spec.max_length)
        endless = show(
            *(self.game, self.sight.cells, states, raw, codes, movers, utilities, *lists),
            *(self.rng, longest),
        )
        if endless >= 0:
            raise GameError(f"the dice never end: more than {longest} throws")
        logits, values = predicted(self.predict, codes, self.sight.actions, value_count(spec))
        ends = float(spec.lowest), float(spec.highest)
        read(
            *(self.game, states, movers, logits, values, *ends),
            *(self.actions, self.scores, utilities, priors),
        )
        return utilities, priors
