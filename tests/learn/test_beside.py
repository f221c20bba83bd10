"""Networks beside the kernel: torch, ONNX and the kernel agree; files are refused when unfit."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from ponder import InputError, engine, position
from ponder.core.gate import name_files
from ponder.core.position import Position
from ponder.errors import GameError
from ponder.learn.beside import AskedNetwork
from ponder.learn.beside_file import asked_network, load_module, save_module
from ponder.learn.file import FILE, save_network
from ponder.learn.model import Learner, PatternModel, losses
from ponder.learn.modules import LearnedModule, PatternNetwork, TorchPredictor, new_module
from ponder.learn.network import new_weights, value_count
from ponder.learn.onnx_file import export_onnx, load_onnx
from ponder.learn.patterns import patterns_of
from ponder.learn.plans import parse_plan
from ponder.learn.replay import Sampler
from ponder.learn.seeing import sight_of, visited_states
from ponder.learn.selfplay import PlayedRows
from ponder.mcts.batch import position_at

pytestmark = pytest.mark.plain

OWN = Path(__file__).with_name("own_module.py")
SMALL = f"{OWN}:Small"
PLANS = ("residual(blocks=2, channels=8)", "mlp(width=32)", SMALL)


def a_module(text, game="tictactoe", seed=1):
    start = position(game)
    sight, spec = sight_of(start), start.rules.spec
    name_files(text)
    plan = parse_plan(text)
    made = new_module(plan, sight.board, sight.actions, value_count(spec), seed)
    return start, sight, plan, made


def boards(start, sight, n, seed=1):
    """Codes of positions of random games, as the sampler writes them; and its whole batch."""
    states = visited_states(start.rules.part, start.rules.spec)
    order = np.random.default_rng(seed).permutation(len(states))[:n]
    spec, rng = start.rules.spec, np.random.default_rng(seed)
    policy = np.zeros((n, spec.max_actions), np.float32)
    for i, at in enumerate(order):
        here = position_at(start.rules, states[at : at + 1])
        policy[i, rng.integers(len(here.legal_actions))] = 1
    results = rng.choice([-1.0, 0.0, 1.0], (n, 1)).astype(np.float32) * [[1, -1]]
    rows = PlayedRows(
        states[order].view(np.recarray),
        policy,
        results.astype(np.float32),
        results.astype(np.float32),
        np.arange(n),
        np.zeros(3, np.int64),
    )
    return Sampler(start, sight).batch(rows, np.arange(n), np.zeros(n))


def learned(text, steps=5, game="tictactoe"):
    """A module after a few steps: its batch norms have seen something."""
    start, sight, plan, module = a_module(text, game)
    learner = Learner(LearnedModule(module), 1e-2, 1e-4)
    batch = boards(start, sight, 64)
    for _ in range(steps):
        learner.learn(batch, 1e-2)
    return start, sight, plan, module, batch.codes.astype(np.int64)


@pytest.mark.parametrize("text", PLANS)
def test_torch_and_onnx_agree(text, tmp_path):
    start, sight, plan, module, codes = learned(text)
    path = tmp_path / "x.onnx"
    export_onnx(path, start, sight, plan.kind, module, {})
    predict = load_onnx(path, start)[1]
    expected = TorchPredictor(module)(codes)
    for n in (1, 2, 64):
        for said, wanted in zip(predict(codes[:n]), expected, strict=True):
            assert np.allclose(said, wanted[:n], atol=1e-5, rtol=0)
    assert np.std(expected[0]) > 0.01


def pattern_files(folder, game):
    """A network of patterns with weights that say something, and its export."""
    start = position(game)
    sight, spec = sight_of(start), start.rules.spec
    patterns = patterns_of(sight.board)
    weights = new_weights(patterns, spec.players, sight.actions, value_count(spec), 3)
    weights = weights._replace(Wp=weights.Wp * 4, Wv=weights.Wv * 4)
    save_network(folder / "p.network", start, sight, weights, {})
    module = PatternNetwork(patterns, weights, sight.board.cells, 2)
    export_onnx(folder / "p.onnx", start, sight, "patterns", module, {})
    return start, sight, PatternModel(patterns, weights, 2), module


@pytest.mark.parametrize("game", ["tictactoe", "nim(heaps=(3, 4))"])
def test_patterns_are_the_same_in_the_kernel_in_torch_and_in_onnx(game, tmp_path):
    start, sight, model, module = pattern_files(tmp_path, game)
    batch = boards(start, sight, 30)
    with torch.no_grad():
        expected = model(batch.codes)
    for predict in (TorchPredictor(module), load_onnx(tmp_path / "p.onnx", start)[1]):
        found = predict(batch.codes.astype(np.int64))
        for said, wanted in zip(found, expected, strict=True):
            assert np.allclose(said, wanted.numpy(), atol=1e-5, rtol=0)
    # one leaf at a time, the search beside the kernel is the search inside it
    inside = engine(f"alphazero(net={str(tmp_path / 'p.network')!r})")
    beside = engine(f"alphazero(net={str(tmp_path / 'p.onnx')!r}, batch=1)")
    found = [one.search(start, simulations=60, seed=4) for one in (inside, beside)]
    rows = [{row.action: (row.visits, row.value) for row in one.moves} for one in found]
    assert len({visits for visits, _ in rows[0].values()}) > 1
    for action, (visits, value) in rows[0].items():
        assert rows[1][action][0] == visits
        assert rows[1][action][1] == pytest.approx(value, abs=1e-5, nan_ok=True)


@pytest.mark.parametrize("text", [PLANS[0], SMALL])
def test_an_answer_does_not_depend_on_what_else_is_asked(text):
    """Fails where batch norms or dropout are in training mode while games are played."""
    start, sight, _, module, _ = learned(text)
    module.train()  # as the learner leaves it
    asked = AskedNetwork("x", start, sight, TorchPredictor(module))
    states = visited_states(start.rules.part, start.rules.spec)[:40]
    values, priors = asked(states)
    again, _ = asked(states)
    assert np.array_equal(values, again)
    for i in (0, 7, 39):
        alone, chances = asked(states[i : i + 1])
        assert np.allclose(alone[0], values[i], atol=1e-6)
        assert np.allclose(chances[0], priors[i], atol=1e-6)
    assert np.std(values[:, 0]) > 1e-3


def test_priors_are_the_policy_over_legal_moves_alone(tmp_path):
    start, sight, plan, module, _ = learned(PLANS[0])
    save_module(tmp_path / "x.network", start, sight, plan, module, {})
    here = start.play_all("b2 a1 c3")
    found = engine(f"alphazero(net={str(tmp_path / 'x.network')!r})").search(
        here, simulations=20, seed=1
    )
    marks = here.text().replace("/", "")
    own = "xo"[here.current_player]
    cells = [0 if m == "." else 1 if m == own else 2 for m in marks]
    codes = np.array([[*cells, here.current_player]])
    logits, value = TorchPredictor(module)(codes)
    chances = torch.softmax(torch.tensor(logits[0][list(here.legal_actions)]), 0).tolist()
    expected = dict(zip(here.legal_actions, chances, strict=True))
    assert {row.action for row in found.moves} == set(here.legal_actions)
    for row in found.moves:
        assert row.prior == pytest.approx(expected[row.action], abs=1e-6)
    asked = asked_network(str(tmp_path / "x.network"), here, "")
    values, priors = asked(here.raw_state)
    assert values[0, here.current_player] == pytest.approx(float(value[0, 0]), abs=1e-6)
    assert values[0, 1 - here.current_player] == -values[0, here.current_player]
    assert set(np.flatnonzero(priors[0])) == set(here.legal_actions)
    assert priors[0].sum() == pytest.approx(1, abs=1e-6)


def test_values_belong_to_the_players_after_the_mover():
    """Fails where a value is given to the wrong player."""
    start = position("tictactoe").play("a1")
    sight = sight_of(start)

    def sure(codes):
        return np.zeros((len(codes), 9), np.float32), np.full((len(codes), 1), 0.75, np.float32)

    values, _ = AskedNetwork("x", start, sight, sure)(start.raw_state)
    assert values.tolist() == [[-0.75, 0.75]]  # the second player is to move


def test_dice_are_thrown_before_a_state_is_shown():
    start = position("pig(target=8, horizon=40)")
    rolled = next(start.play(a) for a in start.legal_actions if start.play(a).is_chance)
    sight = sight_of(start)
    shown = []

    def note(codes):
        shown.append(codes.copy())
        n, spec = len(codes), start.rules.spec
        return (
            np.zeros((n, sight.actions), np.float32),
            np.zeros((n, value_count(spec)), np.float32),
        )

    asked = AskedNetwork("x", start, sight, note)
    asked(np.concatenate([rolled.raw_state, start.raw_state]).view(np.recarray))
    asked(rolled.raw_state)
    assert np.array_equal(shown[0][0], shown[1][0])  # the outcome follows from the state alone
    after = [rolled.play(a) for a, _ in rolled.chance_outcomes]
    for here in after:
        if not here.is_terminal:
            asked(here.raw_state)
    assert any(np.array_equal(shown[0][0], one[0]) for one in shown[2:])


def test_planes_lie_as_the_board_does():
    """Fails where rows and columns are exchanged: the board is not square."""
    start, sight, _, module = a_module("residual(blocks=1, channels=4)", "connect4")
    board = sight.board
    assert board.rows != board.columns
    codes = boards(start, sight, 5).codes.astype(np.int64)
    seen = []
    module.stem.register_forward_hook(lambda _, given, out: seen.append(given[0]))
    TorchPredictor(module)(codes)
    for n in range(5):
        for cell in range(board.rows * board.columns):
            row, column = divmod(cell, board.columns)
            plane = seen[0][n, :, row, column].tolist()
            assert plane == [float(k == codes[n, cell]) for k in range(board.codes)]


@pytest.mark.parametrize("text", PLANS[:2])
def test_one_batch_can_be_learned_by_heart(text):
    start, sight, _, module = a_module(text)
    batch = boards(start, sight, 32)
    _, first = np.unique(batch.codes, axis=0, return_index=True)  # equal boards ask for one thing
    batch = type(batch)(*(column[first] for column in batch))
    learner = Learner(LearnedModule(module), 1e-2, 0.0)
    for _ in range(150):
        learner.learn(batch, 1e-2)
    learner.model.eval()
    with torch.no_grad():
        policy, value = (float(x) for x in losses(learner.model, batch))
    assert policy < 0.02
    assert value < 0.02


def test_a_learner_is_taken_up_with_its_batch_norms():
    start, sight, _, module = a_module(PLANS[0])
    batch = boards(start, sight, 32)
    first = Learner(LearnedModule(module), 1e-2, 1e-4)
    for _ in range(4):
        first.learn(batch, 1e-2)
    kept = {name: np.array(array) for name, array in first.arrays().items()}
    second = Learner(LearnedModule(a_module(PLANS[0], seed=9)[3]), 1e-2, 1e-4)
    second.restore(kept)
    for _ in range(3):
        assert first.learn(batch, 1e-3) == second.learn(batch, 1e-3)
    codes = batch.codes.astype(np.int64)
    said = [TorchPredictor(one.model.module)(codes) for one in (first, second)]
    assert np.array_equal(said[0][0], said[1][0])


def test_a_module_of_the_users_comes_back_from_its_file(tmp_path):
    start, sight, plan, module, codes = learned(SMALL)
    path = tmp_path / "x.network"
    save_module(path, start, sight, plan, module, {})
    again = load_module(path, start, SMALL)[1]
    assert np.array_equal(TorchPredictor(again)(codes)[0], TorchPredictor(module)(codes)[0])
    found = engine(f"alphazero(net={str(path)!r}, module={SMALL!r})").search(
        start, simulations=30, seed=1
    )
    assert found.simulations == 30
    with pytest.raises(InputError, match="no file's code is run unless you name it"):
        engine(f"alphazero(net={str(path)!r})").search(start, simulations=1)
    made = tmp_path / "changed.py"
    made.write_text(OWN.read_text().replace("self.seen", "self.looked"))
    name_files(f"{made}:Small")
    with pytest.raises(InputError, match="does not fit its module"):
        load_module(path, start, f"{made}:Small")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Wide", "gave arrays of shape"),
        ("Raising", "raised RuntimeError: not today"),
        ("no_module", "expected a torch.nn.Module"),
        ("Nobody", "has no 'Nobody'"),
    ],
)
def test_a_module_that_breaks_the_contract_is_refused(name, words):
    with pytest.raises(InputError, match=words):
        a_module(f"{OWN}:{name}")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("convnet", "no network 'convnet'; available: patterns, residual, mlp"),
        ("residual(blocks=0)", "blocks must be 1 to 64"),
        ("residual(depth=2)", "no parameter 'depth'"),
        ("mlp(width=big)", "takes a whole number|must be a whole number"),
        (f"{SMALL}(3)", "without arguments"),
    ],
)
def test_a_network_that_there_is_not_is_refused(text, words):
    with pytest.raises(InputError, match=words):
        parse_plan(text)


def test_a_residual_network_is_for_boards():
    with pytest.raises(InputError, match="use mlp"):
        a_module("residual", "nim(heaps=(3, 4))")


def test_unfit_files_are_refused_in_one_line(tmp_path):
    start, sight, plan, module, _ = learned(PLANS[0])
    files = tmp_path / "x.network", tmp_path / "x.onnx"
    save_module(files[0], start, sight, plan, module, {})
    export_onnx(files[1], start, sight, plan.kind, module, {})
    rng = random.Random(3)

    def refused(path, words, here=start):
        with pytest.raises(InputError, match=words) as error:
            engine(f"alphazero(net={str(path)!r})").search(here, simulations=1)
        assert "\n" not in str(error.value)

    for path in files:
        whole = path.read_bytes()
        for at in [0, 20, len(whole) - 3, *(rng.randrange(len(whole)) for _ in range(12))]:
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
            refused(path, r"damaged|not a network|no network")
        for length in (0, 10, len(whole) // 2, len(whole) - 1):
            path.write_bytes(whole[:length])
            refused(path, r"damaged|not a network|no network|empty")
        path.write_bytes(whole)
        refused(path, r"network of tictactoe\(\), not of connect4", position("connect4"))
    header, arrays = FILE.read(files[0])
    for change, words in (
        ({"kind": "patterns"}, "lacks the arrays"),
        ({"kind": "recurrent"}, "kind 'recurrent'"),
        ({"actions": 10}, "does not fit tictactoe"),
        ({"network": "residual(blocks=3, channels=8)"}, "does not fit its module"),
        ({"network": "residual(blocks=2, channels=9)"}, "has an array"),
        ({"network": 3}, "nothing usable"),
    ):
        FILE.write(files[0], {**header, **change}, arrays)
        refused(files[0], words)
    odd = {**arrays, "value.bias": arrays["value.bias"] * np.float32(np.nan)}
    FILE.write(files[0], header, odd)
    refused(files[0], "not finite")
    with torch.no_grad():
        module.value.bias *= np.nan
    with pytest.raises(InputError, match="not finite"):
        export_onnx(tmp_path / "y.onnx", start, sight, plan.kind, module, {})
    assert not (tmp_path / "y.onnx").exists()


def test_a_network_that_says_nan_ends_the_search():
    start = position("tictactoe")

    def nothing(codes):
        return np.zeros((len(codes), 9), np.float32), np.full((len(codes), 1), np.nan, np.float32)

    with pytest.raises(GameError, match="not a finite number"):
        AskedNetwork("x", start, sight_of(start), nothing)(start.raw_state)


def test_what_a_network_beside_the_kernel_cannot_do_is_said(tmp_path):
    start, sight, plan, module = a_module(PLANS[1])
    path = tmp_path / "x.network"
    save_module(path, start, sight, plan, module, {})
    with pytest.raises(InputError, match="takes one of kind patterns"):
        engine(f"alphabeta(evaluate=net({str(path)!r}))").search(start, depth=1)
    for text, words in (
        (f"mcts(evaluate=net({str(path)!r}, weight=0.5))", "weight must be 0"),
        (f"alphazero(net={str(path)!r}, threads=2)", "one thread"),
        (f"alphazero(net={str(path)!r}, module={SMALL!r})", "leave out module"),
    ):
        with pytest.raises(InputError, match=words):
            engine(text).search(start, simulations=1)
    found = engine(f"mcts(evaluate=net({str(path)!r}, batch=4))").search(
        start, simulations=20, seed=1
    )
    assert found.simulations == 20


def test_without_torch_onnx_plays_and_the_other_file_says_what_it_needs(tmp_path):
    start, sight, plan, module, _ = learned(PLANS[0])
    save_module(tmp_path / "x.network", start, sight, plan, module, {})
    export_onnx(tmp_path / "x.onnx", start, sight, plan.kind, module, {})
    program = """
import sys
sys.modules["torch"] = None
from ponder import InputError, engine, position
start = position("tictactoe")
found = engine(f"alphazero(net={sys.argv[1] + '/x.onnx'!r})").search(start, simulations=20, seed=1)
print(found.simulations)
try:
    engine(f"alphazero(net={sys.argv[1] + '/x.network'!r})").search(start, simulations=20)
except InputError as error:
    print(error)
sys.modules["onnxruntime"] = None
try:
    engine(f"alphazero(net={sys.argv[1] + '/y.onnx'!r})").search(start, simulations=20)
except InputError as error:
    print(error)
"""
    (tmp_path / "y.onnx").write_bytes((tmp_path / "x.onnx").read_bytes())
    made = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
    )
    played, torchless, runtimeless = made.stdout.splitlines()
    assert played == "20"
    assert "pip install 'ponder-search[learn]'" in torchless
    assert "pip install 'ponder-search[onnx]'" in torchless
    assert "pip install 'ponder-search[onnx]'" in runtimeless


def test_a_session_with_a_network_beside_the_kernel_can_be_rewound_and_saved(tmp_path):
    from ponder import Session

    start, sight, plan, module = a_module(PLANS[1])
    save_module(tmp_path / "x.network", start, sight, plan, module, {})
    rule = f"alphazero(net={str(tmp_path / 'x.network')!r}, batch=4)"
    session = engine(rule).start(start, seed=2)
    session.run(simulations=40)
    session.save(tmp_path / "x.session")
    assert Session.load(tmp_path / "x.session").result().moves == session.result().moves
    assert isinstance(session.position, Position)
