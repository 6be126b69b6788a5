"""Integration methods compared on a crossing."""

import math

import numpy as np
import pytest

import traction as tr
from convergence import observed_order

BRIDGE = tr.Bridge(tr.Beam(20.0, 2e11 * 0.0104, 7900.0), tr.STEEL)
TRAIN = [(tr.Wheel(0.46, 76e3), 0.0)]
METHODS = ("euler-forward", "euler-backward", "verlet", "newmark", "energy-conserving", "condensed")


@pytest.fixture(scope="module")
def found():
    return tr.compare_methods(BRIDGE, TRAIN, 30.0, steps=[1e-3, 5e-4], t_end=0.1, size=5, methods=METHODS)


def test_orders(found):
    for name, order in (("euler-backward", 1), ("verlet", 2), ("newmark", 2), ("condensed", 2)):
        runs = found.of(name)
        errors = [run.deflection_error for run in runs]
        assert observed_order([run.dt for run in runs], errors) == pytest.approx(order, abs=0.25)
    forward, backward = found.of("euler-forward"), found.of("euler-backward")
    assert all(
        one.force_error > 2.0 * other.force_error for one, other in zip(forward, backward, strict=True)
    )


def test_limits(found):
    limits = {one.method: one for one in found.limits}
    assert limits["verlet"].declared == 2.0
    assert limits["verlet"].found == pytest.approx(2.0, rel=0.05)
    assert limits["euler-forward"].found == 0.0
    for name in ("newmark", "energy-conserving", "condensed", "euler-backward"):
        assert math.isinf(limits[name].found)
    assert limits["euler-backward"].damping_ratio == pytest.approx(0.40, abs=0.01)
    assert limits["newmark"].damping_ratio == 0.0
    modes = BRIDGE.beam.frequencies(5)
    assert modes[-1] < found.frequency < 1.5 * modes[-1]  # the contact stiffens the bridge


def test_energy(found):
    assert found.of("euler-backward")[0].drift > 100.0 * found.of("newmark")[0].drift > 0.0


def test_table(found):
    lines = found.table().splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(METHODS)
    assert all(len(line) == len(lines[0]) for line in lines)
    assert "inf" not in found.table()


def test_bad_input():
    for options, words in (
        ({"steps": []}, "at least one"),
        ({"methods": ["euler"]}, "methods"),
        ({"steps": [-1.0]}, "steps"),
    ):
        with pytest.raises(tr.InputError, match=words):
            tr.compare_methods(BRIDGE, TRAIN, 30.0, **{"steps": [1e-3], "t_end": 0.1, **options})
    with pytest.raises(tr.InputError, match="contact"):
        tr.compare_methods(BRIDGE, TRAIN, 30.0, steps=[1e-3], t_end=0.1, contact="rigid")


def test_a_march_that_grows_says_so():
    with pytest.raises(tr.ConvergenceError, match="the march grows, take a smaller dt"):
        tr.cross(BRIDGE, TRAIN, 30.0, contact="hertz", method="verlet", dt=2e-3, size=10, allow_unstable=True)
    assert np.isfinite(found_size())


def found_size():
    """A march over the limit for a short while stays finite, where it is asked for."""
    run = tr.cross(
        BRIDGE,
        TRAIN,
        30.0,
        contact="hertz",
        method="euler-forward",
        dt=1e-4,
        size=2,
        t_end=0.05,
        allow_unstable=True,
    )
    return run.deflection(10.0).max()
