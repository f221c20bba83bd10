"""The settings of a training run: one JSON file, saved with the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from ponder.core.gate import name_files
from ponder.core.parts import canonical
from ponder.errors import InputError
from ponder.files import WrongChecksum, object_on, page_of, read_file, save_file
from ponder.learn.network import MOST_PHASES
from ponder.learn.plans import parse_plan, plan_text

CONFIG = "config.json"


class Training(NamedTuple):
    """How a network is trained. Numbers of moves are shares of a random game's length."""

    seed: int = 0
    network: str = "patterns"
    """What is trained: see `ponder.learn.plans`."""
    phases: int = 1
    """By how full the board is; each phase has second layers of its own."""
    through: str = "torch"
    """How self-play asks a network beside the kernel: torch, or onnx, which is faster."""
    simulations: int = 100
    """For a move whose visits are learned."""
    cheap: int = 0
    """For the other moves, which are not learned (playout cap randomisation); 0: there are none."""
    full_share: float = 0.25
    """With cheap moves: how many are not."""
    considered: int = 0
    """Above 0: Gumbel AlphaZero, with so many moves in turn at the root; noise and forced playouts
    are of PUCT alone."""
    exact: bool = False
    """Are positions whose value the search proves learned with that value?"""
    exact_nodes: int = 0
    """After a game, so many nodes of an exact search for each position, from the last one to the
    first that needs more: those solved are learned with their exact value, and without the moves
    that give it away; 0: none is."""
    begin: str = ""
    """The network whose weights a run begins with: a file, the folder of a run, or the name of one
    that comes with Ponder; empty: random ones."""
    c_init: float = 1.25
    noise: float = 0.25
    """The share of Dirichlet noise at the root."""
    concentration: float = 10.0
    """Its parameter is this over the number of moves, 1 at most."""
    forced: float = 0.0
    """Forced playouts (2 in KataGo), taken out of what is learned again; 0: none."""
    warm: float = 0.6
    """Moves that are drawn by visits."""
    opening_share: float = 0.5
    """Games that begin with random moves ..."""
    opening_moves: float = 0.4
    """... and how many at most."""
    trace: float = 0.7
    """How much of what a position's value learns comes from beyond the next tenth of a random
    game's length; the rest is what the searches up to there thought. TD(lambda) with
    lambda = trace^(10 / length); 1: the result of the game alone."""
    blunder: float = 0.07
    """A move that loses more than this share of the range of utilities, as the search sees it, says
    nothing about the positions before it; 0: it does. With dice it always does: what a few visits
    say of a move is luck there."""
    batch: int = 1024
    learning_rate: float = 2e-3
    fade: float = 2e6
    """Positions after which the learning rate has fallen to 0.7, then as 1 / sqrt."""
    decay: float = 1e-4
    """Weight decay; a tenth of it for the embeddings."""
    average: float = 0.0
    """The network that plays is a mean of the weights after the last steps, about this share of
    all; 0: after the last one alone."""
    reuse: float = 3.0
    """How often a position is learned from."""
    endings: float = 1.0
    """How often a position near the end of its game is learned from: as so large a share of how
    often others are. Most of them are easy."""
    window_share: float = 0.6
    """Of all positions, the newest that are learned from ..."""
    least_window: int = 40_000
    most_window: int = 1_500_000
    """... but so many at least, and at most."""
    first_positions: int = 2_000
    """Positions of the first round of self-play; each round has so many more ..."""
    most_positions: int = 24_000
    """... up to this."""

    def problem(self) -> str | None:
        """A sentence if a setting is not usable."""
        counts = ("simulations", "batch", "least_window", "first_positions")
        for name in counts:
            if getattr(self, name) < 1:
                return f"{name} must be 1 or more, not {getattr(self, name)}"
        shares = ("full_share", "noise", "opening_share", "trace", "blunder", "average")
        for name in (*shares, "endings", "window_share"):
            if not 0 <= getattr(self, name) <= 1:
                return f"{name} is a share, from 0 to 1, not {getattr(self, name):g}"
        positive = ("learning_rate", "fade", "reuse", "concentration")
        for name in positive:
            if not getattr(self, name) > 0:
                return f"{name} must be above 0, not {getattr(self, name):g}"
        whole = ("cheap", "considered", "exact_nodes")
        rest = (*whole, "c_init", "forced", "warm", "opening_moves", "decay")
        for name in rest:
            if not getattr(self, name) >= 0:
                return f"{name} must be 0 or more, not {getattr(self, name):g}"
        if not 1 <= self.phases <= MOST_PHASES:
            return f"phases must be 1 to {MOST_PHASES}, not {self.phases}"
        if self.through not in ("torch", "onnx"):
            return f"through must be torch or onnx, not {self.through!r}"
        if self.cheap and not self.full_share:
            return "full_share=0 would learn from no move at all"
        if self.most_window < self.least_window or self.most_positions < self.first_positions:
            return "most_window and most_positions must not be below least_window, first_positions"
        return None


def training(**settings: Any) -> Training:
    """The settings, checked; unknown names are refused with those there are.

    A Python file that `network` names is run: these are settings of a person's, not of a file.
    """
    for name in settings:
        if name not in Training._fields:
            raise InputError(
                f"training has no setting {name!r}; available: {', '.join(Training._fields)}"
            )
    made: Training = canonical(Training(**settings))
    name_files(made.network)
    return made._replace(network=plan_text(parse_plan(made.network)))


def save_config(folder: Path, game: str, config: Training) -> None:
    """Write the settings of a new run; InputError where the folder holds a run of others."""
    said = {"game": game, **config._asdict()}
    path = folder / CONFIG
    if not path.exists():
        save_file(path, page_of(said))
        return
    there = read_config(folder)
    for name in there.keys() - said.keys():
        raise InputError(
            f"{folder} holds a run of another version of Ponder, which had a setting {name!r}: "
            "choose another folder"
        )
    for name, value in said.items():
        # a run that is older than the setting had what is now the default
        was = there.get(name, Training._field_defaults.get(name))
        if was != value:
            raise InputError(
                f"{folder} holds a run whose {name} is {was!r}, not {value!r}: "
                "continue with its settings, or choose another folder"
            )


def read_config(folder: Path) -> dict[str, Any]:
    data = read_file(folder / CONFIG)
    try:
        said = object_on(data)
    except WrongChecksum as error:
        raise InputError(f"{folder / CONFIG} is damaged: {error}") from None
    except ValueError:
        raise InputError(f"{folder / CONFIG} is damaged: it is no JSON object") from None
    plain = all(isinstance(value, int | float | str) for value in said.values())
    if not plain or not isinstance(said.get("game"), str):
        raise InputError(f"{folder / CONFIG} does not hold the game and settings of a run")
    return said
