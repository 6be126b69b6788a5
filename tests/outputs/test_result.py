"""Every result can be taken elsewhere: labelled data, files that are read back, a summary, a picture."""

import csv
import importlib
import inspect
import pkgutil
import re
import typing
from xml.etree import ElementTree

import numpy as np
import pytest

import traction as tr
from outputs.result_samples import SAMPLES, sample
from traction.errors import InputError
from traction.outputs import dataset
from traction.outputs.result import Result

xarray = pytest.importorskip("xarray")
pytest.importorskip("h5netcdf")

NO_PICTURE = {"AdhesiveContact", "PolachContact", "WheelRailContact", "Wiggle"}  # a few numbers
#: classes that public functions return and that are no results: what is described, not what was found
DESCRIPTIONS = {
    "Beam", "Curved", "FallingBody", "FallingLaw", "HeightMap", "HertzRectangle", "Inclined",
    "InclinedFriction", "Method",
    "MethodTable", "OwnLaw", "Scenario", "Stepped", "ThermalFriction", "TrackFriction",
    "UniformCircle", "UniformRectangle",
}  # fmt: skip


def all_results():
    """Every class of results in the package that can have instances."""
    for found in pkgutil.walk_packages(tr.__path__, "traction."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    todo, found = [Result], set()
    while todo:
        for kind in todo.pop().__subclasses__():
            todo.append(kind)
            if kind.__module__.startswith("traction.") and not inspect.isabstract(kind):
                found.add(kind.__name__)
    return found


def test_every_class_of_results_has_a_sample():
    assert all_results() == set(SAMPLES)


def public_functions():
    for name in tr.__all__:
        value = getattr(tr, name)
        names = (getattr(value, "__all__", None) or vars(value)) if inspect.ismodule(value) else ()
        for one in (value, *(getattr(value, inner) for inner in names if inner[0] != "_")):
            if inspect.isfunction(one) and ".outputs." not in one.__module__ and name != "view":
                yield one


def classes_in(annotation):
    if inspect.isclass(annotation):
        yield annotation
    for inner in typing.get_args(annotation):
        yield from classes_in(inner)


def test_what_public_functions_return_is_a_result():
    """A function that returns a dataclass of its own without `to_xarray` and `save` fails here."""
    found = set()
    for function in public_functions():
        try:
            returned = typing.get_type_hints(function).get("return")
        except NameError:  # a name for type checkers only
            continue
        for kind in classes_in(returned):
            if kind.__module__.startswith("traction."):
                found.add(kind)
    assert len(found) > 25
    without = {kind.__name__ for kind in found if not issubclass(kind, Result)}
    assert without <= DESCRIPTIONS, without


@pytest.mark.parametrize("name", SAMPLES)
def test_dataset_has_units_and_long_names(name):
    found = sample(name).to_xarray()
    assert found.variables
    for one, variable in found.variables.items():
        assert variable.attrs["long_name"], one
        assert variable.attrs["units"] or variable.dtype.kind == "U", one


@pytest.mark.parametrize("name", SAMPLES)
def test_netcdf_is_read_back(name, tmp_path):
    result = sample(name)
    found = result.to_xarray()
    with xarray.open_dataset(
        result.save(tmp_path / "result.nc"), engine="h5netcdf", decode_times=False
    ) as stored:
        assert set(stored.variables) == set(found.variables)
        for one, variable in found.variables.items():
            assert stored[one].dims == variable.dims
            assert stored[one].attrs["long_name"] == variable.attrs["long_name"]
            assert stored[one].attrs["units"] == variable.attrs["units"]
            assert_same(stored[one].values, variable.values)


@pytest.mark.parametrize("name", SAMPLES)
def test_mat_file_is_read_back(name, tmp_path):
    from scipy.io import loadmat

    result = sample(name)
    found = result.to_xarray()
    stored = loadmat(result.save(tmp_path / "result.mat"), simplify_cells=True)
    for one, variable in found.variables.items():
        assert stored["units"].get(one, "") == variable.attrs["units"]
        assert stored["long_names"][one] == variable.attrs["long_name"]
        assert_same(np.squeeze(stored[one]), np.squeeze(variable.values))


@pytest.mark.parametrize("name", SAMPLES)
def test_csv_is_what_pandas_gets(name, tmp_path):
    pytest.importorskip("pandas")
    result = sample(name)
    frame = result.to_pandas()
    with open(result.save(tmp_path / "result.csv"), newline="") as file:
        header, *rows = csv.reader(file)
    assert len(header) == len(frame.columns)
    assert len(rows) == len(frame)
    units = frame.attrs["units"]
    for k, column in enumerate(frame):
        assert header[k] == (f"{column} ({units[column]})" if units[column] else column)
        texts = [row[k] for row in rows]
        if frame[column].to_numpy().dtype.kind == "f":
            numbers = [float(text) if text else np.nan for text in texts]
            np.testing.assert_array_equal(numbers, frame[column])
        else:
            assert texts == [str(value) for value in frame[column]]


def assert_same(stored, values):
    if values.dtype.kind in "US":
        texts = ["" if np.size(text) == 0 else str(text) for text in np.atleast_1d(stored)]
        assert texts == np.atleast_1d(values).tolist()  # no text is an empty array in MATLAB
    else:
        np.testing.assert_array_equal(np.asarray(stored).astype(values.dtype), values)


@pytest.mark.parametrize("name", SAMPLES)
def test_summary_is_short(name):
    result = sample(name)
    lines = repr(result).splitlines()
    assert 1 <= len(lines) <= 5
    assert max(map(len, lines)) <= 100
    assert "nan" not in repr(result).split()
    if name != "SweepTable":
        assert lines[0].startswith(name)


@pytest.mark.parametrize("name", SAMPLES)
def test_view_for_notebooks(name):
    text = sample(name)._repr_html_()
    tree = ElementTree.fromstring(f"<div>{text}</div>")  # all elements are closed
    assert "<table>" in text
    assert not re.search(r"\b(nan|inf)\b", text)
    pictures = tree.findall(".//{http://www.w3.org/2000/svg}svg")
    assert len(pictures) == (0 if name in NO_PICTURE else 1)
    assert len(text) < 40_000
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_places_along_a_beam_are_chosen(tmp_path):
    crossing, bending = sample("Crossing"), sample("Bending")
    assert crossing.to_xarray().x.values.tolist() == [10.0, 30.0]
    found = crossing.to_xarray(x=[4.0, 5.0, 6.0])
    np.testing.assert_array_equal(found.deflection, crossing.deflection([4.0, 5.0, 6.0]))
    np.testing.assert_array_equal(bending.to_xarray(x=3.0).moment, bending.moment([3.0]))
    assert "deflection[4.5]" in crossing.to_pandas(x=4.5).columns
    text = crossing.save(tmp_path / "at.csv", x=4.5).read_text()
    assert text.partition("\n")[0].startswith("time (s),deflection[4.5] (m),")
    with pytest.raises(InputError, match="outside the beam"):
        crossing.to_xarray(x=41.0)


def test_times_have_one_name_in_results_and_stored_runs():
    for name in SAMPLES:
        result = sample(name)
        assert "t" not in result.to_xarray().variables, name
    np.testing.assert_array_equal(sample("Crossing").to_xarray()["time"], sample("Crossing").t)


def test_numbers_of_axles_wheels_and_modes_start_from_one():
    found = sample("ContactCrossing").to_xarray()
    assert found["axle"].values[0] == found["wheel"].values[0] == 1
    assert "axle_force[1]" in sample("ContactCrossing").to_pandas()
    assert sample("Modes").to_xarray()["mode"].values[0] == 1


def test_names_of_columns_have_no_round_off():
    columns = sample("Modes").to_pandas(x=[0.1 * 3, 0.1 * 6]).columns
    assert {"deflection[0.3]", "deflection[0.6]"} <= set(columns)
    near = sample("Modes").to_pandas(x=[0.5, 0.5 + 1e-15]).columns  # digits tell them apart
    assert len(set(columns)) == len(columns)
    assert "deflection[0.500000000000001]" in near


def test_suffix_says_the_format(tmp_path):
    result = sample("SphereContact")
    with pytest.raises(InputError, match=r"must end in one of \.nc \(netCDF\), \.mat .* \.csv"):
        result.save(tmp_path / "result.xlsx")
    with pytest.raises(InputError, match="does not exist; create it first"):
        result.save(tmp_path / "none" / "result.nc")
    assert result.save(tmp_path / "RESULT.CSV").exists()


@pytest.mark.parametrize("ask", ["to_xarray", "to_pandas", "save"])
def test_missing_extra_is_named(ask, tmp_path, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(dataset, "import_module", missing)
    given = (tmp_path / "result.nc",) if ask == "save" else ()
    with pytest.raises(InputError, match=r"is not installed; .* pip install traction\[data\]"):
        getattr(sample("SphereContact"), ask)(*given)
    assert list(tmp_path.iterdir()) == []


def test_failed_writing_keeps_what_was_there(tmp_path, monkeypatch):
    path = sample("SphereContact").save(tmp_path / "result.nc")
    before = path.read_bytes()
    monkeypatch.setattr("traction.outputs.netcdf.create_variable", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        sample("SphereContact").save(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["result.nc"]


def test_rounding_is_no_figure_of_a_summary():
    """The force across the rolling direction is zero but for rounding."""
    assert "force along y 0 N" in repr(sample("TangentialContact"))


def test_result_without_a_table_names_the_alternatives():
    class Loose(Result):
        _rows = ("t",)

        def _variables(self):
            from traction.outputs.variable import axis, data

            yield axis("a", np.arange(3), "1", "one")
            yield data("b", np.zeros((3, 2)), "m", "other", "a", "t")

    class Wide(Loose):
        def _variables(self):
            from traction.outputs.variable import data

            yield data("b", np.zeros((2, 2000)), "m", "wide", "t", "place")

    assert Loose().to_pandas().shape == (2, 3)
    with pytest.raises(InputError, match=r"no table.*wide|no table.*b \(t x place\).*Save as \.nc or \.mat"):
        Wide().to_pandas()
