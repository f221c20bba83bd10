"""What a worker does about experiments: see `ponder.explorer.messages.lab`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ponder.core.registry import parse_engine, parse_game
from ponder.errors import InputError, quoted
from ponder.explorer.experiment import lab_of
from ponder.explorer.kept_runs import KeptRun
from ponder.explorer.lab_run import LabRun
from ponder.lab.contents import EXPERIMENTS
from ponder.lab.measured import measured
from ponder.lab.plan import SIZES, Above, Below, Between
from ponder.lab.running import Lab, module_of

if TYPE_CHECKING:
    from ponder.explorer.worker import Desk

NAME = "lab"
"""A page has one experiment at a time: the session's name."""
LARGEST = 10**8
"""Of any size."""
_begun: list[LabRun] = []
"""The run of this worker's page, at most one: whatever becomes of its session, it can be ended."""


def experiments(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    known = measured()
    return {
        "experiments": [
            {"name": name, "title": title, "measured": known.get(name)}
            for name, title in EXPERIMENTS.items()
        ]
    }


def plan(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    lab = wanted(desk, message)
    kept = KeptRun.of(lab)
    fixed = lab.plan
    return {
        "experiment": lab.name,
        "title": EXPERIMENTS[lab.name],
        "claim": fixed.claim,
        "source": fixed.source,
        "level": fixed.level(),
        "clauses": [
            {
                "id": clause.id,
                "sentence": clause.sentence,
                "quantity": clause.quantity,
                "test": str(clause.test),
                "passes": passes(clause.test),
            }
            for clause in fixed.clauses
        ],
        "sizes": {
            name: {
                **{version: getattr(size, version) for version in SIZES},
                "now": lab.size[name],
                "meaning": size.meaning,
            }
            for name, size in fixed.sizes.items()
        },
        "versions": versions(lab),
        "notes": list(fixed.notes),
        "own": fixed.own,
        "any_game": fixed.any_game,
        "command": lab.command,
        "measured": measured().get(lab.name),
        "kept": kept.result(),
        "kept_steps": len(kept.steps()),
    }


def wanted(desk: Desk, message: dict[str, Any]) -> Lab:
    """The experiment that a message asks for, checked; nothing in it runs code of other files."""
    version = message.get("version", "default")
    if version not in SIZES:
        raise InputError(f"there is no size {quoted(version)}; available: {', '.join(SIZES)}")
    for name, size in message.get("sizes", {}).items():
        if size > LARGEST:
            raise InputError(f"the size {name} must be {LARGEST:,} at most, not {size:,}")
    own, game = message.get("own", []), message.get("game", "")
    kind = module_of(message["experiment"]).PLAN.own
    for text in own if kind else ():
        parse_engine(f"mcts({kind}={text})")
    if game:
        parse_game(game)
    return lab_of(message)


def versions(lab: Lab) -> list[str]:
    """Those that differ: not every experiment has a longer one."""
    sizes = lab.plan.sizes.values()
    longer = any(size.full != size.default for size in sizes)
    return [version for version in SIZES if version != "full" or longer]


def passes(test: Above | Below | Between) -> list[float | None]:
    """From where to where a value passes; None: without end."""
    if isinstance(test, Above):
        return [test.threshold, None]
    return [None, test.threshold] if isinstance(test, Below) else [test.least, test.most]


def lab_run(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    lab = wanted(desk, message)
    lab_stop(desk, message)
    kept = KeptRun.of(lab)
    expected = kept.expected()
    if message.get("again"):
        kept.forget()
    made = LabRun(NAME, message, expected, desk.allowed)
    _begun.append(made)
    desk.sessions[NAME] = made
    return made.state()


def lab_stop(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    while _begun:
        _begun.pop().end()
    return {}


ANSWERS = {
    "experiments": experiments,
    "plan": plan,
    "lab_run": lab_run,
    "lab_stop": lab_stop,
}
