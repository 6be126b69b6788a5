"""`--force`: incomplete runs make way, everything else stays, and a kill meanwhile loses nothing."""

import os
import shutil

import pytest

from results.killing import every_moment, quick_sync
from results.toy_run import Toy, assert_same, expected, files_of, make
from traction.errors import InputError
from traction.results.folder import RunFolder
from traction.results.recorder import record
from traction.results.replacement import discard_run
from traction.results.storage.run_files import is_free, sole_writer

TOY = Toy(total=4)


def stopped_run(place, status="failed"):
    """A run that ended after two samples, with a damaged file set aside."""
    folder = make(place, TOY)
    left = iter([False, False, True])
    record(folder, TOY, stop=lambda: next(left), segment_bytes=1)
    folder.finish(status, "why")
    (place / "aside").mkdir()
    (place / "aside" / "000000.seg").touch()
    return folder


@pytest.mark.parametrize("status", ["failed", "stopped", "running"])
def test_a_run_that_is_not_complete_is_removed(tmp_path, status):
    stopped_run(tmp_path / "run", status)
    discard_run(tmp_path / "run")
    assert list((tmp_path / "run").iterdir()) == []
    discard_run(tmp_path / "run")
    discard_run(tmp_path / "none")
    record(make(tmp_path / "run", TOY), TOY)


def unchanged(place, message):
    before = {path: path.read_bytes() for path in files_of(place)}
    with pytest.raises(InputError, match=message):
        discard_run(place)
    after = {path: path.read_bytes() for path in files_of(place)}
    assert before.items() <= after.items()


def test_a_complete_run_is_kept(tmp_path):
    folder = make(tmp_path / "run", TOY)
    record(folder, TOY)
    folder.finish("done")
    unchanged(tmp_path / "run", "holds a complete run, which --force does not replace")


def test_a_run_that_is_being_written_is_kept(tmp_path):
    place = stopped_run(tmp_path / "run", "running").path
    with sole_writer(place):
        unchanged(place, "being written by another process")


def test_a_folder_that_is_no_run_is_kept(tmp_path):
    (tmp_path / "scenario.toml").write_text("mine")
    unchanged(tmp_path, "holds no run, so --force does not replace it")
    assert [path.name for path in tmp_path.iterdir()] == ["scenario.toml"]


def test_a_run_with_other_files_beside_it_is_kept(tmp_path):
    place = stopped_run(tmp_path / "run").path
    (place / "notes.txt").write_text("mine")
    unchanged(place, "holds notes.txt, which is not of the run")


def test_a_run_that_cannot_be_read_is_kept(tmp_path):
    place = stopped_run(tmp_path / "run").path
    (place / "manifest.json").write_text("{}")
    unchanged(place, "does not replace a run that it cannot read")


def test_a_removal_killed_at_any_moment_leaves_a_run_or_a_free_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", quick_sync)
    places = [tmp_path / str(number) for number in range(40)]
    stopped_run(tmp_path / "run")
    for place in places:
        shutil.copytree(tmp_path / "run", place)
    left = []
    for number in every_moment(lambda number: discard_run(places[number])):
        left.append((places[number] / "manifest.json").exists())
        assert is_free(places[number]) is not left[-1]
        folder = RunFolder.open(places[number]) if left[-1] else make(places[number], TOY)
        record(folder, TOY)
        assert_same(folder.samples(), expected(TOY))
    assert left[0]
    assert not left[-1]
    assert 3 < left.count(True) < len(left) - 3
