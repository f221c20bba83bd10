"""An evaluation of one's own without a class: a function that an engine names by its file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ponder import GameError, InputError, position
from ponder.core.registry import parse_engine, part_text
from ponder.core.start import engine

pytestmark = pytest.mark.plain


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "values.py"
    file.write_text(
        "def constant(positions):\n    return [(0.25, -0.25) for _ in positions]\n"
        "def wrong(positions):\n    return 1.0\n"
        "NUMBER = 3\n"
    )
    return file


@pytest.mark.parametrize("text", ['"{}:constant"', "{}:constant", 'function(call="{}:constant")'])
def test_all_spellings_mean_the_same_engine(file, text):
    made = engine(f"mcts(evaluate={text.format(file)})")
    assert made == engine(f'mcts(evaluate=function(call="{file}:constant"))')
    assert engine(part_text(made)) == made
    found = made.search(position("tictactoe"), simulations=30, seed=1)
    assert found.moves[0].value == pytest.approx(0.25, abs=0.2)


def test_what_is_no_function_or_answers_wrongly_is_one_line(file):
    with pytest.raises(InputError, match="not an evaluate rule"):
        engine(f'mcts(evaluate="{file}:NUMBER")')
    with pytest.raises(InputError, match="has no 'nothing'"):
        engine(f'mcts(evaluate="{file}:nothing")')
    with pytest.raises(GameError, match="wrong"):
        engine(f'mcts(evaluate="{file}:wrong")').search(position("tictactoe"), simulations=5)
    with pytest.raises(InputError, match=r"class below the game .* evaluate\(self, s, out\)"):
        engine(f'alphabeta(evaluate="{file}:wrong")')


def test_data_that_name_a_function_run_no_file(tmp_path):
    file = tmp_path / "marker.py"
    file.write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\ndef f(p): return [(0, 0)]\n")
    for text in (f'"{file}:f"', f"{file}:f"):
        with pytest.raises(InputError):
            parse_engine(f"mcts(evaluate={text})")
    assert not (tmp_path / "ran").exists()


def test_the_function_of_the_page_is_used(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "your-own-game.md").read_text()
    (code,) = re.findall(r"```python\n# my_values.py\n(.*?)```", page, re.DOTALL)
    (text,) = re.findall(r"ponder search connect4 --engine '(.*?)' --sim", page)
    file = tmp_path / "my_values.py"
    file.write_text(code)
    made = engine(text.replace("my_values.py", str(file)))
    result = made.search(position("connect4"), simulations=20, seed=1)
    assert result.engine == part_text(made)
    assert f"{file}:more_moves" in result.engine
