"""The journal of outcomes: nothing that was written is lost, nothing that was damaged is believed."""

import math

import pytest

from traction.errors import StorageError
from traction.results.manifest import RunStatus, current_versions
from traction.results.run import Run
from traction.results.sweeps import sweep_folder
from traction.results.sweeps.sweep_folder import JOURNAL, open_journal, read_journal, read_outcomes

SCENARIOS = ("one", "two", "three")
RUNS = (
    Run(RunStatus.DONE, "", None, (("peak", 0.1 + 0.2, "m"), ("count", 3, "1"), ("law", "Hertz", "")), "toy"),
    Run(RunStatus.FAILED, "no contact.", None, (), "toy"),
    Run(RunStatus.STOPPED, "after 2 samples", None, (), "toy"),
)


@pytest.fixture
def written(tmp_path):
    with open_journal(tmp_path) as journal:
        for scenario, run in zip(SCENARIOS, RUNS, strict=True):
            journal.add(scenario, run)
    return tmp_path


def test_outcomes_come_back_as_they_were(written):
    assert read_journal(written, "toy", SCENARIOS) == {0: RUNS[0], 1: RUNS[1]}
    assert read_journal(written, "toy", ("two", "other", "one")) == {0: RUNS[1], 2: RUNS[0]}
    with open_journal(written) as journal:
        journal.add(
            "two", Run(RunStatus.DONE, "", None, (("peak", math.inf, "m"),), "toy"), (("energy", False),)
        )
    assert read_journal(written, "toy", SCENARIOS)[1].key_figures[0][1] == math.inf
    checks = {number: one.checks for number, one in read_outcomes(written, "toy", SCENARIOS).items()}
    assert checks == {0: (), 1: (("energy", False),)}


def test_each_outcome_has_the_versions_that_computed_it(written, monkeypatch):
    monkeypatch.setattr(sweep_folder, "current_versions", lambda: {"traction": "99.0"})
    with open_journal(written) as journal:
        journal.add("three", RUNS[0])
    found = read_outcomes(written, "toy", SCENARIOS)
    assert found[0].versions == found[1].versions == current_versions()
    assert found[2].versions == {"traction": "99.0"}


def test_outcomes_without_versions_are_read(written):
    path = written / JOURNAL
    path.write_bytes(path.read_bytes().split(b"\n", 1)[1])
    found = read_outcomes(written, "toy", SCENARIOS)
    assert (found[0].run, found[0].versions) == (RUNS[0], {})


def test_outcomes_after_damaged_versions_have_none(written, monkeypatch):
    path = written / JOURNAL
    before = path.read_bytes()
    monkeypatch.setattr(sweep_folder, "current_versions", lambda: {"traction": "99.0"})
    with open_journal(written) as journal:
        journal.add("three", RUNS[0])
    path.write_bytes(before + path.read_bytes()[len(before) :].replace(b"99.0", b"98.0"))
    found = read_outcomes(written, "toy", SCENARIOS)
    assert found[0].versions == current_versions()
    assert (found[2].run, found[2].versions) == (RUNS[0], {})


def test_a_line_cut_by_a_kill_costs_its_variant_only(written):
    path = written / JOURNAL
    whole = path.read_bytes()
    for cut in range(1, len(whole)):
        path.write_bytes(whole[:cut])
        with open_journal(written) as journal:
            journal.add("three", RUNS[0])
        found = read_journal(written, "toy", SCENARIOS)
        assert found[2] == RUNS[0]
        assert set(found) <= {0, 1, 2}
        assert found.get(0, RUNS[0]) == RUNS[0]
        assert (0 in found) == (cut >= whole.index(b"\n", whole.index(b"\n") + 1))  # after the versions


@pytest.mark.parametrize("bad", [b"x", b"\xff\xfe", b'"done"', b"{}", b"\x1b[2J"])
def test_damage_is_not_believed(written, bad):
    path = written / JOURNAL
    versions, first, rest = path.read_bytes().split(b"\n", 2)
    path.write_bytes(b"\n".join((versions, first[:20] + bad + first[20:], rest)))
    assert read_journal(written, "toy", SCENARIOS) == {1: RUNS[1]}


def test_a_link_in_its_place_is_refused(tmp_path):
    (tmp_path / JOURNAL).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError), open_journal(tmp_path):
        pass
    assert not (tmp_path / "elsewhere").exists()
