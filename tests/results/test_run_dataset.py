"""The dataset says what the samples are, and holds nothing else than them."""

import subprocess
import sys

import h5netcdf
import numba
import numpy as np
import pytest
import scipy
import xarray

from results.toy_run import Toy, expected, make
from traction.errors import InputError, UndefinedError
from traction.outputs import dataset
from traction.results.field import Constant, Coordinate, Field, Layout
from traction.results.manifest import RunStatus
from traction.results.memory import MemoryStore
from traction.results.recorder import record
from traction.results.run import Run, finished_run, load_run
from traction.results.run_dataset import export_netcdf, to_dataset

TOY = Toy(total=24)
FIGURES = [("peak pressure", np.float64(1.25e9), "Pa"), ("samples", 24, ""), ("<worst>", float("nan"), "m")]


@pytest.fixture
def folder(tmp_path):
    folder = make(tmp_path / "run & <files>", TOY)
    record(folder, TOY, segment_bytes=5 * folder.layout.bytes_per_sample)
    folder.finish("done", "24 samples", FIGURES)
    return folder


def assert_labelled(data):
    reference = expected(TOY)
    for name, values in reference.items():
        assert data[name].values.dtype == values.dtype
        assert data[name].values.tobytes() == values.tobytes()
    assert data.pressure.dims == ("sample", "y", "x")
    assert data.pressure.attrs["units"] == "Pa"
    assert data.pressure.attrs["long_name"] == "contact pressure"
    assert data.x.attrs["units"] == "m"
    assert (data.x.values == TOY.coordinates[1].values).all()
    assert "time" in data.coords
    assert (data.gap.values == TOY.constants[0].values).all()
    assert data.gap.dims == ("y", "x")
    assert data.attrs["kind"] == "toy"
    assert data.attrs["status"] == "done"
    for package in (np, scipy, numba):
        assert data.attrs[f"{package.__name__}_version"] == package.__version__


def test_the_dataset_is_labelled(folder):
    assert_labelled(to_dataset(folder))


def test_the_export_is_the_dataset(folder):
    path = export_netcdf(folder)
    assert path == folder.path / "data.nc"
    with xarray.open_dataset(path, engine="h5netcdf") as stored:
        assert_labelled(stored)
        xarray.testing.assert_identical(stored.drop_attrs(), to_dataset(folder).drop_attrs())
    assert folder.verify() == []


def test_readers_of_the_export_see_damage(folder):
    path = export_netcdf(folder)
    content = path.read_bytes()
    block = expected(TOY)["pressure"][:2].tobytes()
    place = content.index(block)
    path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
    with h5netcdf.File(path) as file, pytest.raises(OSError, match="filter returned failure"):
        file.variables["pressure"][...]


def test_a_run_without_samples_has_an_empty_dataset(tmp_path):
    folder = make(tmp_path / "run", TOY)
    assert to_dataset(folder).pressure.shape == (0, 3, 4)
    with xarray.open_dataset(export_netcdf(folder), engine="h5netcdf") as stored:
        assert stored.pressure.shape == (0, 3, 4)


def test_without_xarray_the_remedy_is_told(folder, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(dataset, "import_module", missing)
    for ask in (lambda: load_run(folder.path).data, lambda: export_netcdf(folder)):
        with pytest.raises(InputError, match=r"pip install traction\[data\]"):
            ask()


def test_nothing_heavy_is_loaded_before_the_data_are_asked_for():
    code = (
        "import sys; import traction.results.run, traction.results.recorder, traction.results.run_dataset;"
        "print({'xarray', 'h5netcdf', 'h5py', 'pandas', 'scipy', 'numba'} & set(sys.modules))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "set()"


def test_a_run_prints_its_summary(folder):
    run = load_run(folder.path)
    assert run.ok
    assert run.status is RunStatus.DONE
    assert repr(run).startswith("Run: toy, done\n")
    lines = str(run).splitlines()
    assert lines[0] == "Run of toy: done"
    assert "  notice: 24 samples" in lines
    assert lines[1].split() == ["peak", "pressure", "1250", "MPa"]
    assert lines[-1] == f"  files: {folder.path}"
    assert run.key_figures[0] == ("peak pressure", 1.25e9, "Pa")
    assert np.isnan(run.key_figures[2][1])
    html = run._repr_html_()
    assert "<worst>" not in html
    assert "worst" not in html  # not a number: nothing to show
    assert "run &amp; &lt;files&gt;" in html


def test_the_data_of_a_run_are_read_once(folder):
    run = load_run(folder.path)
    assert "data" not in vars(run)
    assert run.data is run.data
    assert_labelled(run.data)


def test_an_unfinished_run_tells_how_to_go_on(tmp_path):
    folder = make(tmp_path / "run", TOY)
    run = load_run(folder.path)
    assert not run.ok
    assert run.status is RunStatus.INTERRUPTED
    assert f"traction resume {folder.path}" in str(run)


def test_a_run_in_memory(tmp_path):
    store = MemoryStore("toy", TOY.layout)
    record(store, TOY)
    store.finish("done", "24 samples", FIGURES)
    run = finished_run(store)
    assert run.ok
    assert "in memory only" in str(run)
    assert run.data.pressure.values.tobytes() == expected(TOY)["pressure"].tobytes()
    with pytest.raises(UndefinedError, match="no data"):
        _ = Run(RunStatus.FAILED).data


@pytest.mark.parametrize(
    "figure",
    [
        ("a", 1.0),
        ("a", [1.0], "m"),
        ("a", np.ones(2), "m"),
        (1, 1.0, "m"),
        ("a", 1.0, None),
        3,
        ("a", None, ""),
    ],
)
def test_key_figures_are_checked(folder, figure):
    with pytest.raises(InputError, match="key figure"):
        folder.finish("done", "", [figure])
    with pytest.raises(InputError, match="status"):
        folder.finish("splendid")


@pytest.mark.parametrize(
    ("make_it", "words"),
    [
        (lambda: Field("two words", "m", "x"), "letters"),
        (lambda: Field("sample", "m", "x"), "sample"),
        (lambda: Field("a", "", "x"), "unit"),
        (lambda: Field("a", "m", "x", dtype="O"), "dtype"),
        (lambda: Field("a", "m", "x", ("y", "y")), "once"),
        (lambda: Field("a", "m", "x", ["y"]), "tuple"),
        (lambda: Field("a", "m", "x", ("y",), labels_samples=True), "labels samples"),
        (lambda: Coordinate("x", np.zeros((2, 2)), "m", "x"), "one dimension"),
        (lambda: Coordinate("x", np.array(["a"]), "m", "x"), "dtype"),
        (lambda: Layout((), 1), "empty"),
        (lambda: Layout((Field("a", "m", "x", ("y",)),), 1), "no coordinate"),
        (lambda: Layout((Field("a", "m", "x"),) * 2, 1), "more than one"),
        (lambda: Layout((Field("a", "m", "x"),), 1, (), (Constant("c", np.ones(2), "m", "x"),)), "shape"),
    ],
)
def test_layouts_are_checked(make_it, words):
    with pytest.raises(InputError, match=words):
        make_it()


def test_coordinates_cannot_be_changed_behind_our_back():
    values = np.arange(3.0)
    coordinate = Coordinate("x", values, "m", "x")
    values[0] = 9.0
    assert coordinate.values[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        coordinate.values[0] = 1.0
