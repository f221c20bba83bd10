"""The network: in the kernel and in torch it is the same, and it says what the mover sees."""

from __future__ import annotations

import json
import random
from typing import NamedTuple

import numpy as np
import pytest
import torch

from ponder import InputError, engine, position
from ponder.core.rng import new_rng
from ponder.learn.file import FILE, network_for, save_network
from ponder.learn.model import Learner, PatternModel, losses
from ponder.learn.net import FittedBlendedNet, FittedNet, Net
from ponder.learn.network import hidden, logit, new_weights, scratch_for, write_values
from ponder.learn.patterns import patterns_of
from ponder.learn.replay import Sampler
from ponder.learn.seeing import sight_of, visited_states
from ponder.mcts.parts import completed


def positions(n, seed=1):
    """Positions of random games of tic-tac-toe in which a player is to move."""
    rng = random.Random(seed)
    found = []
    while len(found) < n:
        here = position("tictactoe")
        while not here.is_terminal:
            found.append(here)
            here = here.play(rng.choice(here.legal_actions))
    return found[:n]


def kernel_says(network, cells, here):
    """Logits of the legal actions and utilities of both players, from the kernel."""
    scratch = scratch_for(network, here.rules.spec, cells)
    player = here.current_player
    hidden(network, here.rules.part, here.raw_state[0], scratch, player)
    values = np.zeros(2)
    write_values(network, scratch, player, values)
    return [logit(network, a, scratch) for a in here.legal_actions], values


def codes_by_hand(here):
    """The board as its mover sees it: 0 empty, 1 own, 2 the other's; and who is to move."""
    own = "xo"[here.current_player]
    marks = here.text().replace("/", "")
    return [*(0 if m == "." else 1 if m == own else 2 for m in marks), here.current_player]


def test_kernel_and_torch_agree(trained):
    network, cells = network_for(str(trained.folder), position("tictactoe"))
    model = trained.learner.model
    found = positions(120)
    with torch.no_grad():
        logits, values = model(np.array([codes_by_hand(here) for here in found], np.int32))
    for i, here in enumerate(found):
        scores, utilities = kernel_says(network, cells, here)
        expected = logits[i].numpy()[list(here.legal_actions)]
        assert np.allclose(scores, expected, atol=1e-5, rtol=0)
        mover = here.current_player
        assert utilities[mover] == pytest.approx(float(values[i]), abs=1e-5)
        assert utilities[1 - mover] == pytest.approx(-float(values[i]), abs=1e-5)


def test_priors_of_the_root_are_the_policy_over_legal_moves_alone(trained):
    here = position("tictactoe").play_all("b2 a1 c3")
    found = engine(f"alphazero(net={str(trained.folder)!r})").search(here, simulations=50, seed=1)
    network, cells = network_for(str(trained.folder), here)
    scores, _ = kernel_says(network, cells, here)
    expected = dict(zip(here.legal_actions, torch.softmax(torch.tensor(scores), 0), strict=True))
    assert {row.action for row in found.moves} == set(here.legal_actions)
    for row in found.moves:
        assert row.prior == pytest.approx(float(expected[row.action]), abs=1e-6)
    assert sum(row.prior for row in found.moves) == pytest.approx(1, abs=1e-5)


def estimated(run, rule, here):
    """What an evaluate rule says of a position, with the scratch space of a worker."""
    spec = here.rules.spec
    work = run.workers.workers[0].work
    work.states[1] = here.raw_state[0]
    kept = work.memory._replace(evaluate=rule.memory(spec, None))
    rule.estimate(here.rules.part, work.states[1], work._replace(memory=kept), new_rng(1), 9)
    return work.utilities.tolist()


def test_a_network_that_thinks_the_mover_wins_says_that_the_other_loses(trained):
    """Fails where a value is given to the wrong player."""
    weights = trained.road.network.weights
    sure = weights._replace(Wv=weights.Wv * 0, bv=weights.bv * 0 + 2.0)
    rule = completed("evaluate", FittedNet(trained.road.network._replace(weights=sure), 9))
    for here in positions(9):
        utilities = estimated(trained, rule, here)
        assert utilities[here.current_player] == pytest.approx(np.tanh(2.0), abs=1e-6)
        assert utilities[1 - here.current_player] == pytest.approx(-np.tanh(2.0), abs=1e-6)
    over = position("tictactoe").play_all("a1 b1 a2 b2 a3")
    assert estimated(trained, rule, over) == [1, -1]  # the end counts as it is


def test_nobody_else_evaluates_what_was_evaluated_for_the_priors(trained, tmp_path):
    """A leaf's value is its own, not that of the node whose children got priors last."""
    start = position("tictactoe")
    found = engine(f"alphazero(net={str(trained.folder)!r})").search(start, simulations=1, seed=1)
    (row,) = [row for row in found.moves if row.visits]
    after = start.play(row.action)
    network, cells = network_for(str(trained.folder), start)
    assert row.value == pytest.approx(kernel_says(network, cells, after)[1][0], abs=1e-6)


def test_the_weight_blends_network_and_another_rule(trained):
    class Loses(NamedTuple):
        """Player 0 gets -0.5."""

        def estimate(self, game, s, work, rng, longest):
            work.utilities[0], work.utilities[1] = -0.5, 0.5
            return True

    here = position("tictactoe").play("a1")
    alone = completed("evaluate", FittedNet(trained.road.network, 9))
    (own, other) = estimated(trained, alone, here)
    inner = completed("evaluate", Loses())
    for weight in (0.0, 0.25, 1.0):
        rule = completed("evaluate", FittedBlendedNet(trained.road.network, 9, weight, inner))
        expected = (1 - weight) * own - 0.5 * weight
        assert estimated(trained, rule, here) == pytest.approx([expected, -expected], abs=1e-6)
    assert own == -other


def test_the_classical_searches_evaluate_with_a_network(trained, tmp_path):
    from ponder.learn.evaluated import INSIDE

    rule = Net(str(trained.folder))
    network, cells = network_for(str(trained.folder), position("tictactoe"))
    for here in positions(8, seed=2):
        found = rule.evaluating(here)
        assert found.legal_actions == here.legal_actions
        said = found.rules.evaluate(found.raw_state)
        assert said == pytest.approx(INSIDE * kernel_says(network, cells, here)[1], abs=1e-6)
    with pytest.raises(InputError, match="takes a network"):
        engine("alphabeta(evaluate=rollout())")
    with pytest.raises(InputError, match="blends rollouts in"):
        rule._replace(weight=0.5).evaluating(here)


def a_batch(run, n=64):
    played = run.replay.played
    rows = np.arange(n) * (len(played.games) // n)
    return run.sampler.batch(played, rows, rows % 8)


def test_gradients_agree_with_finite_differences(trained):
    batch = a_batch(trained)
    model = PatternModel(trained.road.patterns, trained.learner.model.weights(), 2).double()
    batch = batch._replace(policy=batch.policy.astype(float), values=batch.values.astype(float))

    def loss():
        return sum(losses(model, batch))

    loss().backward()
    rng = random.Random(1)
    for name, parameter in model.named_parameters():
        flat, gradient = parameter.data.view(-1), parameter.grad.view(-1)
        large = torch.argsort(gradient.abs(), descending=True)[:50].tolist()
        for at in rng.sample(large, min(4, len(large))):
            before = float(flat[at])
            sides = []
            for step in (1e-6, -1e-6):
                flat[at] = before + step
                with torch.no_grad():
                    sides.append(float(loss()))
            flat[at] = before
            slope = (sides[0] - sides[1]) / 2e-6
            assert slope == pytest.approx(float(gradient[at]), rel=1e-3, abs=1e-7), name


def test_one_batch_can_be_learned_by_heart(trained):
    batch = a_batch(trained, 32)
    best = np.argmax(batch.policy, 1)
    sharp = np.zeros_like(batch.policy)
    sharp[np.arange(32), best] = 1.0
    # equal boards must ask for equal things
    _, first = np.unique(batch.codes, axis=0, return_index=True)
    batch = type(batch)(*(column[first] for column in batch._replace(policy=sharp)))
    weights = new_weights(trained.road.patterns, 2, 9, 1, 1)
    learner = Learner(PatternModel(trained.road.patterns, weights, 2), 1e-2, 0.0)
    for _ in range(300):
        policy, value = learner.learn(batch, 1e-2)
    assert policy < 0.01
    assert value < 0.01


def test_what_is_illegal_takes_no_part_in_the_loss(trained):
    """Fails where the softmax is over all actions."""
    batch = a_batch(trained)
    model = PatternModel(trained.road.patterns, trained.learner.model.weights(), 2)
    legal = np.zeros((len(batch.legal), 9), bool)
    for i, row in enumerate(batch.legal):
        legal[i, row[row >= 0]] = True
    logits, _ = model(batch.codes)
    logits.retain_grad()
    model.forward = lambda codes: (logits, torch.zeros(len(batch.values), 1))
    losses(model, batch)[0].backward()
    assert (logits.grad.numpy()[~legal] == 0).all()
    assert (logits.grad.numpy()[legal] != 0).any()


def test_board_policy_and_image_belong_together(trained):
    """An image of a position has the image of its policy; by the cells' names, not by the hooks."""
    run = trained
    rows = np.arange(0, len(run.replay), 37)
    plain = run.sampler.batch(run.replay.played, rows, rows * 0)
    # symmetry 1 exchanges left and right: cell 3r + c becomes 3r + 2 - c
    mirror = np.array([2, 1, 0, 5, 4, 3, 8, 7, 6])
    turned = run.sampler.batch(run.replay.played, rows, rows * 0 + 1)
    assert (turned.codes[:, :9] == plain.codes[:, mirror]).all()
    assert (turned.codes[:, 9] == plain.codes[:, 9]).all()  # who is to move
    assert (turned.codes != plain.codes).any()
    for i in range(len(rows)):
        n = int((plain.legal[i] >= 0).sum())
        given = dict(zip(plain.legal[i, :n].tolist(), plain.policy[i, :n].tolist(), strict=True))
        image = dict(zip(turned.legal[i, :n].tolist(), turned.policy[i, :n].tolist(), strict=True))
        assert image == {int(mirror[a]): p for a, p in given.items()}
        assert all(turned.codes[i, a] == 0 for a in image)  # moves go to empty cells


def test_values_are_those_of_the_player_to_move(trained):
    """Fails where the sign of the second player's target is wrong."""
    played = trained.replay.played
    rows = np.arange(len(trained.replay))
    batch = trained.sampler.batch(played, rows, rows * 0)
    mover = played.states.ply[rows] % 2
    assert set(mover.tolist()) == {0, 1}
    assert np.array_equal(batch.values[:, 0], played.values[rows, mover])
    ends = played.results[rows, mover]
    # what was played by the winner teaches more than what was played by the loser
    assert batch.values[ends == 1, 0].mean() > batch.values[ends == -1, 0].mean() + 0.5


def test_a_network_file_is_refused_when_damaged_or_of_another_game(trained, tmp_path):
    start = position("tictactoe")
    path = tmp_path / "x.network"
    save_network(path, start, trained.sight, trained.road.network.weights, {})
    whole = path.read_bytes()
    rng = random.Random(3)
    for at in [*range(0, 80, 3), *(rng.randrange(len(whole)) for _ in range(40))]:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        with pytest.raises(InputError, match=r"damaged|not a network"):
            network_for(str(path), start)
    for length in (0, 10, 100, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(InputError, match=r"damaged|not a network|empty"):
            network_for(str(path), start)
    path.write_bytes(whole)
    network_for(str(path), start)
    with pytest.raises(InputError, match=r"network of tictactoe\(\), not of connect4"):
        network_for(str(path), position("connect4"))
    with pytest.raises(InputError, match="no network 'nonsense'"):
        network_for("nonsense", start)
    header, arrays = FILE.read(path)
    for change, words in (
        ({"kind": "residual"}, "kind 'residual'"),
        ({"board": [4, 3, 3, "grid", 0, 3]}, "does not fit tictactoe"),
        ({"actions": 10}, "does not fit tictactoe"),
    ):
        FILE.write(path, {**header, **change}, arrays)
        with pytest.raises(InputError, match=words):
            network_for(str(path), start)
    for name, array in (("b1", arrays["b1"][:-1]), ("bv", arrays["bv"] * np.nan)):
        FILE.write(path, header, {**arrays, name: array.astype(np.float32)})
        with pytest.raises(InputError, match=r"has an array|not finite"):
            network_for(str(path), start)
    assert json.dumps(header)  # nothing but JSON in it


def test_a_game_that_says_nothing_is_seen_by_its_record():
    start = position("nim(heaps=(3, 4))")
    sight = sight_of(start)
    assert sight.derived
    states = visited_states(start.rules.part, start.rules.spec)
    patterns = patterns_of(sight.board)
    assert patterns.cells.max() == sight.board.cells - 2  # the last cell is who is to move
    seen = {}
    for state in states:
        codes = np.zeros(sight.board.cells, np.int32)
        raw = np.frombuffer(state.tobytes(), np.uint8)
        sight.cells.write(start.rules.part, state, raw, int(state.player), codes)
        said = (*map(int, state.heaps), int(state.player))
        assert seen.setdefault(tuple(codes.tolist()), said) == said  # nothing that matters is lost
        assert codes.max() < sight.board.codes
    assert len(seen) > 10
    assert Sampler(start, sight).symmetries == 1
