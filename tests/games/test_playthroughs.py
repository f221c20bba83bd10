"""OpenSpiel's published playthroughs, replayed: every state must agree in all that rules say.

A playthrough is a text of blocks, one a state (``# State 0`` ...), with lines such as
``LegalActions() = [0, 1]``; at the end of a block stands ``action: 1``, the action played. Long
games are shortened: a block in their middle may hold its action alone.
"""

from __future__ import annotations

import ast
import re

import pytest

from ponder import position
from ponder.core.game import CHANCE

PLAYTHROUGHS = {
    "connect_four": "connect4",
    "nim": "nim(misere=True)",
    "othello": "othello",
    "pig_3p": "pig(players=3, horizon=10, target=10)",
    "tic_tac_toe": "tictactoe",
}


def read(text: str) -> tuple[dict[str, object], list[dict[str, object]], list[int]]:
    """The facts of the game, those of each state, and the actions played."""
    head, *blocks = re.split(r"^# State \d+$", text, flags=re.MULTILINE)
    actions = [int(a) for a in re.findall(r"^action: (\d+)$", text, flags=re.MULTILINE)]
    return facts(head), [facts(block) for block in blocks], actions


def facts(block: str) -> dict[str, object]:
    """``Name() = value`` lines whose value is a Python value."""
    found = re.findall(r"^(\w+)\(\) = (\[.*\]|-?[\d.]+|True|False)$", block, flags=re.MULTILINE)
    return {name: ast.literal_eval(value) for name, value in found}


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_every_state_of_the_playthrough_agrees(name, corpora):
    game, states, actions = read((corpora / "playthroughs" / f"{name}.txt").read_text())
    here = position(PLAYTHROUGHS[name])
    assert len(states) == len(actions) + 1 > 5
    assert here.players == game["NumPlayers"]
    spec = here.rules.spec
    assert (spec.lowest, spec.highest) == (game["MinUtility"], game["MaxUtility"])
    assert all(states[number] for number in (0, 1, 2, -1))  # these are never shortened
    for number, theirs in enumerate(states):
        if not theirs:
            here = here.play(actions[number])
            continue
        assert here.is_terminal == theirs["IsTerminal"]
        assert here.current_player == theirs["CurrentPlayer"]
        assert list(here.history) == theirs["History"]
        if here.is_terminal:
            assert list(here.returns) == theirs["Returns"]
            continue
        assert sorted(here.legal_actions) == theirs["LegalActions"]
        if theirs["IsChanceNode"]:
            assert here.current_player == CHANCE
            outcomes = dict(theirs["ChanceOutcomes"])
            assert dict(here.chance_outcomes) == pytest.approx(outcomes, abs=1e-6)  # 6 digits given
        here = here.play(actions[number])
    assert here.is_terminal
