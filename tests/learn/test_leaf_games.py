"""Self-play beside the kernel: the games of the kernel, cut in pieces; and training with it."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch

from learn.test_beside import OWN, SMALL
from ponder import InputError, engine, position
from ponder.cli import run as cli
from ponder.learn.beside_file import asked_network
from ponder.learn.file import FILE
from ponder.learn.leaf_workers import LeafWorkers
from ponder.learn.model import PatternModel
from ponder.learn.roads import KernelRoad
from ponder.learn.root_ways import Improvement, SelfPlayPUCT, Visits
from ponder.learn.seeing import sight_of, visited_states
from ponder.learn.selfplay import Play, PlayedRows
from ponder.mcts.backup.mean import Mean
from ponder.mcts.backup.solver import Solver
from ponder.mcts.select.gumbel import Gumbel
from training_runs import new_run

pytestmark = pytest.mark.plain

PUCT = SelfPlayPUCT(forced=2.0), Visits(0.25, 10.0), Mean()
GUMBEL = Gumbel(considered=4, scale=1.0), Improvement(), Solver()


def played(workers, seed, games):
    workers.begin(seed, 0, games)
    while workers.busy:
        workers.wait(0.1)
    return workers.results()


@pytest.mark.parametrize(
    ("game", "select", "way", "backup"),
    [
        ("tictactoe", *PUCT),
        ("tictactoe", *GUMBEL),
        ("pig(target=5, horizon=20)", *PUCT),
        ("nim(heaps=(3, 4, 5))", *PUCT),
    ],
)
def test_games_beside_the_kernel_are_those_inside_it(game, select, way, backup):
    """The same network in both places, games of the same numbers: every row is the same."""
    start = position(game)
    road = KernelRoad(start, sight_of(start), 3)
    weights = road.network.weights
    weights.Wp[...] *= 4
    weights.Wv[...] *= 4
    road.model = PatternModel(road.patterns, weights, 2)

    def predict(codes):
        with torch.no_grad():
            logits, values = road.model(codes.astype(np.int32))
        return logits.numpy(), values.numpy()

    play = Play(8, 4, 0.5, 2, 0.5, 3, 0.8, 0.05, True, way)
    inside = played(road.workers(play, select, backup, 1), 7, 9)
    workers = LeafWorkers(start, road.sight, predict, play, select, backup, 2, at_once=3)
    beside = played(workers, 7, 9)
    assert len(inside.games) >= 10
    for name in PlayedRows._fields:
        one, other = getattr(inside, name), getattr(beside, name)
        if name == "states":
            assert one.tobytes() == other.tobytes()
        elif name == "count":
            assert one[2] == other[2]
        else:
            assert np.allclose(one, other, atol=1e-5), name


@pytest.mark.parametrize("network", ["residual(blocks=1, channels=4)", "mlp(width=8)", SMALL])
def test_a_run_goes_on_where_it_was_left(network, tmp_path):
    """Stopped after the second round and taken up: the losses of the third are the same."""
    small = {"simulations": 3, "first_positions": 20, "batch": 16, "network": network}
    whole = new_run(tmp_path / "whole", **small)
    whole.run(rounds=3)
    whole.close()
    first = new_run(tmp_path / "halves", **small)
    first.run(rounds=2)
    first.close()
    second = new_run(tmp_path / "halves", **small)
    second.run(rounds=3)
    second.close()
    names = "policy_loss", "value_loss", "positions", "games"
    for one, other in zip(whole.log, second.log, strict=True):
        assert [one[name] for name in names] == [other[name] for name in names]
    assert len({line["policy_loss"] for line in whole.log}) == 3
    files = [FILE.read(tmp_path / name / "best.network") for name in ("whole", "halves")]
    for name, array in files[0][1].items():
        assert np.array_equal(array, files[1][1][name])
    header = files[0][0]
    assert header["kind"] in network or header["kind"] == "module"
    assert json.loads((tmp_path / "whole" / "config.json").read_text())["network"]
    module = f", module={SMALL!r}" if network == SMALL else ""
    rule = f"alphazero(net={str(tmp_path / 'whole')!r}{module})"
    assert engine(rule).search(position("tictactoe"), simulations=9, seed=1).simulations == 9
    with pytest.raises(InputError, match="whose network is"):
        new_run(tmp_path / "whole", **{**small, "network": "mlp(width=9)"})


def test_a_network_of_nobodys_is_refused_before_anything_is_written(tmp_path):
    for network, words in (
        ("resnet", "no network 'resnet'"),
        (f"{OWN}:Wide", "gave arrays of shape"),
    ):
        with pytest.raises(InputError, match=words):
            new_run(tmp_path / "run", network=network)
    with pytest.raises(InputError, match="use mlp"):
        new_run(tmp_path / "run", game="nim(heaps=(3, 4))", network="residual")
    assert not (tmp_path / "run").exists()


def test_a_run_asks_through_onnx_and_is_exported_by_the_command(tmp_path, capsys):
    settings = {"simulations": 3, "first_positions": 20, "batch": 16}
    run = new_run(tmp_path / "run", network="mlp(width=8)", through="onnx", **settings)
    run.run(rounds=2)
    run.close()
    assert run.totals.rounds == 2
    file = tmp_path / "x.onnx"
    assert cli(["train", "--out", str(tmp_path / "run"), "--export", str(file)]) == 0
    assert "alphazero(net=" in capsys.readouterr().out
    start = position("tictactoe")
    found = [asked_network(str(name), start, "") for name in (tmp_path / "run", file)]
    states = visited_states(start.rules.part, start.rules.spec)[:20]
    for one, other in zip(*(ask(states) for ask in found), strict=True):
        assert np.allclose(one, other, atol=1e-5)
    assert cli(["train", "--out", str(tmp_path / "run"), "--export", str(tmp_path / "x.bin")]) == 2
    assert "must end in .onnx" in capsys.readouterr().err
    with pytest.raises(InputError, match="through=onnx is for networks beside the kernel"):
        new_run(tmp_path / "other", through="onnx")
