"""`benchmarks/agreement/names_quiz.py`: the draw is fair, repeatable, and its answers are right."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.plain

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "ponder"


@pytest.fixture(scope="module")
def script():
    """The script as a module: it reads the whole source once."""
    spec = importlib.util.spec_from_file_location(
        "names_quiz", ROOT / "benchmarks" / "agreement" / "names_quiz.py"
    )
    made = importlib.util.module_from_spec(spec)
    sys.modules["names_quiz"] = made
    spec.loader.exec_module(made)
    yield made
    del sys.modules["names_quiz"]


def numbered(text):
    return re.findall(r"^ *\d+  (.*)$", text, flags=re.MULTILINE)


def test_the_answers_are_where_the_questions_stand(script):
    made = script.quiz(1)
    questions, answers = numbered(script.questions(made)), numbered(script.answers(made))
    assert len(questions) == len(answers) == 15 + 15 + 120
    for line, answer in zip(questions[:15], answers[:15], strict=True):
        room, file, number = re.fullmatch(r"(\S+) +\((.*):(\d+)\)", answer).groups()
        assert (SOURCE / file).read_text().splitlines()[int(number) - 1].strip() == line
        assert str(Path(file).parent) == room
    for task, answer in zip(questions[15:30], answers[15:30], strict=True):
        source = " ".join((SOURCE / answer.partition(":")[0]).read_text().split())
        assert all(part.strip() in source for part in task.split("..."))
        assert not re.search(r"ponder\.\w|\w\.py\b", task)


def test_a_seed_gives_the_same_draw_and_another_seed_another(script):
    assert script.quiz(3) == script.quiz(3)
    assert not {*script.quiz(3).lines} & {*script.quiz(4).lines}


def test_every_package_has_its_share(script):
    """As many of the 120 texts as its lines ask for, to the next whole number."""
    lines = {}
    for file in SOURCE.rglob("*.py"):
        package = file.relative_to(SOURCE).parts[0]
        lines[package] = lines.get(package, 0) + len(file.read_text().splitlines())
    packages = [item.package for item in script.quiz(1).texts]
    for package, count in lines.items():
        share = 120 * count / sum(lines.values())
        assert abs(packages.count(package) - share) < 1, package
