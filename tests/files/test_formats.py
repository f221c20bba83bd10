"""The registry of file formats: every format has an example, which its reader reads."""

from __future__ import annotations

import pytest

from ponder.core.formats import wrong_format
from ponder.core.registry import FORMATS

pytestmark = pytest.mark.plain


@pytest.mark.parametrize("name", FORMATS)
def test_the_example_of_a_format_is_read_and_begins_as_it_says(name, tmp_path):
    form = FORMATS[name]
    path = form.write_example(tmp_path)
    assert path == tmp_path / form.name
    assert path.read_bytes().startswith(form.begins)
    assert form.read_example(path) == form.read_example(path)


def test_a_file_of_another_format_is_named():
    book = FORMATS["book"]
    said = str(wrong_format("x", "a network", book.begins + b"..."))
    assert said == "x is not a network; it is a book"
    assert str(wrong_format("x", "a book", book.begins)) == "x is not a book"
