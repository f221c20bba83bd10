"""Bad input: one line that says what was wrong, exit status 2, no traceback."""

from __future__ import annotations

import pytest

from command_line import assert_one_line, needs_compiler

GOOD_START = """
from typing import NamedTuple
from ponder import Spec, record
"""
RAISES_LATER = """
class Game:
    def start(self): return 0
    def current_player(self, state): return 0
    def legal_actions(self, state): return [1, 2]
    def apply_action(self, state, n): return state + n
    def is_terminal(self, state): return {}[state] if state > 8 else False
    def returns(self, state): return (0, 0)
"""


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("search conect4", "did you mean connect4?"),
        (
            "search connect4(colums=5)",
            "no parameter 'colums'; did you mean columns? accepted: columns",
        ),
        ("search connect4(columns='x')", "columns of ConnectFour must be a whole number"),
        ("search connect4(run=1)", "run must be at least 2"),
        ("search connect4(", "cannot read 'connect4('"),
        ("search nowhere.py:Game", "no such file: nowhere.py"),
        ("search nowhere.py", "say which game in it: nowhere.py:Name"),
        ("search connect4 --engine mtcs()", "did you mean mcts?"),
        ("search connect4 --engine mcts(select=ucb9())", "unknown select rule 'ucb9'"),
        ("search connect4 --engine mcts(simulations=0)", "simulations must be a whole number"),
        ("search connect4 --position xyz", "6 rows of 7 cells"),
        ("search connect4 --seconds 0", "seconds must be a number above 0, not 0"),
        ("search connect4 --seconds -1", "seconds must be a number above 0, not -1"),
        ("search connect4 --seconds nan", "seconds must be a number above 0, not nan"),
        ("search connect4 --seconds inf", "seconds must be a finite number above 0"),
        ("search connect4 --seconds soon", "'soon' is not a number"),
        ("search connect4 --simulations 0", "simulations must be a whole number above 0"),
        ("search connect4 --simulations -5", "simulations must be a whole number above 0"),
        ("search connect4 --simulations many", "'many' is not a whole number"),
        ("search connect4 --memory 0", "memory must be a number above 0"),
        ("search connect4 --memory inf", "memory must be a finite number above 0"),
        ("search connect4 --memory 0.0000001", "memory is too small"),
        ("search connect4 --simulations 5000 --threads 1000", "threads must be 256 or fewer"),
        ("search connect4 --depth 0", "depth must be a whole number above 0"),
        ("search connect4 --depth 3", "mcts is limited by seconds, simulations and memory; depth"),
        ("search connect4 --engine ucb1()", "a part of one: mcts(select=ucb1()), say"),
        ("search connect4 --engine solver", "a part of one: mcts(backup=solver()), say"),
        ("search connect4 --seed x", "'x' is not a whole number"),
        ("search connect4 --tree tree.png", "ends in .json or .dot"),
        ("search connect4 --tree nowhere/tree.dot", "there is no folder nowhere"),
        ("search tictactoe --engine mcts(select=ucb1(c=1e400))", "must be a finite number"),
        ("search tictactoe --engine mcts(select=ucb1(c=-1))", "c of ucb1 must be 0 or more"),
        (f"search tictactoe --engine mcts(expand=nth_visit({10**21}))", "n of NthVisit is out of"),
        ("search tictactoe --engine mcts(select=sequential_halving())", "give the number of"),
        ("play pig --ponder --engine mcts(select=sequential_halving())", "--ponder does not work"),
        ("search", "missing argument 'GAME'"),
        ("search connect4 --fast", "no such option: --fast; see ponder search --help"),
        ("search connect4 --simulation 5", "--simulation; did you mean --simulations? (see"),
        ("serach connect4", "'serach'; did you mean search? (see ponder --help)"),
        ("play connect4 --seconds 0", "seconds must be a number above 0"),
        ("play connect4 --second --engine nobody()", "unknown engine 'nobody'"),
        ("perft connect4 -- -1", "DEPTH must be 0 or more"),
        ("perft connect4 x", "'x' is not a whole number"),
        ("perft connect4 0 --divide", "DEPTH must be 1 or more"),
        ("check connect4 --games 0", "--games must be 1 or more"),
        (f"check tictactoe --games {10**23}", "games must be at most 10,000,000"),
        (f"fit chess --games {10**23}", "games must be at most 10,000,000"),
        (f"lab gem --size trees={10**23}", "the size trees must be at most 1,000,000,000,000"),
    ],
)
def test_a_mistake_gets_one_line_that_names_it(ponder, line, complaint):
    done = ponder(*line.split())
    assert done.status == 2
    assert done.out == ""
    assert_one_line(done.err)
    assert complaint.lower() in done.err.lower()


@pytest.mark.parametrize("option", ["--only", "--save", "--continue", "--tree", "--trace"])
def test_an_empty_option_is_refused(ponder, option):
    done = ponder("search", "tictactoe", "--simulations", "10", option, "")
    assert done.status == 2
    assert done.out == ""
    assert_one_line(done.err)
    assert option in done.err


def test_an_illegal_move_is_told_with_its_place_and_what_was_legal(ponder):
    done = ponder("search", "connect4(columns=4)", "--moves", "1 2 9 1")
    assert done.status == 2
    assert_one_line(done.err)
    assert "move 3: '9' is not legal here; legal: 1 2 3 4" in done.err


def test_an_engine_without_a_tree_cannot_write_one(ponder, tmp_path):
    line = ("search", "connect4", "--engine", "random()", "--tree", f"{tmp_path}/tree.dot")
    done = ponder(*line)
    assert done.status == 2
    assert_one_line(done.err)
    assert "--tree works with mcts() and its presets, not with random()" in done.err
    assert not list(tmp_path.iterdir())


def test_a_game_that_is_over_cannot_be_searched(ponder):
    done = ponder("search", "tictactoe", "--moves", "a1 b1 a2 b2 a3")
    assert done.status == 2
    assert_one_line(done.err)
    assert "the game is over" in done.err


def test_a_move_after_the_end_is_told_with_its_place(ponder):
    done = ponder("search", "tictactoe", "--moves", "a1 b1 a2 b2 a3 c1")
    assert done.status == 2
    assert "move 6: 'c1' cannot be played: the game is over" in done.err


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("class Other: pass", "has no 'Game' (it has: Other)"),
        ("x = 1", "has no 'Game' (it has: no class)"),
        ("def play(): pass", "has no 'Game' (it has: play)"),
        ("import nothing_of_this_name", "cannot be loaded: ModuleNotFoundError"),
        ("1 / 0", "cannot be loaded: ZeroDivisionError: division by zero"),
        ("class Game:\n  def", "cannot be loaded: SyntaxError"),
        ("class Game:\n  pass", "Game is not a game: it lacks start"),
        ("class Game:\n  def __init__(self, size): pass", "Game cannot be made: TypeError"),
        (RAISES_LATER, "the rules of Game raised KeyError"),
    ],
)
def test_a_faulty_file_gets_one_line_that_names_the_fault(ponder, tmp_path, source, complaint):
    file = tmp_path / "mine.py"
    file.write_text(source)
    done = ponder("search", f"{file}:Game", "--simulations", "200", "--seed", "1")
    assert done.status == 2
    assert done.out == ""
    assert_one_line(done.err)
    assert complaint in done.err


@needs_compiler
def test_rules_that_do_not_compile_are_explained_in_one_line(ponder, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        GOOD_START
        + """
class Game(NamedTuple):
    def spec(self):
        return Spec(players=2, max_actions=1, max_length=3, state=record(n="i4"))
    def start(self, s): pass
    def current_player(self, s): return s.n & 1
    def legal_actions(self, s, out):
        out[0] = 0 * len(repr(open))  # plain Python can
        return 1
    def apply_action(self, s, a): s.n += 1
    def is_terminal(self, s): return s.n == 3
    def returns(self, s, out): out[0] = out[1] = 0.0
"""
    )
    done = ponder("search", f"{file}:Game", "--simulations", "10")
    assert done.status == 2
    assert done.out == ""
    assert_one_line(done.err)
    assert "does not compile" in done.err
    assert "mine.py, line" in done.err
