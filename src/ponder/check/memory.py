"""Is the state the whole state?

Games are replayed, at once and after all others, two of them are played in turns, and what is
looked at in depth is asked twice.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from ponder.check.record_game import same_facts
from ponder.check.report import OUTSIDE, Broken, Findings
from ponder.core.compiled import TERMINAL, Facts

SECONDS = 0.5
"""A game is played for about so long; the comparisons go no further."""

Trace = list[tuple[Any, Facts]]


def check_memory(subject: Any, findings: Findings) -> Callable[[], None]:
    """The same actions must lead to the same states, whatever was played before or meanwhile.

    Returns the check that is left for when other games have been played.
    """
    games: list[list[Any]] = []
    alone: list[Trace] = []

    def again() -> None:
        try:
            same = all(map(partial(_same, subject), alone, [_replay(subject, g) for g in games]))
        except Broken:
            same = False  # they were sound before
        if alone and not same:
            findings.add("memory", f"the same moves led to a different game later: {OUTSIDE}")

    try:
        games = [_random_game(subject, random.Random(f"{findings.seed} {i}")) for i in (0, 1)]
        alone = [_replay(subject, actions) for actions in games]
        if not all(
            _same(subject, trace, _replay(subject, actions))
            for trace, actions in zip(alone, games, strict=True)
        ):
            findings.add(
                "memory",
                f"the same moves led to a different game the second time: {OUTSIDE}",
            )
        elif not _same_in_turns(subject, games, alone):
            findings.add(
                "memory",
                "two games played in turns disturb each other: the rules keep something outside "
                "the state",
            )
    except Broken:
        pass  # the walk meets the same fault and says where
    return again


def _random_game(subject: Any, rng: random.Random) -> list[Any]:
    began = time.perf_counter()
    actions: list[Any] = []
    state = subject.start()
    while time.perf_counter() - began < SECONDS and len(actions) < subject.max_length:
        facts = subject.solo_facts(state)
        if not facts.actions or facts.player == TERMINAL:
            break
        actions.append(rng.choice(facts.actions))
        state = subject.solo_advance(state, actions[-1])
    return actions


def _replay(subject: Any, actions: list[Any]) -> Trace:
    state = subject.start()
    trace = [(state, subject.solo_facts(state))]
    for action in actions:
        state = subject.solo_advance(state, action)
        trace.append((state, subject.solo_facts(state)))
    return trace


def _same_in_turns(subject: Any, games: list[list[Any]], alone: list[Trace]) -> bool:
    states = [subject.start(), subject.start()]
    together: list[Trace] = [[(s, subject.solo_facts(s))] for s in states]
    for ply in range(max(map(len, games))):
        for i, actions in enumerate(games):
            if ply < len(actions):
                states[i] = subject.solo_advance(states[i], actions[ply])
                together[i].append((states[i], subject.solo_facts(states[i])))
    return all(_same(subject, alone[i], together[i]) for i in (0, 1))


def _same(subject: Any, a: Trace, b: Trace) -> bool:
    return all(
        subject.same_state(one[0], two[0]) and same_facts(one[1], two[1])
        for one, two in zip(a, b, strict=True)
    )
