"""What is not a regular file in a run folder is never read: some of it never ends."""

import os
import shutil
import signal
import time

import pytest

import traction as tr
from results.toy_run import files_of
from traction.errors import TractionError
from traction.results.folder import HEADER, RunFolder
from traction.results.storage.run_files import hash_file

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs on this system")

LONGEST = 20  #: seconds
BEAM = {"length": "20 m", "bending_stiffness": "2.08 GN m2", "mass_per_length": "7.9 t/m"}
FILES = (
    "data.nc",
    "findings.bin",
    "manifest.json",
    "scenario.toml",
    "static.bin",
    "lock",
    "segments/000000.seg",
    "checkpoints/000001.state",
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    place = tmp_path_factory.mktemp("irregular") / "run"
    assert tr.simulate(tr.Scenario.build("modes", modes=2, beam=BEAM), place).ok
    assert {str(path.relative_to(place)) for path in files_of(place)} == {*FILES}
    return place


@pytest.fixture
def run(finished, tmp_path):
    return shutil.copytree(finished, tmp_path / "run")


@pytest.fixture(autouse=True)
def alarm():
    """A call that hangs is interrupted."""

    def ring(*_):
        pytest.fail(f"it did not end within {LONGEST} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(LONGEST)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def replace(path, harm):
    path.unlink()
    if harm == "fifo":
        os.mkfifo(path)
    elif harm == "endless":
        path.symlink_to("/dev/zero")
    elif harm == "nowhere":
        path.symlink_to(path.with_name("nowhere"))
    elif harm == "folder":
        path.mkdir()
    else:  # of a size that no memory has, without a block on the disk
        with path.open("wb") as file:
            file.truncate(1 << 42)


@pytest.mark.parametrize("harm", ["fifo", "endless", "nowhere", "folder", "sparse"])
@pytest.mark.parametrize("name", FILES)
def test_it_is_named_and_never_read(run, name, harm):
    replace(run / name, harm)
    found = []
    for use in (tr.load_run, lambda path: RunFolder.open(path).verify(), tr.resume, tr.load_run):
        try:
            found.append(use(run))
        except TractionError as error:
            found.append(str(error))
    if name == "lock":
        assert "lock" in str(found[2]) or found[2].ok
    elif name.startswith(("manifest", "static", "scenario")):
        assert name in str(found[2])
    elif harm == "folder" and "/" not in name:  # nothing can take its place
        assert name in found[2]
    else:  # it is made anew
        assert all(name.rpartition("/")[2] in sentence for sentence in found[1][:1])
        assert found[1] or harm == "nowhere"
        assert found[2].ok, found[2]
        assert found[3].ok
        assert not (run / name).is_symlink()
        assert RunFolder.open(run).verify() == []


def test_a_link_to_a_regular_file_is_read(run, tmp_path):
    (run / "data.nc").rename(tmp_path / "elsewhere.nc")
    (run / "data.nc").symlink_to(tmp_path / "elsewhere.nc")
    assert RunFolder.open(run).verify() == []
    assert tr.resume(run).ok
    assert (run / "data.nc").is_symlink()


def test_an_export_of_absurd_size_is_not_hashed(run):
    with (run / "data.nc").open("wb") as file:
        file.truncate(1 << 40)
    began = time.perf_counter()
    (fault,) = RunFolder.open(run).verify()
    assert f"{1 << 40} bytes, expected at most" in fault
    assert int(fault.rstrip(".").split()[-1]) < 2 * HEADER
    assert time.perf_counter() - began < 2.0


@pytest.mark.parametrize("harm", ["delete", "unnoted"])
def test_missing_exports_are_made_again(run, harm):
    before = hash_file(run / "data.nc")
    if harm == "unnoted":  # killed between the file and its line in the manifest
        RunFolder.open(run)._update(exports={})
    else:
        (run / "data.nc").unlink()
    assert tr.resume(run).ok
    assert RunFolder.open(run).manifest.exports == {"data.nc": hash_file(run / "data.nc")}
    assert RunFolder.open(run).verify() == []
    assert before == hash_file(run / "data.nc") or harm == "delete"


def test_temporary_files_of_dead_processes_are_cleared_and_others_kept(run):
    dead, own, living = 4_194_304, os.getpid(), os.getppid()
    for number in (dead, own, living):
        (run / f".writing-{number}-report.html-00000000").write_bytes(b"half")
    assert tr.resume(run).ok
    assert [path.name for path in run.glob(".writing-*")] == [f".writing-{living}-report.html-00000000"]


def test_a_folder_that_only_can_be_read_is_returned(run):
    before = {path: path.stat().st_mtime_ns for path in files_of(run)}
    assert tr.resume(run).ok
    assert {path: path.stat().st_mtime_ns for path in files_of(run)} == before


def test_complete_variants_of_a_sweep_get_their_exports_again(tmp_path):
    case = tr.Scenario.build("modes", modes=1, beam=BEAM)
    done = tr.sweep(case, {"beam.length": "10 m, 20 m"}, tmp_path / "sweep")
    lost = done.runs[0].folder / "data.nc"
    lost.unlink()
    assert tr.sweep(case, {"beam.length": "10 m, 20 m"}, tmp_path / "sweep").ok
    assert lost.exists()
