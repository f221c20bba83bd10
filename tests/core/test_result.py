"""Search results: table, notebook, JSON."""

from __future__ import annotations

import json

from ponder import MCTS, position


def result():
    return MCTS().search(position("connect4").play_all("4 4"), simulations=500, seed=3)


def test_a_result_prints_a_table_and_what_it_took():
    text = str(result())
    lines = text.splitlines()
    assert lines[0].split() == ["move", "visits", "share", "value", "spread"]
    assert len([line for line in lines if "%" in line]) == 7
    assert "500 simulations" in text
    assert "stopped by simulations, seed 3" in text


def test_a_result_is_plain_json():
    found = result()
    data = json.loads(json.dumps(found.to_json()))
    assert data["game"] == "connect4()"
    assert data["engine"] == "mcts()"
    assert data["simulations"] == 500
    assert data["seed"] == 3
    assert data["stopped_by"] == "simulations"
    assert data["name"] == data["moves"][0]["name"] == data["line"][0]
    assert data["action"] == int(data["name"]) - 1
    assert -1 <= data["value"] <= 1
    assert len(data["values"]) == 2
    assert {"action", "name", "visits", "value", "values", "prior", "spread", "low", "high"} == set(
        data["moves"][0]
    )


def test_a_result_renders_in_a_notebook():
    html = result()._repr_html_()
    assert "<table>" in html
    assert "<svg" in html


def test_rows_are_ordered_with_the_chosen_move_first():
    found = result()
    visits = [row.visits for row in found.moves]
    assert visits == sorted(visits, reverse=True)
    assert found.moves[0].action == found.action
