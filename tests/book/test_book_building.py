"""Building books: self-play, PGN and SGF records, search."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import chess
import chess.pgn
import pytest

from ponder import InputError, Limit, RandomPlayer, engine, position
from ponder.book.builder import BookBuilder
from ponder.book.expand import add_by_search
from ponder.book.records import add_records
from ponder.book.selfplay import add_self_play
from ponder.games.go.sgf import write_sgf
from ponder.search import reference

# ------------------------------------------------------------------ self-play


def played(seed: int, searcher=None, games: int = 12, **more) -> BookBuilder:
    start = position("connect4(columns=4, rows=4)")
    builder = BookBuilder(start.game)
    searcher = searcher or engine("mcts(simulations=30)")
    add_self_play(builder, start, searcher, games, plies=6, seed=seed, **more)
    return builder


def test_the_same_seed_builds_the_same_book():
    one, two, other = (played(seed).book() for seed in (1, 1, 2))
    assert one.rows.tobytes() == two.rows.tobytes()
    assert one.rows.tobytes() != other.rows.tobytes()


def test_more_games_of_one_seed_contain_the_fewer():
    few, many = played(1, games=4).tallies, played(1, games=8).tallies
    assert all(many[place].count >= tally.count for place, tally in few.items())


def test_every_game_counts_once_at_the_start_and_scores_are_utilities():
    builder = played(3)
    start = position("connect4(columns=4, rows=4)")
    found = builder.book().lookup(start)
    assert sum(move.count for move in found) == 12
    assert all(-1.0 <= move.score <= 1.0 for move in found)


def test_an_engine_that_always_plays_the_same_still_makes_several_games():
    searcher = engine("alphabeta(depth=2)")
    assert played(1, searcher, random_moves=0.0).book().moves == 6
    assert played(1, searcher, random_moves=0.3).book().moves > 12
    with pytest.raises(InputError, match="0 to 1"):
        played(1, searcher, random_moves=2.0)


class Interrupted:
    """A random player to whom Ctrl-C happens during the given search."""

    def __init__(self, at: int) -> None:
        self.left = at

    def search(self, here, limit=None, *, seed=None, **options):
        self.left -= 1
        result = RandomPlayer().search(here, seed=seed)
        return replace(result, stopped_by="interrupt") if self.left == 0 else result


def test_ctrl_c_in_self_play_keeps_the_finished_games():
    start = position("tictactoe")
    builder = BookBuilder(start.game)
    done, interrupted = add_self_play(
        builder, start, Interrupted(30), 100, plies=9, seed=1, random_moves=0.0
    )
    assert interrupted
    assert 3 <= done <= 5
    assert sum(move.count for move in builder.book().lookup(start)) == done


def test_chance_outcomes_are_drawn_and_are_no_moves():
    start = position("pig")
    builder = BookBuilder(start.game)
    add_self_play(builder, start, RandomPlayer(), 5, plies=8, seed=1)
    assert {move.name for move in builder.book().lookup(start)} <= {"roll", "hold"}
    assert len(builder.tallies) > 3


# ------------------------------------------------------------------ game records


def chess_games(n: int):
    """Random games, made and written by python-chess."""
    rng = random.Random(11)
    for _ in range(n):
        record = chess.pgn.Game()
        node, board = record, chess.Board()
        for _ in range(rng.randrange(4, 30)):
            moves = sorted(board.legal_moves, key=chess.Move.uci)
            if not moves:
                break
            move = rng.choice(moves[:3])
            node, _ = node.add_variation(move), board.push(move)
        record.headers["Result"] = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
        yield record


def test_a_book_of_pgn_counts_what_python_chess_counts(tmp_path):
    games = list(chess_games(30))
    file = tmp_path / "games.pgn"
    file.write_text("\n\n".join(map(str, games)))
    counts, known, totals = Counter(), Counter(), Counter()
    for record in games:
        board = chess.Board()
        score = {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0}.get(record.headers["Result"])
        for move in list(record.mainline_moves())[:10]:
            place = board.epd(en_passant="legal"), move.uci()
            counts[place] += 1
            if score is not None:
                known[place] += 1
                totals[place] += score if board.turn else -score
            board.push(move)
    start = position("chess")
    builder = BookBuilder(start.game)
    assert add_records(builder, [file], plies=10) == (30, False)
    book = builder.book()
    assert book.moves == len(counts)
    for (epd, uci), count in counts.items():
        here = position("chess", f"{epd} 0 1")
        found = next(move for move in book.lookup(here) if move.name == uci)
        assert found.count == count
        if known[epd, uci]:
            wanted = totals[epd, uci] / known[epd, uci]
            assert found.score == pytest.approx(wanted, abs=1e-6)
        else:
            assert found.score is None


def test_a_faulty_pgn_file_is_named(tmp_path):
    (tmp_path / "bad.pgn").write_text("1. e4 e5 2. Ke4 *")
    with pytest.raises(InputError, match=r"bad\.pgn: game 1 of the PGN: 2\. Ke4 is not legal"):
        add_records(BookBuilder(position("chess").game), [tmp_path / "bad.pgn"], plies=4)
    (tmp_path / "other.pgn").write_text('[Variant "Chess960"] 1. e4 *')
    with pytest.raises(InputError, match=r"game 1 is one of chess\(chess960=True\)"):
        add_records(BookBuilder(position("chess").game), [tmp_path / "other.pgn"], plies=4)


def test_records_of_other_games_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match=r"read for chess \(PGN\) and go \(SGF\)"):
        add_records(BookBuilder(position("nim").game), [tmp_path], plies=4)


def sgf_files(folder: Path) -> list:
    """Random games of Go with a result each."""
    rng = random.Random(4)
    lines = []
    for number in range(12):
        here = position("go(size=5, komi=0.5)")
        while len(here.history) < 8:
            here = here.play(rng.choice(here.legal_actions[:4]))
            if here.is_terminal:
                break
        data = write_sgf(here)
        result = rng.choice(["B+R", "W+3.5", "0", "Void"])
        lines.append((here, result))
        (folder / f"{number}.sgf").write_bytes(data.replace(b"(;", f"(;RE[{result}]".encode(), 1))
    return lines


def test_a_book_of_sgf_counts_the_games_of_a_folder(tmp_path):
    start = position("go(size=5)")

    def turned(action):
        """One name for all first moves that mirror each other."""
        return min(start.rules.part.transform_action(action, k) for k in range(8))

    counts, totals, known = Counter(), Counter(), Counter()
    for final, result in sgf_files(tmp_path):
        score = {"B+R": 1.0, "W+3.5": -1.0, "0": 0.0}.get(result)
        first = turned(final.history[0])
        counts[first] += 1
        if score is not None:
            known[first] += 1
            totals[first] += score
    builder = BookBuilder(start.game)
    assert add_records(builder, [tmp_path], plies=4) == (12, False)
    found = {turned(move.action): move for move in builder.book().lookup(start)}
    assert {action: move.count for action, move in found.items()} == counts
    assert len(counts) > 1
    for action, move in found.items():
        n = known[action]
        assert move.score == (pytest.approx(totals[action] / n, abs=1e-6) if n else None)


def test_an_sgf_of_another_size_is_refused(tmp_path):
    sgf_files(tmp_path)
    with pytest.raises(InputError, match=r"is a game on 5 lines, not one of go\(\)"):
        add_records(BookBuilder(position("go").game), [tmp_path], plies=4)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no \.sgf file in"):
        add_records(BookBuilder(position("go").game), [tmp_path / "empty"], plies=4)


# ------------------------------------------------------------------ by search


class Ignorant:
    """Knows nothing of any move: all that the book learns comes from the ends of games."""

    def search(self, here, limit=None, *, seed=None, **options):
        return RandomPlayer().search(here, seed=seed)


SMALL = [
    "connect4(columns=3, rows=3, run=3)",
    "nim(heaps=(1, 2, 3))",  # positions are met again after more or fewer moves
    "nim(heaps=(2, 2), misere=True)",
]


@pytest.mark.parametrize("name", SMALL)
def test_a_game_expanded_to_its_end_has_the_values_of_minimax(name):
    start = position(name)
    builder = BookBuilder(start.game)
    done, interrupted = add_by_search(builder, start, Ignorant(), 10_000, plies=99, seed=1)
    assert done < 10_000
    assert not interrupted
    book = builder.book()
    assert book.positions == done
    seen, waiting = set(), [start]
    while waiting:
        here = waiting.pop()
        if here.is_terminal or here.key in seen:
            continue
        seen.add(here.key)
        moves = book.lookup(here)
        assert moves
        for move in moves:
            after = here.play(move.action)
            wanted = reference.minimax(after, player=here.current_player).value
            assert move.value == pytest.approx(wanted), (here.text(), move.name)
            waiting.append(after)


class Dice:
    """Keep the prize of 3, or roll: 0, 2 or 8 with chances 1/2, 1/4, 1/4; then again, once."""

    players = 2
    utilities = (-8, 8)

    def start(self):
        return ("choose", 0, 0)

    def current_player(self, s):
        return -1 if s[0] == "roll" else s[2]

    def legal_actions(self, s):
        return ["keep", "roll"]

    def chance_outcomes(self, s):
        return [(0, 0.5), (2, 0.25), (8, 0.25)]

    def apply_action(self, s, a):
        if s[0] == "roll":
            return ("choose" if s[2] == 0 else "end", s[1] + (a if s[2] == 0 else -a), s[2] + 1)
        return ("roll", s[1], s[2]) if a == "roll" else ("end", s[1] + (3, -3)[s[2]], 2)

    def is_terminal(self, s):
        return s[0] == "end"

    def returns(self, s):
        return (s[1], -s[1])


def test_chance_is_averaged():
    start = position(Dice)
    builder = BookBuilder(start.game)
    add_by_search(builder, start, Ignorant(), 100, plies=99, seed=1)
    values = {move.name: move.value for move in builder.book().lookup(start)}
    # The second player keeps 3 as well (a roll is worth 2.5): 2.5 - 3 after rolling.
    assert values == {"keep": 3.0, "roll": -0.5}
    assert values["roll"] == reference.expectiminimax(start.play("roll"), player=0).value


class Opinionated:
    """Likes the first move in the list, and no other."""

    def search(self, here, limit=None, *, seed=None, **options):
        result = RandomPlayer().search(here, seed=seed)
        first, *others = sorted(result.moves, key=lambda row: row.action)
        rows = (first._replace(value=0.0), *(row._replace(value=-0.5) for row in others))
        return replace(result, action=first.action, moves=rows)


def test_good_lines_are_followed_deeper_and_bad_ones_later():
    start = position("nim(heaps=(20, 20))")
    grown = []
    for positions in (4, 12, 200):
        builder = BookBuilder(start.game)
        add_by_search(builder, start, Opinionated(), positions, plies=12, seed=1)
        book, here, depth = builder.book(), start, 0
        while moves := book.lookup(here):
            here, depth = here.play(moves[0].action), depth + 1
        grown.append((depth, len(book.lookup(start))))
    assert grown[0] == (4, 2)  # taking 3 at once leads to a position of the line
    assert grown[1][0] > 4
    assert grown[2][1] > 10


def test_a_search_book_is_the_same_for_the_same_seed():
    def rows(seed):
        start = position("tictactoe")
        builder = BookBuilder(start.game)
        limit = Limit(simulations=50)
        add_by_search(builder, start, engine("mcts()"), 20, plies=4, seed=seed, limit=limit)
        return builder.book().rows.tobytes()

    assert rows(1) == rows(1) != rows(2)


def test_no_position_beyond_the_plies_is_searched():
    start = position("nim")
    builder = BookBuilder(start.game)
    done, _ = add_by_search(builder, start, Ignorant(), 1000, plies=2, seed=1)
    assert done == 1 + len(start.legal_actions)
    assert not builder.book().lookup(start.play_all("4:1 4:1"))


def test_positions_that_lead_back_to_each_other_are_no_trouble():
    start = position("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    builder = BookBuilder(start.game)
    done, _ = add_by_search(builder, start, Ignorant(), 150, plies=6, seed=1)
    assert done == builder.book().positions == 150


def test_ctrl_c_in_a_search_keeps_what_was_found():
    start = position("tictactoe")
    builder = BookBuilder(start.game)
    assert add_by_search(builder, start, Interrupted(4), 50, plies=4, seed=1) == (3, True)
    assert builder.book().positions == 3
    builder = BookBuilder(start.game)
    assert add_by_search(builder, start, Interrupted(1), 50, plies=4, seed=1) == (0, True)
    assert builder.tallies == {}
