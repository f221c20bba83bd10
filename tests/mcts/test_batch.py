"""Python functions as evaluators: values, batches, virtual losses, priors, errors."""

from __future__ import annotations

import math
import signal
from functools import cache
from threading import Event

import numpy as np
import pytest

from ponder import MCTS, GameError, InputError, Position, engine, position
from ponder.evaluate import Function, Static
from ponder.mcts.batch import BatchRun
from ponder.mcts.tree import ROOT
from reference.naive_tictactoe import NaiveTicTacToe
from reference.whole_game import solve_all

pytestmark = pytest.mark.plain


def equal(positions):
    return [[0.0] * p.players for p in positions]


def own(positions):
    """What the game's own evaluation function says."""
    return [p.rules.evaluate(p.raw_state) for p in positions]


@cache
def expected(here: Position) -> tuple[float, ...]:
    """The mean result of all uniformly random games from here."""
    if here.is_terminal:
        return here.returns
    below = [expected(here.play(action)) for action in here.legal_actions]
    return tuple(sum(column) / len(below) for column in zip(*below, strict=True))


def expectations(positions):
    return np.array([expected(p) for p in positions])


# ------------------------------------------------------------------ values


@pytest.mark.parametrize("batch", [1, 8])
@pytest.mark.parametrize("start", [position("tictactoe"), Position(NaiveTicTacToe())])
def test_exact_expectations_of_random_games_lead_to_a_best_move(start, batch):
    start = start.play_all([0, 1])
    known = solve_all(start)
    late = [k for k in known.values() if len(k.position.legal_actions) in (4, 5)]
    for k in late[::60]:
        found = MCTS(evaluate=Function(expectations, batch=batch)).search(
            k.position, simulations=300, seed=1
        )
        assert found.action in k.best, k.position


@pytest.mark.parametrize("game", ["connect4", "breakthrough(5, 5)"])
def test_a_batch_of_one_is_the_sequential_search_bit_for_bit(game):
    compiled = MCTS(evaluate=Static()).search(position(game), simulations=500, seed=4)
    called = MCTS(evaluate=own).search(position(game), simulations=500, seed=4)
    assert called.moves == compiled.moves
    assert called.values == compiled.values
    assert called.tree.to_json() == compiled.tree.to_json()


def test_the_raw_form_gets_records_and_gives_the_same():
    start = position("connect4")

    def of_records(states):
        assert states.dtype == start.rules.spec.state
        return [start.rules.evaluate(states[i : i + 1]) for i in range(len(states))]

    raw = MCTS(evaluate=Function(of_records, batch=4, raw=True))
    usual = MCTS(evaluate=Function(own, batch=4))
    limits = {"simulations": 203, "seed": 4}
    assert raw.search(start, **limits).moves == usual.search(start, **limits).moves


# ------------------------------------------------------------------ batches


class Recorder:
    """Remembers how many positions it got at a time and what it said."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.said: list[float] = []

    def __call__(self, positions):
        self.sizes.append(len(positions))
        values = [(v := 0.4 * math.sin(len(p.history) + hash(p.key)), -v) for p in positions]
        self.said += [v for v, _ in values]
        return values


@pytest.mark.parametrize("virtual_loss", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("start", [position("connect4"), Position(NaiveTicTacToe())])
def test_no_virtual_loss_is_left_behind(start, virtual_loss):
    recorder = Recorder()
    rule = Function(recorder, batch=8, virtual_loss=virtual_loss)
    result = MCTS(evaluate=rule).search(start, simulations=403, seed=1)
    assert result.simulations == sum(row.visits for row in result.moves) == 403
    assert max(recorder.sizes) == 8
    for node in result.tree.walk():
        if node.children:
            own = node.parent is not None  # its own evaluation
            assert node.visits == own + sum(child.visits for child in node.children)
    # the sum at the root is that of the values given, the ends of games (whole numbers) aside
    root = result.tree.root
    rest = root.value * 403 - math.fsum(recorder.said)
    assert rest == pytest.approx(round(rest), abs=1e-9)
    if start.rules.compiled:  # no game of connect4 ends so early in this search
        assert rest == pytest.approx(0.0, abs=1e-9)
        assert len(recorder.said) == 403


def test_leaves_of_one_batch_differ_where_there_are_enough():
    seen = []

    def keep(positions):
        seen.append([p.text() for p in positions])
        return equal(positions)

    MCTS(evaluate=Function(keep, batch=7)).search(position("connect4"), simulations=70, seed=1)
    assert [len(batch) for batch in seen] == [7] * 10
    assert all(len(set(batch)) == 7 for batch in seen)


def run_of(rule, start):
    return BatchRun(start, MCTS(evaluate=rule), 1, 16.0).prepare()


@pytest.mark.parametrize(
    ("virtual_loss", "after"),
    # three visits worth 0.2 each, and one that waits: all of it lost, half of it, nothing
    [(1.0, (0.6 - 1.0) / 4), (0.5, (0.6 - 0.5 + 0.1) / 4), (0.0, 0.2)],
)
def test_a_waiting_leaf_counts_as_a_visit_that_disappoints(virtual_loss, after):
    from ponder.mcts.batch import hold, take_back

    run = run_of(Function(equal, batch=2, virtual_loss=virtual_loss), position("tictactoe"))
    nodes = run.store.tree.nodes
    nodes[ROOT].visits, nodes[ROOT].value = 3, 0.6
    nodes[1].visits, nodes[1].value = 0, 0.0
    run.work.path[0], run.work.path[1] = ROOT, 1
    hold(run.store.tree, run.work, run.waiting, 1, virtual_loss)
    assert nodes[ROOT].visits == 4
    assert nodes[ROOT].value / 4 == pytest.approx(after)
    # nothing is known of a leaf that waits for the first time: it counts as lost
    lost = -1.0
    assert (nodes[1].visits, nodes[1].value) == (1, pytest.approx(lost))
    take_back(run.store.tree, run.waiting)
    assert (nodes[ROOT].visits, nodes[1].visits) == (3, 0)
    assert nodes[ROOT].value == pytest.approx(0.6)


# ------------------------------------------------------------------ priors


def likes_the_centre(positions):
    """Equal values; three times as likely in the centre as anywhere else."""
    rows = np.ones((len(positions), 7))
    rows[:, 3] = 3.0
    return np.zeros((len(positions), 2)), rows


GIVEN = engine("mcts(select=puct(), expand=all_children(priors=given()))")


@pytest.mark.parametrize("batch", [1, 4])
def test_the_functions_probabilities_become_priors_of_the_legal_moves(batch):
    full = position("connect4").play_all("1 1 1 1 1 1")  # column 1 is full
    rule = Function(likes_the_centre, batch=batch)
    result = GIVEN._replace(evaluate=rule).search(full, simulations=80, seed=1)
    store = result.tree._store
    assert {int(c.action): float(c.prior) for c in store.children(ROOT)} == {
        a: pytest.approx((3.0 if a == 3 else 1.0) / 8.0) for a in range(1, 7)
    }
    best = next(c for c in result.tree.root.children if c.action == 3)
    assert best.visits == max(c.visits for c in result.tree.root.children)
    below = store.children(best.index)
    assert float(below[below.action == 3].prior[0]) == pytest.approx(3.0 / 8.0)


def test_probabilities_may_be_dicts_and_those_of_impossible_moves_do_not_count():
    def by_name(positions):
        return equal(positions), [{2: 1.0, 3: 1.0, 99: 50.0} for _ in positions]

    result = GIVEN._replace(evaluate=by_name).search(position("connect4"), simulations=20, seed=1)
    priors = {int(c.action): float(c.prior) for c in result.tree._store.children(ROOT)}
    assert priors == {a: 0.5 if a in (2, 3) else 0.0 for a in range(7)}


def test_given_priors_need_a_function_that_gives_some():
    with pytest.raises(GameError, match="equal gave values alone"):
        GIVEN._replace(evaluate=equal).search(position("connect4"), simulations=5)


# ------------------------------------------------------------------ errors


def raising(positions):
    raise ZeroDivisionError("no luck")


@pytest.mark.parametrize("start", [position("tictactoe"), Position(NaiveTicTacToe())])
@pytest.mark.parametrize(
    ("function", "said"),
    [
        (raising, "raising raised ZeroDivisionError: no luck"),
        (lambda ps: [0.0 for _ in ps], r"gave an array of shape \(1,\) for 1 positions"),
        (lambda ps: np.zeros((len(ps) + 1, 2)), r"expected \(1, 2\): a utility for each player"),
        (lambda ps: "nonsense", "where an array of numbers is expected"),
        (lambda ps: None, "shape"),
        (lambda ps: [[math.nan, 0.0]], "gave the value nan; utilities are from -1 to 1"),
        (lambda ps: [[0.0, math.inf]], "gave the value inf"),
        (lambda ps: [[1.5, -1.5]], "gave the value 1.5"),
        (lambda ps: ([[0.0, 0.0]], [{0: -1.0}]), "negative"),
        (lambda ps: ([[0.0, 0.0]], [{}, {}]), "2 dicts of probabilities for 1 positions"),
        (lambda ps: ([[0.0, 0.0]], "x"), "neither an array of numbers nor dicts"),
        (lambda ps: ([[0.0, 0.0]], [[1.0]]), "gave probabilities|must give probabilities"),
    ],
)
def test_a_wrong_answer_is_one_clear_line_that_names_the_function(start, function, said):
    with pytest.raises(GameError, match=said) as caught:
        MCTS(evaluate=function).search(start, simulations=5)
    assert str(caught.value).startswith("the evaluate function ")
    assert "\n" not in str(caught.value)


def test_what_does_not_fit_a_function_is_refused():
    with pytest.raises(InputError, match="one thread"):
        MCTS(evaluate=equal, threads=2).search(position("tictactoe"), simulations=5)
    with pytest.raises(InputError, match="no records"):
        MCTS(evaluate=Function(equal, raw=True)).search(Position(NaiveTicTacToe()), simulations=5)
    with pytest.raises(InputError, match="batch=1"):
        MCTS(evaluate=Function(equal, batch=2), transpositions=True).search(
            position("tictactoe"), simulations=5
        )


def test_a_function_may_be_named_by_its_file(tmp_path):
    file = tmp_path / "judge.py"
    file.write_text("def judge(ps):\n    return [[0.25, -0.25] for _ in ps]\n")
    result = engine(f'mcts(evaluate=function(call="{file}:judge"))').search(
        position("connect4"), simulations=20, seed=1
    )
    assert result.values == (0.25, -0.25)
    for wrong in ("judge.py", f"{file}:nobody", "no.py:judge"):
        with pytest.raises(InputError):
            engine(f'mcts(evaluate=function(call="{wrong}"))').search(
                position("connect4"), simulations=2
            )


def test_the_result_names_the_function():
    result = MCTS(evaluate=Function(equal, batch=2)).search(position("tictactoe"), simulations=9)
    assert result.engine == "mcts(evaluate=function(call=equal, batch=2))"


# ------------------------------------------------------------------ stopping


@pytest.mark.parametrize("start", [position("tictactoe"), Position(NaiveTicTacToe())])
def test_stop_ends_the_search_after_the_batch_that_is_under_way(start):
    stop, calls = Event(), []

    def then_stop(positions):
        calls.append(len(positions))
        if len(calls) == 3:
            stop.set()
        return equal(positions)

    result = MCTS(evaluate=Function(then_stop, batch=4)).search(start, seconds=60, stop=stop)
    assert result.stopped_by == "stop"
    assert sum(row.visits for row in result.moves) == result.simulations >= 12


def test_ctrl_c_ends_the_search_and_keeps_its_result():
    def pressed(positions):
        signal.raise_signal(signal.SIGINT)
        return equal(positions)

    result = MCTS(evaluate=Function(pressed, batch=4)).search(position("tictactoe"), seconds=60)
    assert (result.stopped_by, result.simulations) == ("interrupt", 4)


def test_a_batch_is_no_larger_than_the_number_of_simulations():
    recorder = Recorder()
    rule = Function(recorder, batch=64)
    result = MCTS(evaluate=rule).search(position("connect4"), simulations=100, seed=1)
    assert result.simulations == 100
    assert sum(recorder.sizes) == 100
    assert recorder.sizes == [64, 36]


@pytest.mark.parametrize("start", [position("tictactoe"), Position(NaiveTicTacToe())])
def test_the_pieces_into_which_the_clock_cuts_a_search_do_not_change_the_batches(start):
    found = []
    for piece in (1, 5, 200):
        recorder = Recorder()
        run = BatchRun(start, MCTS(evaluate=Function(recorder, batch=7)), 1, 16.0, 200).prepare()
        while run.done < 200:
            run.advance(min(piece, 200 - run.done))
        assert run.done == 200
        children = run.store.children(ROOT)
        found.append((recorder.sizes, children.visits.tolist(), children.value.tolist()))
    assert found[0] == found[1] == found[2]
