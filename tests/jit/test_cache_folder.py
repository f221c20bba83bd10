"""Where compiled code is kept: in a folder of the user's own, or nowhere."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import warnings

import pytest

from ponder import cache_folder as module
from ponder.errors import InputError
from ponder.jit import COMPILED, cache_directory

pytestmark = pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(module, "_warned", set())
    module.folder_fault.cache_clear()
    yield
    module.folder_fault.cache_clear()


def mode(folder):
    return stat.S_IMODE(folder.stat().st_mode)


def test_it_is_made_private_whatever_the_mask(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    before = os.umask(0)
    try:
        folder = cache_directory()
    finally:
        os.umask(before)
    assert folder == tmp_path / "cache" / "ponder"
    assert mode(folder) == 0o700


def refused(reason):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert cache_directory() is None
        assert cache_directory() is None
    (warning,) = said
    assert reason in str(warning.message)
    assert "\n" not in str(warning.message)


@pytest.mark.parametrize("permissions", [0o770, 0o702, 0o777, 0o1777])
def test_a_folder_that_others_may_write_to_is_not_used(tmp_path, monkeypatch, permissions):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "ponder").mkdir()
    (tmp_path / "ponder").chmod(permissions)
    refused("others may write to it: chmod go-w")


def test_a_folder_that_others_may_read_is_used(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "ponder").mkdir()
    (tmp_path / "ponder").chmod(0o755)
    assert cache_directory() == tmp_path / "ponder"


def test_a_folder_of_somebody_else_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "ponder").mkdir(mode=0o700)
    own = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: own + 1)
    refused("it belongs to somebody else")


def test_a_link_of_the_users_own_is_followed(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "ponder").symlink_to("elsewhere")
    assert cache_directory() == tmp_path / "ponder"


@pytest.mark.parametrize("named", [".", "x", "../cache", "~/cache"])
@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "NUMBA_CACHE_DIR"])
def test_a_relative_path_is_refused_and_nothing_is_made(tmp_path, monkeypatch, variable, named):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", named)
    monkeypatch.setenv(variable, named)
    with pytest.raises(InputError) as refusal:
        cache_directory()
    assert str(refusal.value).startswith(f"{variable}={named} is not an absolute path")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("home", ["/nonexistent", "", "relative", "/proc"])
def test_without_a_home_it_is_among_the_temporary_files(tmp_path, monkeypatch, home):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", home)
    monkeypatch.setattr(module.tempfile, "gettempdir", lambda: str(tmp_path))
    access = os.access  # says of /proc that an administrator, who may run this, can write there
    monkeypatch.setattr(os, "access", lambda path, how: str(path) != "/proc" and access(path, how))
    folder = cache_directory()
    assert folder == tmp_path / f"ponder-cache-{os.getuid()}"
    assert mode(folder) == 0o700


def test_a_temporary_folder_that_somebody_else_was_quicker_to_make_is_not_used(
    tmp_path, monkeypatch
):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/nonexistent")
    monkeypatch.setattr(module.tempfile, "gettempdir", lambda: str(tmp_path))
    own = os.getuid()
    (tmp_path / f"ponder-cache-{own + 1}").mkdir(mode=0o700)
    monkeypatch.setattr(os, "getuid", lambda: own + 1)
    refused("it belongs to somebody else")


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled in plain mode")
def test_code_is_kept_and_found_again_without_a_home(tmp_path):
    program = (
        "from numba.core import event\n"
        "from ponder.jit import kernel\n"
        "@kernel\n"
        "def double(x): return 2 * x\n"
        "with event.install_recorder('numba:compile') as seen: double(21)\n"
        "print(len(seen.buffer) > 0)\n"
    )
    environment = {k: v for k, v in os.environ.items() if k not in ("XDG_CACHE_HOME", "HOME")}
    environment.update(HOME="/nonexistent", TMPDIR=str(tmp_path))
    for compiled in ("True", "False"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert (done.stdout.strip(), done.stderr) == (compiled, "")
    (folder,) = tmp_path.glob("ponder-cache-*")
    assert list(folder.glob("double-*.nbc"))
