"""Files whose checksum is right and whose contents would lead kernels astray, one by one.

`tests/files/test_mutated_files.py` makes such files at random.
"""

from __future__ import annotations

import hashlib
import json
from types import SimpleNamespace

import numpy as np
import pytest

from ponder import InputError, Position, Session
from ponder.core.array_file import ALIGNMENT, ArrayFile
from ponder.core.game import new_list
from ponder.core.history import History
from ponder.core.registry import FORMATS, parse_engine, parse_game
from ponder.core.rng import new_rng
from ponder.errors import GameError
from ponder.files import line_of, object_of
from ponder.games.tictactoe import TicTacToe
from ponder.learn.beside import AskedNetwork
from ponder.learn.checkpoint import CHECKPOINT, PLAYED, forget_rounds, load_played
from ponder.learn.config import training
from ponder.learn.file import FILE as NETWORK
from ponder.learn.played_check import check_rows
from ponder.learn.root_ways import how_to_play
from ponder.learn.sample_games import sample_games
from ponder.learn.seeing import sight_of
from ponder.learn.selfplay import begin_game, new_desk, new_played, seed_game

pytestmark = pytest.mark.plain
SEED = 3


def played_games(start, play, games=5):
    """Positions of games as self-play keeps them, moves being drawn at random."""
    spec, rules = start.rules.spec, start.rules
    rng, desk, draw = new_rng(0), new_desk(spec), np.random.default_rng(1)
    work = SimpleNamespace(actions=new_list(spec, np.int32), chances=new_list(spec, np.float64))
    states, numbers = [], []
    for number in range(games):
        seed_game(rng, SEED, number)
        assert begin_game(rules.part, desk, work, rng, play)
        state = desk.states[:1].copy()
        while (facts := rules.facts(state)).player >= -1:
            if facts.player >= 0:
                states.append(state)
                numbers.append(number)
            state = rules.advance(state, facts.actions[draw.integers(len(facts.actions))])
    made = new_played(spec, len(states))
    made.states[:] = np.concatenate(states)
    made.games[:] = numbers
    made.policy[:, 0] = 1.0
    made.count[:] = len(states), games, len(states)
    return made


@pytest.fixture(scope="module", params=["tictactoe", "pig(target=12)"])
def games(request):
    start = Position(parse_game(request.param))
    play = how_to_play(training(seed=SEED), start, 5.0)[0]
    return start, play, played_games(start, play)


def test_positions_of_games_are_accepted_with_dice_and_without(games, tmp_path):
    start, play, rows = games
    assert len(rows.games) > 10
    check_rows(tmp_path, rows, start, play, SEED)


def test_a_position_that_no_game_leads_to_is_refused(games, tmp_path):
    """Any byte of any position; fails where only some fields are looked at."""
    start, play, rows = games
    rng = np.random.default_rng(2)
    for _ in range(60):
        changed = rows._replace(states=rows.states.copy())
        raw = changed.states.view(np.uint8).reshape(len(rows.games), -1)
        row, at = rng.integers(len(raw)), rng.integers(raw.shape[1])
        raw[row, at] ^= 1 << rng.integers(8)
        with pytest.raises(InputError, match="is not one that game"):
            check_rows(tmp_path, changed, start, play, SEED)


def test_positions_of_other_games_or_of_another_seed_are_refused(games, tmp_path):
    start, play, rows = games
    play = play._replace(opening_share=1.0, opening_moves=3)
    rows = played_games(start, play)
    check_rows(tmp_path, rows, start, play, SEED)
    with pytest.raises(InputError, match="is not one that game"):
        check_rows(tmp_path, rows, start, play, SEED + 1)
    with pytest.raises(InputError, match="is not one that game"):
        check_rows(tmp_path, rows._replace(games=rows.games + 1), start, play, SEED)


def rewritten(kind, path, change):
    """The file with other contents, and a checksum that agrees."""
    header, arrays = kind.read(path)
    header.pop("arrays")
    change(arrays)
    kind.write(path, header, {name: np.array(array) for name, array in arrays.items()})


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a.update(places=a["places"] + 10**6),
        lambda a: a.update(places=-1 - a["places"]),
        lambda a: a.update(places=a["places"].astype(np.int64)),
        lambda a: a.update(places=a["places"][:-1]),
        lambda a: a.update(codes=np.full_like(a["codes"], 255)),
        lambda a: a.update(codes=a["codes"][:, :4]),
        lambda a: a.pop("codes"),
        lambda a: a.update(E=np.full_like(a["E"], np.nan)),
        lambda a: a.update(E=np.full_like(a["E"], 3e38)),
        lambda a: a.update(Wp=a["Wp"][:1]),
    ],
)
def test_a_network_that_looks_outside_the_record_is_refused(change, tmp_path):
    form = FORMATS["network of a record"]
    path = form.write_example(tmp_path)
    rewritten(NETWORK, path, change)
    with pytest.raises(InputError):
        form.read_example(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a.update(policy=a["policy"][:, :2]),
        lambda a: a.update(policy=-a["policy"]),
        lambda a: a.update(policy=np.full_like(a["policy"], np.inf)),
        lambda a: a.update(results=a["results"][:0]),
        lambda a: a.update(results=a["results"] + 5),
        lambda a: a.update(values=np.full_like(a["values"], np.nan)),
        lambda a: a.update(count=np.array([10**15, 1, 10**15])),
        lambda a: a.update(count=np.array([3, 1, 2])),
        lambda a: a.update(count=a["count"][:1]),
        lambda a: a.update(games=-1 - a["games"]),
        lambda a: a.update(states=a["states"].astype(np.int16)),
        lambda a: a.update(states=a["states"][:2]),
    ],
)
def test_numbers_that_do_not_fit_are_refused(change, tmp_path):
    path = FORMATS["played games"].write_example(tmp_path)
    rewritten(PLAYED, path, change)
    with pytest.raises(InputError):
        load_played(tmp_path, 3, Position(TicTacToe()).rules.spec)


@pytest.mark.parametrize(
    "where",
    [
        {"at": -64},
        {"at": 8},
        {"at": 10**18},
        {"shape": [-1]},
        {"shape": [10**15]},
        {"shape": [2.0]},
        {"shape": 16},
        {"type": "|O"},
        {"type": "<m8[s]"},
        {"type": [["a", "<f4"]]},
    ],
)
def test_arrays_that_lie_elsewhere_than_they_are_written_are_refused(where, tmp_path):
    kind = ArrayFile(b"PONDER TRIAL   1", "a trial", "make it again")
    header = {"arrays": {"x": {"type": "<f4", "shape": [16], "at": 0} | where}}
    text = json.dumps(header).encode()
    text += b" " * (-(56 + len(text)) % ALIGNMENT)
    body = len(text).to_bytes(8, "little") + text + bytes(64)
    checksum = hashlib.blake2b(body, digest_size=32).digest()
    (tmp_path / "trial").write_bytes(kind.magic + checksum + body)
    with pytest.raises(InputError, match="its header makes no sense"):
        kind.read(tmp_path / "trial")


def test_no_file_says_where_embeddings_of_a_module_lie(tmp_path):
    """They were looked up by what the file said: torch raised, outside of any sentence."""
    pytest.importorskip("torch")
    for name, kind, array in (
        ("network beside the kernel", NETWORK, "offsets"),
        ("checkpoint", CHECKPOINT, "buffers/module.offsets"),
    ):
        form = FORMATS[name]
        path = form.write_example(tmp_path)
        rewritten(kind, path, lambda a, array=array: a.update({array: a[array] + 1}))
        with pytest.raises(InputError):
            form.read_example(path)


def test_a_text_is_no_list_of_moves(tmp_path):
    """It was taken for its letters."""
    path = FORMATS["match"].write_example(tmp_path)
    first, second, *rest = path.read_bytes().splitlines()
    names = ("opening", "moves", "seats", "returns", "movers")
    for change in (*({name: "ab"} for name in names), {"returns": [], "points": 1.0}):
        crafted = line_of({**object_of(second), **change}).rstrip()
        path.write_bytes(b"\n".join([first, crafted, *rest, b""]))
        with pytest.raises(InputError, match="line 2"):
            FORMATS["match"].read_example(path)


def test_a_saved_search_of_an_engine_that_takes_something_else_is_refused(tmp_path):
    data = json.loads(FORMATS["session"].write_example(tmp_path).read_text().splitlines()[0])
    with pytest.raises(InputError, match=r"not a saved session: mcts\(\) takes no depth"):
        Session.from_history(History.from_json({**data, "engine": "mcts()"}))


@pytest.mark.parametrize("shape", [(2, 9), (1, 9), (3, 8), (3,)])
def test_a_network_that_answers_for_other_boards_than_it_is_asked_about_is_refused(shape):
    """Kernels read a row for each board: one that was tried out with two may give two for three."""
    start = Position(TicTacToe())

    def predict(codes):
        return np.zeros(shape, np.float32), np.zeros((len(codes), 1), np.float32)

    asked = AskedNetwork("crafted", start, sight_of(start), predict)
    with pytest.raises(GameError, match="gave arrays of shape"):
        asked(np.concatenate([start.raw_state] * 3))


def test_a_message_is_one_line_without_codes_whatever_a_file_says(tmp_path):
    path = FORMATS["lab steps"].write_example(tmp_path)
    crafted = {**object_of(path.read_bytes().rstrip()), "command": "a\n\x1b[2J\u202eb"}
    path.write_bytes(line_of(crafted))
    with pytest.raises(InputError) as refused:
        FORMATS["lab steps"].read_example(path)
    assert str(refused.value).endswith(r"belongs to another run: a \x1b[2J\u202eb")


@pytest.mark.parametrize(
    "engine",
    [
        "book('a\\0b', engine=random())",
        "mcts(evaluate=net('a\\0b'), simulations=2)",
        "alphabeta(endgame='a\\0b', depth=9)",
    ],
)
def test_a_zero_byte_in_the_name_of_a_file_is_refused(engine):
    with pytest.raises(InputError, match="is not the name of a file"):
        parse_engine(engine).search(Position(TicTacToe()), seed=1)


def test_files_in_a_run_that_are_no_rounds_are_left_alone(tmp_path):
    games = tmp_path / "games"
    FORMATS["played games"].write_example(tmp_path)
    whole = (games / "000003.played").read_bytes()
    for name in ("notes", "-00001", "9" * 200, "\u0669" * 6, "000001.old"):
        (games / f"{name}.played").write_bytes(whole)
    sample_games(tmp_path, Position(TicTacToe()))
    forget_rounds(tmp_path, 10)
    assert not (games / "000003.played").exists()
    assert len(list(games.iterdir())) == 5
