"""The public names of the package: each exists, the lists are whole, type checkers see them."""

from __future__ import annotations

import ast
import difflib
import importlib
import os
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


def test_the_package_says_that_it_is_typed():
    assert (Path(ponder.__file__).parent / "py.typed").exists()


def test_importing_the_package_does_not_import_numba():
    program = "import ponder, sys; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_public_api_is_what_is_noted():
    """``NUMBA_DISABLE_JIT=1 python tests/public_api.py`` renews it, where a change was meant. In a
    process of its own, because it needs plain mode."""
    program = "import public_api; print(*public_api.api_lines(), sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parent,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    noted = (Path(__file__).parent / "public_api.txt").read_text().splitlines()
    found = done.stdout.splitlines()
    changed = "\n".join([*difflib.unified_diff(noted, found, lineterm="", n=0)][2:])
    assert not changed


def test_the_noted_api_has_every_public_name_and_the_methods_of_its_classes():
    """So that the test above does not pass by leaving out what it should compare."""
    noted = (Path(__file__).parent / "public_api.txt").read_text()
    for name in ponder.__all__:
        assert f"\nponder.{name}" in f"\n{noted}", name
    for line in (
        "ponder.Position.play(self, action: Any) -> Position",
        "ponder.select.UCB1.c: float",
        "given back MCTSSession.change(self, **parts: Any) -> None",
        "text preset uct(c: float = 2.0, **options: Any) -> MCTS",
    ):
        assert f"\n{line}\n" in noted, line
