"""Do names say where things are, and do sentences read well? A quiz for people who have not seen
the code.

    python benchmarks/agreement/names_quiz.py [--seed N] [--answers]

draws from the source, from every package in proportion to its lines, always the same for a seed:

    15 lines of code         in which room, that is folder, does each stand?
    15 tasks                 which file would you open for each? Sentences of modules and classes
    120 texts                docstrings, messages and helps: at which does a reader of English stop?

Rooms and files are listed between: the answers are to come from names alone. With --answers it
prints those instead. A draw after files were moved has other questions: compare shares, not lines.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

SOURCE = Path(__file__).resolve().parents[2] / "src" / "ponder"
LINES, TASKS, TEXTS = 15, 15, 120
SHORTEST = 30
"""Letters of a line that somebody could tell anything from."""
FEWEST_WORDS = 4
"""Of a sentence that says what a file is for, and of a message with more than what is filled in."""
NO_CODE = re.compile(r"[#@]|f?[\"']")
"""How a line begins that is a comment, a decorator or part of a text."""
PATHS = re.compile(r"`*\bponder(\.\w+)+(:\w+)?`*|`*\b\w+\.py\b`*")
"""Names of modules and files in a sentence."""
LOOKED_AT = (ast.Module, ast.stmt, ast.Call)
ERRORS = ("Error", "Fault", "error", "refused", "misplaced")
"""What a function that makes an exception is called at its end."""


class Item(NamedTuple):
    """A line, a task or a text of the source."""

    file: str
    """Below the package."""
    line: int
    text: str
    kind: str = ""

    @property
    def package(self) -> str:
        """The folder, or the module, directly below `ponder`."""
        return self.file.partition("/")[0]

    @property
    def room(self) -> str:
        """The folder that it stands in."""
        return self.file.rpartition("/")[0] or "."


class Module(NamedTuple):
    file: str
    lines: list[str]
    nodes: list[Any]
    """The module itself, its statements and its calls."""


@cache
def modules() -> list[Module]:
    made = []
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text()
        nodes = [one for one in ast.walk(ast.parse(text)) if isinstance(one, LOOKED_AT)]
        made.append(Module(str(path.relative_to(SOURCE)), text.splitlines(), nodes))
    return made


# ------------------------------------------------------------------ what there is to draw


def docstrings(module: Module, *kinds: type[ast.AST]) -> Iterator[tuple[int, str]]:
    """Of the module and of what is in it; or of these kinds of nodes alone."""
    for node in module.nodes:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (
            not kinds or isinstance(node, kinds)
        ):
            text = ast.get_docstring(node)
            if text:
                yield node.body[0].lineno, text


def code_lines(module: Module) -> Iterator[Item]:
    """Lines of statements inside functions and classes, long enough to say something."""
    left_out = set()
    for node in module.nodes:
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and (text or isinstance(node, ast.Import | ast.ImportFrom)):
            left_out.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    for number, line in enumerate(module.lines, 1):
        said = line.strip()
        inside = line.startswith(" ") and number not in left_out
        if inside and len(said) >= SHORTEST and not NO_CODE.match(said):
            yield Item(module.file, number, said)


def tasks(module: Module) -> Iterator[Item]:
    """First sentences of modules and classes, without the names of modules."""
    if module.file.endswith("__init__.py"):
        return
    for number, text in docstrings(module, ast.Module, ast.ClassDef):
        sentence = first_sentence(text)
        if len(sentence.split()) >= FEWEST_WORDS:
            yield Item(module.file, number, PATHS.sub("...", sentence))


def first_sentence(text: str) -> str:
    paragraph = " ".join(text.partition("\n\n")[0].split())
    return re.split(r"(?<=[.?!]) (?=[A-Z`\"])", paragraph)[0]


def texts(module: Module) -> Iterator[Item]:
    """Docstrings up to their first empty line, messages of errors, helps of the command line."""
    for number, text in docstrings(module):
        yield Item(module.file, number, " ".join(text.partition("\n\n")[0].split()), "docstring")
    for node in module.nodes:
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        said = spoken(node.args[0]) if name.endswith(ERRORS) and node.args else ""
        if len(said.replace("{...}", " ").split()) >= FEWEST_WORDS:
            yield Item(module.file, node.lineno, said, "message")
        for word in node.keywords:
            if word.arg == "help" and (said := spoken(word.value)):
                yield Item(module.file, word.value.lineno, said, "help")


def spoken(node: ast.expr) -> str:
    """A text as it stands in the source, what is filled in as {...}; empty where it is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return " ".join(node.value.split())
    if isinstance(node, ast.JoinedStr):
        parts = (
            str(part.value) if isinstance(part, ast.Constant) else "{...}" for part in node.values
        )
        return " ".join("".join(parts).split())
    return ""


# ------------------------------------------------------------------ drawing


@cache
def pool(items: Callable[[Module], Iterator[Item]]) -> tuple[Item, ...]:
    """All there is of a kind."""
    return tuple(item for module in modules() for item in items(module))


def drawn(count: int, items: Callable[[Module], Iterator[Item]], seed: int) -> list[Item]:
    """So many items, from each package in proportion to its lines; in a random order."""
    rng = random.Random(f"{items.__name__} {seed}")
    there: dict[str, list[Item]] = {}
    for item in pool(items):
        there.setdefault(item.package, []).append(item)
    lines: dict[str, int] = {}
    for module in modules():
        package = module.file.partition("/")[0]
        lines[package] = lines.get(package, 0) + len(module.lines)
    made: list[Item] = []
    for package, share in shares(lines, count).items():
        found = there.get(package, [])
        made += rng.sample(found, min(share, len(found)))
    rng.shuffle(made)
    return made


def shares(weights: dict[str, int], count: int) -> dict[str, int]:
    """Whole numbers that add up to `count`, as near to the weights as can be (largest rest)."""
    total = sum(weights.values())
    exact = {name: weight * count / total for name, weight in weights.items()}
    made = {name: int(share) for name, share in exact.items()}
    rest = sorted(exact, key=lambda name: (made[name] - exact[name], name))
    for name in rest[: count - sum(made.values())]:
        made[name] += 1
    return made


class Quiz(NamedTuple):
    lines: list[Item]
    tasks: list[Item]
    texts: list[Item]


def quiz(seed: int) -> Quiz:
    return Quiz(
        drawn(LINES, code_lines, seed), drawn(TASKS, tasks, seed), drawn(TEXTS, texts, seed)
    )


# ------------------------------------------------------------------ printing


def house() -> Iterator[str]:
    """A line for each room: its files."""
    rooms: dict[str, list[str]] = {}
    for module in modules():
        room, _, name = module.file.rpartition("/")
        rooms.setdefault(room or ".", []).append(name.removesuffix(".py"))
    for room, names in rooms.items():
        yield f"{room}/: {' '.join(name for name in names if name != '__init__')}".rstrip()


def numbered(rows: Sequence[str]) -> str:
    return "\n".join(f"{number:3}  {row}" for number, row in enumerate(rows, 1))


def questions(made: Quiz) -> str:
    return "\n".join(
        [
            "The rooms and their files",
            "",
            *house(),
            "",
            "In which room does each line stand?",
            "",
            numbered([item.text for item in made.lines]),
            "",
            "Which file would you open for this?",
            "",
            numbered([item.text for item in made.tasks]),
            "",
            "At which of these do you stop?",
            "",
            numbered([f"[{item.kind}] {item.text}" for item in made.texts]),
        ]
    )


def answers(made: Quiz) -> str:
    return "\n".join(
        [
            "In which room does each line stand?",
            "",
            numbered([f"{item.room}   ({item.file}:{item.line})" for item in made.lines]),
            "",
            "Which file would you open for this?",
            "",
            numbered([f"{item.file}:{item.line}" for item in made.tasks]),
            "",
            "Where the texts stand",
            "",
            numbered([f"{item.file}:{item.line}" for item in made.texts]),
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="A quiz on names and sentences of the source.")
    parser.add_argument("--seed", type=int, default=1, help="another draw")
    parser.add_argument("--answers", action="store_true", help="the answers instead")
    given = parser.parse_args()
    made = quiz(given.seed)
    print(answers(made) if given.answers else questions(made))


if __name__ == "__main__":
    main()
