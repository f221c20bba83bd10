"""`book("openings.book", engine=mcts())`: any engine, with a book in front of it."""

from __future__ import annotations

import secrets
import time
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from ponder.book.book import CHOICES, Book, BookMove, choose
from ponder.book.format import MAGIC
from ponder.book.polyglot import PolyglotBook
from ponder.core.at_once import answering_session
from ponder.core.engine import (
    Engine,
    SearchOptions,
    SessionOptions,
    Traits,
    run_search,
    start_session,
)
from ponder.core.limits import UNLIMITED, Limit
from ponder.core.making import registered
from ponder.core.parts import canonical, identical
from ponder.core.position import Position, check_searchable
from ponder.core.protocols import Game
from ponder.core.registry import part_text
from ponder.core.result import MoveRow, SearchResult
from ponder.core.session import Session
from ponder.errors import InputError
from ponder.files import named_file, read_file

LONGEST_LINE = 40


def open_book(path: str | Path, game: Game) -> Book | PolyglotBook:
    """The book of `game` in the file: Ponder's own, or for chess a Polyglot one."""
    if Path(path).suffix.lower() == ".bin" and not read_file(path).startswith(MAGIC):
        return PolyglotBook.load(path, game)
    return Book.load(path, game)


@registered
class BookEngine(NamedTuple):
    """Plays from the book while the position is in it and not rare, then lets `engine` think."""

    file: str
    engine: Engine
    plies: int = 0
    """Use the book only for the first so many moves since the game was set up; 0: always."""
    minimum: int = 1
    """Leave the book where the moves of the position were played fewer times in all."""
    choose: str = "most"
    """most: the most played move; weight: at random, as often as played; best: the best score."""

    def problem(self) -> str | None:
        if not isinstance(self.engine, Engine):
            return f"engine of book must be an engine such as mcts(), not {self.engine!r}"
        if self.choose not in CHOICES:
            return f"choose of book must be one of {', '.join(CHOICES)}, not {self.choose!r}"
        if self.plies < 0 or self.minimum < 0:
            return "plies and minimum of book must not be negative"
        return None

    @property
    def traits(self) -> Traits:
        """Of the engine behind the book; in the book it answers by itself, and grows no tree."""
        traits: Traits = self.engine.traits
        return traits._replace(answers_small=True, restricts_moves=False, continues_trees=False)

    @property
    def limit(self) -> Limit:
        own: Limit = self.engine.limit
        return own

    def resolve(self, position: Position, /) -> Engine:
        """Itself in the book, outside it the engine."""
        part: BookEngine = canonical(self)
        inside = part.found(position, 0) is not None  # whatever the seed
        found: Engine = part if inside else part.engine.resolve(position)
        return found

    def new_game(self) -> BookEngine:
        """The player for one seat of a new game."""
        return self._replace(engine=self.engine.new_game())

    def new_session(self, position: Position, options: SessionOptions, /) -> Session[Any]:
        """In the book: one that answers with the book's move at once."""
        return answering_session(self, position, options)

    def start(
        self, position: Position, *, seed: int | None = None, plan: Limit = UNLIMITED
    ) -> Session[Any]:
        """A session of the engine; in the book, one that answers with the book's move at once."""
        return start_session(self, position, SessionOptions(seed, plan))

    def search(
        self, position: Position, limit: Limit | None = None, **options: Unpack[SearchOptions]
    ) -> SearchResult:
        """The book's move, else what the engine finds with the same limits and options."""
        check_searchable(position, chance=True)
        part: BookEngine = canonical(self)
        if part.found(position, 0) is None:
            engine: Any = part.engine  # whose options are its own; it may remember its tree
            found: SearchResult = engine.search(position, limit, **options)
            return replace(found, engine=part_text(part))
        return run_search(part, position, limit, options)

    def search_small(
        self, position: Position, limit: Limit, options: SearchOptions, /
    ) -> SearchResult | None:
        """The book's move."""
        began = time.perf_counter()
        seed = options.get("seed")
        seed = secrets.randbits(32) if seed is None else seed
        found = self.found(position, seed)
        return None if found is None else self.report(*found, seed, began)

    def found(
        self, position: Position, seed: int
    ) -> tuple[Any, Position, tuple[BookMove, ...], BookMove] | None:
        """The book, the position, its moves there and the chosen one; None outside the book."""
        book = self.opened(position.game)
        if position.is_chance or (self.plies and len(position.history) >= self.plies):
            return None
        moves = book.lookup(position)
        chosen = choose(moves, self.choose, self.minimum, seed)
        return None if chosen is None else (book, position, moves, chosen)

    def opened(self, game: Any) -> Any:
        """The book, read again only if its file has changed."""
        file = named_file(self.file)
        try:
            facts = file.stat()
        except OSError as error:
            raise InputError(f"cannot read {self.file}: {error.strerror}") from None
        stamp = (str(file.absolute()), facts.st_mtime_ns, facts.st_size)
        book = _recent(stamp)
        if not book or not identical(book[0].game, game):
            book[:] = [open_book(self.file, game)]
        return book[0]

    def report(
        self,
        book: Any,
        position: Position,
        moves: tuple[BookMove, ...],
        chosen: BookMove,
        seed: int,
        began: float,
    ) -> SearchResult:
        """The book's move as the result of a search."""
        rows = [MoveRow(m.action, m.count, m.worth, position=position) for m in moves]
        rows.sort(key=lambda row: row.action != chosen.action)
        value = chosen.worth
        line = self.line(book, position, chosen)
        total = sum(move.count for move in moves)
        return SearchResult(
            position=position,
            engine=part_text(self),
            action=chosen.action,
            value=value,
            values=() if value is None else _values(position, value),
            line=line,
            moves=tuple(rows),
            seconds=time.perf_counter() - began,
            stopped_by="book",
            seed=seed,
            depth=len(line),
            nodes=0,
            notes=(f"from the book {self.file}, where this position has a count of {total:,}",),
        )

    def line(self, book: Any, position: Position, chosen: BookMove) -> tuple[Any, ...]:
        """The chosen move, then the most played ones, until the book knows no more."""
        line, here = [chosen.action], position.play(chosen.action)
        while len(line) < LONGEST_LINE:
            moves = book.lookup(here)
            best = choose(moves, "best" if self.choose == "best" else "most", self.minimum, 0)
            if best is None:
                break
            line.append(best.action)
            here = here.play(best.action)
        return tuple(line)


@lru_cache(maxsize=8)
def _recent(stamp: tuple[str, int, int]) -> list[Any]:
    """A place for the book of a file as it was at a moment."""
    return []


def _values(position: Position, value: float) -> tuple[float, ...]:
    """One utility per player; a book knows the mover's alone, so the others share the rest."""
    rules: Any = position.rules
    low, high = (rules.spec.lowest, rules.spec.highest) if rules.compiled else rules.utilities
    players, mover = position.players, position.current_player
    if players == 1:
        return (value,)
    rest = low + high - value if players == 2 else -value / (players - 1)
    return tuple(value if p == mover else rest for p in range(players))
