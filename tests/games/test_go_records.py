"""Go as text, pictures and SGF records, and against GNU Go."""

from __future__ import annotations

import random
import shutil
import subprocess
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outside import missing
from plain_rules import complaint, random_action_counts, walk
from ponder import InputError, position
from ponder.games.go import Go, final_score
from ponder.games.go.drawing import star_points
from ponder.games.go.sgf import read_sgf, write_sgf

SMALL = "go(size=3, columns=4)"

# ------------------------------------------------------------ parameters and positions


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("go(size=0)", "1 to 19"),
        ("go(size=20)", "1 to 19"),
        ("go(size=5, columns=25)", "1 to 19"),
        ("go(size=1)", "at least 2 points"),
        ("go(komi=1e9)", "komi"),
        ("go(max_length=1)", "max_length"),
    ],
)
def test_unusable_parameters_are_refused(game, reason):
    with pytest.raises(InputError, match=reason):
        position(game)


@given(st.integers(0, 10_000), st.integers(0, 60))
@settings(max_examples=100, deadline=None)
def test_printed_positions_parse_back(seed, ply):
    visited = walk(position("go(size=4, suicide=True)" if seed % 2 else SMALL), seed)
    here = visited[min(ply, len(visited) - 1)]
    again = position(here.game, here.text())
    assert again == here
    assert again.text() == here.text()
    assert again.is_terminal == here.is_terminal
    assert again.current_player == here.current_player
    assert set(here.legal_actions) <= set(again.legal_actions)  # earlier boards are forgotten


@given(st.text(alphabet="XO./ -B2pasover1", max_size=24) | st.text(max_size=30))
@settings(max_examples=300, deadline=None)
def test_any_other_text_is_refused_with_one_line(text):
    why = complaint(SMALL, text)
    assert "\n" not in why
    if not why and text:
        here = position(SMALL, text)
        assert position(SMALL, here.text()) == here


@given(st.lists(st.sampled_from("...XO"), min_size=12, max_size=12), st.sampled_from("XO"))
@settings(max_examples=200, deadline=None)
def test_every_board_is_taken_or_a_string_lacks_liberties(cells, player):
    rows = "/".join("".join(cells[4 * r : 4 * r + 4]) for r in range(3))
    text = f"{rows} {player} -"
    why = complaint(SMALL, text)
    assert "no liberties" in why if why else position(SMALL, text).text() == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("...", "3 rows of 4 points"),
        ("..../..../...", "3 rows of 4 points"),
        ("..../..../...Z", "unknown point 'Z'"),
        ("..../..../.... B", "X or O, not 'B'"),
        ("XO../O.../....", "A3 has no liberties"),
        ("..../..../.... X huh", "unknown status 'huh'"),
        ("..../..../.... X A1", "no ko at A1"),
        (".XO./XO.O/.XO. X B2", "no ko at B2"),
        ("..../..../.... X - more", "ROWS PLAYER STATUS"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, reason):
    assert reason in complaint(SMALL, text)


def test_a_ko_in_a_text_forbids_the_point():
    p = position(SMALL, ".XO./X.XO/.XO. O B2")
    assert "B2" not in p.legal_names
    assert position(SMALL, ".XO./X.XO/.XO. O -") != p


def test_points_are_named_as_in_gtp():
    names = position("go(size=19)").legal_names
    assert names[0] == "A1"
    assert names[18] == "T1"
    assert names[8] == "J1"
    assert names[-2:] == ("T19", "pass")
    assert position("go").play("e5") == position("go").play("E5")


def test_the_board_is_drawn_with_stones_and_marks():
    p = position("go").play_all("E5 C3")
    drawn = ET.fromstring(p.svg())
    circles = [e for e in drawn.iter() if e.tag.endswith("circle")]
    assert len(circles) == 5 + 2 + 1 + 79  # star points, stones, the last move, legal moves
    large = ET.fromstring(position("go(size=19)").play("D4").svg())
    assert len([e for e in large.iter() if e.tag.endswith("circle")]) == 9 + 1 + 1
    assert str(p).splitlines()[4].split() == ["5", *"....X...."]


def test_star_points_are_the_usual_ones():
    assert star_points(9, 9) == [(2, 2), (2, 6), (4, 4), (6, 2), (6, 6)]
    assert star_points(13, 13) == [(3, 3), (3, 9), (6, 6), (9, 3), (9, 9)]
    assert len(star_points(19, 19)) == 9
    assert star_points(5, 5) == []


# ------------------------------------------------------------ SGF


@given(st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_games_survive_a_trip_through_sgf(seed):
    rng = random.Random(seed)
    here = position(Go(size=4, komi=rng.choice([0.5, 7.5, -3.0, 4.0])))
    for _ in range(rng.randrange(40)):
        if here.is_terminal:
            break
        here = here.play(rng.choice(here.legal_actions))
    again = read_sgf(write_sgf(here))
    assert again == here
    assert again.game == here.game
    assert again.history == here.history


def test_set_up_stones_and_handicap_survive_a_trip_through_sgf():
    p = position("go(size=5, komi=0.5)", "...../.X.X./...../.X.X./..... O -").play_all("C3 C2")
    data = write_sgf(p)
    assert b"HA[4]" in data
    assert read_sgf(data) == p
    assert read_sgf(data).history == p.history


def test_a_finished_game_says_its_result():
    assert b"RE[B+24.5]" in write_sgf(position("go(size=5, komi=0.5)").play_all("C3 pass pass"))
    assert b"RE[W+7.5]" in write_sgf(position("go(size=5)").play_all("pass pass"))
    assert b"RE[0]" in write_sgf(position("go(size=5, komi=0)").play_all("pass pass"))
    assert b"RE" not in write_sgf(position("go(size=5)"))


def test_a_record_from_a_file(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_bytes(b"(;GM[1]FF[4]SZ[9]KM[6.5]C[a comment];B[ee];W[cg](;B[gc])(;B[aa]))")
    p = read_sgf(str(file))
    assert p.history_names == ("E5", "C3", "G7")
    assert p.game == Go(size=9, komi=6.5)
    with pytest.raises(InputError, match="cannot read"):
        read_sgf(tmp_path / "none.sgf")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not an SGF record"),
        (b"(;SZ[9]", "not an SGF record"),
        (b"(;SZ[40])", "not an SGF record"),
        (b"(;SZ[20])", "2 to 19 lines"),
        (b"(;SZ[9]KM[x])", "not a usable SGF record: komi 'x' is not a number"),
        (b"(;GM[2]SZ[9])", "another game: GM is '2'"),
        (b"(;SZ[9]AB[aa]AW[aa])", "set up twice"),
        (b"(;SZ[9];B[zz])", "move 1 cannot be read"),
        (b"(;SZ[9];B[];B[bb])", "move 2 of the record is out of turn, and a pass in between"),
        (b"(;SZ[9];B[];PL[B])", "the last PL of the record is out of turn"),
        (b"(;SZ[9];B[aa];W[aa])", "move 2 of the record, A9, is not legal"),
        (b"(;SZ[9];B[];W[];B[aa])", "after the end"),
        (b"(;SZ[9];B[aa];AW[bb])", "after the first move"),
        (b"(;SZ[9]AB[aa]AW[ab][ba])", "no liberties"),
    ],
)
def test_bad_records_are_refused_with_a_reason(data, reason):
    with pytest.raises(InputError, match=reason):
        read_sgf(data)


PIECES = (
    rb"( ) ; [ ] \ SZ[9] SZ[5] KM[0.5] HA[2] CA[utf-8] GM[1] PL[W] "
    rb"B[aa] W[bb] W[tt] B[] AB[cc] AW[dd]"
).split()


@given(st.binary(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=14).map(b"".join))
@settings(max_examples=500, deadline=None)
def test_any_bytes_are_a_record_or_refused_with_one_line(data):
    why = ""
    try:
        read_sgf(data)
    except InputError as error:
        why = str(error)
    assert "\n" not in why


def test_only_square_go_boards_are_written():
    with pytest.raises(InputError, match="square"):
        write_sgf(position(SMALL))
    with pytest.raises(InputError, match="go"):
        write_sgf(position("tictactoe"))
    with pytest.raises(InputError, match="go"):
        final_score(position("tictactoe"))


# ------------------------------------------------------------ GNU Go as a referee


class GnuGo:
    """GNU Go, spoken to in GTP."""

    def __init__(self, *options: str) -> None:
        program = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
        if program is None:
            missing("gnugo")
        self.process = subprocess.Popen(
            [program, "--mode", "gtp", "--level", "1", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, command: str) -> str:
        """The answer; a failed command gives "?" and its message."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while line := self.process.stdout.readline().rstrip("\n"):
            lines.append(line)
        answer = "\n".join(lines)
        return answer.removeprefix("=").strip() if answer.startswith("=") else answer

    def close(self) -> None:
        self.process.stdin.write("quit\n")
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()


@pytest.fixture
def gnugo():
    program = GnuGo("--chinese-rules", "--positional-superko", "--forbid-suicide")
    yield program
    program.close()


@pytest.mark.parametrize("seed", range(4))
def test_gnu_go_agrees_on_legal_moves_boards_and_captures(gnugo, seed):
    rng = random.Random(seed)
    here = position("go(size=7, komi=0.5)")
    gnugo.ask("boardsize 7")
    gnugo.ask("clear_board")
    points = here.legal_names[:-1]
    for ply in range(90):
        if here.is_terminal:
            break
        colour = "bw"[here.current_player]
        if ply % 6 == 0:
            legal = {p for p in points if gnugo.ask(f"is_legal {colour} {p}") == "1"}
            assert legal == set(here.legal_names) - {"pass"}, str(here)
        moves = here.legal_actions[:-1]
        here = here.play(rng.choice(moves) if moves else "pass")
        assert not gnugo.ask(f"play {colour} {here.history_names[-1]}").startswith("?")
    board = here.text().split()[0].split("/")
    for cell, name in (("X", "black"), ("O", "white")):
        listed = set(gnugo.ask(f"list_stones {name}").split())
        ours = {
            points[(6 - r) * 7 + c]
            for r, row in enumerate(board)
            for c, stone in enumerate(row)
            if stone == cell
        }
        assert ours == listed


@pytest.mark.parametrize("seed", range(4))
def test_gnu_go_agrees_on_the_score_of_games_played_out(gnugo, seed):
    here = position("go(size=7, komi=0.5)")
    gnugo.ask("boardsize 7")
    gnugo.ask("clear_board")
    gnugo.ask("komi 0.5")
    while not here.is_terminal:
        (action,) = random_action_counts(here, 1, 1000 * seed + len(here.history))
        gnugo.ask(f"play {'bw'[here.current_player]} {here.action_name(action)}")
        here = here.play(action)
    score = gnugo.ask("final_score")
    assert score == f"{'B' if final_score(here) > 0 else 'W'}+{abs(final_score(here)):.1f}"


@pytest.mark.parametrize(
    ("record", "moves", "mover"),
    [
        # passes after the end: three, and a fourth
        (b"(;SZ[9];B[aa];W[];B[];W[])", "A9 pass pass", None),
        (b"(;SZ[9];B[];W[];B[];W[])", "pass pass", None),
        # one colour moves twice: the other has passed
        (b"(;SZ[9];B[aa];B[bb])", "A9 pass B8", 1),
        (b"(;SZ[9];B[aa];W[bb];W[cc];B[dd])", "A9 B8 pass C7 D6", 1),
        (b"(;SZ[9]PL[B];W[aa];B[bb])", "pass A9 B8", 1),
        # a late PL: of the side to move, of the other, before a move of either
        (b"(;SZ[9];B[aa];PL[W])", "A9", 1),
        (b"(;SZ[9];B[aa];PL[B])", "A9 pass", 0),
        (b"(;SZ[9];B[aa];PL[B];B[bb])", "A9 pass B8", 1),
        (b"(;SZ[9];B[aa];PL[B];W[bb])", "A9 B8", 0),
        (b"(;SZ[9];B[aa];W[];B[];PL[B])", "A9 pass pass", None),
    ],
)
def test_sgf_does_not_ask_for_turns(record, moves, mover):
    end = read_sgf(record)
    assert " ".join(end.history_names) == moves
    assert end.is_terminal if mover is None else end.current_player == mover
    assert read_sgf(write_sgf(end)) == end


def test_implied_passes_count_as_moves_of_the_game():
    end = read_sgf(b"(;SZ[9];B[aa];B[bb];B[cc])", max_length=4)
    assert (len(end.history), end.game.max_length) == (5, 10)
