"""The files of the registry taken apart, and put together again with a checksum that agrees.

`CONTENTS` has, for each format, how its file becomes values (as JSON has them) and arrays, how
these become a file, what a reader has understood of it, in the same form, and a use of it. For
`mutate_contents.py`.
"""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from mutate_files import FORMATS as CHANGED_BYTES

from ponder import MCTS, AlphaBeta, Position, Session
from ponder.arena.record import game_to_json, read_records
from ponder.book.book import Book
from ponder.book.format import ROW, BookFile, write_book
from ponder.book.polyglot import PolyglotBook
from ponder.core.array_file import ArrayFile, arrays_in
from ponder.core.registry import FORMATS, parse_engine, parse_game
from ponder.endgame import storage
from ponder.endgame.example_files import NIM, ROOK_ENDING
from ponder.errors import InputError
from ponder.files import CHECKSUM
from ponder.games.backgammon.game import Backgammon
from ponder.games.chess.game import Chess
from ponder.games.tictactoe import TicTacToe
from ponder.lab.running import Lab
from ponder.learn import example_files as learned
from ponder.learn import onnx_file
from ponder.learn.beside_file import asked_network
from ponder.learn.checkpoint import CHECKPOINT, PLAYED, load_played, read_log
from ponder.learn.config import read_config, training
from ponder.learn.file import FILE as NETWORK
from ponder.learn.file import SCALE, network_for
from ponder.learn.overview import overview
from ponder.learn.plain_codes import codes_from
from ponder.learn.plain_games import saved_codes
from ponder.learn.played_check import check_rows
from ponder.learn.root_ways import how_to_play
from ponder.mcts.tree_file import load_tree, save_tree
from ponder.mcts.view import SearchTree

DEEP, LONG = "|deep|", "|long|"
"""Strings that become 100,000 nested lists, and a number of 400 digits."""


class Contents(NamedTuple):
    values: Any
    """As JSON has them; of a text for people its words."""
    arrays: dict[str, Any]


class Kind(NamedTuple):
    apart: Callable[[bytes], Contents]
    together: Callable[[Contents], bytes]
    understood: Callable[[Path], Contents | str]
    """What a reader makes of the file; a text says what is wrong with it."""
    use: Callable[[Path], str] = lambda path: ""
    """Uses what was read; what is wrong, or nothing."""


def as_json(values: Any) -> bytes:
    """JSON, and what no writer of ours would write."""
    text = json.dumps(values).encode()
    text = text.replace(json.dumps(DEEP).encode(), b"[" * 100_000 + b"]" * 100_000)
    return text.replace(json.dumps(LONG).encode(), b"9" * 400)


# ------------------------------------------------------------------ JSON alone


def page(found: Callable[[Path], Any], use: Callable[[Path], Any] = lambda path: "") -> Kind:
    """An object with a checksum, or without any, as files of before."""

    def apart(data: bytes) -> Contents:
        values = json.loads(data)
        values.pop("checksum", None)
        return Contents(values, {})

    def together(made: Contents) -> bytes:
        text = as_json(made.values)
        if not isinstance(made.values, dict) or len(text) > 99_999 or len(text) % 3 == 0:
            return text
        checksum = zlib.crc32(json.dumps(json.loads(text)).encode())
        return as_json({**made.values, "checksum": checksum})

    return Kind(apart, together, lambda path: Contents(found(path), {}), use)


def position_says(path: Path) -> Any:
    found = Position.load(path)
    assert found == Position.from_json(found.to_json())
    return found.to_json()


def settings_say(path: Path) -> Any:
    overview(path.parent)  # for people
    return read_config(path.parent)


def codes_say(path: Path) -> Any:
    codes_from(saved_codes(path.parent))
    return {"codes": saved_codes(path.parent)}


def summed(text: bytes) -> bytes:
    """A line, whose last entry is its checksum."""
    return text[:-1] + CHECKSUM + b"%d}" % zlib.crc32(text)


def lines(found: Callable[[Path], Any], use: Callable[[Path], str] = lambda path: "") -> Kind:
    def apart(data: bytes) -> Contents:
        made = [json.loads(line) for line in data.splitlines()]
        for one in made:
            one.pop("checksum", None)
        return Contents(made, {})

    def together(made: Contents) -> bytes:
        listed = made.values if isinstance(made.values, list) else [made.values]
        return b"".join(summed(as_json(one)) + b"\n" for one in listed)

    return Kind(apart, together, lambda path: Contents(found(path), {}), use)


def match_says(path: Path) -> Any:
    """A last line that is no game was cut off: its game is played again."""
    header, games, whole = read_records(path)
    found = [header, *map(game_to_json, games)]
    if whole == path.stat().st_size:
        return found
    try:
        return [*found, json.loads(path.read_bytes()[whole:].rpartition(CHECKSUM)[0] + b"}")]
    except (ValueError, RecursionError):
        raise InputError("the last line is refused") from None


def steps_say(path: Path) -> Any:
    lab = Lab("gem", version="quick", resume=path)
    return [{**lab.identity, "steps": lab.done}]


def session() -> Kind:
    def together(made: Contents) -> bytes:
        text = as_json(made.values)
        return text + b'\n{"checksum": %d}\n' % zlib.crc32(text)

    def understood(path: Path) -> Contents:
        found = Session.load(path).history.to_json()
        said = json.loads(path.read_bytes().splitlines()[0])
        if found["engine"].startswith("alphabeta"):  # it draws nothing, and keeps no seed
            found["seed"] = said["seed"]
        if said["depth"] is None and f"depth={found['depth']}" in found["engine"]:
            found["depth"] = None  # its own
        return Contents(found, {})

    def use(path: Path) -> str:
        found = Session.load(path)
        found.run(**{found.unit: found.moment + 5})
        return "" if found.moment else "it does not continue"

    return Kind(
        lambda data: Contents(json.loads(data.splitlines()[0]), {}), together, understood, use
    )


# ------------------------------------------------------------------ values and arrays


def tree() -> Kind:
    def apart(data: bytes) -> Contents:
        head, _, nodes = data.partition(b"\n")[2].partition(b"\n")
        values = json.loads(head)
        array = np.frombuffer(nodes, tree_type(values["fields"]))
        return Contents(values, {name: array[name].copy() for name in values["fields"]})

    def together(made: Contents) -> bytes:
        names = [name for name in made.arrays if made.arrays[name].ndim >= 1]
        count = max((len(made.arrays[name]) for name in names), default=0)
        fields = [(name, made.arrays[name].dtype, made.arrays[name].shape[1:]) for name in names]
        nodes = np.zeros(count, np.dtype(fields, align=True))
        for name in names:
            nodes[name][: len(made.arrays[name])] = made.arrays[name]
        body = as_json(made.values) + b"\n" + nodes.tobytes()
        checksum = blake2b(body, digest_size=16).hexdigest().encode()
        return b"ponder search tree 2 " + checksum + b"\n" + body

    def understood(path: Path) -> Contents:
        store, here, engine = load_tree(path)
        save_tree(store, here, engine, path.with_name("again"))
        return apart(path.with_name("again").read_bytes())

    def use(path: Path) -> str:
        found = SearchTree.load(path)
        result = MCTS().search(found.position, simulations=5, seed=1, tree=found)
        return "" if result.action in found.position.legal_actions else "an illegal move"

    return Kind(apart, together, understood, use)


def tree_type(fields: list[str]) -> Any:
    from ponder.mcts.tree import EXTRA_FIELDS, node_type

    return node_type(tuple(name for name in EXTRA_FIELDS if name in fields), 2)


def arrays_of(kind: ArrayFile, found: Callable[[Path], Any], use: Callable[[Path], Any]) -> Kind:
    """A header, with where each array lies, and the arrays."""

    def apart(data: bytes) -> Contents:
        end = 56 + int.from_bytes(data[48:56], "little")
        values = json.loads(data[56:end])
        arrays = arrays_in(memoryview(data), end, values.pop("arrays"))
        return Contents(values, {name: array.copy() for name, array in arrays.items()})

    def together(made: Contents) -> bytes:
        layout, body, odd = {}, b"", None
        for name, array in made.arrays.items():
            where = {"type": array.dtype.str, "shape": list(array.shape), "at": len(body)}
            layout[name] = where
            body += array.tobytes() + bytes(-array.nbytes % 64)
        if isinstance(made.values, dict):
            odd = made.values.get("arrays")  # a change may say where arrays lie
            header: Any = {**made.values, "arrays": layout if odd is None else odd}
        else:
            header = made.values
        text = as_json(header)
        text += b" " * (-(56 + len(text)) % 64)
        rest = len(text).to_bytes(8, "little") + text + body
        return kind.magic + blake2b(rest, digest_size=32).digest() + rest

    return Kind(apart, together, found, use)


def header_and(arrays: dict[str, Any], path: Path, kind: ArrayFile) -> Contents:
    header, _ = kind.read(path)
    header.pop("arrays")
    return Contents(header, arrays)


def network_of(game: str) -> Kind:
    start = Position(parse_game(game))

    def understood(path: Path) -> Contents:
        network, _ = network_for(str(path), start)
        arrays = network.weights._asdict()
        kept = NETWORK.read(path)[1]
        small = SCALE in kept and kept["E"].dtype == np.int8
        if small and np.allclose(arrays["E"], kept["E"].astype(np.float32) * kept[SCALE]):
            arrays["E"] = kept["E"]
        return header_and(arrays, path, NETWORK)

    def use(path: Path) -> str:
        found = parse_engine(f"mcts(evaluate=net({str(path)!r}))").search(
            start, simulations=3, seed=1
        )
        return "" if found.action in start.legal_actions else "an illegal move"

    return arrays_of(NETWORK, understood, use)


def module_network() -> Kind:
    def understood(path: Path) -> Contents:
        found = learned.load_module(path, Position(TicTacToe()), "")[1]
        return header_and({k: v.numpy() for k, v in found.state_dict().items()}, path, NETWORK)

    def use(path: Path) -> str:
        start = Position(TicTacToe())
        values = asked_network(str(path), start, "")(start.raw_state)[0]
        return "" if np.isfinite(values).all() else "values that are no numbers"

    return arrays_of(NETWORK, understood, use)


def played() -> Kind:
    start = Position(TicTacToe())
    play = how_to_play(training(seed=3, opening_share=0.0), start, 5.0)[0]

    def rows(path: Path) -> Any:
        found = load_played(path.parents[1], learned.ROUND, start.rules.spec)
        assert found is not None
        return found

    def understood(path: Path) -> Contents:
        found = rows(path)._asdict()
        found["states"] = found["states"].view(np.uint8).reshape(len(found["games"]), -1)
        return header_and(found, path, PLAYED)

    def use(path: Path) -> str:
        check_rows(path, rows(path), start, play, 3)
        return ""

    return arrays_of(PLAYED, understood, use)


def checkpoint() -> Kind:
    from ponder.learn.training import restored

    learner = learned.new_learner()

    def understood(path: Path) -> Contents:
        totals, sizes, oldest = restored(path, learner)
        said = {"totals": totals._asdict(), "sizes": sizes, "oldest": oldest}
        return Contents(said, learner.arrays())

    return arrays_of(CHECKPOINT, understood, lambda path: "")


def endgame(name: str, game: Any, text: str = "", depth: int = 1) -> Kind:
    """Searched with where the table is one for searches of that depth."""
    start = Position(parse_game(game) if isinstance(game, str) else game)
    here = Position.parse(start.game, text) if text else start

    def understood(path: Path) -> Contents:
        FORMATS[name].read_example(path)
        return header_and(storage.read(path)[1], path, storage.FILE)

    def use(path: Path) -> str:
        if not depth:
            return ""
        found = AlphaBeta(endgame=str(path)).search(here, depth=depth)
        return "" if found.action in here.legal_actions else "an illegal move"

    return arrays_of(storage.FILE, understood, use)


def book() -> Kind:
    def apart(data: bytes) -> Contents:
        _, version, length, _, mark = struct.unpack_from("<8sIIQQ", data)
        rows = np.frombuffer(data[48 + length + -length % 8 :], ROW)
        values = {"version": version, "fingerprint": mark, "game": data[48 : 48 + length].decode()}
        return Contents(values, {name: rows[name].copy() for name in ROW.names})

    def together(made: Contents) -> bytes:
        values = made.values if isinstance(made.values, dict) else {}
        text = values.get("game", "")
        text = (text if isinstance(text, str) else json.dumps(text)).encode(errors="replace")
        numbers = [values.get(name, 0) for name in ("version", "fingerprint")]
        version, mark = (int(n) if isinstance(n, int) and 0 <= n < 1 << 64 else 0 for n in numbers)
        given = {k: a for k, a in made.arrays.items() if k in ROW.names and a.ndim == 1}
        count = max(map(len, given.values()), default=0)
        rows = np.zeros(count, ROW)
        for name, array in given.items():
            with np.errstate(all="ignore"):
                rows[name][: len(array)] = array
        told = values.get("count", count)  # a change may say how many there are
        told = told if isinstance(told, int) and 0 <= told < 1 << 64 else count
        head = struct.pack("<8sIIQQ", b"PONDERBK", version % (1 << 32), len(text), told, mark)
        body = text + bytes(-len(text) % 8) + rows.tobytes()
        return head + blake2b(head + body, digest_size=16).digest() + body

    def understood(path: Path) -> Contents:
        found = Book.load(path, TicTacToe())
        kept = FORMATS["book"].read_example(path)
        assert kept[1] == found.rows.tobytes()
        write_book(path.with_name("again"), BookFile(*_said(path), found.rows))
        return apart(path.with_name("again").read_bytes())

    def _said(path: Path) -> tuple[str, int]:
        values = apart(path.read_bytes()).values
        return values["game"], values["fingerprint"]

    return Kind(apart, together, understood)


def polyglot() -> Kind:
    row = np.dtype([("key", ">u8"), ("move", ">u2"), ("weight", ">u2"), ("learn", ">u4")])

    def apart(data: bytes) -> Contents:
        rows = np.frombuffer(data, row)
        return Contents({}, {name: rows[name].copy() for name in row.names})

    def together(made: Contents) -> bytes:
        given = {k: a for k, a in made.arrays.items() if k in row.names and a.ndim == 1}
        rows = np.zeros(max(map(len, given.values()), default=0), row)
        for name, array in given.items():
            with np.errstate(all="ignore"):
                rows[name][: len(array)] = array
        return rows.tobytes()

    def understood(path: Path) -> Contents | str:
        start = Position(Chess())
        found = PolyglotBook.load(path, start.game)
        legal = {move.action for move in found.lookup(start)} <= {*start.legal_actions}
        return apart(found.entries.astype(row).tobytes()) if legal else "an illegal move"

    return Kind(apart, together, understood)


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def encodable(value: Any) -> str:
    return str(value).encode(errors="replace").decode()


def onnx_model() -> Kind:
    import onnx

    last = len(onnx_file.entry(onnx_file.CHECKSUM, "0" * 64))
    kept: list[bytes] = []

    def apart(data: bytes) -> Contents:
        kept[:] = kept or [data[:-last]]
        model = onnx.load_model_from_string(data[:-last])
        said = {one.key: one.value for one in model.metadata_props}
        nodes = [[n.op_type, [*n.input], [*n.output]] for n in model.graph.node]
        arrays = {one.name: onnx.numpy_helper.to_array(one) for one in model.graph.initializer}
        return Contents({"ponder": json.loads(said["ponder"]), "nodes": nodes}, arrays)

    def together(made: Contents) -> bytes:
        model = onnx.load_model_from_string(kept[0])
        values = made.values if isinstance(made.values, dict) else {}
        del model.metadata_props[:]
        del model.graph.initializer[:]
        for name, array in made.arrays.items():
            one = onnx.numpy_helper.from_array(np.ascontiguousarray(array), name)
            model.graph.initializer.append(one)
        for node, said in zip(model.graph.node, listed(values.get("nodes")), strict=False):
            for part, field in zip(listed(said)[1:], (node.input, node.output), strict=False):
                del field[:]
                field.extend(encodable(one) for one in listed(part))
            node.op_type = encodable(listed(said)[0]) if listed(said) else ""
        data = model.SerializeToString()
        data += onnx_file.entry(onnx_file.HEADER, as_json(values.get("ponder")).decode())
        return data + onnx_file.entry(onnx_file.CHECKSUM, onnx_file.digest(data))

    def understood(path: Path) -> Contents:
        FORMATS["onnx"].read_example(path)
        return apart(path.read_bytes())

    return Kind(apart, together, understood)


# ------------------------------------------------------------------ texts for people

WORDS = re.compile(rb"\s+|\w+|[^\w\s]")


def text(name: str) -> Kind:
    """Whatever is accepted is read back as the same when it is written."""
    problem: list[Callable[[Path], str]] = []

    def understood(path: Path) -> str:
        if not problem:
            problem.append(CHANGED_BYTES[name](path.parent).problem)
        return problem[0](path)

    def together(made: Contents) -> bytes:
        listed = made.values if isinstance(made.values, list) else [made.values]
        words = (one if isinstance(one, str) else as_json(one).decode() for one in listed)
        joined = "".join(words).replace(DEEP, "[" * 10_000 + "]" * 10_000).replace(LONG, "9" * 400)
        return joined.encode(errors="surrogatepass")

    def apart(data: bytes) -> Contents:
        return Contents([one.decode("latin-1") for one in WORDS.findall(data)], {})

    return Kind(apart, together, understood)


CONTENTS: dict[str, Callable[[], Kind]] = {
    "match": lambda: lines(match_says),
    "openings": lambda: text("openings"),
    "book": book,
    "polyglot": polyglot,
    "game tree": lambda: text("game tree"),
    "pgn": lambda: text("pgn"),
    "position": lambda: page(position_says),
    "sgf": lambda: text("sgf"),
    "endgame table": lambda: endgame("endgame table", NIM),
    "endgame values": lambda: endgame("endgame values", NIM, depth=3),
    "endgame of chess": lambda: endgame("endgame of chess", Chess(), ROOK_ENDING),
    "bearing off": lambda: endgame("bearing off", Backgammon(), depth=0),
    "lab steps": lambda: lines(steps_say),
    "network": lambda: network_of("tictactoe"),
    "network of a record": lambda: network_of(NIM),
    "small network": lambda: network_of("tictactoe"),
    "network beside the kernel": module_network,
    "onnx": onnx_model,
    "played games": played,
    "checkpoint": checkpoint,
    "training log": lambda: lines(lambda path: read_log(path.parent)),
    "training settings": lambda: page(settings_say),
    "codes": lambda: page(codes_say),
    "tree": tree,
    "steered session": session,
    "session": session,
}
