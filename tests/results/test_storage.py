"""Full, read-only and occupied disks: a clear sentence, and nothing lost."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from results.toy_run import Toy, assert_same, expected, files_of, make
from traction.errors import InputError, StorageError, TractionError
from traction.outputs.atomic import WRITING, write_atomic
from traction.results.folder import RunFolder
from traction.results.recorder import record
from traction.results.run_dataset import export_netcdf

TOY = Toy(total=24)


def failing(monkeypatch, call, number, after=0):
    """Let `os.call` fail with an error number once it was called `after` times."""
    original, calls = getattr(os, call), []

    def fail(*args, **options):
        calls.append(args)
        if len(calls) > after:
            raise OSError(number, os.strerror(number))
        return original(*args, **options)

    monkeypatch.setattr(os, call, fail)
    return calls


def left_over(folder):
    return [path for path in files_of(folder) if path.name.startswith(WRITING)]


@pytest.mark.parametrize("call", ["write", "fsync", "replace", "open"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EIO])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, call, number):
    path = tmp_path / "file"
    write_atomic(path, b"old")
    failing(monkeypatch, call, number)
    with pytest.raises(StorageError, match="file") as caught:
        write_atomic(path, b"new", remedy="Do this.")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir()] == ["file"]
    words = {errno.EROFS: "may write", errno.EACCES: "may write"}.get(number, "Do this.")
    assert words in str(caught.value)


def test_partial_writes_are_continued(tmp_path, monkeypatch):
    original = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: original(handle, bytes(data)[:3]))
    write_atomic(tmp_path / "file", (b"0123456789", memoryview(b"abcdefg")))
    assert (tmp_path / "file").read_bytes() == b"0123456789abcdefg"


def test_files_get_the_permissions_of_the_user(tmp_path):
    write_atomic(tmp_path / "file", b"")
    (tmp_path / "usual").touch()
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
@pytest.mark.parametrize("after", [0, 1, 2, 5, 9, 14])
def test_a_disk_that_fills_up_loses_nothing(tmp_path, monkeypatch, call, after):
    folder = make(tmp_path / "run", TOY)
    failing(monkeypatch, call, errno.ENOSPC, after)
    with pytest.raises(StorageError, match=r"no space.*[Ff]ree some space and resume: traction resume"):
        record(folder, TOY, segment_bytes=3 * folder.layout.bytes_per_sample)
    acknowledged = folder._ends[-1] if folder._ends else 0
    monkeypatch.undo()
    assert not left_over(tmp_path)
    again = RunFolder.open(folder.path)
    samples = again.samples()
    assert len(samples["time"]) >= acknowledged
    assert_same(samples, expected(TOY), len(samples["time"]))
    record(again, TOY)
    assert again.damage == []
    assert_same(again.samples(), expected(TOY))


@pytest.mark.parametrize("call", ["write", "fsync", "replace", "open"])
def test_an_export_to_a_full_disk_leaves_the_run_as_it_was(tmp_path, monkeypatch, call):
    folder = make(tmp_path / "run", TOY)
    record(folder, TOY)
    export_netcdf(folder)
    before = (folder.path / "data.nc").read_bytes()
    failing(monkeypatch, call, errno.ENOSPC)
    with pytest.raises(StorageError, match="no space"):
        export_netcdf(folder)
    monkeypatch.undo()
    assert not left_over(tmp_path)
    if call != "write":  # what h5py writes itself cannot be made to fail here; the manifest can
        assert (folder.path / "data.nc").read_bytes() == before
    assert_same(folder.samples(), expected(TOY))


@pytest.mark.parametrize("call", ["write", "fsync", "replace", "mkdir"])
@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_run_that_cannot_be_begun_leaves_nothing(tmp_path, monkeypatch, call, after):
    failing(monkeypatch, call, errno.ENOSPC, after)
    with pytest.raises(StorageError, match="no space"):
        make(tmp_path / "run", TOY)
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == []
    make(tmp_path / "run", TOY)


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.EPERM])
def test_a_read_only_place_is_told(tmp_path, monkeypatch, number):
    failing(monkeypatch, "mkdir", number)
    with pytest.raises(StorageError, match=r"run cannot be written.*[Cc]hoose a folder that you may write"):
        make(tmp_path / "run", TOY)


def test_a_folder_in_use_is_refused_and_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("keep")
    with pytest.raises(InputError, match="exists and is not empty; choose another folder"):
        make(tmp_path, TOY)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    folder = make(tmp_path / "run", TOY)
    before = {path: path.read_bytes() for path in files_of(folder.path)}
    with pytest.raises(InputError, match="not empty"):
        make(tmp_path / "run", TOY)
    assert {path: path.read_bytes() for path in files_of(folder.path)} == before


def test_an_empty_folder_is_used(tmp_path):
    make(tmp_path, TOY)
    assert RunFolder.open(tmp_path).layout.total == 24


def test_a_file_in_the_way_is_told(tmp_path):
    (tmp_path / "file").write_text("keep")
    for place in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(StorageError, match="has its name"):
            make(place, TOY)
        with pytest.raises(TractionError):
            RunFolder.open(place)
    assert (tmp_path / "file").read_text() == "keep"


@pytest.mark.parametrize("path", [None, 3, "a\0b"])
def test_what_is_no_path_is_told(path):
    with pytest.raises(InputError, match="path = "):
        make(path, TOY)


def test_a_name_that_is_too_long_is_told(tmp_path):
    with pytest.raises(StorageError, match="too long"):
        make(tmp_path / ("x" * 300), TOY)


def test_two_processes_do_not_write_one_run(tmp_path):
    folder = make(tmp_path / "run", TOY)
    assert folder.status == "interrupted"
    with folder.lock():
        assert folder.status == "running"
        with pytest.raises(InputError, match="another process"):
            record(RunFolder.open(folder.path), TOY)
    record(folder, TOY)


LIMITED = """
import resource, signal, sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from results.toy_run import Toy, make
from traction.errors import StorageError
from traction.results.recorder import record
toy = Toy(total=2000, ny=8, nx=8)
folder = make(Path({place!r}), toy)
{limit}
try:
    record(folder, toy, segment_bytes={segment})
except StorageError as error:
    print(folder.acknowledged, error)
"""


def check_limited(place, told, free=lambda: None):
    """A real limit was met: the sentence says so, what was acknowledged is there, and the run can go on."""
    toy = Toy(total=2000, ny=8, nx=8)
    acknowledged, sentence = told.split(" ", 1)
    assert "no space is left to write" in sentence
    assert f"traction resume {place}" in sentence
    assert not left_over(place)
    folder = RunFolder.open(place)
    samples = folder.samples()
    assert len(samples["time"]) >= int(acknowledged)
    assert_same(samples, expected(toy), len(samples["time"]))
    assert folder.verify() == []


def test_a_real_limit_of_file_size(tmp_path, run_python):
    pytest.importorskip("resource")
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))"
    tests = str(Path(__file__).parents[1])
    code = LIMITED.format(tests=tests, place=str(tmp_path / "run"), limit=limit, segment=1 << 20)
    told = run_python(code)
    check_limited(tmp_path / "run", told)
    again = RunFolder.open(tmp_path / "run")
    toy = Toy(total=2000, ny=8, nx=8)
    record(again, toy)
    assert_same(again.samples(), expected(toy))


def on_a_small_disk(tmp_path, code):
    """Run `code` with a file system of 400 kB at {place}'s parent, where the system lets us mount one.

    Gives what it printed and a copy of the run.
    """
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    place = disk / "run"
    script = (
        f"mount -t tmpfs -o size=400k none {disk} || exit 77; "
        f'{sys.executable} -W error -c "$CODE" && cp -r {place} {kept}'
    )
    environment = {**os.environ, "CODE": code.format(tests=str(Path(__file__).parents[1]), place=str(place))}
    try:
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", script], env=environment, capture_output=True, text=True
        )
    except FileNotFoundError:
        pytest.skip("no unshare here")
    if done.returncode == 77 or done.stderr.startswith("unshare"):
        pytest.skip("no right to mount a file system")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.replace(str(place), str(kept)), kept


def test_a_really_full_disk(tmp_path):
    told, kept = on_a_small_disk(tmp_path, LIMITED.replace("{limit}", "").replace("{segment}", "1 << 16"))
    check_limited(kept, told)
    again = RunFolder.open(kept)
    toy = Toy(total=2000, ny=8, nx=8)
    record(again, toy)
    assert_same(again.samples(), expected(toy))


EXPORTING = """
import sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from results.toy_run import Toy, files_of, make
from traction.errors import StorageError
from traction.results.run_dataset import export_netcdf
from traction.results.recorder import record
toy = Toy(total=100, ny=8, nx=8)
folder = make(Path({place!r}), toy)
record(folder, toy)
folder.finish("done")
before = files_of(folder.path)
for room in (0, 10_000, 40_000):
    filler = folder.path.parent / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)) == 4096:
                pass
        except OSError:
            pass
        file.truncate(max(0, file.tell() - room))
    try:
        export_netcdf(folder)
        print("exported")
    except StorageError as error:
        print(error)
    assert files_of(folder.path) == before
    filler.unlink()
export_netcdf(folder)
"""


def test_an_export_to_a_really_full_disk(tmp_path):
    told, kept = on_a_small_disk(tmp_path, EXPORTING)
    assert [line.split(" (")[0] for line in told.splitlines()] == 3 * [
        f"no space is left to write {kept}/data.nc"
    ]
    assert RunFolder.open(kept).verify() == []
    assert_same(RunFolder.open(kept).samples(), expected(Toy(total=100, ny=8, nx=8)))
