"""Files of compiled code: a limit to their size, cleared on demand, and nobody else's touched."""

from __future__ import annotations

import os
import time

import pytest

from ponder.files import lock, write_atomically
from ponder.jit import kernel_files as kernel_files_module
from ponder.jit.kernel_files import (
    STEP,
    clear,
    kernel_files,
    make_room,
    note_written,
    packed,
    read_code,
)

pytestmark = pytest.mark.plain

HOUR = 3600.0


def kernel_name(number):
    return f"Rule.score-{number:032x}.nbc"


def keep(folder, number, used, code=b"x" * 1000):
    """A kernel that was used so many hours ago."""
    path = folder / kernel_name(number)
    path.write_bytes(packed({"kernel": "Rule.score"}, code))
    os.utime(path, (time.time() - used * HOUR,) * 2)
    return path


def test_what_was_not_used_for_longest_goes_first(tmp_path):
    files = [keep(tmp_path, number, used) for number, used in enumerate((5, 1, 9, 3, 7))]
    size = files[0].stat().st_size
    make_room(tmp_path, limit=3 * size + 100)
    assert sorted(tmp_path.iterdir()) == [files[1], files[3]]  # nine tenths of three: two


def test_a_process_looks_at_its_first_file_and_then_now_and_then(tmp_path, monkeypatch):
    looked = []
    monkeypatch.setattr(kernel_files_module, "make_room", lambda folder: looked.append(folder))
    for _ in range(7):
        note_written(tmp_path, STEP // 3 + 1)
    assert looked == [tmp_path] * 3  # after the first, the fourth and the seventh


def test_nothing_goes_below_the_limit(tmp_path):
    files = [keep(tmp_path, number, number) for number in range(4)]
    make_room(tmp_path, limit=sum(file.stat().st_size for file in files))
    assert sorted(tmp_path.iterdir()) == files


def test_a_file_that_is_read_counts_as_used_though_no_access_time_is_kept(tmp_path):
    old, older = keep(tmp_path, 1, used=8), keep(tmp_path, 2, used=9)
    assert read_code(older) == b"x" * 1000
    about = older.stat()
    os.utime(older, (0, about.st_mtime))  # as where no access is noted
    make_room(tmp_path, limit=old.stat().st_size + 200)
    assert list(tmp_path.iterdir()) == [older]


def test_a_file_that_was_used_just_now_is_not_touched_again(tmp_path):
    path = keep(tmp_path, 1, used=0.5)
    before = path.stat().st_mtime_ns
    read_code(path)
    assert path.stat().st_mtime_ns == before


def test_a_damaged_or_missing_file_has_no_code(tmp_path):
    path = keep(tmp_path, 1, used=0)
    whole = path.read_bytes()
    for damaged in (b"", whole[:-1], whole[:40], whole[:-1] + b"y", whole[:40] + b"z" + whole[41:]):
        path.write_bytes(damaged)
        assert read_code(path) is None
    path.unlink()
    assert read_code(path) is None


def test_code_of_any_bytes_comes_back_and_its_label_is_read_alone(tmp_path):
    path = keep(tmp_path, 1, used=0, code=b"\n\0{}\n" * 100)
    assert read_code(path) == b"\n\0{}\n" * 100
    (file,) = kernel_files(tmp_path)
    assert file.label() == {"kernel": "Rule.score"}


def test_a_file_of_another_form_has_no_label(tmp_path):
    for content in (b"", b"\xff" * 300, b"0" * 32 + b"[1]\n"):
        (tmp_path / kernel_name(1)).write_bytes(content)
        (file,) = kernel_files(tmp_path)
        assert file.label() == {}


def test_clearing_and_making_room_remove_nothing_that_is_not_ours(tmp_path):
    """Names that nearly fit, folders, links and what they lead to, the notes of other layers."""
    outside = tmp_path / "outside"
    outside.mkdir()
    treasure = keep(outside, 7, used=99)
    folder = tmp_path / "cache"
    (folder / "examined").mkdir(parents=True)
    (folder / "examined" / ("0" * 32)).touch()
    (folder / "lab").mkdir()
    (folder / "lab" / "gem-1.result").write_text("{}")
    (folder / kernel_name(1)).symlink_to(treasure)
    (folder / "times.json").symlink_to(treasure)
    (folder / kernel_name(2)).mkdir()
    for name in ("notes.nbc", "thesis.txt", kernel_name(3) + ".bak", "a b-" + kernel_name(4)):
        (folder / name).write_bytes(b"y" * 5000)
    before = sorted(tmp_path.rglob("*"))
    ours = keep(folder, 5, used=1)
    make_room(folder, limit=100)
    assert not ours.exists()
    keep(folder, 5, used=1)
    assert clear(folder) == (1, 1000 + 32 + 25)
    assert sorted(tmp_path.rglob("*")) == before
    assert read_code(treasure) == b"x" * 1000


def test_clearing_removes_code_times_and_what_dead_processes_left(tmp_path):
    keep(tmp_path, 1, used=0)
    (tmp_path / "times.json").write_text("{}")
    (tmp_path / f".{kernel_name(2)}.ponder-unfinished").touch()
    (tmp_path / f".{kernel_name(2)}.012345abcdef.ponder-unfinished").touch()
    held = tmp_path / f".{kernel_name(3)}.ponder-unfinished"
    with held.open("w") as file:
        assert lock(file.fileno())
        assert clear(tmp_path)[0] == 1
        assert list(tmp_path.iterdir()) == [held]


def test_a_folder_that_is_not_there_is_empty(tmp_path):
    nowhere = tmp_path / "nowhere"
    assert kernel_files(nowhere) == []
    assert clear(nowhere) == (0, 0)
    make_room(nowhere, limit=0)


def test_a_file_that_is_written_now_is_the_last_to_go(tmp_path):
    keep(tmp_path, 1, used=2)
    new = tmp_path / kernel_name(2)
    write_atomically(new, packed({}, b"z" * 1000), flush=False)
    make_room(tmp_path, limit=1200)
    assert list(tmp_path.iterdir()) == [new]
