"""Networks with second layers by how full the board is."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from ponder import InputError, position
from ponder.learn.file import network_for, save_network
from ponder.learn.model import PatternModel
from ponder.learn.network import (
    NARROW,
    hidden,
    in_phases,
    layer_of,
    logit,
    new_weights,
    scratch_for,
    write_values,
)
from ponder.learn.patterns import patterns_of
from ponder.learn.seeing import sight_of
from training_runs import new_run

pytestmark = pytest.mark.plain
START = position("tictactoe")
GAME = [START]
for _move in ("b2", "a1", "c3", "a3", "a2", "c2", "b1"):
    GAME.append(GAME[-1].play(_move))
"""Positions of 0 to 7 stones."""


def weights_of(phases, seed=3):
    made = new_weights(patterns_of(sight_of(START).board), 2, 9, 1, seed, phases)
    rng = np.random.default_rng(seed)
    drawn = {name: rng.standard_normal(getattr(made, name).shape) for name in ("b1", "W2", "b2")}
    return made._replace(**{name: one.astype(np.float32) / 8 for name, one in drawn.items()})


def kernel_says(folder, weights, here):
    path = folder / "x.network"
    save_network(path, START, sight_of(START), weights, {})
    network, cells = network_for(str(path), START)
    scratch, values = scratch_for(network, here.rules.spec, cells), np.zeros(2)
    hidden(network, here.rules.part, here.raw_state[0], scratch, here.current_player)
    write_values(network, scratch, here.current_player, values)
    return [logit(network, a, scratch) for a in range(9)], values[here.current_player]


def codes_of(here):
    own = "xo"[here.current_player]
    marks = here.text().replace("/", "")
    return [*(0 if m == "." else 1 if m == own else 2 for m in marks), here.current_player]


def test_the_layer_follows_from_who_moves_and_how_many_cells_are_filled():
    """Ten cells with the one that says who is to move: three phases begin at 0, 4 and 7 stones."""
    layers = [int(layer_of(np.array(codes_of(here), np.int32), 2, 6)) for here in GAME]
    assert layers == [0, 1, 0, 1, 2, 3, 2, 5]
    one_phase = [int(layer_of(np.array(codes_of(here), np.int32), 2, 2)) for here in GAME]
    assert one_phase == [0, 1] * 4
    full = np.array([1] * 9 + [1], np.int32)
    assert int(layer_of(full, 2, 128)) == 2 * (9 * 64 // 10) + 1 < 128


def test_kernel_and_torch_take_the_same_layer(tmp_path):
    weights = weights_of(3)
    model = PatternModel(patterns_of(sight_of(START).board), weights, 2)
    with torch.no_grad():
        logits, values = model(np.array([codes_of(here) for here in GAME], np.int32))
    for i, here in enumerate(GAME):
        scores, value = kernel_says(tmp_path, weights, here)
        assert np.allclose(scores, logits[i].numpy(), atol=1e-5, rtol=0)
        assert value == pytest.approx(float(values[i]), abs=1e-5)


def test_more_phases_begin_as_the_same_network(tmp_path):
    for there, wanted in ((1, 3), (2, 6)):
        weights = weights_of(there)
        more = in_phases(weights, 2, wanted)
        assert more.W2.shape == (2 * wanted, *weights.W2.shape[1:])
        for here in GAME:
            assert kernel_says(tmp_path, weights, here) == kernel_says(tmp_path, more, here)


def test_a_run_with_phases_begins_with_a_network_of_fewer(tmp_path):
    save_network(tmp_path / "two.network", START, sight_of(START), weights_of(2), {})
    begin = str(tmp_path / "two.network")
    run = new_run(tmp_path / "four", begin=begin, phases=4)
    run.close()
    assert run.road.network.weights.b1.shape[0] == 8
    with pytest.raises(InputError, match="has 2 phases, which phases=3 is no multiple of"):
        new_run(tmp_path / "three", begin=begin, phases=3)
    with pytest.raises(InputError, match=r"phases must be 1 to 64, not 0"):
        new_run(tmp_path / "none", phases=0)
    with pytest.raises(InputError, match="phases are of the network inside the kernel"):
        new_run(tmp_path / "beside", phases=2, network="mlp")


def test_a_file_whose_layers_do_not_belong_to_phases_is_refused(tmp_path):
    whole = weights_of(2)
    wrong = (
        whole._replace(b1=whole.b1[:3], W2=whole.W2[:3], b2=whole.b2[:3]),
        whole._replace(b1=whole.b1[:2]),
        whole._replace(W2=whole.W2[:2]),
        whole._replace(b2=np.zeros((0, NARROW), np.float32)),
        whole._replace(b1=whole.b1[0]),
        in_phases(whole, 2, 66),
    )
    for weights in wrong:
        with pytest.raises(InputError, match=r"has an array (b1|W2|b2) of shape"):
            kernel_says(tmp_path, weights, START)


def test_positions_near_the_end_are_learned_from_less_often(tmp_path):
    run = new_run(tmp_path, simulations=2, first_positions=60)
    run.run(rounds=2)
    run.close()
    replay, rng = run.replay, np.random.default_rng(1)
    games = replay.played.games
    ends = [np.flatnonzero(games == game).max() for game in games]
    assert replay.left.tolist() == (np.array(ends) - np.arange(len(games))).tolist()

    def share(endings, near=3.0):
        rows = replay.draw(rng, 4000, len(replay), near, endings)
        assert len(rows) == 4000
        return (replay.left[rows] < near).mean()

    of_all = (replay.left < 3).mean()
    for endings in (1.0, 0.25, 0.0):
        expected = endings * of_all / (endings * of_all + 1 - of_all)
        assert share(endings) == pytest.approx(expected, abs=0.04)
    assert share(0.0, 100.0) == 1.0  # every position is near the end
