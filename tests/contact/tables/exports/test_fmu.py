"""The functional mock-up unit of a table: valid, and run by FMPy in both modes."""

import zipfile

import fmpy
import numpy as np
import pytest

import traction as tr
from spline_samples import random_calls, random_splines
from traction.contact.tables.exports import fmu
from traction.contact.tables.exports.fmu import write_fmu
from traction.contact.tables.kernels.table_forces import creep_forces_of_many

INPUTS = ("xi", "eta", "phi", "a", "b", "load", "friction")
OUTPUTS = ("fx", "fy", "mz")


@pytest.fixture(scope="module")
def table():
    return random_splines("polar", (0.3, 0.6, 1.0, 2.0, 4.0))


@pytest.fixture(scope="module")
def unit(table, tmp_path_factory):
    return write_fmu(tmp_path_factory.mktemp("fmu") / "creep.fmu", table, ["Made-up forces."])


def evaluate(table, inputs):
    """Forces and derivatives by creepages of rows of inputs."""
    rows = np.atleast_2d(inputs)
    forces, jacobians = np.empty((len(rows), 3)), np.empty((len(rows), 3, 3))
    creep_forces_of_many(rows[:, :3].copy(), rows[:, 3:].copy(), table.packed, forces, jacobians)
    return forces, jacobians


def instantiate(unit, folder, kind):
    """An instance of the unit in FMPy."""
    description = fmpy.read_model_description(str(unit))
    classes = {"ModelExchange": fmpy.fmi2.FMU2Model, "CoSimulation": fmpy.fmi2.FMU2Slave}
    model = classes[kind](
        guid=description.guid, unzipDirectory=fmpy.extract(str(unit), str(folder)),
        modelIdentifier="creep", instanceName="wheel",
    )  # fmt: skip
    model.instantiate()
    model.setupExperiment()
    model.enterInitializationMode()
    model.exitInitializationMode()
    return model


@pytest.fixture(params=["ModelExchange", "CoSimulation"])
def model(request, unit, tmp_path):
    found = instantiate(unit, tmp_path, request.param)
    yield found
    found.terminate()
    found.freeInstance()


def test_the_description_is_valid(unit):
    from fmpy.validation import validate_fmu

    assert validate_fmu(str(unit)) == []
    description = fmpy.read_model_description(str(unit))
    assert {v.name: (v.causality, v.unit) for v in description.modelVariables} == {
        "xi": ("input", "1"), "eta": ("input", "1"), "phi": ("input", "rad/m"), "a": ("input", "m"),
        "b": ("input", "m"), "load": ("input", "N"), "friction": ("input", "1"),
        "fx": ("output", "N"), "fy": ("output", "N"), "mz": ("output", "N.m"),
    }  # fmt: skip
    assert description.modelExchange.providesDirectionalDerivative
    assert description.coSimulation.providesDirectionalDerivative
    with zipfile.ZipFile(unit) as archive:
        names = archive.namelist()
    assert {"sources/creep_forces.c", "sources/creep_forces.h", "sources/fmu.c"} < set(names)
    assert any(name.startswith("binaries/") for name in names)


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
def test_a_simulation(unit, table, kind):
    t = np.linspace(0.0, 1.0, 11)
    row = [("time", float), *((name, float) for name in INPUTS)]
    given = np.array([(k, 2e-3 * k, -1e-3, 0.2 * k, 6e-3, 5e-3, 8e4, 0.3) for k in t.tolist()], dtype=row)
    found = fmpy.simulate_fmu(
        str(unit), fmi_type=kind, input=given, output=OUTPUTS, stop_time=1.0, output_interval=0.1
    )
    expected, _ = evaluate(table, np.array([list(one)[1:] for one in given]))
    computed = np.array([list(one)[1:] for one in found])
    if kind == "CoSimulation":  # inputs hold from the start of a step to its end
        computed, expected = computed[1:], expected[:-1]
    assert computed == pytest.approx(expected, rel=1e-12, abs=1e-9)


def test_outputs_and_directional_derivatives(model, table):
    creepages, contacts = random_calls(table, 40)
    for inputs in np.column_stack((creepages, contacts))[3:]:
        forces, jacobians = evaluate(table, inputs)
        model.setReal(range(7), inputs.tolist())
        assert model.getReal([7, 8, 9]) == pytest.approx(forces[0], rel=1e-12, abs=1e-9)
        near = 1e-8 if inputs[:2].any() else 1e-6  # with spin alone, slopes are taken beside the pole
        for k in range(3):
            column = model.getDirectionalDerivative([7, 8, 9], [k], [1.0])
            assert column == pytest.approx(
                jacobians[0][:, k], rel=1e-8, abs=1e-8 * np.abs(jacobians[0]).max()
            )
        for k in range(3, 7):
            column = model.getDirectionalDerivative([7, 8, 9], [k], [1.0])
            assert column == pytest.approx(
                difference(table, inputs, k), abs=near * 0.3 * inputs[5] / inputs[k]
            )
        mixed = model.getDirectionalDerivative([9, 7], [0, 2], [1e-3, -0.2])
        expected = jacobians[0] @ (1e-3, 0.0, -0.2)
        assert mixed == pytest.approx(expected[[2, 0]], rel=1e-8, abs=1e-8 * np.abs(expected).max())


def difference(table, inputs, k):
    """Derivative by input k, from differences of fourth order inside the table."""
    step, places = 2e-4 * inputs[k], np.arange(-2.0, 3.0)
    (low, high), ratio = table.limits, inputs[3] / inputs[4]
    if k in (3, 4) and not low * 1.001 < ratio < high / 1.001:
        places += 2.0 if (ratio < 1.0) == (k == 3) else -2.0
    moved = np.tile(inputs, (5, 1))
    moved[:, k] += step * places
    weights = np.linalg.solve(np.vander(places, increasing=True).T, [0.0, 1.0, 0.0, 0.0, 0.0])
    return weights @ evaluate(table, moved)[0] / step


def test_at_rest_and_outside_the_table(model):
    model.setReal(range(7), [1e-3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3])  # lifted off
    assert model.getReal([7, 8, 9]) == [0.0, 0.0, 0.0]
    assert model.getDirectionalDerivative([7], [5], [1.0]) == [0.0]
    model.setReal([3, 4, 5], [0.05, 0.005, 8e4])
    with pytest.raises(fmpy.fmi1.FMICallException):
        model.getReal([7])


def test_states_are_kept_and_restored(model):
    model.setReal([0, 1], [1e-3, 2e-3])
    before = model.getReal([7, 8, 9])
    state = model.getFMUstate()
    stored = model.serializeFMUstate(state)
    model.setReal([0, 1], [0.0, 0.0])
    assert model.getReal([7, 8, 9]) != before
    model.setFMUstate(model.deSerializeFMUstate(stored))
    assert model.getReal([7, 8, 9]) == before
    model.reset()
    assert model.getReal([0, 6]) == [0.0, 0.3]
    model.freeFMUstate(state)


def test_the_same_table_makes_the_same_sources(unit, table, tmp_path, monkeypatch):
    monkeypatch.setattr(fmu, "_compile", lambda sources, library: b"")
    again = write_fmu(tmp_path / "creep.fmu", table, ["Made-up forces."])
    with zipfile.ZipFile(unit) as one, zipfile.ZipFile(again) as two:
        for name in ("sources/fmu.c", "sources/creep_forces.c", "modelDescription.xml"):
            assert one.read(name) == two.read(name)


def test_sources_of_two_units_can_be_linked(table, tmp_path, monkeypatch):
    monkeypatch.setattr(fmu, "_compile", lambda sources, library: b"")
    for name in ("left", "right"):
        with zipfile.ZipFile(write_fmu(tmp_path / f"{name}.fmu", table, [])) as archive:
            sources = b"".join(archive.read(f"sources/{one}") for one in ("creep_forces.c", "fmu.c"))
        assert f"void {name}_creep_forces(".encode() in sources
        assert b"traction_creep_forces" not in sources


def test_instances_are_independent_and_unknown_references_refused(unit, model, tmp_path):
    other = instantiate(unit, tmp_path / "other", "ModelExchange")
    model.setReal([0], [1e-3])
    assert other.getReal([0, 7]) == [0.0, 0.0]
    for call in (
        lambda: model.getReal([10]),
        lambda: model.setReal([7], [1.0]),
        lambda: model.getDirectionalDerivative([0], [0], [1.0]),
        lambda: model.getInteger([0]),
    ):
        with pytest.raises(fmpy.fmi1.FMICallException):
            call()
    assert model.getReal([0]) == [1e-3]
    other.terminate()
    other.freeInstance()


def test_bad_paths_and_compilers_are_refused(table, tmp_path, monkeypatch):
    for path, words in (("creep.zip", "must end in .fmu"), ("2nd.fmu", "must be a name in C"),
                        ("absent/creep.fmu", "does not exist")):  # fmt: skip
        with pytest.raises(tr.InputError, match=words):
            write_fmu(tmp_path / path, table, [])
    monkeypatch.setenv("CC", "no-such-compiler -m64")
    with pytest.raises(tr.InputError, match="'no-such-compiler' of the environment variable CC is not found"):
        write_fmu(tmp_path / "creep.fmu", table, [])
    monkeypatch.setenv("CC", "false")
    with pytest.raises(tr.TractionError, match="the C compiler failed"):
        write_fmu(tmp_path / "creep.fmu", table, [])
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(tr.InputError, match="no C compiler is found"):
        write_fmu(tmp_path / "creep.fmu", table, [])
    assert list(tmp_path.iterdir()) == []
