"""The lecture's trees and bandits: see `ponder.explorer.messages.lecture`."""

from __future__ import annotations

import random
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from ponder.errors import InputError
from ponder.explorer.lesson import Lesson, Wanted
from ponder.games.tree_edit import Order, reordered, with_utility

if TYPE_CHECKING:
    from ponder.explorer.worker import Desk

MOST_KEPT = 6
_kept: OrderedDict[Wanted, Lesson] = OrderedDict()
"""Lessons that were looked at lately."""


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


ANSWERS = {"lesson": lesson, "tree_edit": tree_edit, "tree_order": tree_order}
