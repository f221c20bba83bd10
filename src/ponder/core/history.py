"""`History`: all that a search follows from. Running it again gives the same search bit for bit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ponder.core.engine import SessionOptions, checked_engine
from ponder.core.limits import Limit
from ponder.core.parts import MOST_WHOLE
from ponder.core.position import Position
from ponder.core.registry import part_text, reads_back, saved_engine
from ponder.errors import InputError

if TYPE_CHECKING:
    from ponder.core.engine import Engine
    from ponder.core.protocols import Action

FORMAT = "ponder session 1"
MOST_CHANGES = 10_000
"""Of a saved session: more take minutes to be read and switched to, and nobody has made so many."""
OF_ANY_VERSION = re.compile(r"ponder session [0-9.]{1,20}")


class Change(NamedTuple):
    """Parts that were switched after `moment` simulations."""

    moment: int
    parts: dict[str, Any]


@dataclass(frozen=True)
class History:
    """All that a search follows from: run it again, and it is the same search."""

    position: Position
    engine: Engine
    seed: int
    plan: int | None = None
    """Simulations that were announced: rules that plan the whole search need them."""
    moves: tuple[Action, ...] = ()
    """The only root moves considered; all, if empty."""
    memory: float | None = None
    """Megabytes that the tree may take; None: the engine's own, or the default."""
    changes: tuple[Change, ...] = ()
    moment: int = 0
    """How far the search has come: simulations, or nodes."""
    depth: int | None = None
    """The depth that was announced: searches that go straight there need it."""

    @property
    def options(self) -> SessionOptions:
        """How its session begins."""
        plan = Limit(simulations=self.plan, depth=self.depth, memory=self.memory)
        return SessionOptions(self.seed, plan, self.moves or None)

    @property
    def engine_now(self) -> Engine:
        """The engine with the parts that were switched."""
        engine: Any = self.engine  # whose parts can be switched is a named tuple
        for change in self.changes:
            engine = engine._replace(**change.parts)
        return engine  # type: ignore[no-any-return]

    @property
    def reads_back(self) -> bool:
        """Does `to_json` say all of it? Not where a game or a part has no text: see
        `ponder.core.registry.reads_back`."""
        parts = [part for change in self.changes for part in change.parts.values()]
        return all(map(reads_back, (self.position.game, self.engine, *parts)))

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            **self.position.to_json(),
            "engine": part_text(self.engine),
            "seed": self.seed,
            "plan": self.plan,
            "memory": self.memory,
            "depth": self.depth,
            "only": [self.position.action_name(move) for move in self.moves],
            "changes": [
                {"at": at, **{kind: part_text(part) for kind, part in parts.items()}}
                for at, parts in self.changes
            ],
            "at": self.moment,
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> History:
        """The history that `to_json` gave; anything else is refused."""
        refuse_other_version(data)
        try:
            if data["format"] != FORMAT:
                raise ValueError
            engine, seed, moment = data["engine"], data["seed"], data["at"]
            plan, memory, only = data["plan"], data["memory"], data["only"]
            depth = data["depth"]
            if not isinstance(only, list) or not isinstance(data["changes"], list):
                raise ValueError
            if len(data["changes"]) > MOST_CHANGES:
                raise InputError(f"a saved session has at most {MOST_CHANGES:,} changes")
            changes = [dict(change) for change in data["changes"]]
            moments = [change.pop("at") for change in changes]
            numbers = [seed, moment, *moments, *([] if plan is None else [plan])]
            if not all(type(number) is int for number in numbers):
                raise ValueError
            if not min([*moments, moment]) >= 0 or max(map(abs, numbers)) > MOST_WHOLE:
                raise ValueError
            if not isinstance(data["engine"], str) or (plan is not None and plan < 1):
                raise ValueError
            if not all(isinstance(text, str) for change in changes for text in change.values()):
                raise ValueError
            if not all(isinstance(move, str) for move in only) or len({*only}) < len(only):
                raise ValueError
        except InputError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError("not a saved session") from None
        if [*moments, moment] != sorted([*moments, moment]):
            raise InputError("the changes of a session come in order, and not after its moment")
        position = Position.from_json(data)
        made = checked_engine(saved_engine(engine))
        return History(
            position,
            made,
            seed,
            plan,
            tuple(position.parse_action(str(move)) for move in only),
            None if memory is None else Limit(memory=memory).memory,
            tuple(
                Change(at, parts_from(part_text(made), change))
                for at, change in zip(moments, changes, strict=True)
            ),
            moment,
            None if depth is None else Limit(depth=depth).depth,
        )


def refuse_other_version(data: Any) -> None:
    """Name the version of a search that another Ponder has saved: it is not damaged."""
    named = data.get("format") if isinstance(data, dict) else None
    if isinstance(named, str) and OF_ANY_VERSION.fullmatch(named) and named != FORMAT:
        raise InputError(
            f"this search was saved by another version of Ponder, as {named!r}; this one reads "
            f"{FORMAT!r}"
        )


def parts_from(engine: str, texts: dict[str, Any]) -> dict[str, Any]:
    """Parts from their texts, by reading an engine that has them."""
    name = engine.partition("(")[0]
    given = ", ".join(f"{kind}={text}" for kind, text in texts.items())
    made = saved_engine(f"{name}({given})")
    return {kind: getattr(made, kind) for kind in texts}
