"""A small tree, searched and taken apart: what the Lecture page shows of one search.

The session has run to its end; every step that is asked for is a rewind of it, and all numbers are
read off its events (`ponder.show.classical`, `ponder.explorer.beats`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.engine import checked_engine
from ponder.core.game import CHANCE
from ponder.core.limits import Limit
from ponder.core.parts import canonical
from ponder.core.position import Position
from ponder.core.registry import parse_engine
from ponder.errors import InputError
from ponder.explorer.beats import Teller, beats_of
from ponder.games.tree import TreeGame
from ponder.games.tree_notation import FlatTree
from ponder.search.alphabeta import AlphaBeta
from ponder.search.session import ClassicalSession
from ponder.show.classical import classical_picture
from ponder.show.picture import PictureNode, number_text
from ponder.show.view import Perspective

MOST_NODES = 160
"""Of a tree on the page: more cannot be read."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
Path = tuple[str, ...]


class Wanted(NamedTuple):
    """Which lesson: a tree, who plays it, and how it is searched."""

    tree: str
    players: int
    engine: str
    depth: int | None


class Lesson:
    """One search of one tree."""

    def __init__(self, wanted: Wanted) -> None:
        game = TreeGame(*canonical(TreeGame(wanted.tree, wanted.players)))
        self.flat = game.flat
        if len(self.flat.name) > MOST_NODES:
            raise InputError(
                f"this tree has {len(self.flat.name):,} nodes; on this page there is room for "
                f"{MOST_NODES}"
            )
        self.position = Position(game)
        longest = max(1, self.flat.depth)
        self.depth = depth = min(wanted.depth or longest, longest)
        engine = checked_engine(parse_engine(wanted.engine))
        self.beam = engine.beam if isinstance(engine, AlphaBeta) else 0
        goes_deeper = "depth" in engine.traits.limits
        session = engine.start(self.position, plan=Limit(depth=depth)) if goes_deeper else None
        if not isinstance(session, ClassicalSession):
            raise InputError("only searches of the minimax family are shown step by step here")
        session.run(depth=depth)
        self.session = session
        self.paths = paths_of(self.flat)
        self.letters = letters_of(self.flat, self.paths)
        self.events = session.events()
        self.tellers = [self._teller(chair) for chair in (0, 1)]
        self.beats = [beats_of(self.events, teller) for teller in self.tellers]

    def _teller(self, chair: int) -> Teller:
        tree = self.flat
        branches = {
            path: tuple(tree.name[child] for child in tree.children(node))
            for node, path in enumerate(self.paths)
        }
        seen = Perspective.of(self.position, chair)
        estimates = {
            path: self._estimate(node, chair)
            for node, path in enumerate(self.paths)
            if tree.estimated and tree.count[node]
        }
        noisy = {path for node, path in enumerate(self.paths) if tree.noisy[node]}
        whole = not self.beam and self.depth >= tree.depth
        return Teller(seen, self.letters, branches, estimates, noisy, self.beam, whole)

    def at(self, step: int | None, chair: int) -> dict[str, Any]:
        """Everything that is shown after so many steps; None: all of them."""
        beats = self.beats[chair]
        step = len(beats) if step is None else min(step, len(beats))
        beat = beats[step - 1] if step else None
        self.session.rewind(beat.moment if beat else 0)
        events = self.session.events()
        states: dict[str, Any] = {"": {"unseen": True}}
        if beat:
            picture = classical_picture(
                self.position, events, 2 * MOST_NODES, until=beat.until, chair=chair, narrowed=True
            )
            collect(picture.root, (), states)
        self._mark_left_out(states)
        for path in self.letters:  # a bound that has turned out to be the value
            state = states.get(" ".join(path), {})
            if self.tellers[chair].exact.get(path) and state.get("values") and "open" not in state:
                state["values"] = [value.lstrip("≤≥") for value in state["values"]]
        seen = {event.path for event in events[: beat.until if beat else 0]}
        leaves = [path for node, path in enumerate(self.paths) if self.flat.count[node] == 0]
        return {
            "nodes": self._nodes(chair),
            "states": states,
            "step": step,
            "moment": self.session.moment,
            "depth": self.depth,
            "beats": [one.to_json() for one in beats],
            "leaves": [sum(path in seen for path in leaves), len(leaves)],
            "looked": [len(seen), len(self.paths)],
            "windows": any("alpha" in one.facts or "beta" in one.facts for one in self.events),
            "opposed": Perspective.of(self.position, chair).view.opposed,
        }

    def _estimate(self, node: int, chair: int) -> str:
        """The static evaluation of a node, seen from a chair."""
        values = tuple(float(u) for u in self.flat.estimates[node])
        texts = Perspective.of(self.position, chair).view.texts(values)
        return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"

    def _mark_left_out(self, states: dict[str, Any]) -> None:
        """What lies beyond the depth, and what a beam did not take: `out` says why."""
        for node, path in list(enumerate(self.paths))[1:]:
            state = states.setdefault(" ".join(path), {"unseen": True})
            above = states[" ".join(path[:-1])]
            quiet = len(path) > self.depth and not self.flat.noisy[node]
            if not state.get("unseen") or (state.get("cut") and not quiet):
                continue
            if above.get("out"):
                state["out"] = above["out"]
            elif quiet:  # no window has cut it: the search does not go there at all
                state["out"] = "depth"
                state.pop("cut", None)
            elif self.beam and not above.get("unseen") and not above.get("open"):
                state["out"] = "beam"
        for path in self.letters:
            state = states.get(" ".join(path), {})
            below = [one for one in self.paths if one[:-1] == path and one]
            if "reason" in state and not any(states[" ".join(one)].get("cut") for one in below):
                del state["reason"]

    def _nodes(self, chair: int) -> list[dict[str, Any]]:
        """The whole tree, parents before children, whatever the search has seen of it."""
        tree, view = self.flat, Perspective.of(self.position, chair).view
        made = []
        for node, path in enumerate(self.paths):
            player = int(tree.player[node])
            one: dict[str, Any] = {"path": list(path), "letter": self.letters.get(path, "")}
            if tree.count[node] == 0:
                utilities = tuple(float(u) for u in tree.utilities[node])
                shown = (utilities[view.chair],) if view.opposed else utilities
                one |= {"form": "leaf", "values": list(shown)}
            elif player == CHANCE:
                one["form"] = "chance"
            elif view.opposed or view.players == 1:
                one["form"] = "max" if player == view.chair else "min"
            else:
                one |= {"form": "player", "mark": str(player)}
            if tree.count[node] and tree.estimated:
                one["estimate"] = self._estimate(node, chair)
            if tree.noisy[node]:
                one["noisy"] = True
            if path and tree.player[tree.parent[node]] == CHANCE:
                one["probability"] = number_text(float(tree.chance[node]))
            made.append(one)
        return made


def paths_of(tree: FlatTree) -> list[Path]:
    """The names of the moves to each node."""
    paths: list[Path] = [()]
    for node in range(1, len(tree.name)):
        paths.append((*paths[tree.parent[node]], tree.name[node]))
    return paths


def letters_of(tree: FlatTree, paths: list[Path]) -> dict[Path, str]:
    """A letter for each inner node, level by level; after Z come A1, B1 ..."""
    inner = [path for node, path in enumerate(paths) if tree.count[node]]
    rounds = len(LETTERS)
    return {
        path: LETTERS[i % rounds] + (str(i // rounds) if i >= rounds else "")
        for i, path in enumerate(inner)
    }


def collect(node: PictureNode, path: Path, into: dict[str, Any]) -> None:
    """What the picture says of each node, by its path."""
    said = node.to_json()
    children = said.pop("children", [])
    into[" ".join(path)] = said
    for child, data in zip(node.children, children, strict=True):
        del data
        collect(child, (*path, child.edge), into)
