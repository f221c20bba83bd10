"""The optional hooks of a record game, in one state: do they say what the rules say?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ponder.check import kernels
from ponder.check.guarded import MARK, SPARE, GuardedRules
from ponder.check.report import Broken, Findings
from ponder.check.terms import TermChecks
from ponder.core.compiled import TERMINAL, CompiledRules, Facts, guarded
from ponder.core.game import CHANCE, new_states
from ponder.core.rng import new_rng, sample
from ponder.errors import PonderError

DRAWS = 8
"""Random actions drawn in every examined state."""
CHI_SQUARE_STATES = 10
"""States in which `random_action` is tested for uniformity."""
ROLLOUTS = 20
"""States from which `random_rollout` is tested: a whole game in plain Python takes long."""
Z = 5.2
"""One uniform hook in ten million exceeds the bound (the normal quantile of 1 - 1e-7)."""

FAR = 7.0
"""Standard deviations by which one action's count may differ: finds an action that never comes
among many that do."""


class HookChecks:
    """Checks of the hooks that the game has; `compiled` is None where the rules do not compile."""

    def __init__(
        self,
        hooks: tuple[str, ...],
        plain: GuardedRules,
        compiled: CompiledRules | None,
        findings: Findings,
        plain_first: bool = False,
    ) -> None:
        """`plain_first`: compiled code draws only what plain Python has drawn before."""
        self.hooks, self.plain, self.compiled, self.findings = hooks, plain, compiled, findings
        self.plain_first = plain_first
        self.uniform_states = 0
        self.rollouts = 0
        self.keys: dict[Any, tuple[Any, ...]] = {}
        self.exact_keys: dict[int, int] = {}
        self.draws = 0
        self.terms = TermChecks(plain.part, findings)

    def check(self, states: Any, facts: Facts) -> None:
        """Every hook that applies to this state."""
        if "key" in self.hooks:
            self._key(states, facts)
        if "symmetries" in self.hooks:
            self._symmetries(states, facts)
        if facts.player == TERMINAL:
            return
        if "evaluate" in self.hooks:
            self._evaluate(states)
        if "evaluate_terms" in self.hooks:
            self.terms.check(states[0], self.plain.utilities_by("evaluate", states))
        if "random_rollout" in self.hooks:
            self._random_rollout(states)
        if facts.player == CHANCE:
            return
        for hook in ("random_action", "rollout_action"):
            if hook in self.hooks:
                self._drawn(hook, states, facts)
        if "random_action" in self.hooks:
            self._uniform(states, facts)
        for hook in ("noisy_actions", "enough_actions"):
            if hook in self.hooks:
                self._some_actions(hook, states, facts)
        if "order" in self.hooks:
            self._order(states, facts)
        if "urgent" in self.hooks:
            self._urgent(states, facts)
        if "winning_action" in self.hooks:
            self._winning_action(states, facts)
        if "exact_key" in self.hooks:
            self._exact_key(states, facts)
        if "in_check" in self.hooks:
            self._in_check(states, facts)
        if "pass_turn" in self.hooks:
            self._pass_turn(states, facts)
        if "cells" in self.hooks:
            self._cells(states, facts)

    # ------------------------------------------------------------ one hook each

    def _key(self, states: Any, facts: Facts) -> None:
        key = int(self.plain.query("key", states))
        if int(self.plain.query("key", states.copy())) != key:
            self.findings.add("key", "key gave two numbers for two copies of one record")
        if self.compiled is not None and self.compiled.key(states) != key:
            self._disagree("key", key, self.compiled.key(states))
        if facts.player == TERMINAL:
            return
        said = (facts.player, tuple(sorted(facts.actions)))
        if self.keys.setdefault(key, said) != said:
            self.findings.add(
                "key", f"key {key:#x} stands for two positions with different moves or players"
            )

    def _evaluate(self, states: Any) -> None:
        spec = self.plain.spec
        values = self.plain.utilities_by("evaluate", states)
        for player, value in enumerate(values):
            if math.isnan(value):
                self.findings.add("evaluate", f"evaluate gives player {player} nothing, or nan")
            elif not spec.lowest <= value <= spec.highest:
                self.findings.add(
                    "evaluate",
                    f"evaluate gives player {player} {value:g}, outside "
                    f"[{spec.lowest:g}, {spec.highest:g}]",
                )
        if self.compiled is not None:
            other = self.compiled.evaluate(states)
            if not np.allclose(values, other, rtol=1e-9, atol=1e-12, equal_nan=True):
                self._disagree("evaluate", values, other)

    def _drawn(self, hook: str, states: Any, facts: Facts) -> None:
        """Some draws: legal, and the same ones from compiled code."""
        for _ in range(DRAWS):
            self.draws += 1
            rng = new_rng(self.draws)
            action = self.plain.query(hook, states, self.plain.out, rng)
            if action not in facts.actions:
                self.findings.add(hook, f"{hook} gave {action}, which is not legal here")
                return
            if self.compiled is not None:
                other_rng = new_rng(self.draws)
                kernel = getattr(kernels, hook)
                other = self._compiled(kernel, states.copy(), self.plain.out, other_rng)
                if other != action or other_rng[0] != rng[0]:
                    self._disagree(hook, int(action), other)
                    return

    def _random_rollout(self, states: Any) -> None:
        """One whole game: it ends as move by move, with as many random numbers drawn."""
        if self.rollouts >= ROLLOUTS:
            return
        self.rollouts += 1
        self.draws += 1
        rng, other_rng = new_rng(self.draws), new_rng(self.draws)
        ended, moved = states.copy(), states.copy()
        self.plain.call("random_rollout", ended[0], self.plain.out, rng)
        self._play_by_moves(moved, other_rng)
        returns = self.plain.utilities_by("returns", ended)
        expected = self.plain.utilities_by("returns", moved)
        if returns != expected or rng[0] != other_rng[0]:
            drawn = "" if rng[0] == other_rng[0] else ", after other random numbers"
            self.findings.add(
                "random_rollout",
                f"random_rollout ends with {returns}{drawn}; random_action, move by move, with "
                f"{expected}",
            )
        elif self.compiled is not None:
            compiled_rng = new_rng(self.draws)
            out = np.zeros(self.plain.spec.players)
            self._compiled(kernels.random_rollout, states.copy(), self.plain.out, compiled_rng, out)
            if tuple(out.tolist()) != returns or compiled_rng[0] != rng[0]:
                self._disagree("random_rollout", returns, tuple(out.tolist()))

    def _play_by_moves(self, states: Any, rng: Any) -> None:
        plain = self.plain
        while not plain.query("is_terminal", states):
            if plain.query("current_player", states) == CHANCE:
                n = len(plain.listed("chance_outcomes", states))
                action = plain.out[sample(rng, plain.chances, n)]
            else:
                action = plain.query("random_action", states, plain.out, rng)
            plain.call("apply_action", states[0], action)

    def _uniform(self, states: Any, facts: Facts) -> None:
        """A chi-square test that a fair hook fails once in ten million times."""
        kinds = len(facts.actions)
        if self.uniform_states >= CHI_SQUARE_STATES or not 2 <= kinds <= 200:
            return
        if self.compiled is None and kinds > 20:
            return
        self.uniform_states += 1
        n = 60 * kinds
        counts = np.zeros(max(facts.actions) + 2, np.int64)
        rng = new_rng(self.draws)
        if self.compiled is not None and not self.plain_first:
            self._compiled(
                kernels.count_random_actions, states.copy(), self.plain.out, rng, counts, n
            )
        else:
            for _ in range(n):
                drawn = int(self.plain.query("random_action", states, self.plain.out, rng))
                counts[drawn if 0 <= drawn < len(counts) - 1 else -1] += 1
        legal = counts[list(facts.actions)]
        if legal.sum() != n:
            self.findings.add("random_action", "random_action gave actions that are not legal here")
            return
        if getattr(self.plain.part, "RANDOM_ACTION_SUBSET", False):
            legal = legal[legal > 0]  # a fair action is not missed in 60 draws each
            kinds = len(legal)
            if kinds < 2:
                return
        off = (legal - n / kinds) / math.sqrt(n / kinds)
        statistic, bound = float((off**2).sum()), chi_square_bound(kinds - 1)
        if statistic > bound or abs(off).max() > FAR:
            shown = ", ".join(f"{a}: {counts[a]}" for a in facts.actions)
            self.findings.add(
                "not-uniform",
                f"random_action is not uniform: in {n} draws it gave {shown[:200]} "
                f"(chi-square {statistic:.0f}, bound {bound:.0f}; one action is "
                f"{abs(off).max():.1f} standard deviations off, bound {FAR:.0f})",
            )

    def _some_actions(self, hook: str, states: Any, facts: Facts) -> None:
        listed = self.plain.listed(hook, states)
        if len(set(listed)) < len(listed):
            self.findings.add(hook, f"{hook} lists an action twice: {listed}")
        wrong = sorted(set(listed) - set(facts.actions))
        if wrong:
            self.findings.add(hook, f"{hook} gave {wrong}, not legal here")
        if hook == "enough_actions" and not listed:
            self.findings.add(hook, "enough_actions gave no action: a best one must be among them")
        if self.compiled is not None:
            n = self._compiled(getattr(kernels, hook), states.copy(), self.plain.out)
            other = tuple(self.plain.out[:n].tolist())
            if other != listed:
                self._disagree(hook, listed, other)

    def _order(self, states: Any, facts: Facts) -> None:
        for action in facts.actions[:16]:
            score = self.plain.query("order", states, action)
            if not math.isfinite(score):
                self.findings.add("order", f"order gave {score} for action {action}")
                return
            if self.compiled is not None:
                other = self._compiled(kernels.order, states.copy(), action)
                if not math.isclose(other, score, rel_tol=1e-9, abs_tol=1e-12):
                    self._disagree("order", score, other)
                    return

    def _cells(self, states: Any, facts: Facts) -> None:
        """A code in every cell and nothing beside them; seen actions are different ones."""
        spec, plain = self.plain.spec, self.plain
        if spec.board is None:
            self.findings.add("cells", "the spec does not say how the cells lie: board=Geometry()")
            return
        n, player = spec.board.cells, facts.player
        out = np.full(n + SPARE, MARK, np.int32)
        plain.query("cells", states, player, out)
        wrong = np.flatnonzero((out[:n] < 0) | (out[:n] >= spec.board.codes))
        if len(wrong):
            found = "nothing" if out[wrong[0]] == MARK else out[wrong[0]]
            self.findings.add(
                "cells",
                f"cells wrote {found} to cell {wrong[0]}; codes are 0 to {spec.board.codes - 1}",
            )
        elif (out[n:] != MARK).any():
            self.findings.add("cells", f"cells writes beyond the {n} cells of the board")
        elif self.compiled is not None:
            other = np.zeros(n, np.int32)
            self._compiled(kernels.cells, states.copy(), player, other)
            if not np.array_equal(out[:n], other):
                self._disagree("cells", out[:n].tolist(), other.tolist())
        if "seen_action" in self.hooks:
            seen = [int(plain.call("seen_action", a, player)) for a in facts.actions]
            most = spec.distinct_actions or spec.max_actions
            if len(set(seen)) < len(seen) or not all(0 <= a < most for a in seen):
                self.findings.add(
                    "cells", f"seen_action gives two actions one number, or one beyond {most - 1}"
                )

    def _urgent(self, states: Any, facts: Facts) -> None:
        for action in facts.actions[:16]:
            said = bool(self.plain.query("urgent", states, action))
            if self.compiled is not None:
                other = self._compiled(kernels.urgent, states.copy(), action)
                if other != said:
                    self._disagree("urgent", said, other)
                    return

    def _winning_action(self, states: Any, facts: Facts) -> None:
        """The action wins at once; where there is none, no action does."""
        action = int(self.plain.query("winning_action", states, self.plain.out))
        if action != -1 and action not in facts.actions:
            self.findings.add("winning_action", f"winning_action gave {action}, not legal here")
        elif action != -1 and not self._wins(states, facts.player, action):
            self.findings.add("winning_action", f"winning_action gave {action}, which does not win")
        elif action == -1:
            won = next((a for a in facts.actions if self._wins(states, facts.player, a)), None)
            if won is not None:
                self.findings.add("winning_action", f"winning_action gave -1, but {won} wins")
        if self.compiled is not None:
            other = self._compiled(kernels.winning_action, states.copy(), self.plain.out)
            if other != action:
                self._disagree("winning_action", action, other)

    def _wins(self, states: Any, player: int, action: int) -> bool:
        """Does the action end the game with the highest utility there is?"""
        after = self.plain.advance(states, action)
        if not self.plain.query("is_terminal", after):
            return False
        return self.plain.utilities_by("returns", after)[player] >= self.plain.spec.highest

    def _exact_key(self, states: Any, facts: Facts) -> None:
        key = int(self.plain.query("exact_key", states))
        if not 0 <= key < 1 << 56:
            self.findings.add("exact_key", f"exact_key gave {key}, accepted: 0 to 2**56 - 1")
        if self.compiled is not None:
            other = int(self._compiled(kernels.exact_key, states.copy()))
            if other != key:
                self._disagree("exact_key", key, other)
        count = len(facts.actions)  # the same in the image under any symmetry
        if self.exact_keys.setdefault(key, count) != count:
            self.findings.add(
                "exact_key", f"exact_key {key:#x} stands for positions with {count} and other moves"
            )

    def _in_check(self, states: Any, facts: Facts) -> None:
        checked = bool(self.plain.query("in_check", states))
        if self.compiled is not None:
            other = self._compiled(kernels.in_check, states.copy())
            if other != checked:
                self._disagree("in_check", checked, other)
        if checked and set(self.plain.listed("noisy_actions", states)) != set(facts.actions):
            self.findings.add("in_check", "in_check says so, but noisy_actions leaves moves out")

    def _pass_turn(self, states: Any, facts: Facts) -> None:
        after = states.copy()
        passed = bool(self.plain.call("pass_turn", after[0]))
        if not passed and after.tobytes() != states.tobytes():
            self.findings.add("pass_turn", "pass_turn says no, but changes the state")
        if passed and self.plain.facts(after).player in (facts.player, TERMINAL, CHANCE):
            self.findings.add("pass_turn", "after pass_turn it is not the opponent's move")
        if self.compiled is not None:
            other = states.copy()
            self._compiled(kernels.pass_turn, other)
            if other.tobytes() != after.tobytes():
                self._disagree("pass_turn", "one record", "another")

    def _symmetries(self, states: Any, facts: Facts) -> None:
        """The image of a state has the images of its actions, the same player and returns."""
        count = int(self.plain.call("symmetries"))
        if count < 1:
            self.findings.add("symmetry", f"symmetries gave {count}; the identity counts as one")
            return
        for k in range(min(count, 8)):
            image = self._image(states, k)
            if k == 0 and image.tobytes() != states.tobytes():
                self.findings.add(
                    "symmetry", "symmetry 0 must be the identity; it changes the state"
                )
            said = self.plain.facts(image)
            moved = self._moved(facts, k)
            if not _same_choices(moved, said):
                self.findings.add(
                    "symmetry",
                    f"symmetry {k}: the image has {_choices(said)}, expected {_choices(moved)}",
                )
                return
            if facts.player == TERMINAL:
                continue
            action = facts.actions[self.draws % len(facts.actions)]
            turned = self.plain.facts(self._image(self.plain.advance(states, action), k))
            there = self.plain.advance(image, self._moved_action(action, k))
            if not _same_choices(turned, self.plain.facts(there)):
                self.findings.add(
                    "symmetry",
                    f"symmetry {k}: action {action}, then the image, is not the image and then "
                    f"action {self._moved_action(action, k)}",
                )
                return

    # ------------------------------------------------------------ helpers

    def _image(self, states: Any, k: int) -> Any:
        image = new_states(self.plain.spec.state, 1)
        self.plain.query("transform", states, k, image[0])
        if self.compiled is not None:
            both = new_states(self.plain.spec.state, 2)
            both[0] = states[0]
            self._compiled(kernels.transform, both, k)
            if both[1].tobytes() != image[0].tobytes():
                self._disagree("transform", f"symmetry {k}", "another record")
        return image

    def _moved_action(self, action: int, k: int) -> int:
        return int(self.plain.call("transform_action", action, k))

    def _moved(self, facts: Facts, k: int) -> Facts:
        return facts._replace(actions=tuple(self._moved_action(a, k) for a in facts.actions))

    def _compiled(self, kernel: Any, *args: Any) -> Any:
        assert self.compiled is not None
        try:
            return guarded(self.compiled.name, kernel, self.compiled.part, *args)
        except PonderError as error:
            raise Broken("compile", str(error)) from None

    def _disagree(self, method: str, plain: Any, compiled: Any) -> None:
        self.findings.add(
            "disagree", f"{method} says {plain} in plain Python, {compiled} when compiled"
        )


def chi_square_bound(freedom: int) -> float:
    """The quantile 1 - 1e-7 of the chi-square distribution (Wilson & Hilferty 1931)."""
    spread = 2 / (9 * freedom)
    return freedom * float(1 - spread + Z * math.sqrt(spread)) ** 3


def _same_choices(a: Facts, b: Facts) -> bool:
    if a.player != b.player or not np.allclose(a.returns, b.returns):
        return False
    if a.player == CHANCE:
        one = dict(zip(a.actions, a.chances, strict=True))
        two = dict(zip(b.actions, b.chances, strict=True))
        return one.keys() == two.keys() and all(math.isclose(one[k], two[k]) for k in one)
    return sorted(a.actions) == sorted(b.actions)


def _choices(facts: Facts) -> str:
    if facts.player == TERMINAL:
        return f"returns {facts.returns}"
    return f"player {facts.player} and actions {sorted(facts.actions)[:20]}"
