"""Rigid wheels on elements and differences: the same motion as on exact modes, with the order of each."""

import numpy as np
import pytest

import traction as tr
from coarse import LONG_STEPS
from convergence import observed_order

SPRUNG = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 30e3))
TRAIN = [(SPRUNG, 0.0), (SPRUNG, 6.0)]
ROUGH = tr.Irregularity.harmonic(1e-3, 3.0)
SHEAR = {"shear_stiffness": 4e9, "rotary_inertia": 800.0}


def beam_of(**options):
    return tr.Beam(20.0, 2.08e9, 7900.0, damping=tr.Rayleigh(0.1, 1e-4), **options)


def crossed(beam, model="modes", size=None, loads=TRAIN):
    return tr.moving_load(beam, loads, 30.0, model=model, size=size, irregularity=ROUGH, dt=2e-3)


def apart(one, other, x=10.0):
    w = other.deflection(x)
    return np.abs(one.deflection(x) - w).max() / np.abs(w).max()


@pytest.mark.parametrize(
    ("model", "sizes", "order", "limit", "options"),
    [
        ("elements", (4, 8, 16, 32), 3.5, 3e-6, {}),
        ("differences", (25, 50, 100), 1.9, 3e-4, {"supports": ("pinned", "pinned")}),
    ],
)
def test_wheels_on_ever_finer_beams(model, sizes, order, limit, options):
    beam = beam_of(**options)
    exact = crossed(beam, size=80)
    errors = [apart(crossed(beam, model, n), exact) for n in sizes]
    assert observed_order(1.0 / np.array(sizes), errors) > order
    assert errors[-1] < limit


def test_wheels_on_ever_finer_beams_with_shear():
    """Second order, as the elements have; first order where a wheel stands, at a kink of the beam's axis.

    The force on each mode ripples from node to node. At 21.7 m/s 8 and 16 elements are passed with 8.7 and
    17 Hz, between the modes; at 30 m/s with 12 and 24 Hz, at which the second and third mode swing.
    """
    beam, speed, sizes = beam_of(**SHEAR), 21.7, np.array((8, 16, 32, 64))
    given = {"speed": speed, "dt": 1e-3}
    exact = tr.moving_load(beam, [(SPRUNG, 0.0)], size=160, **given)
    w, far = exact.deflection(10.0), np.abs(exact.places[:, 0] - 10.0) > 1.0
    aside, under = [], []
    for n in sizes:
        run = tr.moving_load(beam, [(SPRUNG, 0.0)], model="elements", size=int(n), **given)
        off = np.abs(run.deflection(10.0) - w)
        aside.append(off[far].max() / w.max())
        under.append(off.max())
    assert observed_order(1.0 / sizes, aside) > 2.0
    assert aside[-1] < 3e-5
    assert observed_order(1.0 / sizes[1:], under[1:]) == pytest.approx(1.0, abs=0.1)
    assert under[-1] < 15.0 / 128.0 * 20.0 / 64.0 * 31e3 * 9.81 / 4e9  # l F/kGA, see the smooth track


def test_wheels_are_not_struck_where_elements_with_shear_meet():
    """Their forces are those of exact modes at any step; with the elements' own kinks m V dw'/dt is added."""
    beam, off = beam_of(**SHEAR), []
    for dt in (1e-3, 2.5e-4):
        exact, run = (
            tr.moving_load(beam, [(SPRUNG, 0.0)], 21.7, dt=dt, **more)
            for more in ({"size": 80}, {"model": "elements", "size": 40})
        )
        inner = np.abs(exact.places[:, 0] - 10.0) < 7.0
        off.append(np.abs(run.contact_forces - exact.contact_forces)[inner].max() / (31e3 * 9.81))
    assert max(off) < 1e-3
    assert off[1] < 1.2 * off[0]


def test_forces_vehicles_and_velocities_are_those_of_modes():
    beam = beam_of()
    exact, run = crossed(beam), crossed(beam, "elements", 40)
    load = 31e3 * 9.81
    assert apart(run, exact) < 1e-5
    assert np.abs(run.contact_forces - exact.contact_forces).max() < 1e-3 * load
    assert run.vehicle == pytest.approx(exact.vehicle, abs=1e-5 * np.abs(exact.vehicle).max())
    assert run.velocity(10.0) == pytest.approx(
        exact.velocity(10.0), abs=2e-3 * np.abs(exact.velocity(10.0)).max()
    )
    assert not run.lost_contact


def test_moments_improve_with_the_length_of_the_elements():
    """Within an element they are linear, without the kink under a wheel: first order."""
    beam, sizes = beam_of(), np.array((20, 40, 80))
    true = crossed(beam).moment(5.0)
    errors = [np.abs(crossed(beam, "elements", int(n)).moment(5.0) - true).max() for n in sizes]
    assert 0.8 < observed_order(1.0 / sizes, errors) < 1.3


@LONG_STEPS  # both models march in the same steps
@pytest.mark.filterwarnings("ignore:wheels land again in rigid contact")
def test_spans_free_beams_and_lost_contact():
    pinned = {"supports": ("pinned", "pinned")}
    spans = tr.Beam.spans([tr.Beam(8.0, 2e9, 7900.0, **pinned), tr.Beam(12.0, 1e9, 7900.0, **pinned)])
    exact = tr.moving_load(spans, [(SPRUNG, 0.0)], 30.0, dt=2e-3)
    run = tr.moving_load(spans, [(SPRUNG, 0.0)], 30.0, model="elements", size=50, dt=2e-3)
    assert apart(run, exact, 14.0) < 1e-4
    bump = tr.Irregularity.harmonic(0.02, 1.0)
    flown = [
        tr.cross(tr.Bridge(beam_of(), tr.STEEL), TRAIN, 30.0, irregularity=bump, dt=1e-3, **more)
        for more in ({}, {"model": "elements", "size": 40})
    ]
    assert all(run.lost_contact for run in flown)
    assert apart(*flown) < 1e-3


def test_accelerations_and_names_of_vehicles_are_those_of_modes():
    exact, run = crossed(beam_of()), crossed(beam_of(), "elements", 40)
    assert run.names == exact.names
    body = [1, 3]  # of wheel and body of each; wheels have theirs from differences, with noise of impacts
    largest = np.abs(exact.vehicle_acceleration[:, body]).max()
    assert run.vehicle_acceleration[:, body] == pytest.approx(
        exact.vehicle_acceleration[:, body], abs=1e-4 * largest
    )


def test_ratios_of_a_few_modes_leave_the_others_undamped():
    """As those of exact modes with zeros for the rest; the step, not given, asks for no more ratios."""
    few = tr.Beam(20.0, 2.08e9, 7900.0, damping=(0.05, 0.03))
    all_given = tr.Beam(20.0, 2.08e9, 7900.0, damping=(0.05, 0.03, *[0.0] * 38))
    run = tr.moving_load(few, [(SPRUNG, 0.0)], 30.0, model="elements", size=20, t_end=0.1)
    exact = tr.moving_load(all_given, [(SPRUNG, 0.0)], 30.0, t_end=0.1)
    assert run.dt == exact.dt
    assert apart(run, exact) < 1e-4
