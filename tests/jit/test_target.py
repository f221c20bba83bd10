"""How kernels are compiled, besides what they compute."""

from __future__ import annotations

import gc

import pytest

from ponder.jit.target import undisturbed

pytestmark = pytest.mark.plain


def test_the_search_for_garbage_pauses_while_something_is_compiled_and_goes_on_after_a_failure():
    assert gc.isenabled()
    with pytest.raises(KeyboardInterrupt):
        interrupted_while_it_pauses()
    assert gc.isenabled()


def interrupted_while_it_pauses() -> None:
    with undisturbed():
        assert not gc.isenabled()
        raise KeyboardInterrupt


def test_who_has_switched_the_search_for_garbage_off_finds_it_off():
    gc.disable()
    try:
        with undisturbed():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
