"""The lecture's trees and bandits: see `ponder.explorer.messages.lecture`."""

from __future__ import annotations

import random
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from ponder.core.catalogue import describe
from ponder.core.registry import PARTS
from ponder.errors import InputError, PonderError
from ponder.explorer.gambling import Gambler, Rule
from ponder.explorer.lesson import Lesson, Wanted
from ponder.games.tree_edit import Order, reordered, with_utility
from ponder.sources.finding import find
from ponder.sources.statements import read_map

if TYPE_CHECKING:
    from ponder.explorer.worker import Desk

MOST_KEPT = 6
MOST_GAMBLERS = 24
PATIENCE = 0.25
"""Seconds that an answer about bandits may take; the page asks again for the rest."""
_kept: OrderedDict[Wanted, Lesson] = OrderedDict()
"""Lessons that were looked at lately."""
_gamblers: OrderedDict[Rule, Gambler] = OrderedDict()


def lesson(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    wanted = Wanted(message["tree"], message["players"], message["engine"], message.get("depth"))
    if wanted not in _kept:
        _kept[wanted] = Lesson(wanted)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)[1].session.close()
    _kept.move_to_end(wanted)
    return _kept[wanted].at(message.get("step"), message.get("chair", 0))


def tree_edit(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    path, player = tuple(message["path"]), message["player"]
    return {
        "tree": with_utility(message["tree"], message["players"], path, player, message["value"])
    }


def tree_order(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    text, players, wanted = message["tree"], message["players"], message["order"]
    if wanted not in ("best", "worst", "shuffled"):
        raise InputError(f"moves are ordered best, worst or shuffled, not {wanted!r}")
    order = shuffling(message.get("seed", 0))
    if wanted != "shuffled":
        order = by_value(text, players, best_first=wanted == "best")
    tree, before = reordered(text, players, order)
    return {
        "tree": tree,
        "before": {" ".join(new): " ".join(old) for new, old in before.items()},
    }


def shuffling(seed: int) -> Order:
    rng = random.Random(seed)
    return lambda path, names: rng.sample(names, len(names))


def by_value(text: str, players: int, best_first: bool) -> Order:
    """By what a whole search finds, for whoever moves; equals keep their order."""
    whole = Lesson(Wanted(text, players, "maxn()", None))
    whole.session.close()
    values = {event.path: event.facts["values"] for event in whole.events if event.kind == "leave"}
    movers = {event.path: event.facts["player"] for event in whole.events if event.kind == "enter"}
    sign = -1.0 if best_first else 1.0  # sorting puts the lowest first

    def order(path: tuple[str, ...], names: list[str]) -> list[str]:
        return sorted(names, key=lambda name: sign * values[*path, name][movers[path]])

    return order


def bandits(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    arms, wanted = tuple(float(p) for p in message["arms"]), message["pulls"]
    playing = [gambler(Rule(arms, rule, message.get("seed", 1))) for rule in message["rules"]]
    began = time.perf_counter()
    while (slowest := min(playing, key=lambda one: one.pulls, default=None)) is not None:
        if slowest.pulls >= wanted or time.perf_counter() - began > PATIENCE:
            break
        slowest.pull()
    reached = min((one.pulls for one in playing), default=wanted)
    shown = min(wanted, reached)
    return {"pulls": shown, "reached": reached, "rules": [one.at(shown) for one in playing]}


def gambler(rule: Rule) -> Gambler:
    if rule not in _gamblers:
        _gamblers[rule] = Gambler(rule)
        while len(_gamblers) > MOST_GAMBLERS:
            _gamblers.popitem(last=False)
    _gamblers.move_to_end(rule)
    return _gamblers[rule]


def bandit_rules(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    found = []
    for name, target in PARTS["select"].items():
        one = {"name": name, "about": describe("select", name, target)["about"], "refused": ""}
        try:
            Gambler(Rule((0.6, 0.55, 0.4), f"{name}()", 1))
        except PonderError as error:
            one["refused"] = str(error)
        found.append(one)
    return {"rules": found}


def sources(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    everything = read_map()
    question = message.get("question", "")
    found = find(question, everything) if question.strip() else None
    statements = found.statements if found else everything.statements
    return {
        "sources": [
            {"key": source.key, "title": source.title, "by": source.by}
            for source in everything.sources.values()
        ],
        "statements": [statement.to_json() for statement in statements],
        "missing": found.missing if found else [],
        "partial": bool(found and found.partial),
    }


ANSWERS = {
    "lesson": lesson,
    "tree_edit": tree_edit,
    "tree_order": tree_order,
    "bandits": bandits,
    "bandit_rules": bandit_rules,
    "sources": sources,
}
