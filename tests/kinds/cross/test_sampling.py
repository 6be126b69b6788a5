"""Key figures of the bridge are those of all steps, whatever the number of samples."""

import numpy as np
import pytest

import traction as tr

CASE = {
    "beam": {
        "length": "20 m", "bending_stiffness": "2.08 GN m2", "mass_per_length": "7.9 t/m", "damping": 0.01,
        "supports": ["pinned", "pinned"],
    },
    "model": {"type": "modes", "size": 6},
    "speed": "40 m/s",
}  # fmt: skip
WHEELS = {"axle": [{"mass": "4 t", "distance": "0 m"}, {"mass": "4 t", "distance": "3 m"}]}
FORCES = {"axle": [{"force": "100 kN", "distance": "0 m"}, {"force": "100 kN", "distance": "7 m"}]}


def simulate(samples, loads, **given):
    time = {"samples": samples, "dt": "0.5 ms", **given.pop("time", {})}
    return tr.simulate(tr.Scenario.build("cross", **CASE, **loads, time=time, **given), progress=False)


def figure(run, name):
    return next(value for key, value, _ in run.key_figures if key == name)


@pytest.mark.parametrize(
    ("loads", "contact"),
    [(WHEELS, "hertz"), (WHEELS, "rigid"), (FORCES, "rigid")],
    ids=["hertz", "rigid wheels", "forces"],
)
def test_peaks_do_not_depend_on_the_number_of_samples(loads, contact):
    few, many = (simulate(samples, loads, contact=contact) for samples in (12, 301))
    for name in ("peak deflection", "time of peak deflection", "peak acceleration"):
        assert figure(few, name) == pytest.approx(figure(many, name), rel=0.02)


def test_peaks_are_those_of_the_function():
    run = simulate(21, FORCES, contact="rigid")
    sampled = float(np.abs(run.data["acceleration"]).max())
    assert sampled < 0.95 * figure(run, "peak acceleration")  # what samples alone would say
    beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"), damping=0.01)
    whole = tr.moving_load(beam, [(1e5, 0.0), (1e5, 7.0)], 40.0, size=6, dt=0.5e-3)
    peak = whole.largest("deflection", 10.0)
    assert figure(run, "peak deflection") == pytest.approx(peak.value, rel=1e-6)
    assert "where the last axle leaves" in repr(whole)
    longer = tr.moving_load(beam, [(1e5, 0.0)], 40.0, size=2, t_end=1.0)
    assert "leaves" not in repr(longer)
