"""The hooks of chess that searches use: evaluation, noisy moves, ordering."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ponder import position
from ponder.games.chess.notation import castling_side, split


def evaluation(fen: str) -> float:
    p = position("chess", fen)
    white, black = p.rules.evaluate(p.raw_state)
    assert white == -black
    assert -1 <= white <= 1
    return white


def mirrored(fen: str) -> str:
    """The same position with colours exchanged."""
    pieces, side, rights, passant, *rest = fen.split()
    pieces = "/".join(reversed(pieces.split("/"))).swapcase()
    rights = "".join(sorted(rights.swapcase()))
    passant = passant.translate(str.maketrans("36", "63"))
    return " ".join([pieces, "wb"[side == "w"], rights, passant, *rest])


def test_evaluation_of_mirrored_positions_is_opposite():
    rng = random.Random(1)
    for _ in range(100):
        p = position("chess")
        for _ in range(rng.randrange(100)):
            if not p.is_terminal:
                p = p.play(rng.choice(p.legal_actions))
        assert evaluation(mirrored(p.text())) == pytest.approx(-evaluation(p.text()))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # one pawn, one rook, a passed pawn further on, a sheltered king, a knight in the centre
        ("4k3/ppp5/8/8/8/8/PPPP4/4K3 w - - 0 1", "4k3/ppp5/8/8/8/8/PPP5/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
        ("4k3/8/1P6/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/1P6/8/4K3 w - - 0 1"),
        (
            "rnbq1rk1/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1RK1 w - - 0 1",
            "rnbq1rk1/pppppppp/8/8/4K3/8/PPPPPPPP/RNBQ1R2 w - - 0 1",
        ),
        ("4k3/pppp4/8/8/3N4/8/PPPP4/4K3 w - - 0 1", "4k3/pppp4/8/8/8/8/PPPP4/N3K3 w - - 0 1"),
    ],
)
def test_evaluation_prefers_what_it_names(better, worse):
    assert evaluation(better) > evaluation(worse)


def noisy(p) -> set[int]:
    out = np.zeros(256, np.int32)
    return set(out[: p.rules.part.noisy_actions(p.raw_state[0], out)].tolist())


def is_noisy(p, action) -> bool:
    s = p.raw_state[0]
    start, to, promotion = split(action)
    if castling_side(p.game, s, action):
        return False
    passant = s.board[start] == 1 and start % 8 != to % 8
    return bool(s.board[to] or promotion or passant)


@pytest.mark.parametrize("game", ["chess", "chess(chess960=True)"])
def test_noisy_actions_are_captures_and_promotions_or_all_evasions(game):
    rng = random.Random(2)
    checks = quiet = 0
    for _ in range(30):
        p = position(game)
        while not p.is_terminal and len(p.history) < 150:
            legal = set(p.legal_actions)
            if p.raw_state[0].checkers:
                assert noisy(p) == legal
                checks += 1
            else:
                assert noisy(p) == {a for a in legal if is_noisy(p, a)}
                quiet += 1
            p = p.play(rng.choice(p.legal_actions))
    assert checks > 50
    assert quiet > 500


def test_order_puts_good_captures_and_promotions_first():
    p = position("chess", "3q3k/P7/8/8/2p1p3/3P4/8/3RK3 w - - 0 1")
    part, s = p.rules.part, p.raw_state[0]
    score = {p.action_name(a): part.order(s, a) for a in p.legal_actions}
    assert score["a7a8q"] > score["a7a8n"] > score["d3c4"] > score["d3d4"] == 0
    p = position("chess", "3q3k/4P3/8/8/8/8/8/3RK3 w - - 0 1")
    part, s = p.rules.part, p.raw_state[0]
    assert part.order(s, p.parse_action("e7d8q")) > part.order(s, p.parse_action("d1d8"))
    assert part.order(s, p.parse_action("d1d8")) > part.order(s, p.parse_action("e7e8n"))
