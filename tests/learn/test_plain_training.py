"""Plain Python games are learned too: how their states become codes, and a whole run."""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

from ponder import GameError, Geometry, InputError, Position, position
from ponder.core.game import CHANCE
from ponder.core.plain import PlainRules
from ponder.learn.file import network_for
from ponder.learn.plain_codes import codes_from, found_codes, visited
from ponder.learn.presets import alphazero
from training_runs import new_run

FILE = "examples/plain_subtraction.py:PlainSubtraction"


class Walk:
    """Twelve moves of two players; `look` says how a state is written down."""

    players = 2
    max_length = 20

    def __init__(self, look=tuple):
        self.look = look

    def start(self):
        return self.look(())

    def current_player(self, state):
        return len(self.moves(state)) % 2

    def legal_actions(self, state):
        return [0, 1]

    def apply_action(self, state, action):
        return self.look((*self.moves(state), action))

    def is_terminal(self, state):
        return len(self.moves(state)) == 12

    def returns(self, state):
        return (1, -1) if sum(self.moves(state)) > 6 else (-1, 1)

    def moves(self, state):
        return self.look.back(state) if hasattr(self.look, "back") else state


def seen_as(look, back):
    look.back = back
    return Walk(look)


class Colour(enum.Enum):
    RED = 0
    BLUE = 1


class Pair(NamedTuple):
    first: tuple
    length: int


@dataclass(frozen=True)
class Noted:
    moves: tuple
    to_move: Colour


class Slotted:
    __slots__ = ("moves",)

    def __init__(self, moves):
        self.moves = moves


def ways_to_write_it():
    yield Walk()
    yield seen_as(lambda m: "".join(map(str, m)), lambda s: tuple(map(int, s)))
    yield seen_as(lambda m: Pair(m, len(m)), lambda s: s.first)
    yield seen_as(lambda m: Noted(m, Colour(len(m) % 2)), lambda s: s.moves)
    yield seen_as(lambda m: Slotted(m), lambda s: s.moves)
    yield seen_as(lambda m: dict(enumerate(m)), lambda s: tuple(s.values()))
    yield seen_as(lambda m: np.array(m, np.int8), lambda s: tuple(s.tolist()))
    yield seen_as(lambda m: frozenset(enumerate(m)), lambda s: tuple(one for _, one in sorted(s)))
    # a bit for each move, behind a one
    yield seen_as(
        lambda m: int("1" + "".join(map(str, m)), 2), lambda s: tuple(map(int, f"{s:b}"[1:]))
    )


@pytest.mark.parametrize("game", list(ways_to_write_it()))
def test_states_that_differ_have_codes_that_differ(game):
    """However a state is written down; and a file says the same codes as the game did."""
    rules = PlainRules(game)
    codes, met = found_codes(rules), visited(rules)
    again = codes_from(json.loads(json.dumps(codes)))
    assert again == codes
    seen = {}
    for state, player in zip(met.states, met.players, strict=True):
        code = tuple(again.codes(rules, state, player))
        assert len(code) == codes.board.cells
        assert code[-1] == player
        assert seen.setdefault(code, game.moves(state)) == game.moves(state)
    assert len(seen) > 300


class Rolls:
    """A throw of six outcomes, though nobody ever chooses between more than two moves."""

    players = 1

    def start(self):
        return 0

    def current_player(self, state):
        return CHANCE if state % 2 else 0

    def legal_actions(self, state):
        return ["on", "stop"]

    def chance_outcomes(self, state):
        return [(n, 1 / 6) for n in range(6)]

    def apply_action(self, state, action):
        return {"on": state + 1, "stop": 99}.get(action, state + 1)

    def is_terminal(self, state):
        return state > 8

    def returns(self, state):
        return (1,)


def test_throws_of_dice_are_no_actions_of_players_but_need_room():
    met = visited(PlainRules(Rolls()))
    assert (met.actions, met.most_actions) == (["on", "stop"], 6)
    assert set(met.players) == {0}


def test_a_games_own_cells_are_taken_and_checked():
    class Own(Walk):
        board = Geometry(3, 4, 3)

        def cells(self, state, player):
            return [*(1 + m for m in state), *[0] * (12 - len(state))]

    rules = PlainRules(Own())
    codes = found_codes(rules)
    assert (codes.board, codes.pieces) == (Own.board, [])
    assert codes.codes(rules, (1, 0), 0) == [2, 1] + [0] * 10
    Own.board = Geometry(3, 4, 2)
    with pytest.raises(GameError, match="codes from 0 to 2; its board has 12 cells with codes"):
        found_codes(rules).codes(rules, (1, 0), 0)
    Own.board = None
    with pytest.raises(InputError, match=r"Own has the method cells, but .* no board"):
        found_codes(rules)


class Mute:
    """An object of which nothing is known."""

    __slots__ = ()


def test_states_and_actions_that_cannot_be_coded_are_refused_in_one_line():
    for game, why in (
        (seen_as(lambda m: (m, Mute()), lambda s: s[0]), "1 is of the type Mute"),
        (seen_as(lambda m: (m, 0.1 * len(m)), lambda s: s[0]), "takes 12 values with fractions"),
        (seen_as(lambda m: Hidden(m), lambda s: s()), "0 cells"),
    ):
        with pytest.raises(InputError, match=why) as found:
            found_codes(PlainRules(game))
        assert "cannot be coded" in str(found.value)
        assert "\n" not in str(found.value)

    class Odd(Walk):
        tokens = (object(), object())

        def legal_actions(self, state):
            return self.tokens

        def apply_action(self, state, action):
            return (*state, self.tokens.index(action))

    with pytest.raises(InputError, match="has no text of its own"):
        found_codes(PlainRules(Odd()))


class Hidden:
    """A state that keeps what it is to itself."""

    def __init__(self, moves):
        self.tell = None
        Hidden.kept = getattr(Hidden, "kept", {})
        Hidden.kept[id(self)] = moves, self

    def __call__(self):
        return self.kept[id(self)][0]


def small_run(folder, game=FILE, **settings):
    return new_run(
        folder, game=game, **{"simulations": 20, "first_positions": 120, "batch": 64, **settings}
    )


def facts(run):
    return [{k: v for k, v in line.items() if "seconds" not in k} for line in run.log]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    made = small_run(tmp_path_factory.mktemp("plain"))
    made.run(rounds=4)
    made.close()
    return made


def test_what_is_kept_are_positions_of_finished_games(run):
    played = run.replay.played
    assert np.unique(played.games).tolist() == list(range(run.totals.games))
    assert set(np.unique(played.results)) == {-1.0, 1.0}
    assert np.array_equal(played.states.codes[:, -1], played.states.player)
    assert np.allclose(played.policy.sum(1), 1, atol=1e-5)
    codes = run.sight.plain
    for game in range(0, run.totals.games, 10):
        rows = np.flatnonzero(played.games == game)
        last = played.states[rows[-1]]
        taker = int(last.player)
        assert played.results[rows[-1], taker] == 1.0  # who takes the last counters has won
        assert [codes.actions[a] for a in last.actions[: last.count]] == ["1", "2", "3"][
            : last.count
        ]


def test_a_run_of_a_plain_game_goes_on_as_if_it_had_never_stopped(run, tmp_path):
    for rounds in (2, 4):
        again = small_run(tmp_path)
        again.run(rounds=rounds)
        again.close()
    assert facts(again) == facts(run)


def test_a_run_keeps_how_its_game_is_coded(run, tmp_path):
    """What random games meet may be another time in another order."""
    import shutil

    folder = tmp_path / "run"
    shutil.copytree(run.folder, folder)
    kept = json.loads((folder / "codes.json").read_text())["codes"]
    kept[2].reverse()
    (folder / "codes.json").write_text(json.dumps(kept))  # as it was of old, without a checksum
    again = small_run(folder)
    assert again.sight.plain.actions == ["3", "2", "1"]
    again.close()
    (folder / "codes.json").write_text("[")
    with pytest.raises(InputError, match="is damaged"):
        small_run(folder)


def test_its_network_plays_and_knows_its_actions_by_their_texts(run):
    start = position(FILE)
    engine = alphazero(net=str(run.folder), simulations=200)
    for left in (5, 6, 7):
        here = start
        for action in (3, 3, 3, 3, 21 - 12 - left):
            here = here.play(str(action)) if action <= 3 else here.play("3").play(str(action - 3))
        assert engine.search(here, seed=1).action == left % 4  # leaves a multiple of four
    # numbers of actions follow from the order in which a search meets them; outputs do not
    inner = start.for_kernels()
    inner.rules.number_of(3)
    network, _ = network_for(str(run.folder), inner)
    inner.rules.number_of("something that self-play never met")
    inner.rules.number_of(1)
    from ponder.jit import call_python

    call_python(network.cells.ask, 1, 0)
    assert inner.rules.seen[:3].tolist() == [2, 3, 0]


def test_rules_that_raise_end_the_run_in_one_line(tmp_path):
    class Breaks(Walk):
        calls = 0

        def apply_action(self, state, action):
            Breaks.calls += 1
            if Breaks.calls > 3000:
                raise ZeroDivisionError("somewhere in the rules")
            return super().apply_action(state, action)

    from ponder.learn.config import training
    from ponder.learn.training import TrainingRun

    config = training(simulations=20, first_positions=400, batch=64)
    made = TrainingRun(Position(Breaks()), tmp_path, config)
    with pytest.raises(GameError, match="Breaks raised ZeroDivisionError: somewhere") as found:
        made.run(rounds=3)
    made.close()
    assert "\n" not in str(found.value)


def test_the_command_says_that_it_is_slow_and_what_it_cannot_do(tmp_path, capsys):
    from ponder.cli import run as command

    out = str(tmp_path / "run")
    settings = ["--set", "simulations=20", "--set", "first_positions=120"]
    assert command(["train", FILE, "--out", out, "--minutes", "0.02", *settings]) == 0
    said = capsys.readouterr()
    assert "PlainSubtraction is a plain Python game, which is learned slowly" in said.err
    assert "write cells(self, state, player)" in said.err
    for more in (["--set", "network=mlp"], ["--cluster", "local"]):
        assert command(["train", FILE, "--out", out + "2", *more]) == 2
        said = capsys.readouterr().err
        assert "is for compiled games; PlainSubtraction is a plain one" in said
        assert said.count("\n") == 1
