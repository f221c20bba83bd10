"""Nothing imports upward: the folders are listed in dependency order."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "ponder"
ORDER = [
    "errors",
    "json_text",
    "files",
    "cache_folder",
    "cache_times",
    "thread_count",
    "jit",
    "core",
    "games",
    "endgame",
    "search",
    "book",
    "mcts",
    "learn",
    "rules",
    *("select", "expand", "evaluate", "backup", "decide", "priors", "fpu", "presets"),
    "adapters",
    "check",
    "bench",
    "arena",
    "lab",
    "show",
    "sources",
    "explorer",
    "cli",
    "__main__",
]


IMPORTED_LATER = re.compile(r"ponder(\.\w+)+(:\w+)?")
"""A text such as ``ponder.mcts.engine:MCTS`` knows of a layer as an import does."""


def modules() -> list[Path]:
    return [file for file in SOURCE.rglob("*.py") if file != SOURCE / "__init__.py"]


def layer(module: str) -> int:
    return ORDER.index(module.partition(":")[0].split(".")[1])


@pytest.mark.parametrize("file", modules(), ids=lambda f: str(f.relative_to(SOURCE)))
def test_no_module_imports_from_a_layer_above(file):
    own = ORDER.index(file.relative_to(SOURCE).parts[0].removesuffix(".py"))
    for node in ast.walk(ast.parse(file.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Constant) and names_a_module(str(node.value)):
            names = [node.value]
        for name in names:
            if name.startswith("ponder."):
                assert layer(name) <= own, f"{file.name} imports {name}, a layer above it"


def names_a_module(text: str) -> bool:
    if not IMPORTED_LATER.fullmatch(text):
        return False
    first = SOURCE / text.partition(":")[0].split(".")[1]
    return first.is_dir() or first.with_suffix(".py").is_file()


def test_a_text_that_names_a_module_counts_as_an_import():
    assert names_a_module("ponder.mcts.engine:MCTS")
    assert names_a_module("ponder.decide")
    assert not names_a_module("see `ponder.mcts.engine`")
    assert not names_a_module("ponder.kernels")  # a name for the compiler's eyes


@pytest.mark.parametrize("file", modules(), ids=lambda f: str(f.relative_to(SOURCE)))
def test_only_the_jit_folder_knows_numba(file):
    if file.relative_to(SOURCE).parts[0] == "jit":
        return
    for node in ast.walk(ast.parse(file.read_text())):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        assert not any(name.split(".")[0] in ("numba", "llvmlite") for name in names)


SEARCHES = [file for file in modules() if file.relative_to(SOURCE).parts[0] in ("search", "mcts")]
CONCRETE = ("ponder.games", "ponder.endgame")


@pytest.mark.parametrize("file", SEARCHES, ids=lambda f: str(f.relative_to(SOURCE)))
def test_searches_name_no_concrete_game_and_no_table(file):
    """What a game can do they ask the game; tables stand in the registry (`core/tablebase.py`)."""
    for node in ast.walk(ast.parse(file.read_text())):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Constant) and names_a_module(str(node.value)):
            names = [node.value]
        assert not any(name.startswith(CONCRETE) for name in names), (file.name, names)


def test_searches_load_no_game_and_no_table():
    """Neither directly nor through what they import, whichever of their modules is imported."""
    searches = [
        ".".join(("ponder", *file.relative_to(SOURCE).with_suffix("").parts)) for file in SEARCHES
    ]
    program = f"""
import importlib, sys
for name in {searches!r}:
    importlib.import_module(name.removesuffix(".__init__"))
print(*(name for name in sys.modules if name.startswith({CONCRETE!r})))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_a_class_name_means_one_thing():
    found: dict[str, list[str]] = {}
    for file in modules():
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(str(file.relative_to(SOURCE)))
    assert {name: files for name, files in found.items() if len(files) > 1} == {}
