"""Limits of crossings with contact: growing stiffness, low speed, balls; and what is refused or warned of."""

import warnings

import numpy as np
import pytest

import traction as tr
from convergence import observed_order
from traction.crossing.small_deflections import NOTICED, STEEPEST, most_bent, steepest

BEAM = tr.Beam(20.0, 2e11 * 0.0104, 7900.0)
BRIDGE = tr.Bridge(BEAM, tr.STEEL)
MASS, SPEED, GRAVITY = 76e3, 30.0, 9.81
ELASTIC = ("hertz", "half-space")
#: sprung mass on ten modes, from an independent solution (VBI-2D's case V01): L = 25 m, E I = 3.5e10 x 1.3901
#: N m2, 18358 kg/m, 5750 kg on 1595 kN/m at 25 m/s
SPRUNG = {
    "midspan": 4.186670820037e-4,
    "body": 4.068148798718e-4,
    "most": 56580.56982925,
    "least": 56278.01999126,
}


def hard(factor):
    """Steel, so many times as stiff."""
    return tr.Material(2.1e11 * factor, 0.3)


@pytest.mark.parametrize("contact", ELASTIC)
def test_growing_stiffness_is_the_moving_mass_to_first_order(contact):
    """What remains is the motion of the wheel on its contact, (omega/omega_c)^2: its compliance."""
    same = {"size": 5}
    rigid = tr.cross(BRIDGE, [(tr.Wheel(0.46, MASS), 0.0)], SPEED, contact="rigid", dt=1e-4, **same)
    forces, deflections, compliances = [], [], []
    for factor in (1e2, 1e3, 1e4):
        wheel, bridge = tr.Wheel(0.46, MASS, material=hard(factor)), tr.Bridge(BEAM, hard(factor))
        run = tr.cross(bridge, [(wheel, 0.0)], SPEED, contact=contact, dt=5e-4, **same)
        F, w = (
            np.interp(run.t, rigid.t, one) for one in (rigid.contact_forces[:, 0], rigid.deflection(10.0))
        )
        forces.append(np.abs(run.contact_forces[:, 0] - F).max() / (MASS * GRAVITY))
        deflections.append(np.abs(run.deflection(10.0) - w).max() / w.max())
        compliances.append(1.0 / run.contacts[0].stiffness)
    assert forces[1] < 1e-3
    assert forces[2] < 2e-4
    assert deflections[2] < 1e-5
    assert observed_order(compliances, forces) == pytest.approx(1.0, abs=0.1)
    assert observed_order(compliances, deflections) == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("contact", ELASTIC)
def test_growing_stiffness_is_the_sprung_mass(contact):
    beam = tr.Beam(25.0, 3.5e10 * 1.3901, 18358.0, supports=("pinned", "pinned"))
    errors = []
    for factor in (1.0, 1e4):
        wheel = tr.Wheel(0.46, 0.0, material=hard(factor), suspension=tr.Suspension(1595e3, 0.0, 5750.0))
        run = tr.cross(
            tr.Bridge(beam, hard(factor)),
            [(wheel, 0.0)],
            25.0,
            contact=contact,
            size=10,
            dt=1e-3,
            residual=False,
        )
        F = run.contact_forces[:-1, 0]
        found = run.largest("deflection", 12.5).value, run.vehicle[:, -1].max(), F.max(), F.min()
        errors.append(np.abs(np.array(found) / np.array(list(SPRUNG.values())) - 1.0).max())
    assert errors[1] < 5e-5
    assert errors[1] < 0.2 * errors[0]


def test_half_space_is_hertz_for_a_ball_within_a_percent():
    wheel = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3))
    rough = tr.Irregularity.harmonic(4e-4, 0.9)
    hertz, solved = (
        tr.cross(BRIDGE, [(wheel, 0.0)], SPEED, contact=kind, size=8, dt=5e-4, irregularity=rough)
        for kind in ELASTIC
    )
    assert np.ptp(hertz.contact_forces) > 0.3 * 1e4 * GRAVITY  # it is shaken
    assert np.abs(solved.contact_forces - hertz.contact_forces).max() < 5e-3 * 1e4 * GRAVITY
    np.testing.assert_allclose(solved.approach, hertz.approach, rtol=5e-3)


@pytest.mark.parametrize("contact", ELASTIC)
def test_slow_wheel_is_the_wheel_at_rest(contact):
    """The slower, the nearer: at 1/10 of the speed, what motion adds is a small part of what it was."""
    wheel, bridge = tr.Wheel(0.46, 8e3), tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, damping=0.2), tr.STEEL)
    rest, off = tr.rest(wheel, bridge, 8.0, 8e3 * GRAVITY), []
    for speed in (10.0, 1.0):
        run = tr.cross(
            bridge, [(wheel, 0.0)], speed, contact=contact, size=20, dt=0.02 / speed, t_end=8.0 / speed
        )
        off.append(abs(run.deflection(8.0)[-1] / float(rest.deflection(8.0)) - 1.0))
    assert off[1] < 0.2 * off[0]
    assert off[1] < 1e-3
    assert run.contact_forces[-1, 0] == pytest.approx(rest.forces[0], rel=1e-4)
    assert run.approach[-1, 0] == pytest.approx(rest.approaches[0], rel=1e-3)


def test_slopes_and_curvatures_of_the_motion_are_warned_of():
    soft, wheel = tr.Bridge(tr.Beam(20.0, 6e6, 500.0), tr.STEEL), [(tr.Wheel(0.46, 8e3), 0.0)]
    with pytest.warns(UserWarning, match=r"slope of 0\.\d+ at t = 0\.\d+ s, x = \d+"):
        run = tr.cross(soft, wheel, SPEED, contact="rigid", dt=1e-3, size=10)
    assert steepest(run)[0] > STEEPEST
    bent, light = tr.Bridge(tr.Beam(2.0, 1.3e4, 40.0), tr.STEEL), [(tr.Wheel(0.46, 200.0), 0.0)]
    for model in ("modes", "elements"):
        with pytest.warns(UserWarning, match=r"wheel curvature = .* at t = .* 0\.\d% too soft"):
            run = tr.cross(bent, light, 10.0, contact="hertz", dt=1e-3, size=10, model=model)
        assert most_bent(run)[0] > NOTICED


def test_steps_of_the_track_at_soft_ends_are_warned_of():
    """By the height of the end as a wheel passes it; level ends have none."""
    wheels = [(tr.Wheel(0.46, 8e3), 0.0), (tr.Wheel(0.46, 8e3), 3.0)]
    for k, met in ((1e8, True), (1e13, False)):
        soft = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, supports=(tr.Support(k, 0.0),) * 2), tr.STEEL)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            tr.cross(soft, wheels, SPEED, contact="hertz", dt=1e-3, size=10)
        assert any("meets a step of the track" in str(one.message) for one in told) == met


def test_elements_with_shear_do_not_ripple():
    """Elements pass 183 times a second, as the wheel oscillates on its contact."""
    section = {"shear_stiffness": 9e8, "rotary_inertia": 900.0, "supports": ("pinned", "clamped")}
    bridge = tr.Bridge(tr.Beam(18.0, 2.4e9, 6100.0, damping=tr.Rayleigh(1.0, 1e-5), **section), tr.STEEL)
    train = [(tr.Wheel(0.5, 1100.0, suspension=tr.Suspension(1.2e6, 3e4, 9e3)), 0.0)]
    given = {"contact": "hertz", "t_end": 0.12, "dt": 1e-4}
    smooth = tr.cross(bridge, train, 33.0, size=150, residual=True, **given)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = tr.cross(bridge, train, 33.0, model="elements", **given)
    apart = np.abs(run.contact_forces - smooth.contact_forces) / run.contacts[0].load
    assert apart.max() < 4e-3
    assert np.sqrt(np.mean(apart**2)) < 1e-3


def test_curvature_changes_the_approach_by_a_sixth_of_it():
    """The estimate behind the warning, R c/4 of the stiffness constant, against `tr.rest`."""
    force, wheel = 200.0 * GRAVITY, tr.Wheel(0.46, 200.0)
    bent, straight = (
        tr.rest(wheel, tr.Bridge(tr.Beam(2.0, EI, 40.0), tr.STEEL), 1.0, force) for EI in (4e3, 1e9)
    )
    curvature = 0.46 * force * 2.0 / 8.0 / 4e3
    assert curvature > 0.05
    change = 1.0 - float(bent.approaches[0] / straight.approaches[0])
    assert change == pytest.approx(curvature / 6.0, rel=0.15)


def test_default_step_resolves_a_flat():
    flat = tr.Irregularity.flat(0.46, 0.04, at=1.0)
    wheel = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3), irregularity=flat)
    given = {"contact": "hertz", "size": 8, "t_end": 0.065}
    run = tr.cross(BRIDGE, [(wheel, 0.0)], 20.0, method="newmark", **given)
    fine = tr.cross(BRIDGE, [(wheel, 0.0)], 20.0, dt=3e-6, **given)
    assert run.dt == pytest.approx(0.04 / 20.0 / 80, rel=1e-3)
    assert fine.contact_forces.max() > 1.5 * 1e4 * GRAVITY
    assert run.contact_forces.max() == pytest.approx(fine.contact_forces.max(), rel=5e-3)


def test_an_unstable_march_that_fails_leaves_its_motion():
    given = {"contact": "hertz", "size": 20, "method": "verlet", "dt": 5e-3, "allow_unstable": True}
    with pytest.raises(tr.ConvergenceError, match=r"at t = 0\.\d+ s") as failed:
        tr.cross(BRIDGE, [(tr.Wheel(0.46, 8e3), 0.0)], SPEED, **given)
    until = failed.value.result
    assert 1 < until.t.size == until.q.shape[0]
    assert np.isfinite(until.q).all()


def test_refused_before_the_run():
    wheel = tr.Wheel(0.46, 8e3)
    small = tr.Grid(16, 16, 2e-4, 2e-4)
    with pytest.raises(tr.InputError, match="outside the beam"):
        tr.rest(wheel, BRIDGE, 25.0, 1e5)
    with pytest.raises(tr.InputError, match=r"the patch of wheel 1 \(index 0\) under 100000 N: enlarge"):
        tr.rest(wheel, BRIDGE, 10.0, 1e5, grid=small)
    with pytest.raises(tr.InputError, match=r"bend by 41\.7 m with a slope of .* stiffen it"):
        tr.rest(wheel, tr.Bridge(tr.Beam(20.0, 1e5, 7900.0), tr.STEEL), 10.0, 1e5)
    with pytest.warns(UserWarning, match="small deflections"):
        tr.rest(wheel, tr.Bridge(tr.Beam(20.0, 2e6, 7900.0), tr.STEEL), 10.0, 1e5)
    for options, words in (
        (
            {"method": "rk4", "dt": 1e-3},
            r"above the stability limit .* of method 'rk4': bridge, vehicles and cont",
        ),
        ({"contact": "half-space", "grid": small}, "smaller than the patch at rest, about 0.01"),
        ({"t_end": -1.0}, "t_end"),
    ):
        with pytest.raises(tr.InputError, match=words):
            tr.cross(BRIDGE, [(wheel, 0.0)], SPEED, **{"contact": "hertz", **options})
    with pytest.raises(tr.InputError, match="backwards from the first axle"):
        tr.cross(BRIDGE, [(wheel, 0.0), (wheel, -3.0)], SPEED, contact="hertz")


def test_declared_limit_counts_the_contact():
    """A light wheel on its contact swings faster than any mode kept: its limit is that of the contact."""
    train = [(tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 0.0, 9e3)), 0.0)]
    given = {"contact": "hertz", "size": 3, "method": "verlet", "t_end": 0.3}
    stiff = tr.cross(BRIDGE, train, SPEED, contact="hertz", size=3, dt=1e-3).contacts[0].stiffness
    limit = 2.0 / np.sqrt(stiff / 1e3)
    with pytest.raises(tr.InputError, match="stability limit"):
        tr.cross(BRIDGE, train, SPEED, dt=1.02 * limit, **given)
    assert tr.cross(BRIDGE, train, SPEED, dt=0.9 * limit, **given).energies.drift < 1e-2
