"""The public names of the package: each exists, and the list is whole and sorted."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ponder


@pytest.mark.parametrize("name", ponder.__all__)
def test_every_public_name_can_be_imported(name):
    assert getattr(ponder, name) is not None


def test_the_list_is_sorted_and_an_unknown_name_is_an_attribute_error():
    assert ponder.__all__ == sorted(ponder.__all__)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = ponder.nonsense


def test_importing_the_package_does_not_import_numba():
    program = "import ponder, sys; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
