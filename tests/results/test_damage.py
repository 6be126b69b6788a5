"""Whatever happens to the files of a run: it is named, or it changes nothing. Never another answer."""

import os
import random
import shutil

import numpy as np
import pytest

from results.toy_run import SCENARIO, Toy, assert_same, expected, files_of, make
from traction.errors import InputError, TractionError
from traction.results.folder import RunFolder
from traction.results.manifest import FORMAT, Manifest, RunStatus, current_versions
from traction.results.recorder import record
from traction.results.run import load_run
from traction.results.run_dataset import export_netcdf
from traction.results.storage.container import DamagedError

TOY = Toy(total=24)
REFERENCE = expected(TOY)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A complete run of eight segments, exported."""
    folder = make(tmp_path_factory.mktemp("finished") / "run", TOY)
    record(folder, TOY, segment_bytes=3 * folder.layout.bytes_per_sample)
    folder.finish("done", "all well", [("peak", 1.5e9, "Pa"), ("odd", float("inf"), "1")])
    export_netcdf(folder)
    assert len(list((folder.path / "segments").iterdir())) == 8
    assert folder.verify() == []
    return folder.path


@pytest.fixture
def run(finished, tmp_path):
    return shutil.copytree(finished, tmp_path / "run")


def segment(run, number):
    return run / "segments" / f"{number:06d}.seg"


def resume(run):
    folder = RunFolder.open(run)
    record(folder, TOY)
    return folder


def observe(run):
    """All that a reader learns about a run: sentences about damage, and the answer."""
    try:
        folder = RunFolder.open(run)
        damage = folder.verify()
    except TractionError as error:
        return [str(error)], None
    try:
        summary, text, samples = str(load_run(run)), folder.scenario_text(), folder.samples()
    except TractionError:
        if not damage:  # seen only when used
            raise
        return damage, None
    return damage, (summary, text, samples)


@pytest.mark.parametrize("flips", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_flipped_bits_are_detected_or_harmless(flips, finished, tmp_path):
    run = shutil.copytree(finished, tmp_path / "run")
    rng = random.Random(20)
    files = [path for path in files_of(run) if path.stat().st_size]
    weights = [path.stat().st_size for path in files]
    summary = str(load_run(run))
    detected = tried = 0
    for path in rng.choices(files, weights, k=flips // 2) + flips // 2 // len(files) * files:
        tried += 1
        content = path.read_bytes()
        bit = rng.randrange(8 * len(content))
        flipped = bytearray(content)
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        damage, answer = observe(run)
        if damage:
            detected += 1
            assert any(path.name in sentence for sentence in damage), (path.name, damage)
        if answer is not None:
            assert answer[:2] == (summary, SCENARIO)
            assert_same(answer[2], REFERENCE)
        path.write_bytes(content)
    assert observe(run)[0] == []
    assert detected > 0.98 * tried  # the others hit white space of the manifest


def test_flipped_bits_do_not_change_a_resumed_run(finished, tmp_path):
    rng = random.Random(21)
    for turn in range(40):
        run = shutil.copytree(finished, tmp_path / f"run{turn}")
        path = rng.choice([*(run / "segments").iterdir(), *(run / "checkpoints").iterdir()])
        content = bytearray(path.read_bytes())
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        path.write_bytes(content)
        folder = resume(run)
        assert any(path.name in sentence for sentence in folder.damage) or path.suffix == ".state"
        assert_same(folder.samples(), REFERENCE)
        assert all(
            path.parent.name == "aside" or "state" in path.name for path in [path] if not path.exists()
        )


@pytest.mark.parametrize("number", [0, 3, 7])
@pytest.mark.parametrize("harm", ["truncate", "empty", "remove", "garbage", "folder"])
def test_a_harmed_segment_is_named_and_the_one_before_it_is_used(run, number, harm):
    path = segment(run, number)
    content = path.read_bytes()
    path.unlink()
    if harm == "folder":
        path.mkdir()
    elif harm != "remove":
        path.write_bytes({"truncate": content[:-5], "empty": b"", "garbage": b"\xff" * 500}[harm])
    folder = RunFolder.open(run)
    assert any(path.name in sentence for sentence in folder.verify()) or (harm, number) == ("remove", 7)
    assert folder.verify()
    with pytest.raises(DamagedError, match="traction resume"):
        folder.samples()
    assert_same(folder.samples(partial=True), REFERENCE, 3 * number)
    assert len(folder.damage) == 1
    resumed = resume(run)
    assert resumed.damage
    assert_same(resumed.samples(), REFERENCE)
    resumed.finish("done")
    export_netcdf(resumed)
    assert resumed.verify() == []


def test_what_is_set_aside_is_never_lost(run):
    contents = {segment(run, n).name: segment(run, n).read_bytes() for n in range(8)}
    segment(run, 5).write_bytes(b"damaged")
    resume(run)
    aside = {path.name: path.read_bytes() for path in (run / "aside").iterdir() if path.suffix == ".seg"}
    assert aside == {
        "000005.seg": b"damaged",
        "000006.seg": contents["000006.seg"],
        "000007.seg": contents["000007.seg"],
    }
    segment(run, 5).write_bytes(b"again")
    resume(run)
    assert (run / "aside" / "000005.seg").read_bytes() == b"damaged"
    assert (run / "aside" / "000005.seg.1").read_bytes() == b"again"


def test_early_damage_does_not_cost_the_whole_run(tmp_path):
    toy = Toy(total=100)
    folder = make(tmp_path / "run", toy)
    record(folder, toy, segment_bytes=1)
    kept = sorted(int(path.stem) for path in (folder.path / "checkpoints").iterdir())
    assert kept[-2:] == [99, 100]
    assert len(kept) <= 16
    segment(folder.path, 80).write_bytes(b"")
    again = RunFolder.open(folder.path)
    samples, state = again.resume_point()
    assert 64 <= samples <= 80
    assert int(state["step"]) == samples
    assert again.acknowledged == 80


def test_swapped_repeated_and_foreign_segments_are_named(run, tmp_path):
    second, third = segment(run, 2).read_bytes(), segment(run, 3).read_bytes()
    segment(run, 2).write_bytes(third)
    segment(run, 3).write_bytes(second)
    assert "000002.seg is damaged: it holds segment 3" in RunFolder.open(run).verify()[0]
    segment(run, 2).write_bytes(second)
    segment(run, 3).write_bytes(second)
    assert "000003.seg is damaged: it holds segment 2" in RunFolder.open(run).verify()[0]
    other = make(tmp_path / "other", TOY)
    record(other, TOY, segment_bytes=3 * other.layout.bytes_per_sample)
    shutil.copy(segment(other.path, 3), segment(run, 3))
    assert "belongs to another run" in RunFolder.open(run).verify()[0]


def test_a_damaged_checkpoint_is_named_and_the_older_one_used(run):
    newest = run / "checkpoints" / "000008.state"
    newest.write_bytes(newest.read_bytes()[:-1])
    folder = RunFolder.open(run)
    samples, state = folder.resume_point()
    assert (samples, int(state["step"])) == (21, 21)
    assert "000008.state" in folder.damage[0]
    assert folder.acknowledged == 24  # the samples themselves are intact and stay
    assert_same(resume(run).samples(), REFERENCE)


def test_without_any_checkpoint_the_run_is_computed_from_the_start_and_keeps_its_samples(run):
    for path in (run / "checkpoints").iterdir():
        path.unlink()
    before = {path.name: path.read_bytes() for path in (run / "segments").iterdir()}
    folder = resume(run)
    assert folder.damage == []
    assert {path.name: path.read_bytes() for path in (run / "segments").iterdir()} == before


class Changed(Toy):
    """Samples that differ in the last bit."""

    def advance(self, state):
        state, sample = super().advance(state)
        return state, {**sample, "pressure": np.nextafter(sample["pressure"], 0.0)}


def test_samples_that_come_out_differently_are_told(run):
    (run / "checkpoints" / "000008.state").unlink()
    folder = RunFolder.open(run)
    record(folder, Changed(total=24))
    assert "pressure of sample 21, recomputed, differs from the stored one: the machine" in folder.damage[0]
    assert_same(folder.samples(), REFERENCE)


@pytest.mark.parametrize("package", ["numpy", "scipy", "numba", "python", "traction"])
def test_versions_that_changed_are_named_where_samples_come_out_differently(run, package):
    (run / "checkpoints" / "000008.state").unlink()
    folder = RunFolder.open(run)
    versions = {**folder.manifest.versions, package: "0.0"}
    folder.manifest = folder.manifest.updated_now(versions=versions)
    record(folder, Changed(total=24))
    now_used = current_versions()[package]
    assert f"versions have changed ({package} 0.0, now {now_used})" in folder.damage[0]


def test_missing_files_and_folders_are_named(run):
    for name in ("static.bin", "segments", "checkpoints"):
        (run / name).rename(run.parent / name)
        with pytest.raises(DamagedError, match=name):
            RunFolder.open(run)
        (run.parent / name).rename(run / name)
    (run / "scenario.toml").write_text("other")
    with pytest.raises(DamagedError, match=r"scenario\.toml"):
        RunFolder.open(run).scenario_text()
    (run / "manifest.json").unlink()
    with pytest.raises(InputError, match="not a run folder"):
        RunFolder.open(run)
    with pytest.raises(InputError, match="there is no run folder"):
        RunFolder.open(run / "nowhere")


def test_segments_elsewhere_are_refused(run, tmp_path):
    (run / "segments").rename(tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", run / "segments")
    with pytest.raises(DamagedError, match="segments"):
        RunFolder.open(run)


def rewritten(run, **changes):
    """A manifest with a right checksum and other entries."""
    path = run / "manifest.json"
    manifest = Manifest.from_bytes(path.read_bytes(), "manifest.json")
    path.write_bytes(manifest.updated_now(**changes).to_bytes())


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "splendid"},
        {"total": "24"},
        {"total": 25},
        {"seed": 1.5},
        {"timings": {"run": "long"}},
        {"versions": []},
        {"kind": None},
        {"format": "2"},
    ],
)
def test_a_forged_manifest_is_damage(run, changes):
    rewritten(run, **changes)
    with pytest.raises(DamagedError, match=r"manifest\.json"):
        RunFolder.open(run)


def test_a_newer_format_asks_for_an_update(run):
    rewritten(run, format=FORMAT + 1)
    with pytest.raises(InputError, match="update Traction"):
        RunFolder.open(run)


def test_an_older_format_asks_for_a_new_run(run):
    rewritten(run, format=FORMAT - 1)
    with pytest.raises(InputError, match=r"run its scenario.toml again"):
        RunFolder.open(run)


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b"\xff", b"[" * 100_000, b'{"a":' * 900 + b"1" + b"}" * 900]
)
def test_whatever_stands_in_the_manifest_is_damage(run, content):
    (run / "manifest.json").write_bytes(content)
    with pytest.raises(DamagedError, match=r"manifest\.json"):
        RunFolder.open(run)


def test_a_changed_export_is_named_and_not_used(run):
    data = (run / "data.nc").read_bytes()
    (run / "data.nc").write_bytes(data.replace(b"Pa", b"ps"))
    folder = RunFolder.open(run)
    assert "data.nc" in folder.verify()[0]
    assert load_run(run).data.pressure.attrs["units"] == "Pa"
    assert folder.status is RunStatus.DONE
