"""`ponder play`: a game against an engine, in the terminal or through a pipe."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ponder.cli import options
from ponder.cli.console import LiveLine, print_board, rich_console, search_line
from ponder.cli.waiting import compiling
from ponder.core.interrupt import answered
from ponder.errors import InputError, PonderError

if TYPE_CHECKING:
    from ponder.core.limits import Limit
    from ponder.core.position import Position

HELP = """\
type a move in the game's notation, or
  moves        all legal moves
  hint         what the engine would play
  undo         take back your last move and the answers to it
  board        show the board again
  save FILE    write the game to a file
  ?            this help
  quit         leave (so does the end of input)
while the engine thinks, Ctrl-C makes it move at once"""


def command(
    game: options.Game,
    engine: options.Engine = options.DEFAULT_ENGINE,
    position: options.PositionText = "",
    moves: options.Moves = "",
    second: Annotated[
        bool, typer.Option("--second/--first", help="Take the second seat, or the first (default).")
    ] = False,
    seconds: options.Seconds = None,
    simulations: options.Simulations = None,
    seed: options.Seed = None,
    threads: options.Threads = None,
    parallel: options.Parallel = "",
    ponder: Annotated[
        bool, typer.Option("--ponder", help="Let the engine think in your time too.")
    ] = False,
    safe: options.Safe = False,
) -> None:
    """Play against an engine; type ? for help.

    You take one seat, the engine all others. Dice and cards are drawn for everybody; a move that
    is taken back does not change them.
    """
    options.keep_safe(safe)
    limit = options.limit_of(seconds=seconds, simulations=simulations)
    searcher = options.engine_of(engine, threads, parallel)
    with compiling(game, "playing"):
        here = options.position_of(game, position, moves)
        seat = 1 if second else 0
        if seat >= here.players:
            raise InputError("--second is for games of two or more players; this one has one")
        table = Table(here, searcher, limit, seat, seed)
        if ponder:
            table.think_ahead(engine)
        table.warm_up()
        table.run()


class Table:
    """Where the game takes place: the position, the seats, the engine, the dice."""

    def __init__(
        self, start: Position, engine: Any, limit: Limit, seat: int, seed: int | None
    ) -> None:
        self.position, self.engine, self.limit, self.seat = start, engine, limit, seat
        self.seed = secrets.randbits(32) if seed is None else seed
        self.console = rich_console()
        self.open = True
        self.keeps = engine.traits.continues_trees
        self.tree: Any = None
        self.ponderer: Any = None
        self.pondered: Position | None = None
        """The position that is searched in the background, if any."""

    def think_ahead(self, engine: str) -> None:
        """Search in the background while the human thinks."""
        from ponder.mcts.between_moves import Ponderer

        if not self.keeps:
            raise InputError(f"--ponder works with mcts() and its presets, not with {engine}")
        self.ponderer = Ponderer(self.engine)
        try:
            self.ponderer.check(self.position)
        except InputError as error:
            raise InputError(f"--ponder does not work here: {error}") from None

    def warm_up(self) -> None:
        """A search of a moment: an engine that cannot play this game is refused at once."""
        from ponder.arena.warming import briefly
        from ponder.core.engine import refuse_unfit

        here = self.position
        while here.is_chance:
            here = here.play(here.chance_outcomes[0][0])
        if here.is_terminal:
            return
        limit = None if self.limit.is_empty else self.limit
        refuse_unfit(self.engine, here, limit)
        moment = briefly(self.engine, limit)
        if self.engine.search(here, moment, seed=0).stopped_by == "interrupt":
            raise KeyboardInterrupt

    def run(self) -> None:
        """Play until the end or until the human leaves; if something fails, tell the moves."""
        self.say(f"you are player {self.seat}; ? for help")
        self.show()
        try:
            while self.open:
                self.turn()
        except (KeyboardInterrupt, Exception):
            names = self.position.history_names
            between = ", " if any(" " in name for name in names) else " "
            moves = between.join(names) or "none"
            self.say(f"\nmoves so far: {moves}")
            raise
        finally:
            self.wake()

    def wake(self) -> None:
        """End the search in the background, if there is one, and keep its tree."""
        if self.ponderer is not None:
            self.tree = self.ponderer.stop() or self.tree
            self.pondered = None

    def turn(self) -> None:
        """Whatever comes next in this position."""
        here = self.position
        if here.is_terminal:
            self.tell_result()
            self.ask("the game is over (undo, save FILE, quit)> ")
        elif here.is_chance:
            self.roll()
        elif here.current_player == self.seat:
            self.ponder_here()
            self.ask("your move> ")
        else:
            self.answer()

    # ------------------------------------------------------------ what happens by itself

    def roll(self) -> None:
        """Draw a chance outcome; after a move is taken back, the same one."""
        from ponder.core.dice import thrown

        outcome = thrown(self.position, self.seed)
        self.say(f"chance: {self.position.action_name(outcome)}")
        self.position = self.position.play(outcome)
        if self.position.is_terminal or self.position.current_player == self.seat:
            self.show()

    def answer(self) -> None:
        """Let the engine move."""
        here = self.position
        result = self.think()
        move = result.best_move
        self.say(f"player {here.current_player} plays {move.name}   {effort(result)}".rstrip())
        self.position = here.play(result.action)
        self.show()

    def ponder_here(self) -> None:
        """Search on while the human thinks, once a position; not before the engine's first move."""
        if self.ponderer is None or self.tree is None or self.pondered is self.position:
            return
        self.wake()
        self.pondered = self.position
        self.ponderer.start(self.position, self.useful_tree())

    def useful_tree(self) -> Any:
        """The tree of the last search, if this position is in it."""
        from ponder.mcts.carry import useful_tree

        return useful_tree(self.tree, self.position)

    def think(self) -> Any:
        live = LiveLine()
        # Another seed for every move, all from the one that was given.
        seed = self.seed + len(self.position.history)
        self.wake()
        more = {"tree": self.useful_tree()} if self.keeps else {}
        try:
            result = self.engine.search(
                self.position, self.limit, seed=seed, progress=search_line(live), **more
            )
        finally:
            live.clear()
        if result.stopped_by == "interrupt":
            answered()  # it moves, and the game goes on
        if self.keeps:
            self.tree = result.tree
        return result

    def tell_result(self) -> None:
        utilities = self.position.returns
        best = max(utilities)
        shown = ", ".join(f"player {p}: {u:+g}" for p, u in enumerate(utilities))
        if len(utilities) == 1:
            verdict = "the end"
        elif utilities.count(best) == len(utilities):
            verdict = "a draw"
        elif utilities[self.seat] == best:
            verdict = "you win" if utilities.count(best) == 1 else "you share the win"
        else:
            verdict = "you lose"
        self.say(f"{verdict} ({shown})")

    # ------------------------------------------------------------ what the human types

    def ask(self, prompt: str) -> None:
        """Read one line and do what it says."""
        try:
            typed = input(prompt).strip()
        except EOFError:
            self.say("")
            self.open = False
            return
        if not sys.stdin.isatty():
            self.say(typed)  # so that the output of a piped game can be read as a whole
        word, _, rest = typed.partition(" ")
        try:
            self.obey(typed, word.lower(), rest.strip())
        except PonderError as error:
            self.say(str(error))

    def obey(self, typed: str, word: str, rest: str) -> None:
        here = self.position
        if typed == "":
            return
        if word in ("?", "help"):
            self.say(HELP)
        elif word in ("quit", "exit"):
            self.open = False
        elif word == "undo":
            self.undo()
        elif word == "board":
            self.show()
        elif word == "save":
            self.save(rest)
        elif word == "moves":
            self.say(here.legal_text() or "none: the game is over")
        elif word == "hint":
            result = self.think()
            line = " ".join(map(str, result.pv))
            self.say(f"hint: {result.best_move.name}   {effort(result)}   {line}")
        else:
            self.position = here.play(typed)
            self.show()

    def undo(self) -> None:
        """Back to where the human was last asked for a move."""
        here = self.position
        while True:
            here = here.undo()
            if here.current_player == self.seat:
                break
        self.position = here
        self.show()

    def save(self, name: str) -> None:
        if not name:
            raise InputError("save needs a file name: save my_game.json")
        self.position.save(name)
        self.say(f"saved to {name}")

    # ------------------------------------------------------------ output

    def show(self) -> None:
        self.say("")
        print_board(self.console, self.position)
        self.say("")

    def say(self, text: str) -> None:
        self.console.print(text, soft_wrap=True)


def effort(result: Any) -> str:
    """How sure the engine is, and after how much work."""
    from ponder.core.result import value_form

    told = [f"after {result.simulations:,} simulations"] if result.simulations is not None else []
    if result.value is not None:
        worth = f"{result.value:{value_form(result.position)}}"
        told.insert(0, f"value {worth} for player {result.position.current_player}")
    return " ".join(told)
