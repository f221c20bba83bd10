"""A game made from a shipped one: what its class writes is what every search uses."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from ponder import MCTS, InputError, Position, Spec, game, record
from ponder.check import check_game
from ponder.core.game import hooks_of, new_states, rules_of
from ponder.core.hooks import FOLLOWS, FOR_PEOPLE, OPTIONAL, REQUIRED, signature
from ponder.core.registry import GAMES, load
from ponder.evaluate import Static
from ponder.games.breakthrough import Breakthrough
from ponder.games.connect4 import ConnectFour
from ponder.games.tictactoe import TicTacToe
from ponder.search.alphabeta import AlphaBeta

pytestmark = pytest.mark.plain

EVERY_GAME = tuple(GAMES)


def written(name: str) -> Any:
    """A method with the signature of the hook, in a class of its own."""
    scope: dict[str, Any] = {}
    exec(f"def {signature(name)}:\n    return 'of the user'", scope)
    return scope[name]


def made_from(game: str, **methods: Any) -> Any:
    """A class of the user's below that of a shipped game."""
    return type("Mine", (load(GAMES[game]),), {"__slots__": (), "__module__": __name__, **methods})


@pytest.mark.parametrize("name", [*REQUIRED, *OPTIONAL])
@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_method_of_every_shipped_game_can_be_written_anew(game, name):
    method = written(name)
    mine = made_from(game, **{name: method})()
    rules = rules_of(mine)
    assert vars(type(rules))[name] is method
    arguments = signature(name).partition("(self")[2].strip(", )").split(", ")
    assert getattr(rules, name)(*filter(None, arguments)) == "of the user"
    assert name in (*REQUIRED, *hooks_of(mine))
    shipped = load(GAMES[game])()
    kept = set(hooks_of(shipped)) - set(FOLLOWS.get(name, ()))
    assert set(hooks_of(mine)) == kept | {name} - set(REQUIRED)
    if name in hooks_of(shipped) or name in REQUIRED:
        base = getattr(type(rules), f"base_{name}")
        assert base.__code__ is getattr(type(rules_of(shipped)), name).__code__
    assert not hasattr(type(rules_of(shipped)), f"base_{name}"), "the shipped game stays as it is"


@pytest.mark.parametrize("name", FOR_PEOPLE)
@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_method_for_people_can_be_written_anew(game, name):
    mine = made_from(game, **{name: written(name)})()
    here = Position(mine)
    assert name in hooks_of(mine)
    said = {
        "action_name": lambda: here.action_name(here.legal_actions[0]),
        "board_text": lambda: str(here),
        "board_svg": here.svg,
        "position_text": here.text,
        "parse_action": lambda: getattr(here.game, name)("s", "text"),
        "action_places": lambda: getattr(here.game, name)("s", "a"),
        "parse_position": lambda: getattr(here.game, name)("text", "s"),
    }
    assert said[name]() == "of the user"


@pytest.mark.parametrize("game", ["connect4(columns=5, rows=4)", "connect4(rows=9)", "chess", "go"])
def test_whichever_rules_a_game_chooses_they_get_the_method(game):
    name, _, rest = game.partition("(")
    options = dict(pair.split("=") for pair in rest.rstrip(")").split(", ") if pair)
    mine = made_from(name, evaluate=written("evaluate"))(**{k: int(v) for k, v in options.items()})
    assert rules_of(mine).evaluate("s", "out") == "of the user"


class Leftmost(ConnectFour):
    """Connect Four in which every stone on the left side counts."""

    WEIGHT: float = 0.125

    def share(self, worth):
        return worth * self.WEIGHT / self.columns

    def evaluate(self, s, out):
        self.base_evaluate(s, out)
        out[0] = 0.5 * out[0] + self.share(3.0)
        out[1] = -out[0]


def test_a_method_finds_fields_helpers_numbers_and_the_method_it_replaces():
    game = Leftmost()
    rules, state = rules_of(game), new_states(game.spec().state, 1)
    mine, shipped = np.zeros(2), np.zeros(2)
    rules.start(state[0])
    rules.evaluate(state[0], mine)
    rules_of(ConnectFour()).evaluate(state[0], shipped)
    assert mine[0] == 0.5 * shipped[0] + 3.0 * 0.125 / 7


class Blind(Breakthrough):
    """Everything is worth the same."""

    def evaluate(self, s, out):
        out[0] = 0.25
        out[1] = -0.25


def test_every_search_uses_it():
    here = Position(Blind(5, 5))
    assert AlphaBeta(quiescence=False).search(here, depth=2).value == 0.25
    result = MCTS(evaluate=Static()).search(here, simulations=40, seed=1)
    assert {row.value for row in result.moves} == {0.25}
    shipped = AlphaBeta(quiescence=False).search(Position(Breakthrough(5, 5)), depth=2)
    assert shipped.value != 0.25


class Wrong(Breakthrough):
    def evaluate(self, s, out):
        out[0] = 2.0
        out[1] = -2.0


def test_check_looks_at_what_is_used():
    assert check_game(Blind(5, 5), games=2).ok
    found = {finding.kind: finding.message for finding in check_game(Wrong(5, 5), games=2).findings}
    assert found["evaluate"] == "evaluate gives player 0 2, outside [-1, 1]"


def test_a_quick_draw_of_the_users_own_is_used_in_playouts():
    class First(TicTacToe):
        def random_action(self, s, out, rng):
            self.legal_actions(s, out)
            return out[0]

    Position(TicTacToe())  # the shipped class has got the usual draw before
    values = [
        MCTS().search(Position(kind()), simulations=200, seed=1).value
        for kind in (First, TicTacToe)
    ]
    assert values[0] != values[1]
    assert not type(rules_of(First())).LISTS_MOVES


def test_other_rules_leave_no_shortcut_that_is_true_of_the_old_ones():
    class Misere(ConnectFour):
        """Four in a row lose."""

        def returns(self, s, out):
            self.base_returns(s, out)
            for p in range(2):
                out[p] = -out[p]

    assert "winning_action" in hooks_of(ConnectFour())
    assert "exact_key" in hooks_of(ConnectFour())
    assert not {"winning_action", "exact_key", "evaluate"} & set(hooks_of(Misere()))
    one_to_win = Position(Misere()).play_all("1 2 1 2 1 2")
    assert one_to_win.play("1").returns == (-1.0, 1.0)


def test_super_is_refused_with_the_way_to_do_it():
    class Up(Breakthrough):
        def evaluate(self, s, out):
            super().evaluate(s, out)

    with pytest.raises(InputError, match=r"self\.base_evaluate") as refused:
        Position(Up())
    assert str(refused.value) in {finding.message for finding in check_game(Up()).findings}


def test_what_is_no_method_is_refused():
    class Set(Breakthrough):
        evaluate = 0.5

    with pytest.raises(InputError, match="write it as a method"):
        Position(Set())


class Table(NamedTuple):
    end: int

    def start(self, s):
        pass

    def current_player(self, s):
        return 0

    def legal_actions(self, s, out):
        out[0] = 0
        return 1

    def apply_action(self, s, a):
        s.at += 1

    def is_terminal(self, s):
        return s.at >= self.end

    def returns(self, s, out):
        out[0] = 1.0


class Counted(NamedTuple):
    """A game of the user's own whose rules stand in another class."""

    end: int = 3

    def spec(self):
        return Spec(players=1, max_actions=1, max_length=9, state=record(at="i4"))

    def rules(self):
        return Table(self.end)


def test_a_class_below_a_users_own_game_is_heard_too():
    class Longer(Counted):
        def is_terminal(self, s):
            return s.at > self.end

    assert Position(Longer()).play_all("0 0 0 0").is_terminal
    assert not Position(Longer()).play_all("0 0 0").is_terminal


def test_a_hook_that_would_never_be_asked_is_refused():
    class Beside(Counted):
        def rules(self):
            return Table(self.end)

        def evaluate(self, s, out):
            out[0] = 0.0

    class Shipped(Breakthrough):
        def rules(self):
            return Breakthrough.rules(self)

        def evaluate(self, s, out):
            out[0] = 0.0

    with pytest.raises(InputError, match="evaluate of Beside is never asked"):
        Position(Beside())
    with pytest.raises(InputError, match="evaluate of Shipped is never asked"):
        Position(Shipped())


def test_the_example_of_the_page_is_sound(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "your-own-game.md").read_text()
    file = tmp_path / "my_connect4.py"
    file.write_text(page.partition("# my_connect4.py\n")[2].partition("```")[0])
    mine = game(f"{file}:Centred")
    assert check_game(mine, games=2).ok
    start = Position(mine).raw_state
    assert Position(mine).rules.evaluate(start) == (
        pytest.approx(0.2 * 0.07),
        pytest.approx(-0.014),
    )
