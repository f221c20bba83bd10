"""Rules compared step by step with OpenSpiel: player, legal actions, chances, end, returns."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from ponder.core.position import Position


def same(ours: Any, theirs: Any, what: str, position: Position) -> None:
    assert ours == theirs, f"{what}: ours {ours}, OpenSpiel {theirs}, in\n{position}"


def compare_with_openspiel(
    start: Position,
    spiel_game: str,
    games: int,
    *,
    to_spiel: Callable[[Position, Any, Any], int] = lambda position, action, state: action,
    returns: Callable[[Any], Any] = lambda theirs: theirs,
    player: Callable[[int], int] = lambda theirs: theirs,
    seed: int = 0,
    prepare: Callable[[Any], None] = lambda state: None,
    choose: Callable[[Position, random.Random], Any] | None = None,
) -> int:
    """Play `games` random games in both programs; returns the number of steps compared.

    `to_spiel(position, action, state)` maps our action to OpenSpiel's; `returns` and `player` map
    OpenSpiel's returns and player to our convention; `prepare` brings OpenSpiel's initial state
    to our start; `choose(position, rng)` picks a player's action where random ones will not do.
    """
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(spiel_game)
    rng = random.Random(seed)
    steps = 0
    for _ in range(games):
        ours, theirs = start, game.new_initial_state()
        prepare(theirs)
        while True:
            steps += 1
            same(ours.is_terminal, theirs.is_terminal(), "terminal", ours)
            if ours.is_terminal:
                assert ours.returns == pytest.approx(returns(theirs.returns())), str(ours)
                break
            same(ours.current_player, player(theirs.current_player()), "player", ours)
            mapped = {to_spiel(ours, a, theirs): a for a in ours.legal_actions}
            if ours.is_chance:
                outcomes = dict(theirs.chance_outcomes())
                given = {to_spiel(ours, a, theirs): p for a, p in ours.chance_outcomes}
                assert given == pytest.approx(outcomes), str(ours)
                (choice,) = rng.choices(list(given), list(given.values()))
            else:
                same(sorted(mapped), sorted(theirs.legal_actions()), "legal actions", ours)
                choice = rng.choice(list(mapped))
                if choose is not None:
                    choice = to_spiel(ours, choose(ours, rng), theirs)
            ours = ours.play(mapped[choice])
            theirs.apply_action(choice)
    return steps
