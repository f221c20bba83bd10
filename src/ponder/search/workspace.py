"""What a search by `ponder.search.visit` works with, made ready for it."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ponder.core.game import hooks_of, new_lists
from ponder.core.pausing import new_info
from ponder.core.position import Position
from ponder.core.tablebase import search_part
from ponder.search.events import NoTrace
from ponder.search.values import FARTHEST, STEP
from ponder.search.visit import FRAME, INFO_SIZE, Plain, Scratch, Switches

if TYPE_CHECKING:
    from ponder.search.alphabeta import AlphaBeta

PLAIN = Plain()
_FRESH = new_info(INFO_SIZE)
_spare: dict[Any, Scratch] = {}
"""What the last search worked with: to make it anew takes longer than a short search."""


@lru_cache(maxsize=64)
def switches_of(engine: AlphaBeta, hooks: tuple[str, ...]) -> Switches:
    """What the engine asks for, as far as the game has the hooks for it."""
    can_evaluate = "evaluate" in hooks
    hints = engine.hints and "order" in hooks
    ranked = hints or engine.killers or engine.history or engine.evaluation_order
    return Switches(
        table=engine.table,
        table_moves=engine.table and engine.table_moves,
        own_key=engine.table and "key" in hooks,
        hints=hints,
        killers=engine.killers,
        history=engine.history,
        by_evaluation=engine.evaluation_order,
        ranked=ranked,
        scout=engine.scout,
        quiescence=engine.quiescence and can_evaluate and "noisy_actions" in hooks,
        reductions=engine.reductions and can_evaluate and ranked,
        null_move=engine.null_move and can_evaluate and "pass_turn" in hooks,
        all_moves=engine.all_moves,
        beam=engine.beam,
        forgets=False,
    )


def new_scratch(
    position: Position,
    plies: int,
    on: Any,
    table: Any,
    trace: Any,
    endgame: str,
) -> Scratch:
    """What a search that goes `plies` deep works with."""
    spec = position.rules.spec
    states = np.zeros(plies, spec.state)
    states[0] = position.raw_state[0]
    distinct = spec.distinct_actions or spec.max_actions
    frames = np.zeros(plies, FRAME)
    forget_moves(frames)
    half = (spec.highest - spec.lowest) / 2 or 1.0
    # a power of two: adding and taking away plies leaves no rounding errors
    step = STEP * 2.0 ** math.ceil(math.log2(half))
    return Scratch(
        game=position.rules.part,
        trace=trace,
        table=table,
        on=on,
        states=states.view(np.recarray),
        words=states.view(np.uint64).reshape(plies, -1),
        actions=new_lists(spec, plies, np.int32),
        merits=np.zeros((plies, spec.max_actions)),
        lines=np.zeros((plies, plies), np.int32),
        frames=frames,
        history=np.zeros((spec.players, distinct)),
        utilities=np.zeros(spec.players),
        root=np.zeros(distinct),
        known=np.zeros(distinct, np.int8),
        info=new_info(INFO_SIZE),
        half=float(half),
        middle=(spec.highest + spec.lowest) / 2,
        step=step,
        most=float(half) - FARTHEST * step,
        may_evaluate="evaluate" in hooks_of(position.game),
        endgame=search_part(position.game, endgame, half, step),
    )


def forget_moves(frames: Any) -> None:
    frames["killer"] = frames["older_killer"] = -1
    frames["passed"] = 0


def cleared_scratch(case: Any, position: Position, plies: int, on: Any, table: Any) -> Scratch:
    """The same for a search without trace and endgame tables; `case` stands for the game."""
    spare = _spare.pop(case, None)
    if spare is None:
        return new_scratch(position, plies, on, table, NoTrace(), "")
    spare.states[0] = position.raw_state[0]
    spare.utilities[...] = 0.0
    spare.info[...] = _FRESH
    if on is not PLAIN:
        forget_moves(spare.frames)
        spare.history[...] = 0.0
    return spare._replace(on=on, table=table)


def keep_for_the_next(case: Any, scratch: Scratch) -> None:
    """A search has ended; its scratch serves the next one of the same game."""
    _spare.clear()
    _spare[case] = scratch._replace(table=None)  # which may be a large one
