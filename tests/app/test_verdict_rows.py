"""Rows of verification: they fit any terminal, and nothing of them is cut."""

import math

import pytest

from traction.app.verdict_rows import VerdictRows, summarise
from traction.app.verification import Check, Verdict, checks


def verdict(computed, name="case", quantity="some quantity"):
    return Verdict(Check(name, quantity, "somebody 1882", 2.0, 1e-2, float), computed)


@pytest.fixture(scope="module")
def found():
    return [Verdict(check, check.expected + 1e-9 * (abs(check.expected) or 1.0)) for check in checks()]


@pytest.mark.parametrize("columns", [80, 100, 140, 220])
def test_all_rows_fit_and_are_whole(found, columns):
    rows = VerdictRows(columns)
    for one in found:
        lines = [line.plain for line in rows.lines(one)]
        assert all(len(line) <= columns for line in lines)
        words = " ".join(lines).split()
        assert {*one.check.quantity.replace("_", " ").split(), one.check.name} <= {*words}
    assert len(rows.header().plain) <= columns


def test_a_file_has_one_line_for_each_row_with_all_columns(found):
    rows = VerdictRows(None)
    assert "source" in rows.header().plain
    for one in found:
        (line,) = rows.lines(one)
        assert one.check.source in line.plain


def test_a_missed_row_stands_out():
    (line,) = VerdictRows(100).lines(verdict(math.nan))
    assert line.plain.startswith("MISSED")
    assert "none" in line.plain
    assert "nan" not in line.plain


def test_the_summary_counts_and_names_what_was_missed():
    passed, missed, lost = verdict(2.01), verdict(3.0, "bad"), verdict(math.nan, "none")
    lines = summarise([passed, missed, lost], 12.3)
    assert lines[0] == "1 passed, 2 missed in 12 s"
    assert "bad, some quantity: computed 3, expected 2 (somebody 1882)" in lines[1]
    assert "none, some quantity: expected 2" in lines[2]
    assert summarise([passed, verdict(2.0)], 1.0)[1].endswith("case, some quantity, at 50% of it")


def test_rows_that_are_exact_are_not_near_a_limit():
    exact = Verdict(Check("exact", "some quantity", "counted", 2.0, 0.0, float), 2.0)
    assert exact.passed
    assert summarise([exact, verdict(2.01), verdict(2.0)], 1.0)[1].endswith("at 50% of it")
    assert summarise([exact, exact], 1.0) == ["2 passed, 0 missed in 1 s"]


def test_the_summary_of_all_rows(found):
    assert "passed" in summarise([Verdict(one.check, one.check.expected) for one in found], 1.0)[0]
