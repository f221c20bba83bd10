"""Damaged files of every format: refused in one line, or as good as the original.

    python benchmarks/stress/mutate_files.py [--count 100000] [--seed 1] [FORMAT ...]

A small valid file of each format is changed (bits, cuts, pieces moved, doubled or left out,
numbers, lines exchanged) and read. Allowed are an error for people (PonderError, one line) and an
object equal to the original; of a match, some of its games; of a log, its beginning. Of texts for
people, which have no checksum (positions, SGF, PGN, FEN, openings, game trees, Polyglot's books),
any valid object: what is written of it reads back as the same. Formats `with a new checksum` are
what somebody makes who computes checksums: such a file is refused, or what it says can be used (a
search continues the tree). Anything else (another exception, a changed object, 20 seconds of work)
is printed, and the status is 1; a crash of the process speaks for itself.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import signal
import struct
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ponder import MCTS, AlphaBeta, Position, Session, position
from ponder.arena.match import match
from ponder.arena.openings import read_openings
from ponder.arena.record import read_records
from ponder.book.book import Book
from ponder.book.builder import BookBuilder
from ponder.book.format import _digest as book_checksum
from ponder.book.format import read_book
from ponder.book.polyglot import PolyglotBook, polyglot_code, polyglot_key
from ponder.core.array_file import CHECKED, MAGIC_LENGTH
from ponder.core.registry import game_text, parse_engine, parse_game
from ponder.endgame import storage
from ponder.endgame.tables import build, open_tables
from ponder.errors import PonderError
from ponder.games.chess.pgn import parse_pgn, pgn_text
from ponder.games.go.sgf import read_sgf, write_sgf
from ponder.games.tree import TreeGame
from ponder.lab.running import Lab
from ponder.learn.checkpoint import LOG, load_played, read_log, round_file, save_log, save_played
from ponder.learn.file import FILE as NETWORK
from ponder.learn.file import _read as network_for
from ponder.learn.file import save_network
from ponder.learn.network import new_weights
from ponder.learn.patterns import patterns_of
from ponder.learn.seeing import sight_of
from ponder.learn.selfplay import PlayedRows, new_played
from ponder.mcts.tree_file import _checksum, load_tree
from ponder.mcts.view import SearchTree

LONGEST = 20
"""Seconds of work for one file: a busy machine makes no fault."""
START = "tictactoe"
IN_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""Where files are written: on a disk, opening a file to write it anew is what takes longest."""


class Format(NamedTuple):
    """A valid file, and what becomes of another one."""

    data: bytes
    problem: Callable[[Path], str]
    """Reads the file; says what is wrong with the object that it gave, or ""."""
    finish: Callable[[bytes], bytes] = bytes
    """What is done to the changed data before they are written."""


# ------------------------------------------------------------------ the formats


def tree_format(folder: Path) -> Format:
    MCTS().search(position(START), simulations=60, seed=1).tree.save(folder / "tree")

    def read(path: Path) -> tuple[Any, ...]:
        store, here, engine = load_tree(path)
        return store.nodes.tobytes(), here.to_json(), engine, store.deepest

    return same(folder / "tree", read)


def rewritten_tree_format(folder: Path) -> Format:
    MCTS().search(position(START), simulations=60, seed=1).tree.save(folder / "tree")

    def problem(path: Path) -> str:
        tree = SearchTree.load(path)
        result = MCTS().search(tree.position, simulations=20, seed=1, tree=tree)
        return "" if result.action in tree.position.legal_actions else "an illegal move"

    def finish(data: bytes) -> bytes:
        body = data.partition(b"\n")[2]
        return b"ponder search tree 2 " + _checksum(body) + b"\n" + body

    return Format((folder / "tree").read_bytes(), problem, finish)


def session_format(folder: Path) -> Format:
    session = MCTS().start(position(START), seed=1)
    session.run(simulations=20)
    session.save(folder / "session")
    return same(folder / "session", lambda path: Session.load(path).history.to_json())


def match_format(folder: Path) -> Format:
    file = folder / "match"
    match(START, "random()", "random()", games=4, seed=1, out=file)
    about, games, _ = read_records(file)

    def problem(path: Path) -> str:
        header, found, _ = read_records(path)
        if header != about:
            return "another match"
        unknown = [one for one in found if one not in games]
        return f"{len(unknown)} games that were never played" if unknown else ""

    return Format(file.read_bytes(), problem)


def book_format(folder: Path) -> Format:
    start = position(START)
    builder = BookBuilder(start.game)
    builder.add_game(start.play_all("b2 a1 c1 a3 a2"), (0.0, 0.0), plies=4)
    builder.book().save(folder / "book")

    def read(path: Path) -> tuple[Any, ...]:
        book = read_book(path)
        return book.game, book.fingerprint, book.rows.tobytes()

    return same(folder / "book", read)


def endgame_format(folder: Path) -> Format:
    (header,) = build(position("nim(heaps=(2, 1))"), folder=folder / "tables")

    def read(path: Path) -> tuple[Any, ...]:
        tables = open_tables("nim(heaps=(2, 1))", path)
        found, arrays = storage.read(path)
        tables.probe(position("nim(heaps=(2, 1))"))
        return found, {name: array.tolist() for name, array in arrays.items()}

    return same(Path(header["path"]), read)


def position_format(folder: Path) -> Format:
    position(START, "x../.o./...").play_all("b3 b1").save(folder / "position")

    def problem(path: Path) -> str:
        found = Position.load(path)
        return differs(found, Position.from_json(found.to_json()))

    return Format((folder / "position").read_bytes(), problem)


def sgf_format(folder: Path) -> Format:
    data = b"(;GM[1]FF[4]SZ[5]KM[2.5]AB[aa]AW[ee]PL[B];B[cc];W[bb];B[dd];PL[B];B[];W[])"

    def problem(path: Path) -> str:
        found = read_sgf(path)
        return differs(found, read_sgf(write_sgf(found)))

    return Format(data, problem)


def pgn_format(folder: Path) -> Format:
    data = b'[White "Ann"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n'
    data += b"1. e4 {so} Kd7 (1... Ke7) 2. e5 *\n"

    def problem(path: Path) -> str:
        for game in parse_pgn(path.read_bytes().decode("latin-1")):
            (again,) = parse_pgn(pgn_text(game.final))
            if differs(game.final, again.final):
                return "it is written as another game"
        return ""

    return Format(data, problem)


def fen_format(folder: Path) -> Format:
    game = position("chess").game

    def problem(path: Path) -> str:
        found = Position.parse(game, path.read_bytes().decode("latin-1"))
        return differs(found, Position.parse(game, found.text()))

    return Format(b"r3k2r/p6p/8/3pP3/8/8/P6P/R3K2R w KQkq d6 0 2", problem)


def openings_format(folder: Path) -> Format:
    start = position(START)

    def problem(path: Path) -> str:
        found = read_openings(start, path)
        text = "\n".join(" ".join(one.moves) or "start" for one in found)
        path.write_text(text + "\n")
        return "" if read_openings(start, path) == found else "it is written as other openings"

    return Format(b"# two of them\nb2 a1, c3\nstart\na1 b2\n", problem)


def game_tree_format(folder: Path) -> Format:
    def problem(path: Path) -> str:
        game = TreeGame.from_file(path)
        return differs(Position(game), Position(parse_game(game_text(game))))

    return Format(b"[[3, 12, 8], [2, -4.5, 6], 14]", problem)


def polyglot_format(folder: Path) -> Format:
    start = position("chess")
    data = b"".join(
        struct.pack(">QHHI", polyglot_key(start), polyglot_code(start, action), 3, 0)
        for action in start.legal_actions[:4]
    )

    def problem(path: Path) -> str:
        found = PolyglotBook.load(path, start.game).lookup(start)
        return "" if {m.action for m in found} <= {*start.legal_actions} else "an illegal move"

    return Format(data, problem)


def network_format(folder: Path) -> Format:
    start = position(START)
    sight = sight_of(start)
    weights = new_weights(patterns_of(sight.board), 2, sight.actions, 1, 1)
    save_network(folder / "network", start, sight, weights, {"games": 3})

    def read(path: Path) -> tuple[Any, ...]:
        network, cells = network_for(path, start)
        header, _ = NETWORK.read(path)
        return header, cells, [array.tobytes() for array in network.weights]

    return same(folder / "network", read)


def games_format(folder: Path) -> Format:
    """The games of a round of self-play."""
    spec = position(START).rules.spec
    played = PlayedRows(*(array[:4] for array in new_played(spec, 4)))
    played.policy[:, 0] = 1.0
    played.count[:] = (4, 1, 4)  # rows, the next game, moves
    save_played(folder, 3, played)

    def read(path: Path) -> Any:
        round_file(folder, 3).write_bytes(path.read_bytes())
        found = load_played(folder, 3, spec)
        return None if found is None else [array.tobytes() for array in found]

    whole = round_file(folder, 3)
    (folder / "whole").write_bytes(whole.read_bytes())
    return same(folder / "whole", read)


def log_format(folder: Path) -> Format:
    """The log of a training run: a beginning of it is what a run finds that was killed."""
    counts = ("games", "positions", "steps", "simulations")
    numbers = ("seconds", "policy_loss", "value_loss")
    lines = [
        {"rounds": i, **dict.fromkeys(counts, 10 * i), **dict.fromkeys(numbers, 1 / i)}
        for i in (1, 2, 3)
    ]
    save_log(folder, lines)
    data = (folder / LOG).read_bytes()

    def problem(path: Path) -> str:
        (folder / LOG).write_bytes(path.read_bytes())
        found = read_log(folder)
        return "" if found == lines[: len(found)] else "another log"

    return Format(data, problem)


def steps_format(folder: Path) -> Format:
    """What an experiment has done so far."""
    run = Lab("gem", version="quick", resume=folder / "steps")
    run.done = {"one": [0.25, 3], "two": {"wins": 12}}
    run.save_steps()
    return same(folder / "steps", lambda path: Lab("gem", version="quick", resume=path).done)


def rewritten_book_format(folder: Path) -> Format:
    start = position(START)

    def problem(path: Path) -> str:
        found = Book.load(path, start.game).lookup(start)
        return "" if {m.action for m in found} <= {*start.legal_actions} else "an illegal move"

    def finish(data: bytes) -> bytes:
        return data[:32] + book_checksum(data[:32], data[48:]) + data[48:]

    return Format(book_format(folder).data, problem, finish)


def rewritten_array_file(made: Format, problem: Callable[[Path], str]) -> Format:
    """A header in JSON and arrays, with a checksum that agrees."""

    def finish(data: bytes) -> bytes:
        checksum = hashlib.blake2b(data[CHECKED:], digest_size=32).digest()
        return data[:MAGIC_LENGTH] + checksum + data[CHECKED:]

    return Format(made.data, problem, finish)


def rewritten_endgame_format(folder: Path) -> Format:
    here = position("nim(heaps=(2, 1))")

    def problem(path: Path) -> str:
        tables = open_tables("nim(heaps=(2, 1))", path)
        tables.probe(here)
        AlphaBeta(endgame=str(path)).search(here, depth=1)
        return ""

    return rewritten_array_file(endgame_format(folder), problem)


def rewritten_network_format(folder: Path) -> Format:
    start = position(START)

    def problem(path: Path) -> str:
        network_for(path, start)
        engine = parse_engine(f'mcts(evaluate=net("{path}"), simulations=4)')
        found = engine.search(start, seed=1)
        return "" if found.action in start.legal_actions else "an illegal move"

    return rewritten_array_file(network_format(folder), problem)


def same(file: Path, read: Callable[[Path], Any]) -> Format:
    """A format whose changed files must be refused or give the very same."""
    whole = read(file)
    return Format(file.read_bytes(), lambda path: "" if read(path) == whole else "another object")


def differs(one: Position, two: Position) -> str:
    return "" if one == two else "it is written as another position"


FORMATS: dict[str, Callable[[Path], Format]] = {
    "tree": tree_format,
    "tree with a new checksum": rewritten_tree_format,
    "session": session_format,
    "match": match_format,
    "book": book_format,
    "endgame": endgame_format,
    "position": position_format,
    "sgf": sgf_format,
    "pgn": pgn_format,
    "fen": fen_format,
    "openings": openings_format,
    "game tree": game_tree_format,
    "polyglot": polyglot_format,
    "network": network_format,
    "games": games_format,
    "training log": log_format,
    "lab steps": steps_format,
    "book with a new checksum": rewritten_book_format,
    "endgame with a new checksum": rewritten_endgame_format,
    "network with a new checksum": rewritten_network_format,
}

# ------------------------------------------------------------------ changes


def changed(data: bytes, rng: random.Random) -> bytes:
    """The data with one to three changes."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        data = rng.choice(CHANGES)(data, rng)
    return data


def piece(data: bytes, rng: random.Random) -> tuple[int, int]:
    begin = rng.randrange(len(data) + 1)
    return begin, min(len(data), begin + rng.choice((1, 2, 5, 20, 100)))


def flip_bits(data: bytes, rng: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(rng.choice((1, 1, 3)) if made else 0):
        made[rng.randrange(len(made))] ^= 1 << rng.randrange(8)
    return bytes(made)


def cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def leave_out(data: bytes, rng: random.Random) -> bytes:
    begin, end = piece(data, rng)
    return data[:begin] + data[end:]


def put_elsewhere(data: bytes, rng: random.Random) -> bytes:
    """A piece once more, or instead of what stands there."""
    begin, end = piece(data, rng)
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[begin:end] + data[at + rng.choice((0, end - begin)) :]


def change_number(data: bytes, rng: random.Random) -> bytes:
    found = list(re.finditer(rb"-?\d+(\.\d+)?", data))
    if not found:
        return data
    one = rng.choice(found)
    new = rng.choice((b"0", b"1", b"-1", b"7", b"1e999", b"NaN", b"99999999999999999999", b'""'))
    return data[: one.start()] + new + data[one.end() :]


def exchange_lines(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return b"\n".join(lines)


def put_in(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    new = rng.choice((b"\0", b"\n", b'"', b"{", b"]", b"\xff\xfe", rng.randbytes(5)))
    return data[:at] + new + data[at:]


CHANGES = (flip_bits, cut, leave_out, put_elsewhere, change_number, exchange_lines, put_in)

# ------------------------------------------------------------------ the trial


class Outcome(NamedTuple):
    refused: int
    accepted: int
    faults: list[str]


def trial(name: str, count: int, seed: int, folder: Path) -> Outcome:
    """Read `count` changed files of a format."""
    made = FORMATS[name](folder)
    rng = random.Random(f"{name} {seed}")
    file = folder / "changed.bin"
    file.write_bytes(made.finish(made.data))
    if made.problem(file):
        raise SystemExit(f"the valid {name} is not accepted")
    refused, accepted, faults = 0, 0, []
    for number in range(count):
        data = changed(made.data, rng)
        file.write_bytes(made.finish(data))
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        try:
            problem = made.problem(file)
            accepted += not problem
        except PonderError as error:
            problem = "more than one line" if "\n" in str(error) else ""
            refused += not problem
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if problem:
            faults.append(f"{name}, file {number} of seed {seed}: {problem}: {data[:300]!r}")
    return Outcome(refused, accepted, faults)


def too_long(number: int, frame: Any) -> None:
    raise TimeoutError(f"it takes more than {LONGEST} seconds")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("formats", nargs="*", choices=[*FORMATS, []], metavar="FORMAT")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    signal.signal(signal.SIGPROF, too_long)
    status = 0
    print(f"{'format':26}{'files':>9}{'refused':>9}{'accepted':>9}{'faults':>8}{'seconds':>9}")
    for name in given.formats or FORMATS:
        began = time.perf_counter()
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            found = trial(name, given.count, given.seed, Path(folder))
        seconds = time.perf_counter() - began
        print(
            f"{name:26}{given.count:>9,}{found.refused:>9,}{found.accepted:>9,}"
            f"{len(found.faults):>8,}{seconds:>9.1f}",
            flush=True,
        )
        for fault in found.faults[:10]:
            print(f"  {fault}", file=sys.stderr)
        status |= bool(found.faults)
    return status


if __name__ == "__main__":
    sys.exit(main())
