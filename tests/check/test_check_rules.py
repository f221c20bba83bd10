"""`ponder check` of rules: each breach of the contract is found and named, sound rules pass."""

from __future__ import annotations

import json
import math
from typing import NamedTuple

import pytest

from ponder import InputError
from ponder.check import check_game
from ponder.check.rule_games import Party, RuleDuel
from ponder.check.rules import check_rule
from ponder.cli import run
from ponder.decide import Sampled
from ponder.jit import COMPILED
from ponder.mcts.decide import MostVisits


class NoNumber(NamedTuple):
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        return mean, math.nan


class BareNumber(NamedTuple):
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        return mean


class Elsewhere(NamedTuple):
    def choose(self, game, parts, tree, work, depth, rng):
        return tree.nodes[work.path[depth]].first + tree.nodes[work.path[depth]].count


class Weighted(NamedTuple):
    def choose(self, game, parts, tree, work, depth, rng):
        self.weights(game, parts, tree, work, depth)
        return tree.nodes[work.path[depth]].first

    def weights(self, game, parts, tree, work, depth):
        work.scores[:] = 1.0


class FewerArguments(NamedTuple):
    def wants(self, tree, node):
        return True


class Doubled(NamedTuple):
    def wants(self, tree, node, visits):
        return True

    def moves(self, game, s, node, out):
        n = game.legal_actions(s, out)
        out[n - 1] = out[0]
        return n


class NothingOpen(NamedTuple):
    def wants(self, tree, node, visits):
        return True

    def prepare(self, game, s, tree, node, first, count, work, rng):
        return 0


class Wide(NamedTuple):
    def estimate(self, game, s, work, rng, longest):
        for p in range(work.utilities.size):
            work.utilities[p] = 14.97
        return True


class OnlyTheFirst(NamedTuple):
    def estimate(self, game, s, work, rng, longest):
        work.utilities[0] = 0.5
        return True


class NothingSaid(NamedTuple):
    def estimate(self, game, s, work, rng, longest):
        if game.is_terminal(s):
            game.returns(s, work.utilities)
        else:
            game.evaluate(s, work.utilities)


class NoVisits(NamedTuple):
    def update(self, tree, work, depth):
        for d in range(depth + 1):
            tree.nodes[work.path[d]].value += work.utilities[0]


class Sums(NamedTuple):
    """The sum where the mean is meant."""

    def update(self, tree, work, depth):
        for d in range(depth + 1):
            tree.nodes[work.path[d]].visits += 1
            tree.nodes[work.path[d]].value += work.utilities[
                max(tree.nodes[work.path[d]].player, 0)
            ]

    def worth(self, tree, child, inverse):
        return tree.nodes[child].value


class Divides(NamedTuple):
    def update(self, tree, work, depth):
        int(depth) // 0


class BeyondTheRows(NamedTuple):
    def best(self, rows, seed):
        return len(rows)


class NeverTheSame(NamedTuple):
    def best(self, rows, seed, calls=[0]):  # noqa: B006
        calls[0] += 1
        return calls[0] % len(rows)


class AgreesWithoutLimit(NamedTuple):
    def best(self, rows, seed):
        return 0

    def agreed(self, rows):
        return False


@pytest.mark.parametrize(
    ("rule", "kind", "words"),
    [
        (NoNumber(), "score", "nan) for a child with"),
        (BareNumber(), "score", "expected a tuple"),
        (Elsewhere(), "child", "children are 1 to 3"),
        (Weighted(), "score", "not probabilities"),
        (
            FewerArguments(),
            "signature",
            "takes (self, tree, node), expected (self, tree, node, vis",
        ),
        (Doubled(), "moves", "of the legal [0, 1, 2]"),
        (NothingOpen(), "moves", "prepare opened 0 children"),
        (Wide(), "utilities", "from -1 to 1"),
        (OnlyTheFirst(), "utilities", "one number per player"),
        (NothingSaid(), "estimate", "gave None, expected True"),
        (NoVisits(), "visits", "one visit"),
        (Sums(), "value", "utilities are from"),
        (Divides(), "raises", "ZeroDivisionError"),
        (BeyondTheRows(), "choice", "expected 0 to"),
        (NeverTheSame(), "repeat", "with the same seed"),
        (AgreesWithoutLimit(), "agreed", "needs a field extra"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, tuple) else "",
)
def test_a_breach_of_the_contract_is_found_and_named(rule, kind, words):
    report = check_rule(rule)
    assert not report.ok
    assert [finding.kind for finding in report.findings] == [kind]
    assert words in str(report)
    assert all("\n" not in str(finding) for finding in report.findings)


def test_an_error_is_told_with_the_line_of_the_rules_own_file():
    assert "(test_check_rules.py, line " in str(check_rule(Divides()))


class Printing(NamedTuple):
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        return mean, float(len(str(visits)) + len({visits: 1}))


@pytest.mark.skipif(not COMPILED, reason="there is nothing to compile in plain mode")
def test_a_rule_that_does_not_compile_is_named():
    report = check_rule(Printing())
    assert [finding.kind for finding in report.findings] == ["compile"]
    assert "Printing does not compile: test_check_rules.py, line" in str(report)


@pytest.mark.skipif(not COMPILED, reason="there is nothing to compare in plain mode")
def test_compiled_code_that_searches_otherwise_is_found(monkeypatch):
    from ponder.check import rules

    plain = rules.plain_function

    def other(function):
        made = plain(function)

        def searching(*args):
            args[4][...] += type(args[4][0])(1)  # other random numbers: another search
            return made(*args)

        return searching

    monkeypatch.setattr(rules, "plain_function", other)
    assert [finding.kind for finding in check_rule(MEAN).findings] == ["disagree"]


class PlainMean(NamedTuple):
    """What `Mean` does."""

    def update(self, tree, work, depth):
        owner = max(tree.nodes[0].player, 0)
        for d in range(depth + 1):
            node = work.path[d]
            if tree.nodes[node].player >= 0:
                owner = tree.nodes[node].player
            tree.nodes[node].visits += 1
            tree.nodes[node].value += work.utilities[owner]


MEAN = PlainMean()


def test_a_sound_rule_passes_on_both_games():
    report = check_rule(MEAN)
    assert report.ok, str(report)
    assert report.searches == 2
    assert "keeps the contract of backup rules" in str(report)


@pytest.mark.parametrize("rule", [MostVisits(), Sampled(0.5)])
def test_sound_decide_rules_pass(rule):
    assert check_rule(rule).ok


def test_a_method_that_nobody_calls_is_told():
    class Misspelt(NamedTuple):
        def best(self, rows, seed):
            return 0

        def agree(self, rows):
            return True

    notes = check_rule(Misspelt()).notes
    assert notes == ("Misspelt.agree is never called; did you mean agreed?",)


def test_what_is_no_rule_is_refused():
    class Empty(NamedTuple):
        c: float = 1.0

    with pytest.raises(
        InputError, match=r"Empty is not a rule: a rule is a NamedTuple with choose or"
    ):
        check_rule(Empty())


@pytest.mark.parametrize("game", [RuleDuel(), Party()], ids=["Duel", "Party"])
def test_the_games_that_rules_are_checked_on_are_sound(game):
    assert check_game(game, games=5).ok


def test_the_command_checks_rules_by_name_and_from_files(tmp_path, capsys):
    file = tmp_path / "mine.py"
    file.write_text(
        "from typing import NamedTuple\n"
        "class Last(NamedTuple):\n"
        "    past: int = 0\n"
        "    def best(self, rows, seed):\n"
        "        return len(rows) - 1 + self.past\n"
    )
    assert run(["check", f"{file}:Last"]) == 0
    assert "Last() keeps the contract of decide rules" in capsys.readouterr().out
    assert run(["check", f"{file}:Last(past=1)", "--json"]) == 2
    captured = capsys.readouterr()
    told = json.loads(captured.out)
    assert (told["ok"], told["kind"]) == (False, "decide")
    assert told["findings"][0]["kind"] == "choice"
    assert "Last(past=1) breaks the contract: 1 finding" in captured.err
    assert run(["check", "most_visits"]) == 0
