"""Tables: which variables are columns, and text that is read back exactly."""

import csv

import numpy as np
import pytest

from traction.outputs.tabular import TableColumn, csv_blocks, make_columns, write_csv
from traction.outputs.variable import axis, data, number


def test_rows_run_over_their_dimensions_the_last_one_fastest():
    x, y = axis("x", np.array([1.0, 2.0, 3.0]), "m", "x"), axis("y", np.array([5.0, 6.0]), "m", "y")
    both = np.array([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]])
    vector = data("p", both, "Pa", "traction", "component", "y", "x")
    found = make_columns([x, y, number("alone", 1.0, "N", "alone"), vector], ("y", "x"))
    assert [one.heading for one in found] == ["y (m)", "x (m)", "p[1] (Pa)", "p[2] (Pa)"]
    assert found[0].values.tolist() == [5.0, 5.0, 5.0, 6.0, 6.0, 6.0]
    assert found[1].values.tolist() == [1.0, 2.0, 3.0] * 2
    assert found[3].values.tolist() == [7.0, 8.0, 9.0, 10.0, 11.0, 12.0]


def test_numbers_are_read_back_exactly_and_text_is_quoted(tmp_path):
    rng = np.random.default_rng(3)
    numbers = np.r_[rng.standard_normal(50_000) * 10.0 ** rng.integers(-300, 300, 50_000), np.nan, np.inf]
    words = np.array(['say "yes", or\nno'] * numbers.size)
    write_csv(tmp_path / "t.csv", [TableColumn("n", "N", numbers), TableColumn("w, s", "", words)])
    with open(tmp_path / "t.csv", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["n (N)", "w, s"]
    assert rows[-2][0] == ""
    np.testing.assert_array_equal([float(row[0] or "nan") for row in rows], numbers)
    assert {row[1] for row in rows} == {'say "yes", or\nno'}


def test_mixed_columns_leave_missing_numbers_empty():
    mixed = np.array([1.5, "none", float("nan"), True], dtype=object)
    assert "".join(csv_blocks([TableColumn("a", "", mixed)])) == "a\n1.5\nnone\n\nTrue\n"


def test_sweep_for_pandas(tmp_path):
    pandas = pytest.importorskip("pandas")
    from outputs.result_samples import sample

    sweep = sample("Sweep")
    frame = sweep.table.to_pandas()
    assert frame["load.force"].tolist() == [50.0, 100.0]
    assert frame.attrs["units"]["load.force"] == "N"
    assert frame["status"].tolist() == ["done", "done"]
    stored = pandas.read_csv(sweep.save(tmp_path / "table.csv"))
    np.testing.assert_array_equal(stored["load.force (N)"], frame["load.force"])
    assert sweep.to_pandas().equals(frame)
