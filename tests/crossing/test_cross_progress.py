"""Progress of crossings, sweeps and impacts: counted to the end, without effect on the numbers."""

import numpy as np
import pytest

import traction as tr
from coarse import LONG_STEPS

BEAM = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"), damping=0.01)
SPRUNG = tr.Beam(20.0, 2.08e9, 7900.0, supports=(tr.Support(1e9), tr.Support(1e9)))
BRIDGE = tr.Bridge(BEAM, tr.STEEL)
WHEEL = tr.Wheel(0.46, 900.0, suspension=tr.Suspension(0.8e6, 30e3, mass=8e3))
STEPS = pytest.mark.filterwarnings("ignore:wheel .* meets a step of the track")
FORCES, WHEELS = [(1e5, 0.0), (1e5, 7.3)], [(WHEEL, 0.0), (WHEEL, 3.1)]


def counted(call):
    """The result of a call, and what its progress was told."""
    told = []
    return call(lambda done, total: told.append((done, total))), told


def cross(**given):
    options = {"contact": "hertz", "size": 5, "dt": 1e-3, "t_end": 0.8, **given}
    bridge = options.pop("bridge", BRIDGE)
    return lambda progress: tr.cross(bridge, WHEELS, 30.0, progress=progress, **options)


@LONG_STEPS  # bits are equal at any step
@pytest.mark.parametrize(
    "call",
    [
        lambda progress: tr.moving_load(BEAM, FORCES, 30.0, size=5, progress=progress),
        lambda progress: tr.moving_load(BEAM, WHEELS, 30.0, size=5, dt=1e-3, progress=progress),
        lambda progress: tr.moving_load(BEAM, FORCES, 30.0, model="elements", size=8, progress=progress),
        cross(contact="rigid"),
        cross(),
        pytest.param(cross(bridge=tr.Bridge(SPRUNG, tr.STEEL)), marks=STEPS),
        cross(method="newmark", t_end=0.13),
        cross(contact="half-space", t_end=0.11, grid=tr.Grid(12, 12, 2e-3, 2e-3)),
    ],
    ids=["forces", "wheels", "elements", "rigid", "hertz", "springs", "method", "half-space"],
)
def test_marches_are_counted_and_stay_the_same_to_the_last_bit(call):
    run, told = counted(call)
    plain = call(False)
    assert told[-1][0] == told[-1][1] > 0
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    for name in ("coordinates", "velocities"):
        np.testing.assert_array_equal(getattr(run.bending, name), getattr(plain.bending, name))
    if isinstance(run, tr.ContactCrossing):
        np.testing.assert_array_equal(run.energies.total, plain.energies.total)


def test_long_marches_are_divided():
    _, told = counted(cross())
    assert len(told) > 100


def test_friction_under_driven_wheels_is_counted_after_the_march():
    _, told = counted(cross(t_end=0.01, drive={0: tr.Drive(force=1e4, elements=6)}))
    starts = [k for k, (done, _) in enumerate(told) if done == 1]
    assert len(starts) == 2
    assert told[-1][0] == told[-1][1]


@pytest.mark.parametrize(
    ("call", "total"),
    [
        (lambda p: tr.resonance(BEAM, tr.Train.hslm("A1"), [60.0, 70.0, 80.0], progress=p), 3),
        (lambda p: tr.resonance(BEAM, WHEELS, [60.0, 70.0], dt=2e-3, progress=p), 2),
        (lambda p: tr.cross_resonance(BRIDGE, WHEELS, [60.0, 70.0], size=3, dt=2e-3, progress=p), 2),
        (lambda p: tr.impact_sweep(BEAM, 5.0, BALL, speed=[1.0, 2.0], t_end=1e-3, modes=5, progress=p), 2),
    ],
    ids=["forces", "wheels", "contacts", "impacts"],
)
def test_sweeps_count_their_cases(call, total):
    _, told = counted(call)
    assert told[-1] == (total, total)


BALL = tr.Striker.sphere(0.01, 1.0, tr.Pair(tr.STEEL, tr.STEEL))
