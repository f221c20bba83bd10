"""What a network is built of, as a text: the setting `network` of a training run.

    patterns                         inside the kernel (`ponder.learn.network`); the default
    residual(blocks=4, channels=32)  convolutions over the board (`ponder.learn.modules`)
    mlp(layers=2, width=256)         fully connected layers, for games whose cells lie nowhere
    FILE.py:NAME                     a torch module of your own

Only the first is evaluated inside the search; the others stand beside it and get many leaves at a
time.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.gate import load_from_file, split_name
from ponder.core.geometry import Geometry
from ponder.core.parts import Call, build, call_text, is_file_name, parse_call
from ponder.errors import InputError, quoted


class PatternPlan(NamedTuple):
    """The network of `ponder.learn.network`."""

    @property
    def kind(self) -> str:
        return "patterns"

    def refusal(self, board: Geometry) -> str | None:
        return None


class ResidualPlan(NamedTuple):
    """A residual network: see `ponder.learn.modules.ResidualNetwork`."""

    blocks: int = 4
    channels: int = 32

    @property
    def kind(self) -> str:
        return "residual"

    def problem(self) -> str | None:
        return out_of_range(blocks=(self.blocks, 64), channels=(self.channels, 1024))

    def refusal(self, board: Geometry) -> str | None:
        if board.kind != "loose":
            return None
        return "residual is for boards whose cells touch, and this game's lie nowhere: use mlp"


class PerceptronPlan(NamedTuple):
    """Fully connected layers: see `ponder.learn.modules.PerceptronNetwork`."""

    layers: int = 2
    width: int = 256

    @property
    def kind(self) -> str:
        return "mlp"

    def problem(self) -> str | None:
        return out_of_range(layers=(self.layers, 64), width=(self.width, 4096))

    def refusal(self, board: Geometry) -> str | None:
        return None


class ModulePlan(NamedTuple):
    """A module of the user's: `source` is FILE.py:NAME."""

    source: str

    @property
    def kind(self) -> str:
        return "module"

    def refusal(self, board: Geometry) -> str | None:
        return None

    def load(self) -> Any:
        """What makes the module; the file must have been run."""
        return load_from_file(*split_name(self.source))


PLANS = {"patterns": PatternPlan, "residual": ResidualPlan, "mlp": PerceptronPlan}


def out_of_range(**given: tuple[int, int]) -> str | None:
    for name, (value, most) in given.items():
        if not 1 <= value <= most:
            return f"{name} must be 1 to {most:,}, not {value}"
    return None


def parse_plan(text: str) -> Any:
    """The plan that the text names; nothing of a user's file is run yet."""
    call = parse_call(text)
    if is_file_name(call.name):
        if call.args or call.kwargs:
            raise InputError(
                f"{quoted(text)}: a module of your own is named without arguments, FILE.py:NAME"
            )
        return ModulePlan(call.name)
    if call.name not in PLANS:
        raise InputError(
            f"no network {quoted(call.name)}; available: {', '.join(PLANS)}, or FILE.py:NAME"
        )
    return build(call, PLANS[call.name], no_part)


def no_part(field: str, value: Any) -> Any:
    raise InputError(f"{field} of a network takes a whole number, not {call_text(value)}")


def plan_text(plan: Any) -> str:
    """The text of a plan, with all its parameters."""
    if isinstance(plan, ModulePlan):
        return plan.source
    return call_text(Call(plan.kind, (), plan._asdict()))
