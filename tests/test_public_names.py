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


def test_an_unknown_name_is_an_attribute_error():
    for name in ("nonsense", "_nonsense"):
        with pytest.raises(AttributeError, match=f"module 'ponder' has no attribute '{name}'"):
            getattr(ponder, name)


STUB = Path(ponder.__file__).with_name("__init__.pyi")


def test_every_line_of_the_list_is_read_at_run_time_as_type_checkers_read_it():
    """Python's own grammar against the splitting at blanks in ``__init__.py``."""
    seen = {}
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.ImportFrom):
            (alias,) = node.names
            assert alias.asname == alias.name, "else it is no public name to a type checker"
            seen[alias.name] = node.module
    assert len(seen) > 40
    assert sorted(seen) == ponder.__all__ == dir(ponder)
    for name, module in seen.items():
        home = importlib.import_module(module)
        assert getattr(ponder, name) is getattr(home, name)


EVERY_SUBMODULE_FIRST = """\
import importlib, pkgutil
import ponder
homes = {name: home for name, home in ponder._public_names().items() if home != "ponder"}
for module in pkgutil.walk_packages(ponder.__path__, "ponder."):
    if module.name != "ponder.__main__":
        importlib.import_module(module.name)
for name in ponder.__all__:
    value = getattr(ponder, name)
    if name in homes:
        assert value is getattr(importlib.import_module(homes[name]), name), name
    else:
        assert value is importlib.import_module(f"ponder.{name}"), name
"""


def test_no_submodule_stands_in_the_way_of_a_public_name():
    """Importing ``ponder.x`` writes an attribute x into the package, which no name may share."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    ran = [sys.executable, "-c", EVERY_SUBMODULE_FIRST]
    done = subprocess.run(ran, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_star_import_brings_the_public_names():
    names = {}
    exec("from ponder import *", names)
    assert {*ponder.__all__} <= {*names}


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
        "ponder.Position.play(self, move: Move | Action) -> Position",
        "ponder.select.UCB1.c: float",
        "given back MCTSSession.change(self, **parts: Unpack[PartsByName]) -> None",
        "text preset uct(c: float = 2.0, **options: Any) -> MCTS",
    ):
        assert f"\n{line}\n" in noted, line
