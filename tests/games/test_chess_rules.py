"""The rules of chess against published counts, python-chess and OpenSpiel."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from oracle_openspiel import compare_with_openspiel
from ponder import MCTS, perft, position
from ponder.core.game import new_states, rules_of
from ponder.core.position import Position
from ponder.core.rng import new_rng
from ponder.games.chess import Chess
from ponder.games.chess.attacks import K
from ponder.games.chess.rules import (
    CHECKMATE,
    FIFTY_MOVES,
    PLAYING,
    REPETITION,
    STALEMATE,
    TOO_LITTLE,
)
from ponder.jit import kernel

CLASSICS = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4865609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422333),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62379),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 89890),
]


@kernel
def count_moves(game, states, actions, ply, depth):
    """Perft as chess programmers mean it: only mate and stalemate end the game."""
    s = states[ply]
    if s.ending == CHECKMATE or s.ending == STALEMATE:
        return 0
    n = game.legal_actions(s, actions[ply])
    if ply + 1 == depth:
        return n
    total = 0
    for i in range(n):
        states[ply + 1] = s
        game.apply_action(states[ply + 1], actions[ply, i])
        total += count_moves(game, states, actions, ply + 1, depth)
    return total


def perft_without_draws(p: Position, depth: int) -> int:
    states = new_states(p.rules.spec.state, depth + 1)
    states[0] = p.raw_state[0]
    return count_moves(p.rules.part, states, np.zeros((depth + 1, 256), np.int32), 0, depth)


@pytest.mark.parametrize(("fen", "depth", "nodes"), CLASSICS)
def test_perft_of_the_six_classic_positions(fen, depth, nodes):
    assert perft(position("chess", fen), depth) == nodes


def test_perft_suite_to_depth_4(corpora):
    checked = 0
    for line in (corpora / "chess" / "perft.epd").read_text().splitlines():
        fen, *counts = line.split(";")
        if not counts:
            continue
        p = position("chess", fen.strip())
        for entry in counts:
            depth, nodes = entry.split()
            if int(depth[1:]) <= 4:
                assert perft_without_draws(p, int(depth[1:])) == int(nodes), (fen, depth)
                checked += 1
    assert checked > 480


def test_tricky_perft_positions_to_depth_4_with_castling_of_chess960(corpora):
    checked = 0
    for line in (corpora / "chess" / "tricky.perft").read_text().splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "epd":
            p = position("chess(chess960=True)", rest)
        elif word == "perft":
            depth, nodes = map(int, rest.split())
            if depth <= 4:
                assert perft_without_draws(p, depth) == nodes, (p.text(), depth)
                checked += 1
    assert checked > 60


# ------------------------------------------------------------------ python-chess


def ending_by_python_chess(board) -> int:
    if board.is_checkmate():
        return CHECKMATE
    if board.is_stalemate():
        return STALEMATE
    if board.is_insufficient_material():
        return TOO_LITTLE
    if board.halfmove_clock >= 100:
        return FIFTY_MOVES
    return REPETITION if board.is_repetition(3) else PLAYING


def compare_with_python_chess(ours: Position, board, positions: int, rng: random.Random) -> int:
    """Random moves until the game ends or enough positions were compared; returns how many."""
    compared = 0
    while compared < positions:
        compared += 1
        s = ours.raw_state[0]
        assert ours.text() == board.fen()
        assert bool(s.checkers) == board.is_check(), ours.text()
        assert s.ending == ending_by_python_chess(board), ours.text()
        if ours.is_terminal:
            break
        moves = [board.uci(move) for move in board.legal_moves]
        names = ours.legal_names
        assert sorted(names) == sorted(moves), ours.text()
        choice = rng.randrange(len(names))
        board.push_uci(names[choice])
        ours = ours.play(ours.legal_actions[choice])
    return compared


def test_moves_checks_endings_and_fen_agree_with_python_chess_in_20000_positions():
    chess = pytest.importorskip("chess")
    rng = random.Random(3)
    compared = 0
    while compared < 20_000:
        compared += compare_with_python_chess(position("chess"), chess.Board(), 20_000, rng)


def test_chess960_agrees_with_python_chess_from_300_starts():
    chess = pytest.importorskip("chess")
    rng = random.Random(4)
    compared = 0
    for _ in range(300):
        board = chess.Board.from_chess960_pos(rng.randrange(960))
        ours = position("chess(chess960=True)", board.fen())
        compared += compare_with_python_chess(ours, board, 30, rng)
    assert compared > 8000


# ------------------------------------------------------------------ OpenSpiel


CASTLING = {(4, 6), (4, 2), (60, 62), (60, 58)}


def test_rules_agree_with_openspiel_at_every_step_of_500_games():
    known: dict[tuple[int, int, bool], int] = {}

    def to_spiel(p, action, state):
        """OpenSpiel's number depends on the side, the squares and whether the king castles."""
        squares = (action & 63, action >> 6)
        castles = squares in CASTLING and p.raw_state[0].board[squares[0]] == K
        key = (p.current_player, action, castles)
        if key not in known:
            known[key] = state.parse_move_to_action(p.action_name(action))
        return known[key]

    steps = compare_with_openspiel(
        position("chess"),
        "chess",
        500,
        to_spiel=to_spiel,
        returns=lambda theirs: (theirs[1], theirs[0]),  # White is OpenSpiel's player 1
        player=lambda theirs: 1 - theirs,
        seed=5,
    )
    assert steps > 500 * 100


# ------------------------------------------------------------------ corners


def test_a_third_occurrence_is_a_draw():
    p = position("chess").play_all("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1")
    assert not p.is_terminal
    p = p.play("Ng8")
    assert p.is_terminal
    assert p.returns == (0, 0)


def test_lost_castling_rights_make_another_position():
    start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    p = position("chess", start).play_all("Rb1 Rb8 Ra1 Ra8 Rb1 Rb8 Ra1 Ra8")
    assert not p.is_terminal  # the first occurrence could still castle on the queen's side
    p = p.play_all("Rb1 Rb8")  # rooks on b1 and b8, without those rights: for the third time
    assert p.returns == (0, 0)


def test_mate_on_the_last_move_comes_before_the_fifty_moves():
    p = position("chess", "7k/8/6K1/8/8/8/8/R7 w - - 99 80")
    assert p.play("a1a8").returns == (1, -1)
    assert p.play("a1a7").returns == (0, 0)


def test_stalemate_is_a_draw():
    p = position("chess", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1").play("Qf7")
    assert p.returns == (0, 0)
    assert p.raw_state[0].ending == STALEMATE


@pytest.mark.parametrize(
    ("pieces", "enough"),
    [
        ("k7/8/8/8/8/8/8/K7", False),
        ("k7/8/8/8/8/8/8/KN6", False),
        ("k7/8/8/8/8/8/8/KNN5", True),
        ("kn6/8/8/8/8/8/8/KN6", True),
        ("kb6/8/8/8/8/8/8/K1B5", False),
        ("kb6/8/8/8/8/8/8/KB6", True),
        ("k7/8/8/8/8/8/7P/K7", True),
    ],
)
def test_material_that_cannot_mate_is_a_draw(pieces, enough):
    assert position("chess", f"{pieces} w - - 0 1").is_terminal != enough


def test_the_position_with_the_most_moves_known_fits():
    p = position("chess", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
    assert len(p.legal_actions) == 218


def test_positions_reached_by_different_orders_have_one_key():
    a = position("chess").play_all("d4 d5 c4")
    b = position("chess").play_all("c4 d5 d4")
    assert a == b
    assert a.text() == b.text()
    assert a.play("e6").undo() == a
    assert a != a.play("e6")


def test_the_key_after_moves_equals_the_key_of_the_parsed_position():
    rng = random.Random(6)
    for _ in range(20):
        p = position("chess")
        for _ in range(60):
            if p.is_terminal:
                break
            p = p.play(rng.choice(p.legal_actions))
            assert position("chess", p.text()).key == p.key


# ------------------------------------------------------------------ one random move


@kernel
def draw_many(game, states, actions, rng, counts, n):
    for _ in range(n):
        counts[game.random_action(states[0], actions, rng)] += 1


@pytest.mark.parametrize(
    "fen",
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        "1n1n4/2P5/8/8/8/k7/1p6/K1B1N3 w - - 0 1",  # promotions, a king with one safe step
        "4r2k/8/8/1b5q/8/3P4/4R3/1r2KB2 w - - 0 1",  # in check
        "4r2k/8/8/b7/8/2P5/3PN3/4K3 w - - 0 1",  # pins
    ],
)
def test_random_moves_are_uniform_over_the_legal_ones(fen):
    p = position("chess", fen)
    counts = np.zeros(p.rules.spec.distinct_actions, np.int64)
    draws = 200_000
    out = np.zeros(256, np.int32)
    draw_many(p.rules.part, p.raw_state.copy(), out, new_rng(1), counts, draws)
    legal = list(p.legal_actions)
    assert counts.sum() == counts[legal].sum()
    expected = draws / len(legal)
    chi = float(((counts[legal] - expected) ** 2 / expected).sum())
    freedom = len(legal) - 1
    # mean + 5 standard deviations of the chi-square distribution
    assert chi < freedom + 5 * (2 * freedom + 4) ** 0.5, (chi, freedom)


# ------------------------------------------------------------------ plain Python and compiled


def test_rules_run_as_plain_python_give_the_same_records():
    rng = random.Random(7)
    game = Chess()
    rules = rules_of(game)
    for _ in range(3):
        p = Position(game)
        states = new_states(game.spec().state, 1)
        rules.start(states[0])
        while not p.is_terminal and len(p.history) < 150:
            assert states.tobytes() == p.raw_state.tobytes()
            action = rng.choice(p.legal_actions)
            rules.apply_action(states[0], action)
            p = p.play(action)


PLAY = """
import hashlib, random
from ponder import position
rng, seen = random.Random(8), hashlib.sha256()
for _ in range(2):
    p = position("chess")
    for _ in range(80):
        if p.is_terminal:
            break
        value = p.rules.evaluate(p.raw_state)
        seen.update(repr((p.text(), p.legal_actions, p.key, value)).encode())
        p = p.play(rng.choice(p.legal_actions))
print(seen.hexdigest())
"""


def test_everything_uncompiled_plays_the_same_games():
    folder = Path(__file__).parents[2]
    run = [sys.executable, "-W", "error", "-c", PLAY]
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    compiled = {k: v for k, v in os.environ.items() if k != "NUMBA_DISABLE_JIT"}
    texts = [
        subprocess.run(run, env=env, cwd=folder, capture_output=True, text=True, check=True).stdout
        for env in (plain, compiled)
    ]
    assert texts[0] == texts[1]


# ------------------------------------------------------------------ search


def test_the_default_search_gives_a_legal_move_and_values_in_range():
    p = position("chess")
    result = MCTS().search(p, simulations=2000, seed=1)
    assert result.action in p.legal_actions
    assert all(-1 <= value <= 1 for value in result.values)


def test_search_finds_a_mate_in_one():
    p = position("chess", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    assert MCTS().search(p, simulations=3000, seed=1).best_move.name == "a1a8"


@kernel
def mates_in(game, states, actions, ply, moves):
    """Can the side to move mate in at most this many moves, whatever the answers?"""
    n = game.legal_actions(states[ply], actions[ply])
    for i in range(n):
        states[ply + 1] = states[ply]
        game.apply_action(states[ply + 1], actions[ply, i])
        if states[ply + 1].ending == CHECKMATE:
            return True
        if moves == 1 or states[ply + 1].ending != PLAYING:
            continue
        answers = game.legal_actions(states[ply + 1], actions[ply + 1])
        held = False
        for j in range(answers):
            states[ply + 2] = states[ply + 1]
            game.apply_action(states[ply + 2], actions[ply + 1, j])
            if states[ply + 2].ending != PLAYING or not mates_in(
                game, states, actions, ply + 2, moves - 1
            ):
                held = True
                break
        if not held:
            return True
    return False


def test_every_mate_in_two_of_the_collection_is_one(corpora):
    fens = (corpora / "chess" / "mate2.fen").read_text().split("\n")
    fens = [fen for fen in fens if fen.strip()]
    assert len(fens) == 212
    for fen in fens:
        p = position("chess", fen)
        states = new_states(p.rules.spec.state, 6)
        states[0] = p.raw_state[0]
        out = np.zeros((6, 256), np.int32)
        assert mates_in(p.rules.part, states, out, 0, 2), fen
        assert not mates_in(p.rules.part, states, out, 0, 1), fen
