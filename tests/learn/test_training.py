"""Training runs: repeatable to the last bit, however often they are interrupted."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from ponder import InputError, position
from ponder.learn.checkpoint import load_played
from ponder.learn.config import training
from ponder.learn.training import TrainingError
from training_runs import SETTINGS, new_run


def facts(run):
    """What must be the same in two runs: all but the clock."""
    return [{k: v for k, v in line.items() if "seconds" not in k} for line in run.log]


def test_the_same_seed_gives_the_same_run_on_any_number_of_threads(trained, tmp_path):
    other = new_run(tmp_path, workers=2)
    other.run(rounds=5)
    other.close()
    assert facts(other) == facts(trained)
    for one, two in zip(other.road.network.weights, trained.road.network.weights, strict=True):
        assert np.array_equal(one, two)


def test_a_run_goes_on_as_if_it_had_never_stopped(trained, tmp_path):
    for rounds in (1, 2, 5):
        run = new_run(tmp_path)
        run.run(rounds=rounds)
        run.close()
    assert facts(run) == facts(trained)
    for one, two in zip(run.road.network.weights, trained.road.network.weights, strict=True):
        assert np.array_equal(one, two)


def test_another_seed_gives_another_run(trained, tmp_path):
    run = new_run(tmp_path, seed=6)
    run.run(rounds=2)
    run.close()
    assert facts(run)[1] != facts(trained)[1]


def test_every_recorded_position_belongs_to_a_finished_game(trained):
    """Results are those of the last position played; fails for targets of unfinished games."""
    played = trained.replay.played
    games = np.unique(played.games)
    assert games.tolist() == list(range(trained.totals.games))  # none lost, none twice
    assert set(np.unique(played.results)) <= {-1.0, 0.0, 1.0}
    assert np.allclose(played.results.sum(1), 0)
    for game in games[:: max(1, len(games) // 40)]:
        rows = np.flatnonzero(played.games == game)
        assert len(np.unique(played.results[rows], axis=0)) == 1
        plies = played.states.ply[rows]
        assert np.array_equal(plies, np.arange(plies[0], plies[0] + len(rows)))
        last = played.states[rows[-1]]
        free = 9 - int(last.ply)
        if np.any(played.results[rows[0]]):
            winner = int(np.argmax(played.results[rows[0]]))
            assert winner == int(last.ply) % 2  # who moved last
        else:
            assert free == 1


def test_a_game_that_is_cut_short_leaves_nothing_to_learn(trained):
    """Fails where a row without a result stays when a round is cancelled."""
    worker, stop = trained.workers.workers[0], np.zeros(1, np.int64)
    cut = 0
    for delay in (0.02, 0.03, 0.05, 0.08):
        worker.out.count[:] = stop[0] = 0
        threading.Timer(delay, stop.fill, (1,)).start()
        worker.play_on(1, 1, 1 << 30, stop)
        rows = int(worker.out.count[0])
        cut += rows + worker.longest <= len(worker.out.games)  # there was room for more
        assert np.isfinite(worker.out.results[:rows]).all()
        assert (worker.out.games[:rows] < worker.out.count[1]).all()
    worker.out.count[:] = 0
    assert cut


def test_policies_are_shares_of_visits_of_legal_moves(trained):
    played = trained.replay.played
    assert np.allclose(played.policy.sum(1), 1, atol=1e-5)
    shares = played.policy * SETTINGS["simulations"]
    assert np.allclose(shares, np.round(shares), atol=1e-3)
    legal = 9 - played.states.ply
    for n in range(1, 9):
        assert (played.policy[legal == n][:, n:] == 0).all()


def test_noise_does_not_stay_in_the_priors(trained):
    """The second search of a position begins with the network's own priors, then new noise."""
    from ponder.learn.root_ways import add_noise
    from ponder.learn.selfplay import clear, think
    from ponder.mcts.search import grow
    from ponder.mcts.tree import ROOT

    worker = trained.workers.workers[0]
    start = position("tictactoe")
    worker.desk.states[0] = start.raw_state[0]
    tree, work, rng = worker.store.tree, worker.work, worker.rng

    def priors():
        first = int(tree.nodes[ROOT].first)
        made = tree.nodes[first : first + 9]
        return dict(zip(made.action.tolist(), made.prior.tolist(), strict=True))

    clear(start.rules.part, tree, work, worker.desk)
    grow(start.rules.part, worker.parts, tree, work, ROOT, rng)
    clean = priors()
    add_noise(tree, 0.25, 10.0, worker.desk.scores, rng)
    noisy = priors()
    assert noisy != clean
    assert sum(noisy.values()) == pytest.approx(1, abs=1e-5)
    assert all(noisy[a] >= 0.75 * clean[a] - 1e-6 for a in clean)
    for noise in (0.25, 0.0):  # the second search of the position has none
        play = worker.play._replace(way=worker.play.way._replace(noise=noise))
        think(start.rules.part, worker.parts, tree, work, worker.desk, rng, play, True)
        assert (priors() == pytest.approx(clean, abs=1e-6)) == (noise == 0.0)


def test_a_loss_that_is_no_number_ends_the_run_and_keeps_the_last_good_round(tmp_path):
    run = new_run(tmp_path)
    run.run(rounds=2)
    files = tmp_path / "checkpoint", tmp_path / "best.network"
    before = [file.read_bytes() for file in files]
    run.learner.model.b1.data[0] = float("nan")
    with pytest.raises(TrainingError, match=r"not a number at step \d+ .* keeps round 2"):
        run.run(rounds=3)
    run.close()
    assert before == [file.read_bytes() for file in files]
    again = new_run(tmp_path)
    again.run(rounds=3)
    again.close()
    assert again.totals.rounds == 3


def test_a_folder_of_another_run_is_refused(trained):
    with pytest.raises(InputError, match="whose simulations is 24, not 30"):
        new_run(trained.folder, simulations=30)
    with pytest.raises(InputError, match="no setting 'simulation'"):
        training(simulation=3)
    with pytest.raises(InputError, match="noise is a share"):
        training(noise=1.5)


def test_two_processes_do_not_train_in_one_folder(tmp_path):
    run = new_run(tmp_path)
    with pytest.raises(InputError, match="another process is training"):
        new_run(tmp_path)
    run.close()


def test_damaged_checkpoints_and_games_are_told(trained, tmp_path):
    import shutil

    for name in ("checkpoint", "games/000003.played"):
        folder = tmp_path / name.replace("/", "_")
        shutil.copytree(trained.folder, folder)
        whole = bytearray((folder / name).read_bytes())
        whole[len(whole) // 2] ^= 1
        (folder / name).write_bytes(whole)
        with pytest.raises(InputError, match="damaged"):
            new_run(folder)
    (folder / name).unlink()
    with pytest.raises(InputError, match="lost the games of round 3"):
        new_run(folder)
    assert load_played(trained.folder, 99, position("tictactoe").rules.spec) is None


SCRIPT = Path(__file__).parents[2] / "benchmarks" / "stress" / "killed_training.py"


def test_killed_at_any_moment_it_goes_on_without_losing_or_doubling_a_game():
    """kill -9, once while a round is saved; then the run is bit for bit one that was never
    interrupted. `benchmarks/stress/killed_training.py` does the same for longer."""
    done = subprocess.run(
        [sys.executable, SCRIPT, "--kills", "3"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    *kills, said = done.stdout.splitlines()
    assert len(kills) == 3
    assert all(line.endswith("intact") for line in kills)
    assert said.startswith("holds: ")


def test_the_first_hundred_losses_follow_from_the_seed(tmp_path):
    """Step by step, not only their means; on one thread, in a run of its own each time."""
    runs = []
    for name in ("one", "two"):
        run, steps = new_run(tmp_path / name, reuse=20.0), []
        learn = run.learner.learn

        def noted(*given, learn=learn, steps=steps):
            steps.append(learn(*given))
            return steps[-1]

        run.learner.learn = noted
        while len(steps) < 100:
            run.round()
        run.close()
        runs.append(steps[:100])
    assert runs[0] == runs[1]
    assert len({policy for policy, _ in runs[0]}) > 90


def test_a_run_begins_with_the_network_that_is_named(tmp_path, trained):
    """What it plays with at first is that network; once it has begun, the file may be gone."""
    source = tmp_path / "source.network"
    source.write_bytes((trained.folder / "best.network").read_bytes())
    run = new_run(tmp_path / "next", begin=str(source))
    for old, new in zip(trained.learner.mean.weights(), run.road.network.weights, strict=True):
        assert np.array_equal(old, new)
    run.run(rounds=2)
    weights = run.learner.mean.weights()
    run.close()
    source.unlink()
    again = new_run(tmp_path / "next", begin=str(source))
    assert again.totals.rounds == 2
    assert np.array_equal(again.learner.mean.weights().E, weights.E)
    again.close()
    with pytest.raises(InputError, match="no network 'nowhere'"):
        new_run(tmp_path / "other", begin="nowhere")


def test_a_run_does_not_begin_with_a_network_of_another_game(tmp_path):
    with pytest.raises(InputError, match="is a network of connect4"):
        new_run(tmp_path / "run", begin="connect4")
    with pytest.raises(InputError, match="network=patterns"):
        new_run(tmp_path / "run", begin="tictactoe", network="mlp")


def test_games_with_dice_are_not_solved(tmp_path):
    with pytest.raises(InputError, match="exact_nodes solves compiled games"):
        new_run(tmp_path / "run", game="pig", exact_nodes=100)
