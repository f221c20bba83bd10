"""How a Monte Carlo search went: visits and value of every root move over the simulations.

The session is rewound to some sixty moments, early ones closer together. Of a `bandit` there is a
third panel: the regret so far, the sum over all pulls of (best chance - chance of the arm).
"""

from __future__ import annotations

from typing import Any

from ponder.core.registry import game_text, part_text
from ponder.core.session import Capability, Session
from ponder.errors import InputError
from ponder.games.bandit import Bandit
from ponder.lab.bandit import regrets_of
from ponder.show.plots import SERIES, Curve, Panel, Plot

POINTS = 60


def search_plot(session: Session[Any]) -> Plot:
    """The plot of a session as far as it has come; of many moves the most visited ones."""
    wanted = Capability.TREE | Capability.REWIND
    if wanted not in session.capabilities or not session.moment:
        raise InputError("--plot shows simulations: it needs mcts() or one of its presets")
    last = session.result()
    shown = [row.name for row in sorted(last.moves, key=lambda row: -row.visits)][: len(SERIES)]
    at = moments(session.moment)
    walker = session.fork()
    results = []
    for moment in at:
        walker.rewind(moment, after=moment == session.moment)
        results.append(walker.result())
    rows = [{row.name: row for row in result.moves} for result in results]
    visits = [Curve(name, at, [row[name].visits for row in rows]) for name in shown]
    values = []
    for name in shown:
        seen = [(n, row[name].value) for n, row in zip(at, rows, strict=True) if row[name].visits]
        values.append(Curve(name, [n for n, _ in seen], [v for _, v in seen]))  # type: ignore[misc]
    panels = [
        Panel(visits, "simulations", "visits", "visits of the root moves"),
        Panel(values, "simulations", "value", "value of the root moves", log_x=True),
    ]
    game = session.position.game
    if isinstance(game, Bandit) and game.pulls == 1:
        lost = Curve("lost", at, [regrets_of(result)[0] for result in results])
        panels.append(Panel([lost], "pulls", "regret", "regret so far", log_x=True))
    engine, name = (text.partition("(")[0] for text in (part_text(session.engine), game_text(game)))
    note = f"{part_text(session.engine)}, seed {session.seed}"
    return Plot(panels, f"{engine} on {name}", note)


def moments(last: int) -> list[int]:
    """Up to sixty moments from 1 to the last one, equally far apart on a logarithmic scale."""
    return sorted({round(last ** (i / (POINTS - 1))) for i in range(POINTS)})
