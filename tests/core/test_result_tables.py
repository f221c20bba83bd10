"""Tables show what matters, every player's value where it is needed, and no empty columns."""

from __future__ import annotations

from typing import Any

import pytest

from ponder import position
from ponder.core.position import Position
from ponder.core.registry import parse_engine
from ponder.core.result import SHOWN, MoveRow, OutcomeRow, expected, move_table, outcome_table

MOVES = 3000


class Wide:
    """Many moves, each with a name that is counted; then the other player has two."""

    named = 0

    def start(self) -> Any:
        return ()

    def current_player(self, state: Any) -> int:
        return len(state) % 2

    def legal_actions(self, state: Any) -> list[int]:
        return [0, 1] if state else list(range(MOVES))

    def apply_action(self, state: Any, action: int) -> Any:
        return (*state, action)

    def is_terminal(self, state: Any) -> bool:
        return len(state) == 2

    def returns(self, state: Any) -> Any:
        return (1, -1) if sum(state) % 7 < 3 else (-1, 1)

    def action_name(self, state: Any, action: int) -> str:
        Wide.named += 1
        return f"m{action}"


def searched(engine: str, game: Any, moves: str = "", **limits: Any) -> Any:
    made: Any = parse_engine(engine)
    here = position(game) if isinstance(game, str) else Position(game)
    return made.search(here.play_all(moves), seed=1, **limits)


def test_only_the_names_that_are_shown_are_made() -> None:
    Wide.named = 0
    result = searched("mcts()", Wide(), simulations=100)
    assert Wide.named == 0
    text = str(result)
    assert f"... and {MOVES - SHOWN:,} more moves with " in text
    assert Wide.named <= 2 * SHOWN
    result._repr_html_()
    assert Wide.named <= 4 * SHOWN
    assert len(result.table(None).lines) == MOVES
    assert len(result.to_json()["moves"]) == MOVES


def test_the_hidden_share_and_the_shown_shares_make_a_whole() -> None:
    rows = [MoveRow(i, 40 - i, 0.5) for i in range(40)]
    table = move_table(rows, 10)
    shown = sum(float(line[2].rstrip("%")) for line in table.lines)
    hidden = float(table.hidden.split(" with ")[1].split("%")[0])
    assert shown + hidden == pytest.approx(100.0, abs=0.6)
    assert table.hidden.startswith("... and 30 more moves")
    assert move_table(rows, None).hidden == ""


def test_columns_that_no_row_fills_are_left_out() -> None:
    classical = move_table([MoveRow("a", 0, 0.5), MoveRow("b", 0, None)])
    assert classical.headings == ("move", "value")
    result = searched("minimax()", "tictactoe", "a1 b1 c1 b2", depth=9)
    assert result.table().headings == ("move", "value")
    assert "share" not in result._repr_html_()
    assert move_table([MoveRow("a", 0, None)]).headings == ("move",)
    nothing_proven = move_table([MoveRow("a", 3, 0.5, low=-1.0, high=1.0)])
    assert nothing_proven.headings == ("move", "visits", "share", "value")
    full = move_table(
        [MoveRow("a", 3, 0.5, 0.1, 0.2, -1.0, 1.0), MoveRow("b", 0, None, low=-1.0, high=0.0)]
    )
    assert full.headings == ("move", "visits", "share", "value", "spread", "prior", "proven")


def test_every_players_value_is_shown_where_it_does_not_follow() -> None:
    rows = [MoveRow("a", 2, 0.5, values=(0.5, 0.25, -0.75)), MoveRow("b", 0, None)]
    table = move_table(rows)
    assert table.headings[-3:] == ("player 0", "player 1", "player 2")
    assert table.lines[0][-3:] == ("+0.500", "+0.250", "-0.750")
    assert table.lines[1][-3:] == ("", "", "")


def test_the_values_of_three_players_are_their_means_over_the_moves() -> None:
    game = "connect4(columns=4, rows=3, run=3, players=3)"
    result = searched("mcts()", game, simulations=300)
    rows = [row for row in result.moves if row.visits]
    total = sum(row.visits for row in rows)
    for player in range(3):
        mean = sum(row.values[player] * row.visits for row in rows) / total
        assert result.root_values[player] == pytest.approx(mean)
    for row in rows:
        assert row.value == row.values[0]
        assert sum(row.values) == pytest.approx(sum(result.values))
    assert "for player 2" in result.summary()[0]


def test_outcomes_are_weighed_by_their_probabilities() -> None:
    rows = [OutcomeRow("six", 1 / 6, 0, 1.0), OutcomeRow("other", 5 / 6, 0, -0.2)]
    assert expected(rows, (0.5, -0.5)) == pytest.approx((0.0, 0.0))
    assert expected([OutcomeRow("six", 1.0, 0, None)], (0.5, -0.5)) == (0.5, -0.5)
    both = [OutcomeRow(0, 0.25, 0, 1.0, (1.0, 2.0, 3.0)), OutcomeRow(1, 0.75, 0, 0.0, (0.0,) * 3)]
    assert expected(both, (9.0, 9.0, 9.0)) == pytest.approx((0.25, 0.5, 0.75))
    table = outcome_table(rows)
    assert table.headings == ("outcome", "probability", "value")
    assert table.lines[0] == ("six", "16.67%", "+1.000")
    many = [OutcomeRow(i, i / 4950, 0, 0.0) for i in range(100)]
    assert [line[0] for line in outcome_table(many).lines[:3]] == ["99", "98", "97"]


def test_depth_is_what_was_finished_and_deepest_what_was_reached() -> None:
    result = searched("mcts()", "tictactoe", simulations=200)
    assert result.depth is None
    assert result.deepest == max(node.depth for node in result.tree.walk())
    assert f"deepest node {result.deepest}" in str(result)


def test_the_best_line_is_worth_what_is_claimed() -> None:
    """With the solver, visits lead to a line that is lost; decide looks at proofs first."""
    for seed in range(4):
        made: Any = parse_engine("mcts(backup=solver())")
        here = position("tictactoe").play_all("a1 b2 a2")
        result = made.search(here, simulations=2000, seed=seed)
        assert result.stopped_by == "solved"
        after = here
        for action in result.line:
            after = after.play(action)
            exact: Any = parse_engine("minimax()")
            if not after.is_terminal:
                found = exact.search(after, depth=9)
                assert found.values[here.current_player] == result.value
        if after.is_terminal:
            assert after.returns[here.current_player] == result.value


def test_rows_with_the_same_numbers_are_equal_whatever_object_names_them() -> None:
    one, two = (MoveRow(3, 5, 0.5, position=Position(Wide())) for _ in range(2))
    assert one == two
    assert one != MoveRow(3, 6, 0.5)


class Scaled(Wide):
    """Three moves, worth a third of the stake each more than the one before."""

    players, zero_sum = 1, False

    def __init__(self, stake: float = 1.0) -> None:
        self.stake = stake
        self.utilities = (0.0, stake)

    def legal_actions(self, state: Any) -> list[int]:
        return [1, 2, 3]

    def is_terminal(self, state: Any) -> bool:
        return len(state) == 1

    def returns(self, state: Any) -> Any:
        return (self.stake * state[0] / 3,)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("stake", "shown"),
    [(1.0, "+0.667"), (150.0, "+100.000"), (1e9, "+6.667e+08"), (1e-9, "+6.667e-10")],
)
def test_values_are_written_in_the_measure_of_the_utilities(stake: float, shown: str) -> None:
    result = parse_engine("mcts()").search(Position(Scaled(stake)), simulations=30, seed=1)
    assert shown in str(result.table())
    best = {1.0: "+1.000", 150.0: "+150.000", 1e9: "+1e+09", 1e-9: "+1e-09"}[stake]
    assert best in str(result.table())
