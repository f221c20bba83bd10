"""Does a rule of Monte Carlo tree search keep the contract of `ponder.mcts.parts`?

    >>> from ponder.check.rules import check_rule
    >>> from ponder.decide import MostVisits
    >>> check_rule(MostVisits()).ok
    True

The rule is searched with on two small games (`rule_games`: two players; three players and dice): as
plain Python first, with a guard around it (`rule_guards`), then compiled, and the trees compared.
"""

from __future__ import annotations

import copy
import inspect
import math
import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from ponder.check.needed_fields import UnwrittenField
from ponder.check.report import Broken, ContractReport, Findings
from ponder.check.rule_games import Party, RuleDuel
from ponder.check.rule_guards import guarded_part
from ponder.core.parts import canonical
from ponder.core.position import Position
from ponder.core.registry import NEEDED, part_text, rule_kind
from ponder.core.result import MoveRow
from ponder.core.rng import new_rng
from ponder.core.twin import plain_function, twin
from ponder.errors import InputError, PonderError
from ponder.jit import COMPILED, explained, methods_of
from ponder.mcts.assembly import node_types
from ponder.mcts.decide import decide, fitted
from ponder.mcts.engine import MCTS
from ponder.mcts.expand import AllChildren
from ponder.mcts.parts import ANY_KIND, METHODS, looking, parts_of
from ponder.mcts.protocols import Rule
from ponder.mcts.run import new_store, new_work
from ponder.mcts.search import DONE, SOLVED, simulate
from ponder.mcts.select.puct import PUCT

SIMULATIONS = 300
"""Of each search: some hundred nodes, most of them visited again."""
GAMES = (RuleDuel(), Party())


@dataclass(frozen=True, kw_only=True)
class RuleReport(ContractReport):
    """The outcome of a check of a rule."""

    rule: str
    kind: str
    searches: int
    """Games in which it was searched with."""

    def praise(self) -> str:
        return f"{self.rule} keeps the contract of {self.kind} rules"

    def extent(self) -> list[str]:
        games = f"{self.searches} of {len(GAMES)} small games, {SIMULATIONS} simulations each"
        what = "made-up root moves" if self.kind == "decide" else f"{games}, plain and compiled"
        return [f"{what}, seed {self.seed}, {self.seconds:.1f} s"]

    def to_json(self) -> dict[str, Any]:
        """The shape of ``ponder check --json`` for a rule."""
        return {**asdict(self), "ok": self.ok}


def check_rule(
    rule: Rule, *, seed: int = 0, progress: Callable[[str], None] | None = None
) -> RuleReport:
    """Search with the rule and report what is wrong with it."""
    kind = rule_kind(rule)
    if kind is None:
        needed = ", ".join(f"{' or '.join(names)} ({kind})" for kind, names in NEEDED.items())
        raise InputError(
            f"{type(rule).__name__} is not a rule: a rule is a NamedTuple with {needed}"
        )
    began = time.perf_counter()
    rule = canonical(rule)
    findings = Findings(seed)
    searches = 0
    check_methods(kind, type(rule), findings)
    if findings.ok and kind == "decide":
        check_decision(rule, seed, findings)
    elif findings.ok:
        for game in GAMES:
            if progress is not None:
                progress(f"searching {type(game).__name__}")
            searches += check_search(kind, rule, Position(game), seed, findings)
            if not findings.ok:
                break
        if not searches and findings.ok:
            findings.add("refusal", f"no search was made: {'; '.join(findings.notes)}")
    return RuleReport(
        rule=part_text(rule),
        kind=kind,
        findings=tuple(findings.found.values()),
        notes=tuple(findings.notes),
        searches=searches,
        seed=seed,
        seconds=time.perf_counter() - began,
    )


def check_methods(kind: str, cls: type, findings: Findings) -> None:
    """The methods take what they are given; a name that nobody calls is told."""
    known = {**METHODS[kind], **ANY_KIND}
    for name, method in methods_of(cls).items():
        if name not in known:
            close = get_close_matches(name, known, 1, cutoff=0.75)
            if close:
                findings.note(f"{cls.__name__}.{name} is never called; did you mean {close[0]}?")
            continue
        wanted = [word for word in ["self", *known[name].split(", ")] if word]
        try:
            inspect.signature(method).bind(*wanted)
        except TypeError:
            own = ", ".join(inspect.signature(method).parameters)
            findings.add(
                "signature", f"{cls.__name__}.{name} takes ({own}), expected ({', '.join(wanted)})"
            )


def engines_with(kind: str, rule: Any) -> list[MCTS]:
    """Searches with the rule: the usual one, and one in which children have priors."""
    if kind == "priors":
        return [MCTS(select=PUCT(), expand=AllChildren(priors=rule))]
    if kind == "fpu":
        return [MCTS(select=PUCT(fpu=rule), expand=AllChildren())]
    usual = MCTS(**{kind: rule})
    return [usual, usual._replace(expand=AllChildren())] if kind == "select" else [usual]


def check_search(kind: str, rule: Any, start: Position, seed: int, findings: Findings) -> bool:
    """Search from `start`, plain and compiled; False if the rule refuses the game."""
    said = unwritten = ""
    for engine in engines_with(kind, rule):
        try:
            parts = parts_of(engine, start)
            parts = parts._replace(expand=looking(parts.expand))
            new_work(parts, start.rules.spec, start, SIMULATIONS)
        except UnwrittenField as fault:
            unwritten = str(fault)  # with another engine somebody may write it
            continue
        except InputError as refusal:
            said = str(refusal)
            continue
        try:
            compare(kind, parts, start, seed, findings)
        except Broken as broken:
            findings.add(broken.kind, f"{broken.message} (game {start.rules.name}, seed {seed})")
        except PonderError as error:
            findings.add("compile", str(error))
        except Exception as error:
            where = _place(error, type(rule))
            findings.add("raises", f"it raised {type(error).__name__}: {error}{where}")
        return True
    if unwritten:
        findings.add("needs", unwritten)
    else:
        findings.note(f"refuses {start.rules.name}: {said}")
    return False


def _place(error: BaseException, cls: type) -> str:
    """The line of the rule's own file in which an error was raised."""
    file, line, trace = inspect.getfile(cls), 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return f" ({file.rpartition('/')[2]}, line {line})" if line else ""


def compare(kind: str, parts: Any, start: Position, seed: int, findings: Findings) -> None:
    """A guarded search in plain Python, the same one compiled: equal trees."""
    spec, game = start.rules.spec, start.rules.part
    plain_parts = twin(parts)
    if kind in parts._fields:
        guarded = guarded_part(kind, getattr(plain_parts, kind), game, spec)
        plain_parts = plain_parts._replace(**{kind: guarded})
    plain = run(plain_function(simulate), twin(game), plain_parts, start, seed, twin)
    if not COMPILED:
        return
    with explained(f"the rule {type(getattr(parts, kind, parts)).__qualname__}"):
        compiled = run(simulate, game, parts, start, seed, lambda part: part)
    for field in ("action", "visits", "value"):
        one, two = plain[field], compiled[field]
        if len(one) != len(two) or not np.array_equal(one, two, equal_nan=True):
            findings.add(
                "disagree",
                f"compiled code and plain Python search differently in {start.rules.name}: "
                f"{len(one)} and {len(two)} nodes, {field} of some differ (unsigned numbers, "
                "overflow, or memory outside the search?)",
            )
            return


def run(
    simulations: Any, game: Any, parts: Any, start: Position, seed: int, made: Callable[[Any], Any]
) -> Any:
    """The nodes after SIMULATIONS simulations."""
    spec = start.rules.spec
    store = new_store(node_types(parts, spec), spec, 1.0)
    store.nodes[0].player = start.current_player
    work = new_work(parts, spec, start, SIMULATIONS)
    n, status = simulations(
        game, parts, made(store.tree), made(work), new_rng(seed), SIMULATIONS, True
    )
    if status not in (DONE, SOLVED):
        raise Broken("search", f"the search ended after {n} simulations with status {status}")
    return copy.copy(store.nodes)


def check_decision(rule: Any, seed: int, findings: Findings) -> None:
    """Made-up root moves: the choice is one of them, and follows from the seed."""
    draw = random.Random(seed)
    rule = fitted(rule, Position(RuleDuel()))
    for _ in range(200):
        rows = [made_up_row(i, draw) for i in range(draw.randint(1, 6))]
        try:
            first, again = (rule.best(rows, seed) for _ in range(2))
            if isinstance(first, bool) or not isinstance(first, int) or not 0 <= first < len(rows):
                raise Broken("choice", f"best gave {first!r}, expected 0 to {len(rows) - 1}")
            if first != again:
                raise Broken("repeat", f"best gave {first}, then {again}, with the same seed")
            decide(rule, rows, seed)
            if hasattr(rule, "agreed"):
                check_agreement(rule, rows)
        except Broken as broken:
            findings.add(broken.kind, f"{broken.message}, for {shown(rows)}")
        except Exception as error:
            what = f"it raised {type(error).__name__}: {error}"
            findings.add("raises", f"{what}{_place(error, type(rule))}, for {shown(rows)}")
        if not findings.ok:
            return


def check_agreement(rule: Any, rows: list[MoveRow]) -> None:
    if not isinstance(rule.agreed(rows), bool):
        raise Broken("agreed", "agreed has to give True or False")
    extra = getattr(rule, "extra", None)
    if not isinstance(extra, float | int) or not 0 <= extra < math.inf:
        raise Broken("agreed", "agreed needs a field extra: the share of the limit it may add")


def made_up_row(action: int, draw: random.Random) -> MoveRow:
    """A root move; some were never visited."""
    visits = draw.choice((0, 1, 2, 10, 1000))
    value = draw.choice((-1.0, -0.5, 0.0, 0.5, 1.0)) if visits else None
    return MoveRow(action, visits, value, 0.5 if visits > 1 else None)


def shown(rows: list[MoveRow]) -> str:
    return ", ".join(f"({row.visits} visits, value {row.value})" for row in rows)
