"""Solutions of games with dice, kept as tables: saved, probed, asked by a search."""

from __future__ import annotations

import random

import pytest

from plain_games import EinStein
from ponder import InputError, engine, position, solve
from ponder.cli import run
from ponder.endgame.tables import open_tables
from ponder.search.value_iteration import value_iteration

PIG = "pig(target=8)"


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("values") / "pig.endgame"
    solution = solve(position(PIG), hold=("decisions",)).solution
    solution.save(path)
    return path, solution


def random_positions(n, seed=0):
    rng, found = random.Random(seed), []
    while len(found) < n:
        here = position(PIG)
        while not here.is_terminal and rng.random() > 0.1:
            here = here.play(rng.choice(here.legal_actions))
        found.append(here)
    return found


def test_a_table_says_what_the_solution_says(table):
    path, solution = table
    tables = open_tables(PIG, path)
    for here in random_positions(200):
        value = here.returns[0] if here.is_terminal else solution.value_of(here)
        wanted = -value if here.current_player == 1 else value  # for the player to move
        assert tables.probe(here).value == pytest.approx(wanted, abs=1e-12)


def test_the_best_move_of_a_table_is_that_of_the_solution(table):
    path, solution = table
    tables = open_tables(PIG, path)
    for here in random_positions(100, seed=1):
        if not here.is_terminal and not here.is_chance:
            best = tables.moves(here)[0]
            assert best.action in solution.best_actions(here)
            assert best.distance is None, "an expectation is not so many plies away"


def test_a_search_that_asks_the_table_knows_every_move_after_one_visit(table):
    path, _ = table
    asked = engine(f"mcts(evaluate=probed({str(path)!r}), simulations=2)")
    exact = {move.action: move.value for move in open_tables(PIG, path).moves(position(PIG))}
    rows = asked.search(position(PIG), seed=1).moves
    assert {row.action: row.value for row in rows} == pytest.approx(exact, abs=1e-12)


def test_another_game_and_a_damaged_file_are_refused(table, tmp_path):
    path, _ = table
    with pytest.raises(InputError, match=r"is a table of pig\(target=8\), not of pig"):
        open_tables("pig(target=9)", path)
    data = bytearray(path.read_bytes())
    data[-100] ^= 1
    (tmp_path / "x.endgame").write_bytes(data)
    with pytest.raises(InputError, match="is damaged"):
        open_tables(PIG, tmp_path / "x.endgame")


def test_the_command_line_saves_and_probes(tmp_path, capsys):
    path = str(tmp_path / "pig.endgame")
    assert run(["solve", PIG, "--hold", "decisions", "--save", path]) == 0
    capsys.readouterr()
    assert run(["endgame", "probe", PIG, "--tables", path]) == 0
    shown = capsys.readouterr().out
    value = value_iteration(position(PIG), hold=("decisions",)).value
    assert f"value {value:+g}" in shown
    assert run(["solve", PIG, "--save", path, "--method", "maxn"]) == 2
    assert "--save keeps what value-iteration finds" in capsys.readouterr().err


def test_a_plain_game_has_nothing_to_save(tmp_path):
    found = solve(position(EinStein(1)))
    with pytest.raises(InputError, match="a plain one has no records"):
        found.solution.save(tmp_path / "x.endgame")
