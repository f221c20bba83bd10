"""Rules that do not compile: one line with the user's file, line and method, and what to write."""

from __future__ import annotations

import importlib.util
import itertools
import sys

import pytest

from command_line import needs_compiler
from ponder import MCTS, CompileError, GameError, Limit, Position
from ponder.core.compiled import CompiledRules
from ponder.games.tictactoe import TicTacToe
from ponder.jit.advice import in_words, split_types

GAME = """
from typing import NamedTuple
import math
import numpy as np
from ponder import Spec, record
from ponder.rules import kernel

MOVES = {1: 2}

def plain_helper(n):
    return n + 1

@kernel
def helper(s):
    return s.bord[0]

class Game(NamedTuple):
    size: int = 3

    def spec(self):
        return Spec(2, 4, 5, record(n="i4", board=("i1", 4), bits="u8"))

    def current_player(self, s):
        return s.n & 1

    def apply_action(self, s, a):
        s.n += 1

    def is_terminal(self, s):
        return s.n == 3

    def returns(self, s, out):
        out[0] = out[1] = 0.0

    def two(self, a, b):
        return a + b

    def legal_actions(self, s, out):
        out[0] = 1
        ##

    def start(self, s):
        s.n = 0
        @@
"""
LINE = GAME[: GAME.index("@@")].count("\n") + 1
LEGAL = GAME[: GAME.index("##")].count("\n") + 1
RULE = """
from typing import NamedTuple

class Mine(NamedTuple):
    c: float = 1.0

    def shared(self, game, parts, tree, work, depth, n, log):
        return self.cc

    def terms(self, shared, tree, child, visits, inverse, root, mean):
        return mean, shared * root
"""
_numbers = itertools.count()


def loaded(tmp_path, source):
    """The module of a file `mine.py`; each has a name of its own."""
    file = tmp_path / "mine.py"
    file.write_text(source)
    name = f"explained_{next(_numbers)}"
    spec = importlib.util.spec_from_file_location(name, file)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def game(start="pass", legal_actions="return 1"):
    """The source of a game with these last lines of two methods."""
    source = GAME.replace("@@", start.replace("\n", "\n        "))
    return source.replace("##", legal_actions.replace("\n", "\n        "))


def explained(made):
    """Compile the rules at once, where a position looks in plain Python first."""
    rules = CompiledRules(made)
    rules.facts(rules.start())


def complaint(tmp_path, source):
    """What is said of the game."""
    made = loaded(tmp_path, source).Game()
    with pytest.raises(CompileError) as caught:
        explained(made)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 300
    return message


@needs_compiler
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return s.bord[0]", "the state has no field 'bord'; did you mean board?"),
        ("return self.szie", "Game has no field or method 'szie'; did you mean size?"),
        ("return sizee", "the name 'sizee' is not defined; "),
        ("return math.sqroot(4)", "math has no 'sqroot'; did you mean sqrt?"),
        ("return MOVES[1]", "the global MOVES is a dict; use numbers"),
        ("return {1: 2}[s.n]", "makes a dict; use an array indexed by the key"),
        ("s.n = [a for a in s.board][0]", "makes a list; write a loop"),
        ("return len(f'{s.n}')", "makes a string; use numbers"),
        ("s.n = sum(a for a in s.board)", "has a generator expression; write a loop"),
        ("return int(np.zeros(3)[s.n])", "makes an array (np.zeros); use out, the fields of"),
        ("return plain_helper(1)", "plain_helper is a plain Python function; write @kernel above"),
        ("return self.two(1)", "wrong arguments for two(self, a, b): missing"),
        ("s.n = s.board[s.n / 2]", "a float is used as an index; divide with //"),
        ("return s.bits / 2 & 1", "& of a float and a whole number; divide with //"),
        ("x = 1 if s.n else s\ns.n = x", "in one place and"),
        ("self.size = 4", "sets the field 'size' of a part; keep what changes in the state"),
        ("import math", "imports; import at the top of the file"),
    ],
)
def test_the_line_names_file_line_method_fault_and_remedy(tmp_path, body, words):
    message = complaint(tmp_path, game(start=body))
    assert message.startswith(f"Game does not compile: mine.py, line {LINE}, in method `start`: ")
    assert words in message


@needs_compiler
def test_a_position_that_plain_python_cannot_make_is_explained_by_the_compiler(tmp_path):
    wrong = loaded(tmp_path, game(start="s.n = 5\nreturn s.bord[0]")).Game()
    with pytest.raises(CompileError, match="has no field 'bord'; did you mean board"):
        Position(wrong)


@needs_compiler
def test_a_caught_exception_is_told_with_the_line_of_its_except(tmp_path):
    body = "try:\n    s.n = 1\nexcept ValueError:\n    pass"
    message = complaint(tmp_path, game(start=body))
    assert f"line {LINE + 2}, in method `start`: catches an exception; test with" in message


@needs_compiler
def test_a_function_that_rules_call_is_named_itself(tmp_path):
    message = complaint(tmp_path, game(start="helper(s)"))
    assert "mine.py, line 15, in function `helper`: the state has no field 'bord'" in message


@needs_compiler
@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("if s.n:\n    return 1\nreturn None", 2, "returns a value in one place and None in an"),
        (
            "if s.n:\n    return 1",
            -2,
            "returns a value in one place and None in another; end",
        ),
        ("return out", -2, "returns an array, which does not fit"),
        ("yield 1", -2, "is a generator (yield); write into out"),
    ],
)
def test_a_method_that_does_not_fit_is_told_though_it_compiles(tmp_path, body, line, words):
    message = complaint(tmp_path, game(legal_actions=body))
    assert f"mine.py, line {LEGAL + line}, in method `legal_actions`: {words}" in message


@needs_compiler
def test_a_hook_with_too_few_arguments_is_told_at_its_definition(tmp_path):
    source = game().replace("def start(self, s):", "def start(self):").replace("s.n = 0", "pass")
    assert f"line {LINE - 2}, in method `start`: takes (self), but" in complaint(tmp_path, source)


@needs_compiler
def test_a_rule_is_named_not_the_game_it_searches(tmp_path):
    rule = loaded(tmp_path, RULE).Mine()
    line = "Mine does not compile: mine.py, line 8, in method `shared`: .* did you mean c?"
    for _ in range(2):  # the compiler remembers its errors: the second time it does not look again
        with pytest.raises(CompileError, match=line):
            MCTS(select=rule).search(Position(TicTacToe()), Limit(simulations=10))


def test_what_the_rules_raise_is_no_fault_of_compiling(tmp_path):
    source = game(start="if s.n == 0:\n    raise KeyError('the box is empty')")
    with pytest.raises(GameError, match=r"Game.* raised KeyError: 'the box is empty'"):
        Position(loaded(tmp_path, source).Game())


def test_types_are_split_at_their_own_commas_and_told_in_words():
    kinds = split_types("array(int32, 1d, C), Tuple(int64, float64), Literal[int](3), none")
    assert [in_words(kind) for kind in kinds] == ["an array", "a tuple", "a whole number", "None"]
