"""Saved files: whole or not at all, on the disk, with the permissions and links they had."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time

import pytest

from ponder import InputError, files
from ponder.files import UNFINISHED, lock, read_file, save_file, sweep


@pytest.fixture(autouse=True)
def nothing_is_left_behind(tmp_path):
    sweep.cache_clear()
    yield
    assert not list(tmp_path.rglob(f"*{UNFINISHED}"))


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path):
    save_file(tmp_path / "ours", b"data")
    (tmp_path / "other").write_bytes(b"data")
    assert mode(tmp_path / "ours") == mode(tmp_path / "other")
    assert (tmp_path / "ours").read_bytes() == b"data"


@pytest.mark.parametrize("permissions", [0o600, 0o640, 0o664])
def test_a_file_that_is_written_again_keeps_its_permissions(tmp_path, permissions):
    file = tmp_path / "file"
    file.write_bytes(b"old")
    file.chmod(permissions)
    save_file(file, b"new")
    assert mode(file) == permissions
    assert file.read_bytes() == b"new"


def test_a_symbolic_link_stays_and_its_target_is_written(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("data/file")
    (tmp_path / "chain").symlink_to("link")
    save_file(tmp_path / "chain", b"new")
    assert (tmp_path / "chain").is_symlink()
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "data" / "file").read_bytes() == b"new"
    (tmp_path / "dangling").symlink_to("data/made")
    save_file(tmp_path / "dangling", b"first")
    assert (tmp_path / "data" / "made").read_bytes() == b"first"


def test_links_in_a_circle_are_one_line(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(InputError, match="cannot write"):
        save_file(tmp_path / "a", b"x")
    assert (tmp_path / "a").is_symlink()


def test_what_is_no_ordinary_file_is_refused_and_stays(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for place in (pipe, "/dev/null"):
        with pytest.raises(InputError, match="a device or a pipe, not an ordinary file"):
            save_file(place, b"x")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(InputError, match="it is a folder; name a file"):
        save_file(tmp_path, b"x")
    with pytest.raises(InputError, match="No such file or directory"):
        save_file(tmp_path / "nowhere" / "file", b"x")


def test_a_write_protected_file_is_not_replaced(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.write_bytes(b"old")
    file.chmod(0o444)
    # to an administrator, who may be running this, nothing is forbidden
    monkeypatch.setattr(os, "access", lambda path, how: how != os.W_OK)
    with pytest.raises(InputError, match="Permission denied"):
        save_file(file, b"new")
    assert file.read_bytes() == b"old"


def test_the_data_are_on_the_disk_before_they_replace_and_the_name_after(tmp_path, monkeypatch):
    steps = []
    fsync, replace = os.fsync, os.replace

    def noting_fsync(handle):
        steps.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "data")
        fsync(handle)

    def noting_replace(old, new):
        steps.append("replace")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", noting_fsync)
    monkeypatch.setattr(os, "replace", noting_replace)
    save_file(tmp_path / "file", b"data")
    assert steps == ["data", "replace", "folder"]


@pytest.mark.parametrize("failing", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_save_that_fails_leaves_the_old_file(tmp_path, monkeypatch, failing, error):
    file = tmp_path / "file"
    file.write_bytes(b"old")

    def fail(*arguments):
        raise error

    monkeypatch.setattr(os, failing, fail)
    with pytest.raises((InputError, KeyboardInterrupt)):
        save_file(file, b"new")
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


def stray(folder, *, seconds):
    file = folder / f".tree.0123456789ab{UNFINISHED}"
    file.write_bytes(b"half a tr")
    then = time.time() - seconds
    os.utime(file, (then, then))
    return file


def test_what_a_dead_process_left_is_removed(tmp_path):
    file = stray(tmp_path, seconds=3600)
    save_file(tmp_path / "another", b"data")
    assert not file.exists()


def test_what_is_still_being_written_is_left_alone(tmp_path):
    file = stray(tmp_path, seconds=3600)
    with file.open("rb+") as held:
        assert lock(held.fileno())
        save_file(tmp_path / "another", b"data")
        assert file.exists()
    sweep.cache_clear()
    os.utime(file)  # younger than a minute: perhaps not yet locked
    save_file(tmp_path / "another", b"data")
    assert file.exists()
    file.unlink()


def test_a_killed_process_leaves_what_the_next_one_removes(tmp_path):
    killed = (
        "import os, signal, sys\n"
        "from ponder.files import save_file\n"
        "os.replace = lambda *a: os.kill(os.getpid(), signal.SIGKILL)\n"
        "save_file(sys.argv[1], b'data')\n"
    )
    subprocess.run([sys.executable, "-c", killed, str(tmp_path / "file")], check=False)
    (left,) = tmp_path.iterdir()
    assert left.name.endswith(UNFINISHED)
    os.utime(left, (0, 0))
    save_file(tmp_path / "file", b"data")
    assert os.listdir(tmp_path) == ["file"]


def test_a_lock_is_for_one_and_ends_with_its_process(tmp_path):
    file = tmp_path / "file"
    file.touch()
    holding = "import sys; from ponder.files import lock; f = open(sys.argv[1], 'rb+')\n"
    holding += "print(lock(f.fileno()), flush=True); input()"
    other = subprocess.Popen(
        [sys.executable, "-c", holding, str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with other, file.open("rb+") as ours:
        assert other.stdout.readline() == "True\n"
        assert not lock(ours.fileno())
        other.kill()
        other.wait()
        assert lock(ours.fileno())


def test_a_device_without_an_end_is_not_read():
    with pytest.raises(InputError, match="cannot read /dev/zero: it is a device, not a file"):
        read_file("/dev/zero")


def test_a_pipe_is_read_to_its_end(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["sh", "-c", 'echo data > "$1"', "sh", str(tmp_path / "pipe")]):
        assert read_file(tmp_path / "pipe") == b"data\n"


def test_all_readers_use_it():
    """But for arrays, which are mapped, and what is not the user's."""
    package = files.Path(files.__file__).parent
    ways = (".read_bytes(", ".read_text(", '.open("r')
    found = {
        str(file.relative_to(package))
        for file in package.rglob("*.py")
        if any(way in file.read_text() for way in ways)
    }
    mapped = {"core/array_file.py", "endgame/storage.py"}
    ours = {"jit/cache.py", "explorer/server.py", "lab/measured.py", "sources/statements.py"}
    kept = {"jit/kernel_files.py", "cache_times.py"}  # in the folder of compiled code
    assert found <= mapped | ours | kept | {"files.py"}


def test_reading_what_cannot_be_read_is_one_line(tmp_path):
    for name in ("missing", ".", "a\0b"):
        with pytest.raises(InputError, match="cannot read"):
            read_file(f"{tmp_path}/{name}")


def test_all_writers_use_it():
    """Nothing else in the package replaces or creates files, but for the records of a match."""
    package = files.Path(files.__file__).parent
    ways = ("os.replace(", "mkstemp(", ".write_bytes(", ".write_text(", "NamedTemporaryFile(")
    found = {
        str(file.relative_to(package))
        for file in package.rglob("*.py")
        if any(way in file.read_text() for way in ways)
    }
    assert found == {"files.py"}
