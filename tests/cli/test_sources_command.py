"""`ponder sources`: words, a source, nothing at all; the list as JSON; a word that is nowhere."""

from __future__ import annotations

import json

import pytest

from command_line import assert_one_line
from ponder.sources.statements import read_map

pytestmark = pytest.mark.plain


def test_a_statement_is_shown_with_its_place_state_and_command(ponder):
    done = ponder("sources", "beam", "search")
    assert done.status == 0
    assert "lines 558-559" in done.out
    assert "exact" in done.out
    assert "beam=2" in done.out


def test_alone_it_lists_sources_headings_and_counts(ponder):
    out = ponder("sources").out
    for key in read_map().sources:
        assert key in out
    assert "103 statements: " in out
    assert "Move ordering" in out


def test_more_than_a_screen_is_cut_and_all_shows_it(ponder):
    cut = ponder("sources", "tsinghua")
    assert "95 more: ponder sources tsinghua --all" in cut.out
    assert "more:" not in ponder("sources", "tsinghua", "--all").out


def test_json_is_the_list_of_records(ponder):
    rows = json.loads(ponder("sources", "--json").out)
    assert len(rows) == 250
    keys = {"number", "source", "line", "statement", "state", "where", "command", "reason"}
    assert all(keys <= set(row) for row in rows)
    assert [row["number"] for row in json.loads(ponder("sources", "168", "--json").out)] == [168]


def test_a_word_that_is_not_there_is_one_line_with_the_nearest(ponder):
    done = ponder("sources", "quiescense")
    assert done.status == 2
    assert done.out == ""
    assert_one_line(done.err)
    assert "quiescence" in done.err


def test_words_that_are_left_out_are_told(ponder):
    done = ponder("sources", "beam", "zyzzyva")
    assert done.status == 0
    assert "zyzzyva" in done.err
