"""`Engine`: whatever searches a position. What one can do is declared (`Traits`) and asked here.

    engine.search(position, seconds=1)                      # the whole of it: `run_search`
    engine.start(position, seed=1).run(simulations=100)     # in progress: `ponder.core.session`

`run_search` is the one body of all searches. Each family keeps a ``search`` of one line with typed
options of its own: ``AlphaBeta().search(position, simulations=3)`` is an error in the editor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import (
    TYPE_CHECKING,
    Any,
    NamedTuple,
    Protocol,
    TypedDict,
    TypeGuard,
    cast,
    runtime_checkable,
)

from ponder.core.driver import Progress
from ponder.core.limits import DEFAULT_SECONDS, LIMITS, UNLIMITED, Limit, merged_limit
from ponder.core.parts import canonical, identical, no_parameter
from ponder.core.position import Position, check_searchable
from ponder.core.protocols import Action
from ponder.core.registry import part_text
from ponder.core.result import SearchResult
from ponder.errors import InputError, quoted

if TYPE_CHECKING:
    from ponder.core.session import Session

OnProgress = Callable[[Progress], object]


class Stop(Protocol):
    """What ends a search from outside, such as a `threading.Event`."""

    def is_set(self) -> bool:
        """Is the search to end?"""


class Options(TypedDict, total=False):
    """What every search takes by keyword."""

    seconds: float | None
    memory: float | None
    seed: int | None
    stop: Stop | None
    progress: OnProgress | None


class SearchOptions(Options, total=False):
    """What searches take by keyword, all families together."""

    simulations: int | None
    nodes: int | None
    depth: int | None
    moves: Sequence[Action] | None
    tree: object


class Traits(NamedTuple):
    """What an engine can do. All who want to know ask here."""

    limits: frozenset[str]
    """The fields of `Limit` that it obeys."""
    restricts_moves: bool = False
    """Does it take ``moves=``, the only root moves to be considered?"""
    continues_trees: bool = False
    """Does it take ``tree=``, an earlier search's, and give one back?"""
    plays: bool = True
    """Does it choose a move? Solving does not."""
    answers_small: bool = False
    """Is it a `QuickEngine`?"""
    fills_memory: bool = False
    """Is a memory cap alone a limit, which ends the search when the tree is full?"""
    repeatable: bool = True
    """Does the same seed with the same limit make the same search? Not with several threads."""
    endless: bool = False
    """Without a limit, does it take as long as it takes? Else it gets `DEFAULT_SECONDS`."""


ANY_LIMIT = frozenset(LIMITS)
"""Of engines that answer at once: they keep every limit."""


class SessionOptions(NamedTuple):
    """How a session is to begin."""

    seed: int | None = None
    plan: Limit = UNLIMITED
    """What is announced: rules that plan the search need its simulations, a search that goes
    straight to a depth needs that, and `memory` is the cap. It ends nothing."""
    moves: Sequence[Action] | None = None
    tree: object = None
    switchable: bool = False
    """Is all kept that a rule may need which is switched to later?"""
    once: bool = False
    """Is it searched once and reported, and nothing else? Then nothing is kept for going back."""


@runtime_checkable
class Engine(Protocol):
    """A search of any family: immutable, a named tuple of its parameters.

    `new_session` and `resolve` refuse what it is known beforehand that the engine cannot do here;
    nothing is compiled before `Session.prepare`.
    """

    @property
    def traits(self) -> Traits:
        """What it can do."""

    @property
    def limit(self) -> Limit:
        """Its own, where a call gives none."""

    def resolve(self, position: Position, /) -> Engine:
        """Who searches here, every field of its type: itself, or the engine that it chooses."""

    def new_game(self) -> Engine:
        """The player for one seat of a new game: itself, unless it remembers something."""

    def new_session(self, position: Position, options: SessionOptions, /) -> Session[Any]:
        """A session that is not prepared yet; for those that `resolve` gave."""

    def start(
        self, position: Position, *, seed: int | None = None, plan: Limit = UNLIMITED
    ) -> Session[Any]:
        """A search in progress, prepared and compiled; no clock runs. `plan`: `SessionOptions`."""

    def search(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        seed: int | None = None,
        stop: Stop | None = None,
        progress: OnProgress | None = None,
    ) -> SearchResult:
        """Search until a limit is reached, `stop` is set, or Ctrl-C is pressed."""


class QuickEngine(Engine, Protocol):
    """An engine that may answer a small search without a session, which takes longer than that."""

    def search_small(
        self, position: Position, limit: Limit, options: SearchOptions, /
    ) -> SearchResult | None:
        """The result; None if the search is not small."""


def is_quick(engine: Engine) -> TypeGuard[QuickEngine]:
    return engine.traits.answers_small


# ------------------------------------------------------------------ a search


def run_search(
    engine: Engine, position: Position, limit: Limit | None, options: Mapping[str, Any]
) -> SearchResult:
    """Resolve, merge limits, search, report: the body of every ``search``.

    `options` are a `SearchOptions`: what is misspelt there, and what the engine does not take, is
    refused in a sentence.
    """
    check_searchable(position, chance=True)
    check_options(engine, options)
    given = cast(SearchOptions, options)
    searching = engine.resolve(position)
    by_name = {name: options[name] for name in options if name in _LIMITS}
    whole = merged_limit(limit, by_name, searching)
    if whole.is_empty and not (whole.memory and searching.traits.fills_memory):
        whole = with_default_time(whole)
    stop = given.get("stop")
    if is_quick(searching) and not (stop is not None and stop.is_set()):
        found = searching.search_small(position, whole, given)
        if found is not None:
            return found
    wanted = SessionOptions(
        given.get("seed"), whole, given.get("moves"), given.get("tree"), once=True
    )
    return searching.new_session(position, wanted).search_once(whole, stop, given.get("progress"))


_LIMITS = frozenset(LIMITS)


def with_default_time(limit: Limit) -> Limit:
    """The limit of a search for which nobody gave any."""
    return replace(limit, seconds=DEFAULT_SECONDS)


def start_session(engine: Engine, position: Position, options: SessionOptions) -> Session[Any]:
    """The body of every ``start``: resolve, refuse, prepare."""
    check_searchable(position, chance=True)
    check_seed(options.seed)
    return engine.resolve(position).new_session(position, options).prepare()


def refuse_unfit(engine: Engine, position: Position, limit: Limit | None = None) -> None:
    """InputError if it is known beforehand that the engine cannot search here, with this limit or
    its own; nothing is compiled."""
    searching = engine.resolve(position)
    plan = searching.limit if limit is None else limit
    searching.new_session(position, SessionOptions(seed=0, plan=plan)).refuse_unfit()


def check_options(engine: Engine, options: Mapping[str, Any]) -> None:
    """Refuse keywords that the engine's search does not take, and a seed that is no number."""
    for name in options:
        if name not in _KNOWN and not _takes(engine.traits, name):
            accepted = [*(n for n in LIMITS if n in engine.traits.limits), *_ALWAYS[:3]]
            accepted += [n for n in ("moves", "tree") if _takes(engine.traits, n)]
            raise InputError(no_parameter(f"search of {type(engine).__name__}", name, accepted))
    check_seed(options.get("seed"))


_ALWAYS = ("seed", "stop", "progress", *LIMITS)
"""Keywords of every search; a limit that the engine does not obey is refused as a limit."""


_KNOWN = frozenset(_ALWAYS)


def _takes(traits: Traits, option: str) -> bool:
    return (option == "moves" and traits.restricts_moves) or (
        option == "tree" and traits.continues_trees
    )


def check_seed(seed: object) -> None:
    """Refuse a seed that is no whole number."""
    if seed is not None and type(seed) is not int and not isinstance(seed, Integral):
        raise InputError(f"seed must be a whole number, not {quoted(seed)}")


_canonical: dict[Any, tuple[Any, Any]] = {}
_MOST_KEPT = 64


def canonical_engine(engine: Any) -> Any:
    """`canonical`, remembered: a small search takes no longer than checking its engine."""
    try:
        known = _canonical.get(engine)
    except TypeError:  # it holds something that has no hash: a function's array, say
        return canonical(engine)
    # tuples of two classes with equal fields are equal
    if known is not None:
        given, made = known
        if made is engine or given is engine or identical(made, engine) or identical(given, engine):
            return made
    made = canonical(engine)
    if len(_canonical) >= _MOST_KEPT:
        _canonical.clear()
    _canonical[engine] = engine, made
    return made


def checked_engine(made: object) -> Engine:
    """What a text has named, if that is an engine; else InputError."""
    if not isinstance(made, Engine):
        shown = part_text(made) if isinstance(made, tuple) else quoted(made)
        raise InputError(f"{shown} is no engine (ponder engines lists them)")
    return made


def name_of(engine: Engine) -> str:
    """The engine's name for people: mcts."""
    return part_text(engine).partition("(")[0]


# ------------------------------------------------------------------ players


class HasAction(Protocol):
    """What a player's search gives back, at the least."""

    @property
    def action(self) -> Any:
        """The move to be played: an action or its name."""


class Player(Protocol):
    """What takes part in a match: every `Engine`, or any object that chooses moves.

    One that remembers something from move to move is a `SeatedPlayer` besides.
    """

    def search(self, position: Position, limit: Limit | None = None, *, seed: int) -> HasAction:
        """Choose a move."""


@runtime_checkable
class SeatedPlayer(Protocol):
    """A player that gives a new one for each seat of each game."""

    def new_game(self) -> Player:
        """The player for one seat of a new game, which knows of no other game."""
