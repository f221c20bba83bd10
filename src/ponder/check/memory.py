"""Is the state the whole state? Games are replayed, and two of them played in turns."""

from __future__ import annotations

import time
from typing import Any

from ponder.check.record_game import same_facts
from ponder.check.report import Findings
from ponder.core.compiled import Facts

SECONDS = 0.5
"""A solo game is replayed for about so long; the comparisons go no further."""

Trace = list[tuple[Any, Facts]]


def check_memory(subject: Any, played: list[list[Any]], findings: Findings) -> None:
    """The same actions must lead to the same states, whatever was played before or meanwhile."""
    if not findings.ok or not played:
        return
    first, second = played[0], played[1 if len(played) > 1 else 0]
    for game in (first, second):
        alone = _solo(subject, game)
        if not _same(subject, alone, _solo(subject, game)):
            findings.add(
                "memory",
                "the same moves gave another game the second time: the rules remember or draw "
                "something outside the state",
            )
            return
    if not _same_in_turns(subject, first, second):
        findings.add(
            "memory",
            "two games played in turns disturb each other: the rules keep something outside the "
            "state",
        )


def _solo(subject: Any, actions: list[Any]) -> Trace:
    began = time.perf_counter()
    state = subject.start()
    trace = [(state, subject.solo_facts(state))]
    for action in actions:
        if time.perf_counter() - began > SECONDS:
            break
        state = subject.solo_advance(state, action)
        trace.append((state, subject.solo_facts(state)))
    return trace


def _same_in_turns(subject: Any, first: list[Any], second: list[Any]) -> bool:
    alone = [_solo(subject, first), _solo(subject, second)]
    games = [iter(first), iter(second)]
    together: list[Trace] = [[], []]
    states = [subject.start(), subject.start()]
    for ply in range(max(map(len, alone))):
        for i in (0, 1):
            if ply < len(alone[i]):
                if ply:
                    states[i] = subject.solo_advance(states[i], next(games[i]))
                together[i].append((states[i], subject.solo_facts(states[i])))
    return all(_same(subject, alone[i], together[i]) for i in (0, 1))


def _same(subject: Any, a: Trace, b: Trace) -> bool:
    return all(
        subject.same_state(one[0], two[0]) and same_facts(one[1], two[1])
        for one, two in zip(a, b, strict=False)
    )
