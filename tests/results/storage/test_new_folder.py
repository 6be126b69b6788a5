"""New run folders: whatever is killed while it makes one, a run can be started or resumed in it."""

import os

import pytest

from results.killing import every_moment, quick_sync
from results.toy_run import Toy, assert_same, expected, make
from traction.errors import InputError
from traction.results.folder import RunFolder
from traction.results.recorder import record
from traction.results.storage.run_files import is_free, sole_writer

TOY = Toy(total=3)


def start_and_finish(place):
    folder = make(place, TOY)
    record(folder, TOY)
    folder.finish("done")


def test_a_start_killed_at_any_moment_can_be_started_again_or_resumed(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", quick_sync)
    begun = []
    for number in every_moment(lambda number: start_and_finish(tmp_path / str(number))):
        place = tmp_path / str(number)
        begun.append((place / "manifest.json").exists())
        assert is_free(place) is not begun[-1]
        folder = RunFolder.open(place) if begun[-1] else make(place, TOY)
        record(folder, TOY)
        assert_same(folder.samples(), expected(TOY))
    assert len(begun) > 30
    assert 5 < begun.count(False) < len(begun) - 10


def test_resuming_where_no_run_has_begun_says_so(tmp_path):
    (tmp_path / "segments").mkdir()
    with pytest.raises(InputError, match="its start was killed; start it again"):
        RunFolder.open(tmp_path)


@pytest.mark.parametrize(
    "names",
    [
        ("mine.txt",),
        ("scenario.toml",),  # somebody's own: a start writes static.bin before it
        ("static.bin",),  # and makes the folders before that
        ("segments/000000.seg", "checkpoints/a"),
        ("segments", "checkpoints", "static.bin", "mine.txt"),
    ],
)
def test_what_a_start_does_not_leave_is_kept(tmp_path, names):
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.mkdir() if name in ("segments", "checkpoints") else path.write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    assert not is_free(tmp_path)
    with pytest.raises(InputError, match="exists and is not empty"):
        make(tmp_path, TOY)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_is_not_cleared_while_another_process_makes_its_run(tmp_path):
    (tmp_path / "segments").mkdir()
    with sole_writer(tmp_path), pytest.raises(InputError, match="another process"):
        make(tmp_path, TOY)
    assert (tmp_path / "segments").is_dir()


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="links")
def test_links_are_not_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    place = tmp_path / "run"
    place.mkdir()
    (place / "segments").symlink_to(tmp_path / "elsewhere")
    assert not is_free(place)
