"""A search of the minimax family told in small steps, each with one sentence.

A beat is what a teacher would do between two breaths: go down to a node, look at a leaf and compare
it, or carry a node's value up and compare that. Everything is read off the session's events.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from ponder.core.events import Event
from ponder.show.picture import number_text, window_text
from ponder.show.view import REASONS, Perspective

Path = tuple[str, ...]
PLAYERS = ("MAX", "MIN")


class Beat(NamedTuple):
    """One step."""

    moment: int
    """Of the session: nodes entered."""
    until: int
    """Events that have happened."""
    kind: str
    """enter, leaf, leave or cut."""
    path: Path
    """The node that it is about."""
    text: str

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "path": list(self.path), "text": self.text}


def beats_of(events: list[Event], teller: Teller) -> list[Beat]:
    """The beats of a search, first to last."""
    made = []
    at = 0
    while at < len(events):
        begin, event = at, events[at]
        at += 1
        if event.kind == "enter" and at < len(events) and events[at].kind == "leave":
            at += 1  # nothing below: a leaf, or where the search ends
        left = events[at - 1] if events[at - 1].kind == "leave" else None
        if left is not None:  # what the node above makes of it
            while at < len(events) and events[at].kind in ("best", "cut"):
                at += 1
        group = events[begin:at]
        text = teller.told(group, left)
        kind = "enter"
        if left is not None:
            kind = "leaf" if event.kind == "enter" else "leave"
        if group[-1].kind == "cut" and teller.leaves_out(group[-1]):
            kind = "cut"
        made.append(Beat(event.moment, at, kind, event.path, text))
    return made


class Teller:
    """Finds the words, and remembers what has been found so far."""

    def __init__(
        self,
        seen: Perspective,
        letters: Mapping[Path, str],
        branches: Mapping[Path, tuple[str, ...]],
        estimates: Mapping[Path, str],
        noisy: Collection[Path],
        beam: int,
        whole: bool,
    ) -> None:
        """`letters`: names of inner nodes; `branches`: what leads on from each; `estimates`: what
        they are worth at a glance; `noisy`: where noisy moves lead; `beam`: how many moves are
        considered, 0 for all; `whole`: is the result the value of the tree?"""
        self.seen, self.letters, self.branches = seen, letters, branches
        self.estimates, self.noisy, self.beam, self.whole = estimates, noisy, beam, whole
        self.calm: set[Path] = set()
        """Where the depth is used up and noisy moves are played out."""
        self.mover: dict[Path, Any] = {}
        self.windows: dict[Path, tuple[float, float]] = {}
        self.chances: dict[Path, float] = {}
        self.outcomes: dict[Path, list[tuple[float, str]]] = {}
        self.best: dict[Path, tuple[str, str]] = {}
        """The best move of a node so far, and what it is worth."""
        self.exact: dict[Path, bool] = {}
        self.entered: set[Path] = set()

    # ------------------------------------------------------------ words for things

    def name(self, path: Path) -> str:
        return self.letters.get(path) or f"{self.letters[path[:-1]]}'s leaf {path[-1]}"

    def player(self, path: Path) -> str:
        """Who moves at a node."""
        mover = self.mover[path]
        if mover == "chance":
            return "chance"
        if self.seen.view.players == 1:
            return "the player"
        return PLAYERS[mover] if self.seen.view.opposed else f"player {mover}"

    def maximises(self, path: Path) -> bool:
        """Is the highest number the best here, seen from the chair?"""
        return not self.seen.view.opposed or self.mover[path] == self.seen.view.chair

    def worth(self, facts: dict[str, Any]) -> str:
        """The value of an event."""
        if "values" in facts:
            texts = self.seen.view.texts(tuple(facts["values"]))
            return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
        return number_text(self.seen.value(facts)) if "value" in facts else "unknown"

    def below(self, path: Path) -> list[Path]:
        """Where the moves lead that the search considers at a node; where the depth is used up,
        the noisy ones."""
        every = [(*path, name) for name in self.branches[path]]
        return [one for one in every if one in self.noisy] if path in self.calm else every

    def leaves_out(self, cut: Event) -> bool:
        """Does a cut spare anything? The last move of a node cuts nothing off."""
        return any(one not in self.entered for one in self.below(cut.path))

    # ------------------------------------------------------------ sentences

    def told(self, group: list[Event], left: Event | None) -> str:
        first = group[0]
        if first.kind == "enter":
            self.entered.add(first.path)
            self.mover[first.path] = first.facts.get("player")
            self.windows[first.path] = self.seen.window(first.facts)
            self.chances[first.path] = first.facts.get("probability", 1.0)
            if first.facts["depth"] == 0 and first.path in self.estimates:
                self.calm.add(first.path)
        if left is None:
            return self._entered(first)
        said = [self._left(left, first.kind == "enter")]
        if left.path:
            said += self._above(left, {event.kind: event for event in group if event is not left})
        return " ".join(said)

    def _entered(self, event: Event) -> str:
        path, who = event.path, self.player(event.path)
        window = self.windows[path]
        told = f", window {window_text(*window)}" if window != (-float("inf"), float("inf")) else ""
        if not path:
            few = ""
            if 0 < self.beam < len(self.branches[path]):
                few = f" Only the {self.beam} moves that look best count."
            return f"{sentence(who)} begins at {self.name(path)}.{few}"
        name = self.name(path)
        if path in self.calm:
            return (
                f"The depth is used up at {name}, which looks like {self.estimates[path]}; but a "
                f"noisy move is left, and {who} is allowed to make it."
            )
        decides = "decides" if who == "chance" else "chooses"
        few = ""
        if 0 < self.beam < len(self.branches[path]):
            few = f" Of {len(self.branches[path])} moves only the {self.beam} that look best count."
        return f"Down to {name}, where {who} {decides}{told}.{few}"

    def _left(self, event: Event, at_once: bool) -> str:
        path, worth = event.path, self.worth(event.facts)
        name = self.name(path)
        bound = "exact" if at_once else event.facts.get("bound", "exact")
        if all(self.exact.get(one) for one in self.below(path)):
            bound = "exact"
        self.exact[path] = bound == "exact"
        if at_once and path in self.calm:
            return f"The depth is used up at {name}: it looks like {worth}."
        if at_once:
            return f"{sentence(name)} is worth {worth}."
        if path in self.outcomes:
            return f"{name} is worth the average: {self._average(path)} = {worth}."
        if not path:
            chosen = f": {self.player(path)} plays {self.best[path][0]}"
            what = "the value of the tree" if self.whole else "what this search believes"
            return f"{name} is worth {worth}{chosen}. That is {what}."
        if self.seen.turned:
            bound = {"upper": "lower", "lower": "upper"}.get(bound, bound)
        most = {"upper": "at most ", "lower": "at least "}.get(bound, "")
        return f"{name} is done: {most}{worth} goes up."

    def _average(self, path: Path) -> str:
        return " + ".join(
            f"{number_text(chance)} × {worth}" for chance, worth in self.outcomes[path]
        )

    def _above(self, left: Event, found: dict[str, Event]) -> list[str]:
        """What the node above makes of the value of `left`."""
        above = left.path[:-1]
        who, name, worth = self.player(above), self.name(above), self.worth(left.facts)
        if who == "chance":
            chance = self.chances[left.path]
            self.outcomes.setdefault(above, []).append((chance, worth))
            return [f"It counts with {number_text(chance)} at {name}."]
        if above in self.calm:
            stay = f"stay with the {self.estimates[above]} that {name} looks like"
            said = [f"{sentence(who)} may have that, or {stay}."]
            cut = found.get("cut")
            return [*said, self._cut(cut)] if cut and self.leaves_out(cut) else said
        said = []
        alone = self.seen.view.opposed or self.seen.view.players == 1
        least = "at least " if self.maximises(above) else "at most "
        if "best" in found:
            self.best[above] = found["best"].facts["move"], worth
            if alone:
                said.append(f"The best for {who} so far: {name} is worth {least}{worth}.")
            else:
                said.append(f"The best for {who} at {name} so far.")
        elif above not in self.best:  # outside the window: no news for whoever moves
            alpha, beta = self.windows[above]
            has = number_text(alpha if self.maximises(above) else beta)
            said.append(f"No better for {who} than the {has} it has elsewhere.")
        else:
            stays = self.best[above][1]
            said.append(f"No better for {who} than the {stays} it has at {name}.")
        if "cut" in found and self.leaves_out(found["cut"]):
            said.append(self._cut(found["cut"]))
        return said

    def _cut(self, event: Event) -> str:
        path, facts = event.path, event.facts
        spared = [one for one in self.below(path) if one not in self.entered]
        rest = f"the other {len(spared)} moves are" if len(spared) > 1 else "the other move is"
        if facts["reason"] != "window":
            return f"{sentence(REASONS[facts['reason']])}: {rest} cut."
        low, high = self.seen.emptied(facts)
        rival = PLAYERS[1 - self.mover[path]] if self.seen.view.opposed else "the player"
        return f"β ≤ α, {low} ≤ {high}: {rival} has better elsewhere, so {rest} cut."


def sentence(text: str) -> str:
    """With a capital letter."""
    return text[:1].upper() + text[1:]
