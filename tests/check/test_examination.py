"""A game of the user's is examined before anything of it runs compiled; what passed is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ponder import GameError, InputError, Position, engine, game
from ponder.check import check_game, examination
from ponder.core.position import _compiled_rules

HERE = Path(__file__).parent
FAR = f"{HERE}/unchecked_games/far_cells.py:Path"
SOUND = f"{HERE}/broken_games/countdown.py:Countdown"


@pytest.fixture
def examined(monkeypatch, tmp_path) -> list[str]:
    """Examining is on, with a cache of its own; the games that were examined."""
    names: list[str] = []
    real = examination.rehearse

    def noted(part, findings):
        names.append(type(part).__name__)
        real(part, findings)

    monkeypatch.setenv("PONDER_EXAMINE", "1")
    monkeypatch.setattr(examination, "rehearse", noted)
    monkeypatch.setattr(examination, "cache_directory", lambda: tmp_path)
    _compiled_rules.cache_clear()
    yield names
    _compiled_rules.cache_clear()


def test_a_write_outside_the_record_is_refused_with_method_line_and_moves(examined):
    line = next(
        number
        for number, text in enumerate(Path(FAR.partition(":")[0]).read_text().splitlines(), 1)
        if "self.far]" in text
    )
    with pytest.raises(GameError) as refused:
        Position(game(f"{FAR}(far=100000000)"))
    assert "apply_action raised IndexError" in str(refused.value)
    assert f"(far_cells.py, line {line})" in str(refused.value)
    moves = str(refused.value).partition(", after ")[2].rstrip(")").split()
    assert sum(int(move) + 1 for move in moves) == 8, "all cells are behind: a step of 2 is next"


@pytest.mark.parametrize("name", ["writes_far_out", "returns_nan", "player_out_of_range"])
def test_what_check_finds_in_random_games_is_refused_in_its_words(name, examined):
    broken = game(f"{HERE}/broken_games/{name}.py:Game")
    (finding,) = check_game(broken, games=6, seed=0).findings
    with pytest.raises(GameError) as refused:
        Position(broken)
    assert finding.message in str(refused.value)


SEARCHED_SILENTLY = {
    "duplicate_actions": "duplicate",
    "draws_the_player": "memory",
    "plain_draws_a_move": "memory",
    "plain_draws_the_winner": "memory",
    "plain_switches_players": "memory",
    "plain_duplicate_actions": "duplicate",
    "plain_equal_to_everything": "equal",
    "plain_key_leaves_the_player_out": "equal",
    "plain_endless_actions": "count",
    "plain_leaves_python": "raises",
    "plain_action_is_nan": "unequal",
    "plain_unhashable_action": "unhashable",
    "plain_huge_state": "state-size",
}


@pytest.mark.plain
@pytest.mark.parametrize(("name", "kind"), SEARCHED_SILENTLY.items())
def test_what_a_search_would_not_notice_is_refused_before_it(name, kind, examined):
    with pytest.raises(GameError, match=f"breaks the contract: {kind}: ") as refused:
        Position(game(f"{HERE}/broken_games/{name}.py:Game"))
    assert "\n" not in str(refused.value)


@pytest.mark.plain
def test_a_sound_plain_game_is_examined_once_in_a_process(examined):
    sound = game(f"{HERE}/broken_games/plain_countdown.py:PlainCountdown")
    for _ in range(2):
        Position(sound)
    assert examined == ["PlainCountdown"]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("plain_endless_actions", "more than 1,048,576 values: it does not end"),
        ("plain_leaves_python", "raised SystemExit"),
        ("plain_action_is_nan", "not equal to itself"),
        ("plain_unhashable_action", "cannot be hashed"),
    ],
)
def test_a_search_that_was_not_examined_says_it_in_one_line_too(name, said, monkeypatch):
    monkeypatch.setenv("PONDER_EXAMINE", "0")
    with pytest.raises(GameError, match=said):
        engine("mcts()").search(
            Position(game(f"{HERE}/broken_games/{name}.py:Game")), simulations=20
        )


@pytest.mark.plain
def test_a_file_or_a_game_that_leaves_python_is_one_line(tmp_path):
    at_import = "import sys\nsys.exit(0)"
    when_made = "class Game:\n    def __init__(self): raise SystemExit"
    for number, text in enumerate((at_import, when_made)):
        file = tmp_path / f"leaves{number}.py"
        file.write_text(text)
        with pytest.raises(InputError, match="SystemExit"):
            game(f"{file}:Game")


def test_a_refused_game_is_refused_again(examined):
    for _ in range(2):
        with pytest.raises(GameError):
            Position(game(FAR))
    assert examined == ["Path", "Path"]


def test_a_sound_game_is_examined_once(examined):
    for _ in range(2):
        Position(game(SOUND))
        _compiled_rules.cache_clear()  # as in another process
    assert examined == ["Countdown"]


def test_other_parameters_are_examined_too(examined):
    Position(game(f"{FAR}(far=0)"))
    with pytest.raises(GameError):
        Position(game(f"{FAR}(far=1)"))


def test_where_nothing_can_be_kept_every_process_examines(examined, monkeypatch):
    monkeypatch.setattr(examination, "cache_directory", lambda: None)
    for _ in range(2):
        Position(game(SOUND))
        _compiled_rules.cache_clear()
    assert examined == ["Countdown", "Countdown"]


def test_games_of_the_house_are_not_examined(examined):
    Position(game("tictactoe"))
    assert examined == []


def test_it_can_be_switched_off(examined, monkeypatch):
    monkeypatch.setenv("PONDER_EXAMINE", "0")
    Position(game(FAR))
    assert examined == []


PROGRAM = """
import sys
from ponder import GameError, Position, game
from ponder.check import examination
real = examination.rehearse
def noted(*args):
    print("examined", end=" ")
    real(*args)
examination.rehearse = noted
try:
    Position(game(sys.argv[1] + ":Countdown"))
    print("fine")
except GameError as error:
    print("refused")
"""


def test_an_edit_is_examined_again_and_an_unchanged_file_is_not(tmp_path):
    source = (HERE / "broken_games" / "countdown.py").read_text()
    file = tmp_path / "mine.py"
    environment = {"NUMBA_DISABLE_JIT": "1", "PONDER_EXAMINE": "1", "XDG_CACHE_HOME": str(tmp_path)}
    said = []
    for text in (source, source, source.replace("= 7", "= 6"), source.replace("= -1.0", "= -2.0")):
        file.write_text(text)
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(file)],
            env={**os.environ, **environment, "NUMBA_CACHE_DIR": ""},
            capture_output=True,
            text=True,
            check=True,
        )
        said.append(done.stdout.strip())
    assert said == ["examined fine", "fine", "examined fine", "examined refused"]
