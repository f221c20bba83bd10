"""The public names of the package: each exists, the lists are whole, type checkers see them."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import ponder
from ponder.core.registry import PARTS, PRESETS, load


@pytest.mark.parametrize("name", ponder.__all__)
def test_every_public_name_can_be_imported(name):
    assert getattr(ponder, name) is not None


def test_the_list_is_whole_and_an_unknown_name_is_an_attribute_error():
    assert sorted(ponder.__all__) == sorted([*ponder._HOMES, *ponder._NAMESPACES])
    with pytest.raises(AttributeError, match="nonsense"):
        _ = ponder.nonsense


def test_type_checkers_see_the_names_where_they_are_imported_from():
    """What stands below ``if TYPE_CHECKING`` is never run: it is compared with what is."""
    tree = ast.parse(Path(ponder.__file__).read_text())
    block = next(n for n in tree.body if isinstance(n, ast.If))
    seen = {}
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        for alias in node.names:
            name = alias.asname or alias.name
            seen[name] = f"{node.module}:{alias.name}" if alias.asname else node.module
    assert seen == {**ponder._HOMES, **dict.fromkeys(ponder._NAMESPACES, "ponder")}


@pytest.mark.parametrize("kind", [*PARTS, "presets"])
def test_a_namespace_holds_all_parts_of_its_kind(kind):
    if kind == "engine":
        return  # these stand at the top
    table = PRESETS if kind == "presets" else PARTS[kind]
    namespace = importlib.import_module(f"ponder.{kind}")
    made = {target.partition(":")[2]: load(target) for target in table.values()}
    assert sorted(namespace.__all__) == sorted(made)
    assert all(getattr(namespace, name) is value for name, value in made.items())


USER_FILE = """\
import ponder
from ponder import MCTS, AlphaBeta, Limit, MaxN, Minimax, MTCS, position
from ponder.backup import Max
from ponder.select import UCB1, PUCT
from ponder.fpu import Loss

start = position("connect4")
start.play_al("4 4")
engine = MCTS(select=UCB1(c=1.4), backup=Max(points=1), thread=2)
result = engine.search(start, simulatons=100)
result = engine.search(start, Limit(simulations=100), seed=1)
print(result.best_move)
print(result.action, result.value, result.tree)
PUCT(c_init=2.0, fpu=Loss(), c_puct=1.0)
ponder.select.UCB1(1.0)
ponder.select.UCB2(1.0)
ponder.expand.NthVisit(n="2")
AlphaBeta().search(start, depth=3)
Minimax(depth=3).search(start, node=3)
engine.start(start).run(seconds=1, simulation=3)
MaxN(pruning=True).start(start).run(depth=3)
AlphaBeta().search(start, simulations=3)
ponder.engine("mcts()").serch(start)
ponder.game("connect4").legal_action
ponder.engine("mcts()").start(start, plan=Limit(simulations=3)).advance(Limit(nodes=3))
engine.start(start).capabilites
"""
WRONG = {  # line: what mypy has to say of it
    2: 'has no attribute "MTCS"',
    8: '"Position" has no attribute "play_al"',
    9: 'Unexpected keyword argument "thread"',
    10: 'Unexpected keyword argument "simulatons"',
    12: '"SearchResult" has no attribute "best_move"',
    14: 'Unexpected keyword argument "c_puct"',
    16: 'Module has no attribute "UCB2"',
    17: 'incompatible type "str"; expected "int"',
    19: 'Unexpected keyword argument "node"',
    20: 'Unexpected keyword argument "simulation"',
    22: 'Unexpected keyword argument "simulations"',
    23: '"Engine" has no attribute "serch"',
    24: 'has no attribute "legal_action"',
    26: 'has no attribute "capabilites"',
}


def test_mypy_finds_the_misspelt_names_in_a_users_file_and_nothing_else(tmp_path):
    """The package as an installed one: its own files are not what is checked."""
    installed = tmp_path / "site"
    installed.mkdir()
    (installed / "ponder").symlink_to(Path(ponder.__file__).parent)
    (tmp_path / "user.py").write_text(USER_FILE)
    (tmp_path / "mypy.ini").write_text("[mypy]\n[mypy-ponder.*]\nfollow_imports = silent\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "user.py"],
        cwd=tmp_path,
        env={"MYPYPATH": str(installed), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    found = {int(line.split(":")[1]): line for line in errors if line.startswith("user.py")}
    assert all(line.startswith("user.py") for line in errors), done.stdout
    assert set(found) == set(WRONG), done.stdout
    assert all(WRONG[line] in text for line, text in found.items()), done.stdout


def test_the_package_says_that_it_is_typed():
    assert (Path(ponder.__file__).parent / "py.typed").exists()


def test_importing_the_package_does_not_import_numba():
    program = "import ponder, sys; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
