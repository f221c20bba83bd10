"""Shared by the tests of games: rules run as ordinary Python beside the compiled ones, texts."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np

from ponder import InputError, position
from ponder.core.game import CHANCE
from ponder.core.position import Position
from ponder.core.rng import new_rng
from ponder.jit import kernel


@kernel
def _random_action(game, states, actions, rng):
    return game.random_action(states[0], actions, rng)


def walk(start: Position, seed: int) -> list[Position]:
    """The positions of one random game, first to last."""
    rng, here = random.Random(seed), start
    visited = [here]
    while not here.is_terminal:
        here = here.play(rng.choice(here.legal_actions))
        visited.append(here)
    return visited


def complaint(game: str, text: str) -> str:
    """Why `text` is no position of the game; "" where it is one."""
    try:
        position(game, text)
    except InputError as error:
        return str(error)
    return ""


def compare_plain_with_compiled(start: Position, games: int, seed: int = 0) -> int:
    """Random games: every rule method, called as plain Python, must say what its compiled form
    says, and leave the same record behind. Returns the number of positions compared."""
    compared = 0
    for number in range(games):
        visited = walk(start, seed + number)
        for here, after in zip(visited, [*visited[1:], None], strict=True):
            _compare(here, after, seed + compared)
            compared += 1
    return compared


def _compare(here: Position, after: Position | None, seed: int) -> None:
    rules, spec = here.rules.part, here.rules.spec
    state = here.raw_state.copy()
    s: Any = state[0]
    actions, chances = np.zeros(spec.max_actions, np.int32), np.zeros(spec.max_actions)
    utilities = np.zeros(spec.players)
    assert bool(rules.is_terminal(s)) == here.is_terminal
    if hasattr(rules, "evaluate"):
        rules.evaluate(s, utilities)
        assert tuple(utilities) == here.rules.evaluate(here.raw_state)
        assert spec.lowest <= utilities.min()
        assert utilities.max() <= spec.highest
    if after is None:
        rules.returns(s, utilities)
        assert tuple(utilities) == here.returns
        return
    assert rules.current_player(s) == here.current_player
    if here.current_player == CHANCE:
        n = rules.chance_outcomes(s, actions, chances)
        assert tuple(zip(actions[:n], chances[:n], strict=True)) == here.chance_outcomes
    else:
        n = rules.legal_actions(s, actions)
        assert tuple(actions[:n]) == here.legal_actions
        plain = rules.random_action(s, actions, new_rng(seed))
        compiled = _random_action(rules, here.raw_state.copy(), actions, new_rng(seed))
        assert plain == compiled
        assert plain in here.legal_actions
    rules.apply_action(s, after.last_action)
    assert state.tobytes() == after.raw_state.tobytes()


def random_action_counts(here: Position, draws: int, seed: int = 1) -> Counter[int]:
    """How often the compiled `random_action` gives each action."""
    rng = new_rng(seed)
    actions = np.zeros(here.rules.spec.max_actions, np.int32)
    state = here.raw_state.copy()
    return Counter(_random_action(here.rules.part, state, actions, rng) for _ in range(draws))


def assert_uniform(here: Position, draws: int = 20_000) -> None:
    """Every legal action is drawn about equally often: within five standard deviations."""
    counts, n = random_action_counts(here, draws), len(here.legal_actions)
    assert set(counts) == set(here.legal_actions)
    expected = draws / n
    spread = (draws * (1 / n) * (1 - 1 / n)) ** 0.5
    assert all(abs(count - expected) <= 5 * spread for count in counts.values()), counts
