"""Which move is recommended: every rule on rows written by hand, and what is proven before it."""

from __future__ import annotations

import math
import random
from typing import NamedTuple

import pytest

from ponder import MCTS, InputError, position
from ponder.core.registry import parse_engine, part_text
from ponder.core.result import MoveRow
from ponder.decide import HighestValue, LowerBound, MaxRobust, MostVisits, Sampled, Secure
from ponder.mcts.decide import choice, decide, decided, undominated


def row(visits, value, spread=None, low=None, high=None):
    return MoveRow(0, visits, value, spread, low=low, high=high)


def bounded(visits, value, low, high):
    return row(visits, value, 1.0, low, high)


# ------------------------------------------------------------------ the rules


def test_most_visits_takes_the_most_visited_and_the_better_of_equals():
    assert decide(MostVisits(), [row(65, 0.3), row(100, 0.2), row(3, 0.9)]) == 1
    assert decide(MostVisits(), [row(50, 0.1), row(50, 0.2), row(0, None)]) == 1


def test_highest_value_takes_the_best_and_the_more_visited_of_equals():
    assert decide(HighestValue(), [row(65, 0.3), row(100, 0.2), row(3, 0.9)]) == 2
    assert decide(HighestValue(), [row(5, 0.4), row(9, 0.4), row(0, None)]) == 1


def test_secure_subtracts_its_margin():
    # 0.5 - 4 / 8 = 0, 0.9 - 4 / 2 = -1.1, 0.45 - 4 / 10 = 0.05
    rows = [row(64, 0.5), row(4, 0.9), row(100, 0.45)]
    assert decide(Secure(), rows) == 2
    # a = 1: 0.5 - 1 / 8 = 0.375, 0.9 - 1 / 2 = 0.4, 0.45 - 0.1 = 0.35
    assert decide(Secure(a=1.0), rows) == 1


def test_lower_bound_subtracts_standard_errors():
    # z = 2: 0.5 - 2 * 0.8 / 10 = 0.34, 0.55 - 2 * 0.9 / 5 = 0.19
    rows = [row(100, 0.5, 0.8), row(25, 0.55, 0.9)]
    assert decide(LowerBound(z=2.0), rows) == 0
    # z = 0.5: 0.5 - 0.04 = 0.46, 0.55 - 0.09 = 0.46 - a little less visits, the same bound;
    # z = 0.25: 0.48 and 0.505
    assert decide(LowerBound(z=0.25), rows) == 1


def test_lower_bound_wants_a_tenth_of_the_most_visits():
    rows = [row(100, 0.1, 1.0), row(9, 0.9, 0.0)]
    assert decide(LowerBound(z=1.0), rows) == 0
    rows = [row(100, 0.1, 1.0), row(10, 0.9, 0.0)]
    assert decide(LowerBound(z=1.0), rows) == 1


def test_sampled_draws_by_visits_to_the_power_of_one_over_temperature():
    rows = [row(10, 0.0), row(30, 0.0), row(0, None)]
    assert Sampled().chances(rows) == pytest.approx([0.25, 0.75, 0])
    assert Sampled(temperature=0.5).chances(rows) == pytest.approx([0.1, 0.9, 0])
    # 30^(1/2) / 10^(1/2) = sqrt 3
    assert Sampled(temperature=2.0).chances(rows)[1] == pytest.approx(
        math.sqrt(3) / (1 + math.sqrt(3))
    )
    assert Sampled(temperature=1e-3).chances(rows) == pytest.approx([0, 1, 0])


@pytest.mark.plain
def test_sampled_follows_the_seed_and_its_probabilities():
    rows = [row(10, 0.0), row(30, 0.0), row(0, None)]
    drawn = [decide(Sampled(), rows, seed) for seed in range(4000)]
    assert drawn == [decide(Sampled(), rows, seed) for seed in range(4000)]
    # 3 of 4; the standard error is 0.0068
    assert drawn.count(1) / 4000 == pytest.approx(0.75, abs=0.028)
    assert drawn.count(2) == 0


def test_max_robust_agrees_when_the_most_visited_is_the_best():
    assert MaxRobust().agreed([row(60, 0.5), row(40, 0.4)])
    assert not MaxRobust().agreed([row(60, 0.5), row(40, 0.6)])
    assert decide(MaxRobust(), [row(60, 0.5), row(40, 0.6)]) == 0


# ------------------------------------------------------------------ what is proven comes first

WIN, DRAW, LOSS = (1.0, 1.0), (0.0, 0.0), (-1.0, -1.0)
OPEN = (-1.0, 1.0)
TABLE = [
    # what the moves are (visits, value, low, high), which one is played whatever the rule
    ("a win against a better visited open move", [(2, 1.0, *WIN), (90, 0.9, *OPEN)], 0),
    ("a win against a draw", [(90, 0.0, *DRAW), (2, 1.0, *WIN)], 1),
    ("an open move against a loss", [(90, -1.0, *LOSS), (2, -0.99, *OPEN)], 1),
    ("a move never visited against a loss", [(90, -1.0, *LOSS), (0, None, *OPEN)], 1),
    ("a draw against a loss", [(2, 0.0, *DRAW), (90, -1.0, *LOSS)], 0),
    ("a draw against an open move that looks bad", [(2, 0.0, *DRAW), (90, -0.3, *OPEN)], 0),
    ("an open move that looks good against a draw", [(2, 0.0, *DRAW), (90, 0.3, *OPEN)], 1),
    ("at least a draw against a draw", [(90, 0.0, *DRAW), (2, 0.1, 0.0, 1.0)], 1),
    ("at least a draw against at most a draw", [(90, -0.1, -1.0, 0.0), (2, 0.1, 0.0, 1.0)], 1),
    ("a draw against at most a draw", [(90, -0.1, -1.0, 0.0), (2, 0.0, *DRAW)], 1),
    ("at least a draw against an open move that looks bad", [(2, 0.2, 0, 1), (90, -0.1, *OPEN)], 0),
    ("at most a draw against a loss", [(90, -1.0, *LOSS), (2, -0.9, -1.0, 0.0)], 1),
    ("the most visited of two wins", [(2, 1.0, *WIN), (90, 1.0, *WIN)], 1),
    ("the most visited of nothing but losses", [(2, -1.0, *LOSS), (90, -1.0, *LOSS)], 1),
]


@pytest.mark.plain
@pytest.mark.parametrize(
    "rule",
    [MostVisits(), HighestValue(), MaxRobust(), Secure(a=1.0), LowerBound(z=1.0)],
    ids=lambda r: type(r).__name__,
)
@pytest.mark.parametrize(("what", "rows", "played"), TABLE, ids=[line[0] for line in TABLE])
def test_what_is_proven_comes_first(what, rows, played, rule):
    assert decide(rule, [bounded(*line) for line in rows]) == played


def test_a_proven_move_has_no_margin_of_error():
    # secure: 0.2 - 4 / 10 = -0.2 is less than the draw that is sure
    rows = [bounded(2, 0.0, *DRAW), bounded(100, 0.2, *OPEN)]
    assert decide(Secure(), rows) == 0
    assert decide(Secure(a=1.0), rows) == 1


def test_rules_that_draw_never_draw_a_proven_loss_or_leave_a_proven_win():
    for seed in range(50):
        assert decide(Sampled(), [bounded(90, -1, *LOSS), bounded(1, -0.9, *OPEN)], seed) == 1
        assert decide(Sampled(), [bounded(1, 1, *WIN), bounded(99, 0.9, *OPEN)], seed) == 0


def test_without_proofs_nothing_is_left_out():
    assert undominated([row(1, 0.0), row(2, 0.5), row(0, None)]) == [0, 1, 2]
    assert undominated([bounded(1, 0.0, *OPEN), bounded(1, 0.0, *OPEN)]) == [0, 1]


def test_a_move_is_out_where_another_is_proven_to_be_as_good():
    """Against the definition, every move with every other, over random bounds with many ties."""
    draw = random.Random(1)
    for _ in range(300):
        pairs = [sorted(draw.choices((-1, 0, 1), k=2)) for _ in range(draw.randint(1, 6))]
        rows = [row(1, 0.0) if draw.random() < 0.1 else bounded(1, 0.0, *pair) for pair in pairs]
        known = [(-math.inf, math.inf) if r.low is None else (r.low, r.high) for r in rows]
        left = [
            i
            for i, (low, high) in enumerate(known)
            if not any(high <= other[0] and other != (low, high) for other in known)
        ]
        assert undominated(rows) == left


# ------------------------------------------------------------------ in a search


def test_max_robust_goes_on_past_the_limit_only_while_the_two_differ():
    start = position("tictactoe")
    extended = 0
    for seed in range(40):
        found = MCTS(decide=MaxRobust(extra=1.0)).search(start, simulations=200, seed=seed)
        plain = MCTS().search(start, simulations=200, seed=seed)
        assert 200 <= found.simulations <= 400
        rows = found.moves
        agreed = MaxRobust().agreed(rows)
        assert agreed or found.simulations == 400
        if found.simulations == 200:
            assert found.moves == plain.moves
        extended += found.simulations > 200
        assert found.stopped_by == "simulations"
    assert 0 < extended < 40
    never = MCTS(decide=MaxRobust(extra=0.0)).search(start, simulations=200, seed=1)
    assert never.simulations == 200


def test_an_extended_search_is_reproduced_by_its_seed():
    engine = MCTS(decide=MaxRobust(extra=1.0))
    for seed in range(10):
        one, two = (
            engine.search(position("tictactoe"), simulations=300, seed=seed) for _ in range(2)
        )
        assert one.moves == two.moves


def test_a_sampled_move_is_reproduced_by_its_seed():
    engine = MCTS(decide=Sampled())
    start = position("tictactoe")
    actions = [engine.search(start, simulations=100, seed=seed).action for seed in range(30)]
    assert actions == [engine.search(start, simulations=100, seed=s).action for s in range(30)]
    assert len(set(actions)) > 3


@pytest.mark.parametrize(
    "text",
    [
        "mcts(decide=highest_value())",
        "mcts(decide=max_robust(extra=0.25))",
        "mcts(decide=secure(a=1.0))",
        "mcts(decide=lower_bound(z=2.0))",
        "mcts(decide=sampled(temperature=0.5))",
    ],
)
def test_decide_rules_print_and_parse_back_to_themselves(text):
    assert part_text(parse_engine(text)) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sampled(temperature=0)", "temperature of sampled is above 0, not 0"),
        ("secure(a=-1)", "a of secure is 0 or more, not -1"),
        ("lower_bound(z=-1)", "z of lower_bound is 0 or more, not -1"),
        ("max_robust(extra=-1)", "extra of max_robust is a share of the limit, 0 or more, not -1"),
    ],
)
def test_decide_rules_refuse_parameters_out_of_range(text, said):
    with pytest.raises(InputError, match=said):
        parse_engine(f"mcts(decide={text})")


# ------------------------------------------------------------------ why this move


def why(rule, rows):
    return choice(rule, rows, decided(rule, rows))


def named(*rows):
    """The rows as moves of tic-tac-toe, which have names: a1, b1 ..."""
    return [r._replace(action=i, position=position("tictactoe")) for i, r in enumerate(rows)]


def test_what_is_most_visited_and_best_valued_goes_without_saying():
    assert why(MostVisits(), named(row(9, 0.5), row(3, 0.1), row(0, None))) == ""
    assert why(MostVisits(), named(row(9, 0.5), row(9, 0.5))) == ""
    assert why(MostVisits(), named(row(0, None), row(0, None))) == ""


@pytest.mark.parametrize(
    ("rule", "played", "reason", "other"),
    [
        (MostVisits(), "b1", "it is the most visited move", "highest value: a1 (7 visits, value"),
        (HighestValue(), "a1", "it has the highest value", "most visits: b1 (9 visits, value"),
        (MaxRobust(), "b1", "it is the most visited move, and", "highest value: a1 (7 visits"),
        (Secure(a=0.1), "a1", "it has the highest lower bound, value - a h", "most visits: b1"),
        (LowerBound(z=0.1), "a1", "it has the highest lower bound, value - z", "most visits: b1"),
    ],
)
def test_else_the_rule_says_why(rule, played, reason, other):
    rows = named(row(7, 0.4, 0.5), row(9, 0.3, 0.5), row(1, -1.0, 0.0))
    assert rows[decide(rule, rows)].name == played
    said = why(rule, rows)
    assert said.startswith(f"{played} is played because {reason}")
    assert f"(decide={part_text(rule)})" in said
    assert other in said


def test_of_proofs_it_says_that_they_decided():
    # the most visited move is proven to be lost
    rows = named(bounded(90, -1.0, -1.0, -1.0), bounded(10, -0.2, -1.0, 1.0))
    rows += named(bounded(5, 0.1, -1.0, 1.0))
    said = why(MostVisits(), rows)
    assert "a1 is proven to be no better than another move, and of the rest it is the most" in said
    # what the rule takes is worth less than what another move is sure of
    rows = named(bounded(90, 0.1, -1.0, 1.0), bounded(5, 0.5, 0.5, 0.5))
    assert "its value is proven, and higher than that of a1, which most_visits() took" in why(
        MostVisits(), rows
    )


class Mine(NamedTuple):
    """The least visited move."""

    def best(self, rows, seed=0):
        return min(range(len(rows)), key=lambda i: rows[i].visits)


def test_a_rule_of_ones_own_needs_no_reason_and_may_have_one():
    rows = named(row(7, 0.4), row(9, 0.3))
    assert "a1 is played because it was chosen (decide=" in why(Mine(), rows)
    Mine.REASON = "it is the least visited move"
    assert "a1 is played because it is the least visited move (decide=" in why(Mine(), rows)
