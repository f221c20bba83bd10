"""Running an experiment: sizes, progress, finished steps kept in a file, rules of one's own.

from ponder import lab
report = lab.run("gem", seed=3, trees=200)
print(report.verdict, report.verdicts[0].interval)
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ponder.core.gate import name_files
from ponder.core.registry import parse_engine, part_text
from ponder.errors import InputError, PonderError, quoted
from ponder.files import line_of, object_of, read_file, save_file
from ponder.lab.contents import EXPERIMENTS
from ponder.lab.plan import Plan
from ponder.lab.report import Observation, Report
from ponder.lab.samples import Sample

Tell = Callable[[str], None]
MOST = 1_000_000_000_000
"""Of a size: beyond this somebody has mistyped."""


class Lab:
    """What `run(lab)` of an experiment works with: it asks for sizes, does steps, and observes."""

    def __init__(
        self,
        name: str,
        *,
        seed: int = 0,
        version: str = "default",
        sizes: Mapping[str, Any] | None = None,
        game: str = "",
        own: Sequence[Any] = (),
        resume: str | Path = "",
        tell: Tell = lambda line: None,
    ) -> None:
        self.name, self.seed, self.version, self.game, self.tell = name, seed, version, game, tell
        self.module = module_of(name)
        self.plan: Plan = self.module.PLAN
        if seed < 0:
            raise InputError(f"seed must be 0 or more, not {seed}")
        self.size = chosen_sizes(name, self.plan, version, sizes or {})
        if game and not self.plan.any_game:
            raise InputError(f"{name} cannot be made with another game: leave --game out")
        self.own = [own_part(name, self.plan.own, part) for part in own]
        self.observations: list[Observation] = []
        self.notes: list[str] = []
        self.interrupted = self.finished = False
        self.file = Path(resume) if resume else None
        self.done: dict[str, Any] = self.load_steps() if self.file else {}

    def __getitem__(self, size: str) -> Any:
        return self.size[size]

    @property
    def quick(self) -> bool:
        return self.version == "quick"

    def step(self, name: str, work: Callable[..., Any], *args: Any) -> Any:
        """work(*args), a piece of the experiment that is done as a whole: progress is told by its
        name, and the result is kept where the run can be resumed. JSON must be able to hold it; it
        comes back as JSON gives it, tuples as lists, whether it was kept or not."""
        if name not in self.done:
            self.tell(name)
            self.done[name] = json.loads(json.dumps(work(*args)))
            self.save_steps()
        return self.done[name]

    def observe(self, series: str, x: Any, unit: str, sample: Sample, clause: str = "") -> None:
        """Note a figure; with a clause, it takes part in its verdict."""
        if clause:
            self.plan.clause(clause)
        self.observations.append(Observation(series, x, unit, sample, clause))

    def note(self, text: str) -> None:
        """A line below the verdicts."""
        self.notes.append(text)

    def run(self) -> Report:
        kept = bool(self.done)
        try:
            self.module.run(self)
            if kept:
                self.report().to_json()  # figures are worked out where they are told
        except PonderError:
            raise
        except Exception as error:
            if not kept:
                raise
            # every step is made anew without the file: then a fault of ours shows itself
            raise InputError(
                f"{self.file} has steps that {self.name} cannot use ({type(error).__name__}): "
                "begin anew, in another file"
            ) from error
        self.finished = True
        return self.report()

    def report(self) -> Report:
        """What there is; while the experiment runs, so far."""
        return Report(
            self.name,
            self.plan,
            self.size,
            self.seed,
            self.command,
            list(self.observations),
            list(self.notes),
            self.interrupted,
            self.finished,
            str(self.file or ""),
        )

    @property
    def command(self) -> str:
        usual = chosen_sizes(self.name, self.plan, self.version, {})
        words = ["ponder lab", self.name]
        if self.version != "default":
            words.append(f"--{self.version}")
        words += [f"--size {n}={v}" for n, v in self.size.items() if usual[n] != v]
        if self.game:
            words.append(f'--game "{self.game}"')
        words += [f'--with "{part_text(part)}"' for part in self.own]
        return " ".join([*words, f"--seed {self.seed}"])

    # ------------------------------------------------------------ resuming

    @property
    def identity(self) -> dict[str, str]:
        """What a file of steps belongs to: the command, and the code of the experiment."""
        code = inspect.getsource(self.module).encode()
        return {"command": self.command, "code": hashlib.sha256(code).hexdigest()[:16]}

    def load_steps(self) -> dict[str, Any]:
        assert self.file is not None
        if not self.file.exists():
            return {}
        data = read_file(self.file)
        try:
            kept = object_of(data.removesuffix(b"\n"))
            steps = kept["steps"]
            if not isinstance(steps, dict):
                raise ValueError
        except (ValueError, KeyError):
            raise InputError(
                f"{self.file} is not a file that --resume has written, or it is damaged"
            ) from None
        if kept.get("command") != self.command:
            raise InputError(f"{self.file} belongs to another run: {kept.get('command')}")
        if kept != {**self.identity, "steps": steps}:
            raise InputError(f"{self.file} is from another version of {self.name}: begin anew")
        return steps

    def save_steps(self) -> None:
        if self.file:
            save_file(self.file, line_of({**self.identity, "steps": self.done}))


def module_of(name: str) -> Any:
    if name not in EXPERIMENTS:
        close = get_close_matches(name, EXPERIMENTS, 1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise InputError(f"unknown experiment {name!r}{hint} (available: {', '.join(EXPERIMENTS)})")
    return importlib.import_module(f"ponder.lab.{name}")


def chosen_sizes(name: str, plan: Plan, version: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The sizes of this version, some of them changed."""
    size = {key: getattr(value, version) for key, value in plan.sizes.items()}
    if version == "full" and all(value.full == value.default for value in plan.sizes.values()):
        raise InputError(f"{name} has no longer version: leave --full out")
    for key, value in changes.items():
        if key not in size:
            raise InputError(f"{name} has no size {quoted(key)}; it has: {', '.join(size)}")
        if isinstance(size[key], tuple):
            raise InputError(f"the size {key} of {name} is not a single number")
        least = plan.sizes[key].least
        if not isinstance(value, int) or value < least:
            raise InputError(
                f"the size {key} must be a whole number, {least:,} or more, not {value}"
            )
        if value > MOST:
            raise InputError(f"the size {key} must be at most {MOST:,}, not {value:,}")
        size[key] = value
    return size


def own_part(name: str, kind: str, part: Any) -> Any:
    """A rule of one's own, given as it is or as text."""
    if not kind:
        raise InputError(f"{name} takes no rules of your own: leave --with out")
    if isinstance(part, str) and part.endswith(".py"):
        raise InputError(f"{part} is a file: say which rule of it, such as {part}:MyRule()")
    return getattr(parse_engine(f"mcts({kind}={part})"), kind) if isinstance(part, str) else part


def version_of(quick: bool, full: bool) -> str:
    if quick and full:
        raise InputError("--quick and --full exclude each other")
    return "quick" if quick else "full" if full else "default"


def run(
    name: str,
    *,
    seed: int = 0,
    quick: bool = False,
    full: bool = False,
    game: str = "",
    own: Sequence[Any] = (),
    resume: str | Path = "",
    tell: Tell = lambda line: None,
    **sizes: int,
) -> Report:
    """Run an experiment and return its report; `sizes` are those that its plan names.

    `own`: rules to put beside ours, as parts or as texts (`my_rules.py:PolyUCB()`). `resume`: a
    file in which finished steps are kept, and from which an interrupted run goes on. `tell` takes
    lines of progress.
    """
    version = version_of(quick, full)
    name_files(game, *own)
    options: Any = {"game": game, "own": own, "resume": resume, "tell": tell}
    return Lab(name, seed=seed, version=version, sizes=sizes, **options).run()
