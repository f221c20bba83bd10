"""Shared by the tests of board games: the optional hooks on the positions of random games."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from plain_rules import walk
from ponder.core.game import new_states
from ponder.core.position import Position
from ponder.jit import kernel


@kernel
def _transform(game, states, k):
    game.transform(states[0], k, states[1])


@kernel
def _transform_action(game, a, k):
    return game.transform_action(a, k)


@kernel
def _order(game, states, a):
    return game.order(states[0], a)


@kernel
def _noisy(game, states, out):
    return game.noisy_actions(states[0], out)


def image(here: Position, k: int) -> bytes:
    """The record of the position under symmetry k; compiled and plain rules must agree."""
    states = new_states(here.rules.spec.state, 2)
    states[0] = here.raw_state[0]
    plain = states.copy()
    _transform(here.rules.part, states, k)
    here.rules.part.transform(plain[0], k, plain[1])
    assert states.tobytes() == plain.tobytes()
    return states[1:].tobytes()


def at(here: Position, data: bytes) -> Position:
    """The position of the same game with that record."""
    made = Position(here.game)
    made._state = np.frombuffer(data, here.rules.spec.state).copy().view(np.recarray)
    return made


def check_symmetries(start: Position, games: int) -> None:
    """Playing then transforming is transforming then playing; rules and estimates follow."""
    rules = start.rules.part
    for seed in range(games):
        visited = walk(start, seed)
        for here, after in pairwise(visited):
            assert image(here, 0) == here.raw_state.tobytes()
            for k in range(1, rules.symmetries()):
                turned = at(here, image(here, k))
                actions = [_transform_action(rules, a, k) for a in here.legal_actions]
                assert actions == [rules.transform_action(a, k) for a in here.legal_actions]
                assert sorted(actions) == sorted(turned.legal_actions)
                moved = turned.play(_transform_action(rules, after.last_action, k))
                assert moved.raw_state.tobytes() == image(after, k)
                assert moved.rules.evaluate(moved.raw_state) == after.rules.evaluate(
                    after.raw_state
                )


def order_of(here: Position) -> dict[str, int]:
    """The score of each legal move; compiled and plain rules must agree."""
    rules = here.rules.part
    scores = {}
    for a in here.legal_actions:
        scores[here.action_name(a)] = _order(rules, here.raw_state, a)
        assert rules.order(here.raw_state[0], a) == scores[here.action_name(a)]
    return scores


def noisy_of(here: Position) -> list[int]:
    """The noisy actions; compiled and plain rules must agree."""
    out = np.zeros(here.rules.spec.max_actions, np.int32)
    found = out[: _noisy(here.rules.part, here.raw_state, out)].tolist()
    assert found == out[: here.rules.part.noisy_actions(here.raw_state[0], out)].tolist()
    return found


def check_position_texts(start: Position, games: int) -> None:
    """What is printed parses back to the same record."""
    for seed in range(games):
        for here in walk(start, seed):
            again = Position.parse(here.game, here.text())
            assert again.raw_state.tobytes() == here.raw_state.tobytes(), here.text()
