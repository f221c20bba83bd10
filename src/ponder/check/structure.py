"""What can be seen without playing: methods, signatures, the spec."""

from __future__ import annotations

import inspect
import pickle
from difflib import get_close_matches
from typing import Any

from ponder.check.report import Findings
from ponder.core.game import Spec, is_compiled_game, rules_of, spec_problems
from ponder.core.hooks import (
    OPTIONAL_ARGUMENTS,
    PEOPLE_ARGUMENTS,
    PLAIN_ARGUMENTS,
    REQUIRED,
    REQUIRED_ARGUMENTS,
)
from ponder.core.own_hooks import with_own_hooks
from ponder.core.parts import canonical, identical
from ponder.core.registry import GAMES, game_text, parse_game
from ponder.errors import PonderError
from ponder.jit import methods_of

RECORD_ARGUMENTS = REQUIRED_ARGUMENTS | OPTIONAL_ARGUMENTS
PLAIN_ATTRIBUTES = ("players", "utilities", "zero_sum", "max_actions", "max_length")
CLOSE = 0.85
"""How alike a name and a hook's are, of which one is taken for the other (difflib's ratio)."""
NEEDS = {"evaluate_terms": "evaluate", "squash": "evaluate_terms"}
TOGETHER = (
    ("symmetries", "transform", "transform_action"),
    ("position_text", "parse_position"),
)


def check_structure(game: Any, findings: Findings) -> None:
    """Methods, signatures and spec; later checks need all of this to be right."""
    if not is_compiled_game(game):
        if hasattr(game, "_fields"):
            findings.add("missing", "a NamedTuple game needs a method spec(self) -> Spec")
            return
        _check_methods(game, PLAIN_ARGUMENTS, findings)
        names = [name for base in type(game).__mro__[:-1] for name in vars(base)]
        _check_names(names, (*PLAIN_ARGUMENTS, *PLAIN_ATTRIBUTES), (game,), findings)
        _check_needs(game, findings)
        return
    try:
        rules = game.rules() if hasattr(game, "rules") else game
        rules = with_own_hooks(game, rules)
    except PonderError as error:
        findings.add("hook", str(error))
        return
    except Exception as error:
        findings.add("raises", f"rules() raised {type(error).__name__}: {error}")
        return
    _check_methods(rules, RECORD_ARGUMENTS, findings)
    _check_methods(game, PEOPLE_ARGUMENTS, findings, required=())
    names = [*methods_of(type(game)), *methods_of(type(rules))]
    known = (*RECORD_ARGUMENTS, *PEOPLE_ARGUMENTS, "spec", "rules")
    _check_names(names, known, (game, rules), findings)
    for group in TOGETHER:
        given = [name for name in group if hasattr(rules, name) or hasattr(game, name)]
        if given and len(given) < len(group):
            lacking = [name for name in group if name not in given]
            findings.add("missing", f"{', '.join(given)} needs {', '.join(lacking)} beside it")
    _check_needs(rules, findings)
    if findings.ok:
        _check_spec(game, findings)
    if findings.ok:
        rules_of(game)
        _check_copies(game, findings)


def _check_methods(
    owner: Any, arguments: dict[str, str], findings: Findings, required: tuple[str, ...] = REQUIRED
) -> None:
    name = type(owner).__name__
    missing = [method for method in required if not callable(getattr(owner, method, None))]
    if missing:
        findings.add("missing", f"{name} lacks {', '.join(missing)}")
    for method, expected in arguments.items():
        function = getattr(owner, method, None)
        if function is None:
            continue
        if not callable(function):
            wanted = ", ".join(filter(None, ["self", expected]))
            findings.add(
                "signature", f"{name}.{method} is not a method, expected {method}({wanted})"
            )
            continue
        names = [part for part in expected.split(", ") if part]
        try:
            inspect.signature(function).bind(*names)
        except TypeError:
            own = ", ".join(inspect.signature(function).parameters)
            wanted = ", ".join(["self", *names])
            findings.add(
                "signature",
                f"{name}.{method} takes ({', '.join(['self', own]) if own else 'self'}), "
                f"expected {method}({wanted})",
            )
        except ValueError:
            continue  # a builtin without a signature


def _check_needs(owner: Any, findings: Findings) -> None:
    """A hook that says more about another one is nothing without it."""
    for hook, other in NEEDS.items():
        if hasattr(owner, hook) and not hasattr(owner, other):
            findings.add("missing", f"{hook} needs {other} beside it")


def _check_names(
    names: list[str], known: tuple[str, ...], owners: tuple[Any, ...], findings: Findings
) -> None:
    """A name that nobody asks for, and nearly that of a hook which the game lacks, is misspelt."""
    for name in names:
        close = get_close_matches(name, known, 1, cutoff=CLOSE)
        if name in known or name.startswith("_") or not close:
            continue
        if not any(hasattr(owner, close[0]) for owner in owners):
            findings.add(
                "hook",
                f"{name} is never asked for; did you mean {close[0]}? "
                f"(if not, call it _{name}: it is your own)",
            )


def _check_spec(game: Any, findings: Findings) -> None:
    try:
        spec, again = game.spec(), game.spec()
    except Exception as error:
        findings.add("spec", f"spec() raised {type(error).__name__}: {error}")
        return
    if isinstance(spec, Spec) and spec != again:
        findings.add("spec", "spec() gave two different answers")
    for problem in spec_problems(spec):
        findings.add("spec", problem)


def _check_copies(game: Any, findings: Findings) -> None:
    """The game can be pickled, and written as text and read back."""
    try:
        made = pickle.loads(pickle.dumps(game))
        if not identical(made, game):
            findings.add("pickle", f"pickling changes the game: {game!r} became {made!r}")
    except Exception as error:
        findings.add("pickle", f"the game cannot be pickled: {type(error).__name__}: {error}")
    text = game_text(game)
    if text.partition("(")[0] not in GAMES and ".py:" not in text:
        return  # a class that stands in no file has no GAME text
    try:
        read = parse_game(text)
    except PonderError as error:
        findings.add("text", f"its text {text} cannot be read back: {error}")
        return
    if not identical(read, canonical(game)):
        findings.add("text", f"its text {text} reads back as {game_text(read)}")
