"""Every script of benchmarks/ runs, in a short form: with small numbers, in plain mode.

What a script measures is nothing here; that it still runs, and agrees with what it compares itself
with, is. A script without an option for a number has it as a constant, which is set.
"""

from __future__ import annotations

import gzip
import importlib.util
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

import pytest

from outside import missing
from ponder.learn.config import training
from ponder.learn.training import TrainingRun

pytestmark = pytest.mark.plain
BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SOLVED = b"744155443335541113343725577776262222116 2\n766744424244566111555631311633232322777 1\n"
"""Positions of Connect Four with 39 stones and their scores, of `strength/data`."""


OTHELLO = b"XXXXXX--OXXXXXXXXOXXXOXOXXOXXXO-XXOOXOOOXOXOXOOOXXXXXOOOX-XXXXXX X; H4:+24;\n"
"""Four empty cells; the score is that of a recursion over all 4 lines."""
STRATA = BENCHMARKS / "strength" / "data" / "connect4-strata-1.txt.gz"
FEW = gzip.compress(
    b"random 777712255276117126624115 -,0,-1,-1,0,-1,-\n"
    b"random 13643252712561461526122 -9,-,3,-9,-9,-9,-9\n"
    b"random 666136351256717465422513722 -7,-7,-7,-7,-7,-,1\n"
)
"""Solved positions, as in that file."""
FEW_GAMES = {"ponder.learn.seeing.GAMES": 1}
"""Of random moves, which show self-play what boards look like."""


SMALL_RUN = {
    "simulations": 2,
    "batch": 16,
    "first_positions": 40,
    "most_positions": 40,
    "least_window": 40,
}


def small_training(**settings: Any) -> Any:
    return training(**{**SMALL_RUN, **settings})


class OneRound(TrainingRun):
    """Whatever the time: a busy machine might not get to the end of a round."""

    def run(self, *args: Any, **kwargs: Any) -> str:
        return super().run(rounds=1)


class Short(NamedTuple):
    """How a script is run, and what it must print."""

    said: str
    args: tuple[str, ...] = ()
    numbers: Mapping[str, Any] = MappingProxyType({})
    """Constants of the script, or of a module by its whole name, and what they are here."""
    needs: tuple[str, ...] = ()
    """Packages, and programs, that are no part of Ponder."""
    files: Mapping[str, bytes] = MappingProxyType({})
    """Written to the folder in which it runs."""


BROUGHT_BY_NOBODY = {"bitbully"}
"""Packages that are not among the test tools: what needs them is run where they happen to be."""
RUN_ELSEWHERE = {
    "stress/killed_training.py": "learn/test_training.py",
    "agreement/lab_table.py": "lab/test_measured.py",
    "speed/explorer.py": "explorer/test_benchmark_of_pages.py",
    "speed/small_searches.py": "bench/test_small_searches.py",
    "agreement/names_quiz.py": "bench/test_names_quiz.py",
}
"""By the tests of their subject, which need what they need."""
SCRIPTS = {
    "speed/walk.py": Short("changes of file", ("search", "tictactoe", "--engine", "random()")),
    "agreement/oracle.py": Short(
        "Pairs that need not",
        ("--select", "ucb1"),
        {"TREES": 1, "SIMULATIONS": (1, 1), "MORE": 1, "tictactoe": lambda every: []},
    ),
    "agreement/selfplay.py": Short(
        "1 games in", ("--games", "1", "--seconds", "0.001"), {"LONGEST": 8}, needs=("chess",)
    ),
    "agreement/sources.py": Short(
        "ponder games",
        numbers={
            "RUNS": Path("runs.jsonl"),
            "slow_commands": lambda s: ["ponder games"] if s.number == 1 else [],
        },
    ),
    "agreement/tiers.py": Short(
        "1 of 1 are equal bit for bit",
        numbers={"PAIRS": (("tictactoe", "mcts()", "simulations", 60, 23),)},
    ),
    "solving/chess_suites.py": Short(
        "1 of 1 solved",
        ("mate.epd", "--seconds", "0.5"),
        files={"mate.epd": b'6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id "back rank";\n'},
    ),
    "solving/connect4_exact.py": Short(
        "2 of 2 right", ("late", "--memory", "1"), files={"late": SOLVED}
    ),
    "solving/endgame.py": Short(
        "tictactoe", numbers={"CLASSES": (), "OTHERS": (("tictactoe", {}),)}
    ),
    "solving/othello_ffo.py": Short(
        "1 of 1 right",
        ("late.obf", "--memory", "1"),
        {"SMALL_BOARDS": ()},
        files={"late.obf": OTHELLO},
    ),
    "speed/against_revision.py": Short(
        "uct connect4, 100", ("HEAD", "1", "connect4, 100"), needs=("git",)
    ),
    "speed/alphabeta.py": Short(
        "OpenSpiel / ponder", ("2",), {"REPEATS": 1}, needs=("pyspiel", "easyAI")
    ),
    "speed/beside.py": Short(
        "mlp(layers=2, width=256) onnx",
        ("tictactoe", "mlp"),
        {"BATCHES": (1, 2), "SECONDS": 0.01, "PLAYING": 0.1, **FEW_GAMES},
        needs=("torch", "onnx", "onnxruntime"),
    ),
    "speed/chess_perft.py": Short(
        "python-chess  depth 2",
        numbers={"OURS": 2, "THEIRS": 2, "ROUNDS": 1},
        needs=("pyspiel", "chess"),
    ),
    "speed/climit.py": Short("C, ahead", ("300",), {"REPEATS": 1}, needs=("gcc",)),
    "speed/growth.py": Short("     20 ", ("20",), {"LEAST": 20}),
    "speed/growth_classical.py": Short("| connect4, 2 |", ("connect4:2",)),
    "speed/learning_speed.py": Short(
        "",
        ("--game", "tictactoe", "--seconds", "0.02"),
        {"ROOM": 4, "SIMULATIONS": 2, "SEARCHED": 100, **FEW_GAMES},
        needs=("pyspiel",),
    ),
    "speed/operators.py": Short("mcts(transpositions=True)", ("tictactoe", "3"), {"REPEATS": 1}),
    "speed/plain_python.py": Short(
        "mcts 1.0.4, as published", ("20",), {"REPEATS": 1}, needs=("mcts",)
    ),
    "speed/sessions.py": Short("rewind", ("60",)),
    "speed/short_threads.py": Short("root", ("--milliseconds", "1"), {"SEARCHES": 1}),
    "speed/star_pruning.py": Short(
        "star2 table",
        ("--depth", "1", "--positions", "1", "--trees", "1"),
        {"SHAPES": ((2, 2, 1),)},
    ),
    "speed/startup.py": Short(
        "ponder --help",
        numbers={"TARGETS": {}, "GAMES": ["nim"], "ENGINE": "random()", "COLD": 1, "WARM": 1},
    ),
    "speed/two_threads.py": Short("in 1 rounds", ("50", "1")),
    "strength/connect4_ceiling.py": Short(
        "judged    all",
        ("--seeds", "1", "--simulations", "2"),
        {"GAMES": 2, "OURS": 2},
        needs=("bitbully", "pyspiel"),
    ),
    "strength/connect4_learning.py": Short(
        "2 simulations", ("connect4", "late", "--simulations", "2"), files={"late": SOLVED}
    ),
    "strength/connect4_matches.py": Short(
        "connect4 against random()",
        ("connect4", "--games", "2", "--simulations", "2", "--opponents", "random()"),
        needs=("bitbully",),
    ),
    "strength/connect4_mistakes.py": Short(
        "early, hard", ("random()", "--set", "few.gz"), files={"few.gz": FEW}
    ),
    "strength/connect4_strata.py": Short("", (str(STRATA), "--check", "--stones", "38", "40")),
    "strength/connect4_training.py": Short(
        "s of processor time",
        (
            "out",
            "--seconds",
            "1",
        ),
        {"GAME": "connect4(columns=4, rows=3, run=3)", "training": small_training, **FEW_GAMES},
        needs=("torch",),
    ),
    "strength/connect4_values.py": Short(
        "connect4: wrong about", ("connect4", "--count", "3"), needs=("bitbully",)
    ),
    "strength/connect4_why.py": Short(
        "",
        ("connect4", "--set", "few.gz", "--more", "2"),
        {"SIMULATIONS": 1},
        files={"few.gz": FEW},
    ),
    "strength/learning_curves.py": Short(
        "s in all",
        ("out", "tictactoe", "--seconds", "1", "--games", "2", "--opponents", "random()"),
        {"training": small_training, **FEW_GAMES},
        needs=("torch",),
    ),
    "strength/network_ladder.py": Short(
        "in 2 games",
        (
            *("tictactoe", "tictactoe", "--pairs", "1", "--simulations", "2"),
            *("--opponents", "random()"),
        ),
    ),
    "strength/tictactoe_learning.py": Short(
        "lines lost",
        ("--seconds", "1", "--seeds", "0", "--simulations", "2"),
        {"training": small_training, "TrainingRun": OneRound, **FEW_GAMES},
        needs=("torch",),
    ),
    "stress/interrupts.py": Short(
        "1 presses, 0 wrong", ("perft", "--presses", "1", "--warm"), {"WARM": 0.5}
    ),
    "stress/millions.py": Short("peak memory", ("30", "tictactoe", "pig")),
    "stress/mutate_contents.py": Short("4 files", ("position", "--count", "4")),
    "stress/mutate_files.py": Short("position", ("position", "--count", "4")),
    "stress/mutate_messages.py": Short("0 faults of the explorer's own", ("3",)),
    "stress/thread_stress.py": Short("0 complaints", ("600", "3")),
}


def scripts() -> list[str]:
    return sorted(
        str(file.relative_to(BENCHMARKS))
        for file in BENCHMARKS.rglob("*.py")
        if "\ndef main(" in file.read_text()
    )


def loaded(script: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"benchmark_{script.stem}", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_short_form_of_each_benchmark_runs(name, monkeypatch, tmp_path, capsys):
    script, short = BENCHMARKS / name, SCRIPTS[name]
    for needed in short.needs:
        if not (shutil.which(needed) or importlib.util.find_spec(needed)):
            if needed in BROUGHT_BY_NOBODY:
                pytest.skip(f"{needed} is not installed")
            missing(needed)
    for file, content in short.files.items():
        (tmp_path / file).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(script.parent)  # as for a script that is run by its path
    monkeypatch.setattr(sys, "argv", [str(script), *short.args])
    module = loaded(script)
    for constant, number in short.numbers.items():
        where = (constant,) if "." in constant else (module, constant)
        monkeypatch.setattr(*where, number)
    try:
        status = module.main()
    except SystemExit as end:
        status = end.code
    assert not status
    assert short.said in capsys.readouterr().out


def test_each_benchmark_is_run_and_is_on_the_page():
    assert set(SCRIPTS) | set(RUN_ELSEWHERE) == set(scripts())
    page = (BENCHMARKS / "README.md").read_text()
    assert set(re.findall(r"^- `(\w+/\w+\.py)`", page, re.MULTILINE)) == set(scripts())


@pytest.mark.parametrize("name", RUN_ELSEWHERE)
def test_the_others_are_run_by_the_tests_of_their_subject(name):
    test = BENCHMARKS.parent / "tests" / RUN_ELSEWHERE[name]
    folder, _, script = name.partition("/")
    assert f'/ "benchmarks" / "{folder}" / "{script}"' in test.read_text()
