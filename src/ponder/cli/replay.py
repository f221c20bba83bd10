"""`ponder replay`: a saved search, step by step.

A recording is the history of a search; what happened in a step is found out by running it again.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ponder.cache_times import kind_of_work
from ponder.cli import options
from ponder.cli import tier as tiers
from ponder.cli.console import rich_console
from ponder.cli.waiting import compiling
from ponder.errors import InputError, PonderError, quoted

if TYPE_CHECKING:
    from ponder.core.effort import LongHistory
    from ponder.core.session import Session
    from ponder.show.steps import Steps

HELP = """\
n, Enter   the next step
p          the one before
NUMBER     that step; end: the last one
t          the tree as it was then, drawn
?          this list
q          leave"""


def command(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A search: ponder search --session FILE.session."),
    ],
    simulation: Annotated[
        int | None,
        typer.Option(
            "--simulation", metavar="N", parser=options.whole, help="Show simulation (node) N."
        ),
    ] = None,
    numbers: Annotated[
        str, typer.Option("--range", metavar="A-B", help="Show the steps from A to B.")
    ] = "",
    against: Annotated[
        str, typer.Option("--against", metavar="OTHER", help="Show where two searches diverge.")
    ] = "",
    trust: Annotated[
        list[str] | None,
        typer.Option(
            "--trust", metavar="FILE.py", help="Run this file: it has the game, or a rule."
        ),
    ] = None,
    long: Annotated[
        bool, typer.Option("--long", help="Run it again even if that takes more than a minute.")
    ] = False,
    as_json: options.Json = False,
    tier: options.Tier = "auto",
) -> None:
    """Step through a saved search of any engine.

    Each simulation in its four phases, with the scores of all candidates before and after; of
    alpha-beta and its relatives what was entered, cut and left. Without options it asks what
    to show.
    """
    _check(simulation, numbers, against)
    wanted = _wanted(file, against)
    mode = tiers.chosen(tier, wanted)
    from ponder.core.effort import LongHistory
    from ponder.core.gate import run_trusted

    with compiling("the game", "this search"):
        run_trusted(trust or ())  # a recording may name a Python file, but only its user has it run
    asked = file, simulation, numbers, against, as_json
    with compiling("the game", "this search", what=wanted.what):
        try:
            _replay(*asked, long, mode)
        except LongHistory as error:
            if not _is_granted(error):
                raise
            _replay(*asked, True, tiers.Tier())


def _is_granted(error: LongHistory) -> bool:
    """Does the person at the terminal, if there is one, agree to wait?"""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    sys.stderr.write(f"{error.said}.\nRun it? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _replay(
    file: str,
    simulation: int | None,
    numbers: str,
    against: str,
    as_json: bool,
    long: bool,
    mode: tiers.Tier,
) -> None:
    from ponder.show.steps import Steps

    with mode.searching():
        steps = Steps(_loaded(file, long))
        other = Steps(_loaded(against, long)) if against else None
    if other is not None:
        _print_difference(file, steps, against, other, as_json)
        return
    if steps.count == 0:
        raise InputError(f"{file} is a search that has not begun: there is nothing to show")
    if simulation is None and not numbers:
        if as_json:
            raise InputError("--json needs --simulation N or --range A-B")
        Reader(steps).run()
        return
    first, last = _range(numbers) if numbers else (simulation, simulation)
    assert first is not None
    assert last is not None
    steps.events(first)  # refuses a number that is none
    chosen = range(first, min(last, steps.count) + 1) if numbers else (first,)
    if as_json:
        print(json.dumps({"steps": [_as_json(steps, n) for n in chosen]}))
    else:
        print("\n\n".join("\n".join(steps.lines(n)) for n in chosen))


class Reader:
    """Asks which step to show next."""

    def __init__(self, steps: Steps) -> None:
        self.steps, self.at = steps, 1
        self.console = rich_console()

    def run(self) -> None:
        """Until the reader leaves, or the input ends."""
        from ponder.core.registry import game_text, part_text
        from ponder.show.draw import preset_text

        session = self.steps.session
        engine, game = preset_text(part_text(session.engine)), game_text(session.position.game)
        self._print(f"{engine} on {game}, seed {session.seed}\n? for help\n")
        self._show()
        while True:
            typed = self._asked()
            if typed is None or typed in ("q", "quit"):
                return
            try:
                self._answer(typed)
            except PonderError as error:
                self._print(str(error))

    def _asked(self) -> str | None:
        sys.stdout.write(f"{self.steps.unit} {self.at:,}> ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            self._print("")
            return None
        return line.strip().lower()

    def _answer(self, typed: str) -> None:
        wanted = {"": self.at + 1, "n": self.at + 1, "p": self.at - 1, "end": self.steps.count}
        if typed == "?":
            self._print(HELP)
        elif typed == "t":
            from ponder.show.draw import picture_of
            from ponder.show.terminal import outline

            picture = picture_of(self.steps.session, step=self.at)
            self.console.print(outline(picture), soft_wrap=True)
        elif typed in wanted or typed.isdecimal():
            number = wanted[typed] if typed in wanted else int(typed)
            self.steps.events(number)  # refuses a number that is none
            self.at = number
            self._show()
        else:
            self._print(f"{quoted(typed)} is not one of n, p, a number, end, t, ?, q")

    def _show(self) -> None:
        head, *lines = self.steps.lines(self.at)
        self.console.print(head, style="bold")
        for line in lines:
            style = "green" if "▸" in line else "red" if line.split()[0] == "cut" else None
            self.console.print(line, style=style, soft_wrap=True)

    def _print(self, text: str) -> None:
        self.console.print(text, soft_wrap=True)


def _check(simulation: int | None, numbers: str, against: str) -> None:
    """Refuse what excludes each other, before anything is read."""
    if against and (simulation is not None or numbers):
        raise InputError("--against finds the step itself: leave out --simulation and --range")
    if simulation is not None and numbers:
        raise InputError("--simulation shows one step, --range several: not both")
    if numbers:
        _range(numbers)


def _range(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    if not (first.isdecimal() and last.isdecimal() and 1 <= int(first) <= int(last)):
        raise InputError(
            "--range takes two numbers from 1 on, the smaller first, such as 10-20, "
            f"not {quoted(text)}"
        )
    return int(first), int(last)


def _wanted(file: str, against: str) -> tiers.SearchWanted:
    """How much there is to be run again, as far as the files say so."""
    from ponder.files import read_file
    from ponder.json_text import json_object

    what, steps, names = "search", 0, list(filter(None, (file, against)))
    if not all(os.path.isfile(name) for name in names):
        return tiers.SearchWanted(what, compiled_only=True)  # a pipe is read once
    for name in names:
        with contextlib.suppress(ValueError, KeyError, TypeError, IndexError, InputError):
            data = json_object(read_file(name).splitlines()[0])  # told when it is loaded
            steps += int(data["at"])
            what = kind_of_work("search", str(data["game"]), str(data["engine"]))
    return tiers.SearchWanted(what, steps)


def _loaded(file: str, long: bool) -> Session[Any]:
    from ponder.core.session import Session

    return Session.load(file, long=long)


def _as_json(steps: Steps, number: int) -> dict[str, Any]:
    events = [event.to_json() for event in steps.events(number)]
    return {"step": number, "of": steps.count, "unit": steps.unit, "events": events}


def _print_difference(file: str, one: Steps, other: str, two: Steps, as_json: bool) -> None:
    """The first step in which two searches differ, shown of both."""
    first = next(
        (
            number
            for number in range(1, max(one.count, two.count) + 1)
            if number > min(one.count, two.count) or one.events(number) != two.events(number)
        ),
        None,
    )
    if as_json:
        print(json.dumps({"difference": first}))
    elif first is None:
        print("the two searches are the same, step by step")
    else:
        print(f"the first {first - 1:,} steps are the same; then")
        for name, steps in ((file, one), (other, two)):
            ended = first > steps.count
            print(f"\n{name}\n" + ("it ends here" if ended else "\n".join(steps.lines(first))))
