"""Text for a terminal: no line is wider than it, no word and no command is broken, nothing is lost."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from traction.app.terminal import NARROWEST, columns_of, definitions, fit

WORDS = st.lists(st.text("abc-/.", min_size=1, max_size=30), min_size=1, max_size=40)


@given(WORDS, st.integers(0, 6), st.integers(NARROWEST, 120))
def test_lines_fit_and_keep_their_words(words, indent, columns):
    text = " " * indent + " ".join(words)
    lines = fit(text, columns).splitlines()
    assert " ".join(lines).split() == words
    assert all(len(line) <= columns for line in lines)
    assert lines[0].startswith(" " * indent + words[0])


def test_a_word_that_is_wider_than_the_terminal_stays_whole():
    path = "/" + "x" * 90
    assert fit(f"  report: {path}", 80).splitlines() == ["  report:", f"    {path}"]


def test_a_command_stays_in_one_line():
    command = f"traction resume {'/folder' * 12}"
    assert fit(f"  resume with: {command}", 80).splitlines() == ["  resume with:", f"    {command}"]


def test_files_are_not_wrapped():
    assert fit("word " * 40, None) == "word " * 40


def test_definitions_hang_behind_their_names():
    lines = definitions([("a", "word " * 20), ("long-name", "short")], 60)
    assert lines[-1] == "  long-name  short"
    assert lines[0].startswith("  a          word word")
    assert lines[1].startswith(" " * 13 + "word")
    assert all(len(line) <= 60 for line in lines)


@pytest.mark.parametrize(("given", "columns"), [("100", 100), ("7", NARROWEST), ("", None), ("wide", None)])
def test_the_environment_says_how_wide_the_terminal_is(monkeypatch, given, columns):
    monkeypatch.setenv("COLUMNS", given)
    assert columns_of(io.StringIO()) == columns
