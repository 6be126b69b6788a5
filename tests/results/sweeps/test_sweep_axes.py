"""The dataset of a sweep: dimensions for lists, one for samples; quantiles over them."""

import math

import numpy as np
import pytest

import traction as tr
from traction.results.manifest import RunStatus
from traction.results.run import Run
from traction.results.sweeps.sweep import Sweep, quantiles_of, tabulate_runs
from traction.results.sweeps.sweep_column import Column, SweepAxis, fits

SPEED = SweepAxis("speed", ("speed",), 2)
DRAWN = SweepAxis("sample", ("beam.length", "label"), 3, ("uniform(1, 3)", "choice(a, b)"), "3 samples")


@pytest.fixture
def sweep():
    """Two speeds and three samples; the last variant failed."""
    runs = [Run(RunStatus.DONE, key_figures=(("peak (1)", 10.0 * k, "m"),)) for k in range(5)]
    varied = (
        Column("speed", "m/s", (20.0,) * 3 + (30.0,) * 3),
        Column("beam.length", "m", (1.0, 2.0, 3.0) * 2),
        Column("label", "", ("a", "b", "a") * 2),
    )
    failed = Run(RunStatus.FAILED, "why")
    table = tabulate_runs(tuple("abcdef"), varied, [*runs, failed], (SPEED, DRAWN))
    return Sweep("toy", (*runs, failed), table)


def test_lists_and_samples_are_dimensions(sweep, tmp_path):
    xarray = pytest.importorskip("xarray")
    found = sweep.to_xarray()
    assert found["peak_1"].dims == ("speed", "sample")
    assert found["peak_1"].sel(speed=30.0, sample=2).item() == 40.0
    assert math.isnan(found["peak_1"].sel(speed=30.0, sample=3))
    assert found["beam_length"].dims == ("sample",)
    assert found["label"].values.tolist() == ["a", "b", "a"]
    assert found["speed"].attrs["units"] == "m/s"
    assert found["run_status"].values.tolist()[1] == ["done", "done", "failed"]
    assert sweep.data.equals(found)
    stored = xarray.open_dataset(sweep.save(tmp_path / "sweep.nc"), engine="h5netcdf")
    assert stored["peak_1"].dims == ("speed", "sample")
    stored.close()
    assert sweep.table.to_xarray()["peak_1"].dims == ("variant",)


def test_quantiles_are_over_samples_of_each_combination(sweep):
    found = sweep.table.quantiles("peak (1)", [0.0, 0.5, 1.0])
    np.testing.assert_array_equal(found, [[0.0, 30.0], [10.0, 35.0], [20.0, 40.0]])
    flat = tabulate_runs(tuple("abcdef"), sweep.table.varied, sweep.runs)
    np.testing.assert_array_equal(flat.quantiles("peak (1)", [0.5]), [20.0])
    with pytest.raises(tr.InputError, match="must lie between 0 and 1"):
        sweep.table.quantiles("peak (1)", [1.5])
    for nested in ([[0.1, 0.5]], [[0.1], [0.2, 0.3]], np.zeros((0, 2))):
        with pytest.raises(tr.InputError, match="levels"):
            sweep.table.quantiles("peak (1)", nested)
    with pytest.raises(tr.InputError, match='"label" is not a number'):
        sweep.table.quantiles("label")
    assert np.isnan(quantiles_of(np.full((2, 3), np.nan), np.array([0.5]))).all()


def test_axes_must_be_those_of_the_variants():
    keys = ("speed", "beam.length", "label")
    assert fits((SPEED, DRAWN), keys, 6)
    assert not fits((SPEED, DRAWN), keys, 5)
    assert not fits((SPEED,), keys, 2)
    assert not fits((SPEED, SweepAxis("sample", DRAWN.keys, 3, ("uniform(1, 3)",))), keys, 6)
