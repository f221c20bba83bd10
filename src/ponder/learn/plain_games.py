"""Self-play of plain Python games: the kernels of compiled ones, with Python asked for what is new
(`ponder.core.plain_graph`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ponder.core.game import new_states
from ponder.core.position import Position
from ponder.errors import InputError
from ponder.files import object_on, page_of, read_file, save_file
from ponder.jit import call_python
from ponder.json_text import read_json
from ponder.learn.plain_codes import PlainCodes, visited
from ponder.learn.plain_seeing import seen_spec
from ponder.learn.selfplay import PlayedRows
from ponder.learn.workers import SelfPlayWorker, Workers, taken
from ponder.mcts.batch import position_at

CODES = "codes.json"
"""The file of a run that says how states and actions of its plain game are coded."""
SPARE_ACTIONS = 2
"""So many times as many actions as random games have met are expected in one state."""


def for_training(position: Position) -> Position:
    """The position as self-play takes it; of a plain game, with room for twice as many actions in
    one state as random games have met."""
    if not position.rules.plain:
        return position
    return position.for_kernels(SPARE_ACTIONS * visited(position.rules).most_actions)


def saved_codes(folder: Path) -> Any:
    """How the run there codes states and actions, as JSON; None where nothing is said. Rules that
    go through sets of texts may meet them in another order the next time."""
    path = folder / CODES
    if not path.exists():
        return None
    data = read_file(path)
    try:
        said = read_json(data)  # of before: a list, without a checksum
        return object_on(data)["codes"] if isinstance(said, dict) else said
    except (ValueError, KeyError):
        raise InputError(f"{path} is damaged: restore it, or train anew") from None


def save_codes(folder: Path, codes: PlainCodes | None) -> None:
    """Keep how a plain game is coded, unless it is kept already."""
    if codes is not None and not (folder / CODES).exists():
        save_file(folder / CODES, page_of({"codes": codes}))


class PlainWorker(SelfPlayWorker):
    """Games one at a time: after each, what is known of states may go."""

    def play_on(self, seed: int, step: int, end: int, stop: Any) -> None:
        self.rules.forget()
        self.memory.forget()
        super().play_on(seed, step, min(end, int(self.out.count[1]) + 1), stop)

    def take(self) -> PlayedRows:
        """The rows in use, their states as they are kept: what was seen of them."""
        rows, graph, cells = taken(self.out), self.rules, self.network.cells
        made = new_states(seen_spec(graph.spec, len(cells.codes) + 1).state, len(rows.games))
        for i, seen in enumerate(made):
            facts = graph.facts(rows.states[i : i + 1])
            call_python(cells.ask, rows.states[i].handle, facts.player)
            seen.codes[:-1], seen.codes[-1] = cells.codes, facts.player
            seen.count, seen.player = len(facts.actions), facts.player
            seen.actions[: seen.count] = graph.seen[list(facts.actions)]
        return rows._replace(states=made)


class PlainWorkers(Workers):
    """One thread: the rules of a plain game run under Python's lock."""

    kind = PlainWorker

    @property
    def start(self) -> Position:
        position = super().start
        return position_at(position.rules, position.raw_state)
