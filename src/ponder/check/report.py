"""What a check found: findings, notes, counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

OUTSIDE = "the rules remember or draw something outside the state"


class Broken(Exception):
    """Something so wrong that this game cannot be played on."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


@dataclass(frozen=True)
class Finding:
    """One fault, with the way to see it again."""

    kind: str
    """A short name of the fault, such as ``max-actions``."""
    message: str
    seed: int
    game: int | None = None
    """Which random game it was, from 1; None if it shows without playing."""
    moves: tuple[str, ...] = ()
    """The moves that led to it."""

    def __str__(self) -> str:
        if self.game is None:
            return f"{self.kind}: {self.message}"
        after = f"after {' '.join(self.moves)}" if self.moves else "at the start"
        return f"{self.kind}: {self.message} (seed {self.seed}, game {self.game}, {after})"


class Findings:
    """Collects faults; of each kind only the first one is kept."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.found: dict[str, Finding] = {}
        self.notes: list[str] = []
        self.game: int | None = None
        self.moves: Callable[[], Sequence[str]] = tuple

    @property
    def ok(self) -> bool:
        return not self.found

    def add(self, kind: str, message: str) -> None:
        if kind not in self.found:
            moves = tuple(self.moves()) if self.game is not None else ()
            self.found[kind] = Finding(kind, message, self.seed, self.game, moves)

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


@dataclass
class Counts:
    """How much was played."""

    games: int = 0
    states: int = 0
    examined: int = 0
    """States that got the slow checks too."""
    longest: int = 0
    decisions: int = 0
    fewest: int = 0
    most: int = 0
    total: int = 0
    """Legal actions over all decisions."""

    def decision(self, actions: int) -> None:
        self.fewest = min(self.fewest, actions) if self.decisions else actions
        self.most = max(self.most, actions)
        self.decisions += 1
        self.total += actions

    @property
    def mean(self) -> float:
        return self.total / max(self.decisions, 1)


@dataclass(frozen=True, kw_only=True)
class ContractReport:
    """The outcome of a check. Prints as lines; `ok` says whether the contract is kept."""

    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    seed: int
    seconds: float

    @property
    def ok(self) -> bool:
        return not self.findings

    def praise(self) -> str:
        """What keeps which contract; abstract."""
        raise NotImplementedError

    def extent(self) -> list[str]:
        """How much was looked at, in lines; abstract."""
        raise NotImplementedError

    def __str__(self) -> str:
        lines = [str(finding) for finding in self.findings]
        lines += [f"note: {text}" for text in self.notes]
        if self.ok:
            lines.append(f"ok: {self.praise()}")
        return "\n".join(lines + self.extent())


@dataclass(frozen=True, kw_only=True)
class CheckReport(ContractReport):
    """The outcome of a check of a game."""

    game: str
    counts: Counts | None = None
    hooks: tuple[str, ...] = ()

    def praise(self) -> str:
        return f"{self.game} keeps the contract"

    def extent(self) -> list[str]:
        if self.counts is None:
            return []
        c = self.counts
        return [
            f"{c.games:,} random games, {c.states:,} states ({c.examined:,} in depth), "
            f"longest game {c.longest:,}, seed {self.seed}, {self.seconds:.1f} s",
            f"moves to choose from: {c.fewest} to {c.most}, on average {c.mean:.1f}",
            f"optional hooks: {', '.join(self.hooks) or 'none'}",
        ]

    def to_json(self) -> dict[str, Any]:
        """The shape of ``ponder check --json``."""
        c = self.counts or Counts()
        return {
            "game": self.game,
            "ok": self.ok,
            "findings": [asdict(finding) for finding in self.findings],
            "notes": list(self.notes),
            "games": c.games,
            "states": c.states,
            "examined": c.examined,
            "longest": c.longest,
            "branching": {"min": c.fewest, "mean": c.mean, "max": c.most},
            "hooks": list(self.hooks),
            "seed": self.seed,
            "seconds": self.seconds,
        }
