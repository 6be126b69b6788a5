"""The table and the folder of a sweep: units, gaps, sentences, and a plan that is what was written."""

import csv
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from results.killing import every_moment
from traction.errors import InputError
from traction.quantities import Unit
from traction.results.manifest import RunStatus
from traction.results.run import Run
from traction.results.storage.container import DamagedError
from traction.results.storage.run_files import sole_writer
from traction.results.sweeps.sweep import Sweep, tabulate_runs
from traction.results.sweeps.sweep_column import Column
from traction.results.sweeps.sweep_folder import (
    PLAN,
    Plan,
    claim_folder,
    is_sweep,
    load_sweep,
    settle_plan,
    write_outcome,
)
from traction.results.sweeps.sweep_summary import summarise_sweep

SPEED = Column("speed", "m/s", (10.0, 20.0, 30.0), Unit("km/h", 1 / 3.6))
CONTACT = Column("contact", "", ("rigid", "hertz", "hertz"))


def done(*figures):
    return Run(RunStatus.DONE, key_figures=figures)


RUNS = (
    done(
        ("deflection", 1e-3, "m"), ("its time", 0.5, "s"), ("contacts", 1, "1"), ("speed seen", 10.0, "m/s")
    ),
    Run(RunStatus.FAILED, "too fast, by far"),
    done(
        ("deflection", 3e-3, "m"), ("its time", 0.2, "s"), ("contacts", 1, "1"), ("speed seen", 30.0, "m/s")
    ),
)
TABLE = tabulate_runs(("000-a", "001-b", "002-c"), (SPEED, CONTACT), RUNS)


def plan_of(**changes):
    text = {"kind": "press", "title": "A case", "varied": (SPEED, CONTACT), "command": ("--zip",)}
    lists = {"variants": ("000-a", "001-b", "002-c"), "scenarios": ("a", "b", "c")}
    return Plan(**{**text, **lists, **changes})


@pytest.mark.parametrize("name", [np.zeros(3), None, ["speed"], 1.0])
def test_a_name_that_is_no_text_is_refused(name):
    for ask in (TABLE.column, TABLE.unit, TABLE.__getitem__, TABLE.quantiles):
        with pytest.raises(InputError, match=r"^name = .* must be the name of a column"):
            ask(name)


def test_columns_are_arrays_with_units():
    np.testing.assert_array_equal(TABLE["speed"], [10.0, 20.0, 30.0])
    np.testing.assert_array_equal(TABLE["deflection"], [1e-3, math.nan, 3e-3])
    assert TABLE["contact"].tolist() == ["rigid", "hertz", "hertz"]
    assert TABLE["status"].tolist() == ["done", "failed", "done"]
    assert [TABLE.unit(name) for name in ("speed", "contact", "contacts", "status")] == ["m/s", "", "1", ""]
    assert len(TABLE) == 3
    assert TABLE.rows[2]["deflection, its time"] == 0.2
    with pytest.raises(InputError, match=r'no column "deflecton"; did you mean "deflection"\?'):
        TABLE["deflecton"]


def test_the_csv_file_is_in_si_and_names_what_failed(tmp_path):
    rows = list(csv.DictReader(TABLE.save(tmp_path / "a.csv").read_text().splitlines()))
    assert rows[2]["speed (m/s)"] == "30.0"
    assert rows[2]["deflection (m)"] == "0.003"
    assert (rows[1]["status"], rows[1]["deflection (m)"]) == ("failed", "")
    assert rows[1]["message"] == "too fast, by far"


def test_people_read_the_units_they_wrote():
    printed = str(TABLE)
    assert "speed (km/h)" in printed
    assert "deflection (mm)" in printed
    assert printed.splitlines()[3].split()[:4] == ["002", "108", "hertz", "done"]
    assert "<th>speed (km/h)</th>" in TABLE._repr_html_()


def test_headlines_vary_and_say_something_new():
    """Neither a time that belongs to the deflection, nor a constant, nor a varied value once more."""
    assert [column.name for column in TABLE.headlines] == ["deflection"]


@pytest.mark.parametrize(
    ("states", "status"),
    [
        (("done", "done"), "done"),
        (("done", "failed"), "failed"),
        (("failed", "stopped"), "stopped"),
        (("done", "interrupted"), "stopped"),
        (("stopped", "running"), "running"),
    ],
)
def test_the_sweep_is_as_far_as_its_runs(states, status):
    runs = tuple(Run(RunStatus(state), "why") for state in states)
    sweep = Sweep("press", runs, tabulate_runs(("000", "001"), (), runs), go_on="traction resume x")
    assert sweep.status == status
    assert sweep.ok == (status == "done")
    assert ("traction resume x" in sweep.message) == (status in ("stopped", "running"))
    assert ("1 failed (" in sweep.message) == ("failed" in states)


def test_failures_are_named_by_cause_with_a_remedy():
    names = tuple(f"{k:03d}" for k in range(6))
    runs = tuple(Run(RunStatus.FAILED, "large" if k else "small") for k in range(6))
    sweep = Sweep("press", runs, tabulate_runs(names, (), runs), Path("out"), go_on="traction resume out")
    assert sweep.message == (
        "0 of 6 variants done; 6 failed (000: small; 001, 002, 003 and 2 others: large); resuming repeats "
        "these errors: change the scenario or the values, and sweep again with --force, which replaces this "
        "folder"
    )
    assert "  remedy: resuming repeats these errors: " in "\n".join(summarise_sweep(sweep))
    assert "--force" not in replace(sweep, folder=None).message


def test_a_plan_comes_back_as_it_was():
    plan = plan_of()
    assert Plan.from_bytes(plan.to_bytes(), "here") == plan


def test_the_same_sweep_may_be_written_otherwise():
    plan = plan_of()
    assert plan.same_as(
        plan_of(varied=(Column("speed", "m/s", SPEED.values), CONTACT), variants=("a", "b", "c"))
    )
    assert not plan.same_as(plan_of(scenarios=("a", "b", "d")))
    assert not plan.same_as(plan_of(varied=(CONTACT, SPEED)))


def test_a_damaged_plan_is_named(tmp_path):
    data = plan_of().to_bytes()
    for wrong in (data.replace(b"A case", b"B case"), data[:-9], b"[]", b'{"checksum": 0}'):
        with pytest.raises(DamagedError, match=r"^here is damaged"):
            Plan.from_bytes(wrong, "here")
    for changes in ({"variants": ("../up", "b", "c")}, {"variants": ("a",)}, {"scenarios": ("a",)}):
        with pytest.raises(DamagedError, match="not those of a sweep"):
            Plan.from_bytes(plan_of(**changes).to_bytes(), "here")


def test_a_folder_holds_one_sweep(tmp_path):
    folder = tmp_path / "sweep"
    claim_folder(folder)
    assert not is_sweep(folder)
    (folder / ".writing-sweep.json-1").touch()  # of a process that was killed
    (folder / "lock").touch()
    claim_folder(folder)
    settle_plan(folder, plan_of())
    assert is_sweep(folder)
    other = plan_of(varied=(Column("speed", "m/s", SPEED.values), CONTACT), title="C")
    assert settle_plan(folder, other).title == "A case"  # the same, as it was written first
    with pytest.raises(InputError, match="holds another sweep, of speed, contact in 3 variants"):
        settle_plan(folder, plan_of(scenarios=("a", "b", "d")))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").touch()
    with pytest.raises(InputError, match="is not empty and contains no sweep"):
        claim_folder(tmp_path / "full")
    with pytest.raises(InputError, match="it is not a sweep"):
        load_sweep(tmp_path / "full")


def test_why_a_variant_without_a_folder_failed_is_remembered(tmp_path):
    claim_folder(tmp_path)
    settle_plan(tmp_path, plan_of())
    assert load_sweep(tmp_path).table.message == ("not begun",) * 3
    write_outcome(Sweep("press", RUNS, TABLE, tmp_path))
    found = load_sweep(tmp_path)
    assert found.table.status == ("stopped", "failed", "stopped")
    assert found.runs[1].message == "too fast, by far"
    write_outcome(Sweep("press", RUNS[::2], tabulate_runs(("000-a", "002-c"), (), RUNS[::2]), tmp_path))
    assert json.loads((tmp_path / "failures.json").read_text()) == {}


@pytest.mark.parametrize("content", [b"", b'{"001-b": "too', b"[]", b"\xff"])
def test_damaged_words_about_failures_do_not_block_the_sweep(tmp_path, content):
    claim_folder(tmp_path)
    settle_plan(tmp_path, plan_of())
    (tmp_path / "failures.json").write_bytes(content)
    assert load_sweep(tmp_path).table.message == ("not begun",) * 3
    write_outcome(Sweep("press", RUNS, TABLE, tmp_path))
    assert load_sweep(tmp_path).runs[1].message == "too fast, by far"


def test_a_plan_without_checksum_is_not_taken(tmp_path):
    content = json.loads(plan_of().to_bytes())
    content["scenarios"][0] = "x"
    (tmp_path / PLAN).write_text(json.dumps(content))
    with pytest.raises(DamagedError, match="checksum"):
        load_sweep(tmp_path)


def test_a_start_killed_at_any_moment_can_be_started_again(tmp_path):
    def start(number):
        claim_folder(tmp_path / str(number))
        with sole_writer(tmp_path / str(number)):
            settle_plan(tmp_path / str(number), plan_of())

    for number in every_moment(start):
        start(number)
        assert load_sweep(tmp_path / str(number)).table.message == ("not begun",) * 3
    assert number > 5
