"""What can be known from game, position and engine is said before anything is compiled.

One process tries everything, with an empty folder of compiled code, and looks at the compiler
after each: in this one other tests have compiled already.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from command_line import needs_compiler

pytestmark = needs_compiler

GAME = """
from typing import NamedTuple
from ponder import CHANCE, Spec, record

class Pile(NamedTuple):
    counters: int = 21
    def spec(self):
        return Spec(players=2, max_actions=3, max_length=21, state=record(pile="i4", player="i4"))
    def start(self, s):
        s.pile = self.counters
    def current_player(self, s):
        return s.player
    def legal_actions(self, s, out):
        n = min(3, s.pile)
        for i in range(n):
            out[i] = i
        return n
    def apply_action(self, s, a):
        s.pile -= a + 1
        s.player = 1 - s.player
    def is_terminal(self, s):
        return s.pile == 0
    def returns(self, s, out):
        out[s.player] = -1.0
        out[1 - s.player] = 1.0

class Dice(Pile):
    def current_player(self, s):
        return CHANCE if s.pile % 2 == 0 else s.player
    def chance_outcomes(self, s, out, p):
        out[0] = 0
        p[0] = 1.0
        return 1
    def legal_actions(self, s, out):
        out[0] = 0
        return 1
"""

BLIND = (
    "has no evaluate: search it to its end (a depth of 21 suffices), or by rollouts with mcts(), "
    "or give it a method evaluate(self, s, out)"
)
CASES = {
    "search pile.py:Pile --engine alphabeta(depth=6)": f"Pile {BLIND}",
    "search pile.py:Pile --engine plain_alphabeta() --depth 6": f"Pile {BLIND}",
    "search pile.py:Pile --engine minimax(depth=3)": f"Pile {BLIND}",
    "search pile.py:Pile --engine maxn(depth=3)": f"Pile {BLIND}",
    "search pile.py:Dice --engine expectiminimax(depth=4)": f"Dice {BLIND}",
    "search pile.py:Dice --engine alphabeta(depth=4)": "alphabeta cannot handle chance; for this",
    "search pile.py:Dice --engine mcts(transpositions=True)": "are for games without dice",
    "search pile.py:Pile --engine mcts(evaluate=static())": "use rollout(), or give it a method",
    "search pile.py:Pile --engine mcts(select=progressive_bias())": "method order(self, s, a)",
    "search pile.py:Pile --moves 7": "move 1: '7' is not legal here; legal: 0 1 2",
    "search pile.py:Pile --engine mcts() --only 7": "'7' is not legal here",
    "search go(size=9) --engine alphabeta(depth=4)": "Go has no evaluate",
    "search chess --position nonsense": "a FEN has 6 fields",
    "search chess --moves e2e5": "'e2e5' is not legal here",
    "search tictactoe --engine maxn(deepth=3)": "has no parameter 'deepth'",
    "match pile.py:Pile mcts() alphabeta(depth=6) --games 2": f"Pile {BLIND}",
    "match pile.py:Dice mcts(simulations=20) alphabeta() --games 2": "cannot handle chance",
    "match pile.py:Pile mcts() mcts(evaluate=static()) --games 2": "needs a game with",
    "play pile.py:Pile --engine alphabeta(depth=6)": f"Pile {BLIND}",
    "show pile.py:Pile --engine alphabeta(depth=6)": f"Pile {BLIND}",
    "solve pile.py:Dice --method alphabeta": "alphabeta cannot handle chance",
    "solve chess --position nonsense": "a FEN has 6 fields",
    "train pile.py:Dice --out run --set exact_nodes=100": "dice",
    "train pile.py:Pile --out run --set begin=nothing.network": "nothing.network",
    "explain pile.py:Pile": "evaluate",
    "! engine('alphabeta(depth=6)').start(pile)": f"Pile {BLIND}",
    "! engine('expectiminimax()').search(pile, depth=4)": f"Pile {BLIND}",
    "! match(pile.game, 'mcts(simulations=9)', 'alphabeta(depth=3)')": f"Pile {BLIND}",
    "! begun(History(pile, engine('alphabeta()'), 0, depth=5))": f"Pile {BLIND}",
    "perft pile.py:Pile 2 --moves 7": "'7' is not legal here",
}
SCRIPT = """
import contextlib, io, os, sys
from ponder import InputError, engine, match, position
from ponder.cli.program import run
from ponder.core.history import History
from ponder.explorer.live import begun
from ponder.jit import CompileWatch, watching_compiler

for line in sys.stdin.read().splitlines():
    said = io.StringIO()
    with watching_compiler(CompileWatch()) as watch, contextlib.redirect_stderr(said):
        if line.startswith("! "):
            pile = position("pile.py:Pile")
            try:
                eval(line[2:])
                status = 0
            except InputError as error:
                print("ponder:", error, file=said)
                status = 2
        else:
            status = run(line.split(" "))
    lines = said.getvalue().strip().replace("\\n", " / ")
    print(status, watch.functions, lines, sep="\\t", flush=True)
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("refused")
    (folder / "pile.py").write_text(GAME)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input="\n".join(CASES),
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    compiled = list((folder / "cache").rglob("*.nbc"))
    return [line.split("\t") for line in done.stdout.splitlines()], compiled


@pytest.mark.parametrize("number", range(len(CASES)), ids=list(CASES))
def test_it_is_said_before_anything_is_compiled(outcomes, number):
    status, functions, said = outcomes[0][number]
    assert list(CASES.values())[number] in said
    assert (status, functions) == ("2", "0")
    assert said.startswith("ponder: ")
    assert " / " not in said, "one line"


def test_no_compiled_code_was_written(outcomes):
    assert outcomes[1] == []
