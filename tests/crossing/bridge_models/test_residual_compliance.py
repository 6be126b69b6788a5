"""What modes left out give way under wheels: its size, its energy, and what it is good for."""

import numpy as np
import pytest

import traction as tr
from coarse import LONG_STEPS
from traction.crossing import time_step
from traction.crossing.bridge_models.residual_compliance import _smooth, residual_compliance
from traction.crossing.marches.kernels.contact_springs import (
    Springs,
    pair_works,
    series_mean,
    spring_inside,
    turning_work,
)
from traction.crossing.packed_train import pack_cars
from traction.crossing.setup import _count_pairs
from traction.trains.travel import read_travel

pytestmark = pytest.mark.filterwarnings("ignore:wheel .* meets a step of the track")

CLAMPED = tr.Beam(20.0, 2e11 * 0.0104, 7900.0, damping=0.01)
SHORT = tr.Beam(6.0, 4e8, 1500.0, shear_stiffness=2e9, rotary_inertia=90.0, supports=("pinned", "pinned"))
BEAMS = {
    "clamped": CLAMPED,
    "shear": SHORT,
    "spans": tr.Beam.spans([SHORT, SHORT]),
    "foundation": tr.Beam(20.0, 2e9, 7900.0, foundation=1e9),
    "free": tr.Beam(10.0, 2e9, 2000.0, supports=("free", "free")),
    "springs": tr.Beam(20.0, 2e9, 7900.0, supports=(tr.Support(1e9, 0.0), tr.Support(2e9, 0.0))),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("held", BEAMS)
def test_it_is_the_sum_over_the_modes_left_out(held):
    beam, many = BEAMS[held], 90
    x = np.linspace(0.02, 0.97, 7) * beam.length
    modes = beam.modes(many)
    for size in (4, 12):
        value, slope = residual_compliance(beam, size).at(x)
        left = slice(size, None)
        tail = (modes.deflection(x)[left] ** 2 / modes.frequencies[left, None] ** 2).sum(axis=0)
        rest = residual_compliance(beam, many).at(x)[0]
        np.testing.assert_allclose(value, tail + rest, rtol=1e-5, atol=1e-6 * value.max())
        step = 1e-5 * beam.length
        ahead, behind = (residual_compliance(beam, size).at(x + d)[0] for d in (step, -step))
        np.testing.assert_allclose(slope, (ahead - behind) / (2 * step), atol=1e-4 * np.abs(slope).max())
    assert residual_compliance(beam, 4).at(np.array([-1.0, beam.length + 1.0]))[0].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("held", BEAMS)
def test_between_wheels_it_is_that_of_the_flexibility(held):
    """At places in one segment, in two, at one place and at the ends."""
    beam = BEAMS[held]
    left_out, L = residual_compliance(beam, 6), beam.length
    places = np.array([(0.0, L, 0.3 * L), (0.5 * L, 0.5 * L, 0.9 * L), (0.41 * L, 0.13 * L, 0.66 * L)])
    pairs = np.array([(0, 1), (1, 2), (0, 2)])
    own, found = left_out.between(places, np.ones(places.shape, dtype=bool), pairs)
    scale = left_out.at(np.linspace(0.0, L, 31))[0].max()
    np.testing.assert_allclose(own, left_out.at(places)[0], atol=1e-12 * scale)
    assert np.abs(found[1:]).max() > 1e-3 * scale
    for row, values in zip(places, found, strict=True):
        known = [left_out.flexibility.under(row[k])("deflection", row[j]) for k, j in pairs]
        np.testing.assert_allclose(values, known, atol=1e-9 * scale)


def test_works_on_the_compliance_between_wheels_close_its_energy():
    """With forces F that are not the means of those at both ends."""
    rng = np.random.default_rng(3)
    C = rng.uniform(1.0, 2.0, (2, 3, 3))
    C += C.swapaxes(1, 2)
    C[:, range(3), range(3)] = 0.0
    before, after, F = rng.uniform(1.0, 2.0, (3, 3))
    works = np.empty(2)
    pair_works(C, before, after, F, works)
    stored = 0.5 * (after @ C[1] @ after - before @ C[0] @ before)
    assert works.sum() == pytest.approx(stored - F @ (C[1] @ after - C[0] @ before), rel=1e-12)
    mean = 0.5 * (before + after)
    pair_works(C, before, after, mean, works)
    assert works[1] == 0.0


def test_few_modes_carry_several_wheels():
    """Three wheels 1 m apart, against 120 modes; each feeling only its own left 3e-3 of the load at 20."""
    wheel = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3))
    given = {
        "contact": "hertz",
        "dt": 2e-4,
        "t_end": 0.4,
        "irregularity": tr.Irregularity.harmonic(1e-4, 0.9),
    }
    beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"))
    train = [(wheel, 0.0), (wheel, 1.0), (wheel, 2.0)]
    runs = [
        tr.cross(tr.Bridge(beam, tr.STEEL), train, 30.0, size=n, residual=residual, **given)
        for n, residual in ((120, True), (20, False), (20, True), (40, True))
    ]
    off = [np.abs(run.contact_forces - runs[0].contact_forces).max() / (1e4 * 9.81) for run in runs[1:]]
    assert off[0] > 5e-3
    assert off[1] < 3e-4
    assert off[2] < 2e-5
    for run in runs[2:]:
        assert run.energies.closure < 1e-9
        assert 0.0 < run.energies.drift < 1e-11


def test_mean_force_of_springs_in_series_takes_up_their_energy():
    k, R, start, end = 1e11, 2e-10, 1e-4, 1.7e-4
    energy = lambda a: 0.4 * k * a**2.5 + 0.5 * R * (k * a**1.5) ** 2  # noqa: E731
    mean = (0.4 * k * end**2.5 - 0.4 * k * start**2.5) / (end - start)
    forces = k * start**1.5, k * end**1.5

    def found(at):
        m = (0.4 * k * at**2.5 - 0.4 * k * start**2.5) / (at - start)
        slope = (k * at**1.5 - m) / (at - start)
        return series_mean(m, slope, R, at - start, (forces[0], k * at**1.5), 1.5 * k * at**0.5)

    F, slope = found(end)
    whole = end - start + R * (forces[1] - forces[0])
    assert F * whole == pytest.approx(energy(end) - energy(start), rel=1e-13)
    assert min(mean, 0.5 * sum(forces)) <= F <= max(mean, 0.5 * sum(forces))
    assert slope == pytest.approx((found(end + 1e-9)[0] - found(end - 1e-9)[0]) / 2e-9, rel=1e-6)
    springs = Springs(
        np.array([k]), np.ones(1), np.zeros((0, 2, 1)), np.zeros((0, 6)), np.zeros((1, 2), dtype=np.int64),
        np.array([-1.0, 0.0]), np.zeros((1, 2)), np.zeros((0, 2, 1)),
        np.zeros((0, 2), dtype=np.int64), np.zeros((1, 0)), np.zeros((1, 1)), np.zeros((2, 0, 0)),
    )  # fmt: skip
    inner = spring_inside(springs, 0, R, end)
    assert inner + R * k * inner**1.5 == pytest.approx(end, rel=1e-14)
    assert turning_work(np.array([R, R]), forces, F) == 0.0
    assert turning_work(np.array([0.9 * R, 1.1 * R]), (5.0, 5.0), 5.0) == pytest.approx(-0.5 * 25.0 * 0.2 * R)


@LONG_STEPS  # energy is kept at any step
@pytest.mark.sampled(2)
@pytest.mark.parametrize("contact", ["hertz", "half-space"])
def test_energy_is_kept_with_it(contact):
    """Few modes of a bridge on springs, where wheels enter with a step: the others hold much energy."""
    wheel = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3))
    run = tr.cross(
        tr.Bridge(BEAMS["springs"], tr.STEEL),
        [(wheel, 0.0), (wheel, 7.0)],
        30.0,
        contact=contact,
        size=3,
        dt=1e-3,
        residual=True,
    )
    marched = run.ledger.args[0].energies
    left_out = 0.5 * marched.compliance * marched.forces**2
    assert np.abs(marched.shared).max() > 1e-2 * left_out.max()
    assert left_out.max() > 1e-2 * marched.energy.max()
    assert np.abs(marched.contacts.turned).sum() > 1e-3 * run.energies.work
    assert run.energies.closure < 1e-8


def test_fewer_modes_suffice():
    """Against 80 modes, 20 with the others at rest are far nearer than 20 alone, in forces too."""
    wheel = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3))
    given = {"contact": "hertz", "dt": 2e-4, "irregularity": tr.Irregularity.harmonic(1e-4, 0.9)}
    runs = [
        tr.cross(tr.Bridge(CLAMPED, tr.STEEL), [(wheel, 0.0)], 30.0, size=n, residual=residual, **given)
        for n, residual in ((80, True), (20, False), (20, True))
    ]
    off = [np.abs(run.contact_forces - runs[0].contact_forces).max() for run in runs[1:]]
    assert off[0] > 1e-4 * 1e4 * 9.81
    assert off[1] < 0.05 * off[0]


@pytest.mark.parametrize("method", ["newmark", "energy-conserving"])
def test_methods_feel_it_too(method):
    wheel = tr.Wheel(0.46, 1e4)
    given = {"contact": "hertz", "size": 4, "t_end": 0.3, "dt": 5e-4}
    bridge, train = tr.Bridge(CLAMPED, tr.STEEL), [(wheel, 0.0)]
    condensed, alone = (tr.cross(bridge, train, 30.0, residual=one, **given) for one in (True, False))
    run = tr.cross(bridge, train, 30.0, method=method, residual=True, **given)
    felt = np.abs(condensed.contact_forces - alone.contact_forces).max()
    assert np.abs(run.contact_forces - condensed.contact_forces).max() < 0.2 * felt
    assert run.energies.closure < 1e-8
    np.testing.assert_allclose(run.approach, condensed.approach, rtol=2e-3)


@pytest.mark.parametrize("method", ["newmark", "energy-conserving"])
def test_wheels_feel_each_other_in_methods_too(method):
    """As in the condensed march, with the energy that pairs store and the drive does."""
    train = [(tr.Wheel(0.46, 3e3), float(x)) for x in range(3)]
    given = {"contact": "hertz", "size": 4, "t_end": 0.2, "dt": 5e-4}
    bridge = tr.Bridge(CLAMPED, tr.STEEL)
    condensed, alone = (tr.cross(bridge, train, 30.0, residual=one, **given) for one in (True, False))
    run = tr.cross(bridge, train, 30.0, method=method, residual=True, **given)
    felt = np.abs(condensed.contact_forces - alone.contact_forces).max()
    assert np.abs(run.contact_forces - condensed.contact_forces).max() < 0.1 * felt
    np.testing.assert_allclose(run.approach, condensed.approach, rtol=2e-3)
    assert run.energies.closure < 1e-8
    if method == "energy-conserving":
        assert np.abs(run.energies.numerical).max() < 1e-10 * run.energies.work


def test_pairs_of_wheels_count_in_the_memory_of_a_default_step(monkeypatch):
    monkeypatch.setattr(time_step, "MOST_NUMBERS", 2e6)
    monkeypatch.setattr(time_step, "MOST_PER_CROSSING", 1)
    monkeypatch.setattr(time_step, "PER_RUN", 1)
    wheels = tr.Train([(tr.Wheel(0.46, 1e3), float(x)) for x in range(20)])
    way = read_travel(30.0, None)
    alone, coupled = (
        time_step.condensed_step(CLAMPED, wheels, 40, way, 1.0, beside=pairs) for pairs in (0, 190)
    )
    assert coupled == pytest.approx(250 / 2e6)
    assert alone < 0.5 * coupled
    assert _count_pairs(CLAMPED, pack_cars(wheels, 9.81)) == 190


def test_slope_of_the_compliance_between_wheels():
    """As all wheels move: differences of the compliance itself, over spans, at a support and outside."""
    left_out = residual_compliance(CLAMPED, 4)
    ends = left_out.bridge.ends
    x = ends[0] + np.array([[0.1, 0.3, 0.301], [0.45, 0.8, 0.99], [0.2, 0.9, 1.2]]) * (ends[-1] - ends[0])
    pairs, h = np.array([[0, 1], [0, 2], [1, 2]]), 1e-4
    C, slope = left_out.between_wheels(x, pairs)
    (low, _), (high, _) = (left_out.between_wheels(x + off, pairs) for off in (-h, h))
    np.testing.assert_allclose(slope, (high - low) / (2.0 * h), atol=1e-6 * np.abs(slope).max())
    assert (C[2, 1:] == 0.0).all()
    assert (slope[2, 1:] == 0.0).all()


def test_slow_wheel_on_few_modes_stands_where_it_does_at_rest():
    """Feeling the modes left out, it comes down as far as `tr.rest` tells; what is left is its motion."""
    bridge = tr.Bridge(tr.Beam(20.0, 2e11 * 0.0104, 7900.0, damping=0.2), tr.STEEL)
    wheel = tr.Wheel(0.46, 8e3)
    known = tr.rest(wheel, bridge, 10.0, 8e3 * 9.81)
    off = {}
    for speed, residual in ((0.5, None), (0.5, True), (1.0, True)):
        run = tr.cross(
            bridge, [(wheel, 0.0)], speed, contact="half-space", size=4, dt=0.02 / speed, t_end=10.0 / speed,
            residual=residual,
        )  # fmt: skip
        off[speed, residual] = (run.vehicle[-1, 0] + run.contacts[0].static) / known.drops[0] - 1.0
        assert run.deflection(10.0)[-1] == pytest.approx(float(known.deflection(10.0)), rel=1e-4)
    assert abs(off[0.5, True]) < 2e-5
    assert abs(off[0.5, True]) < 0.01 * abs(off[0.5, None])
    assert abs(off[1.0, True]) < 5e-5


def test_hard_contact_on_few_modes_is_the_moving_mass_on_all():
    """Rigid wheels on five modes are off by their own, not by the compliance that others feel."""
    hard = tr.Material(2.1e15, 0.3)
    bridge, train = (
        tr.Bridge(tr.Beam(20.0, 2e11 * 0.0104, 7900.0), hard),
        [(tr.Wheel(0.46, 76e3, material=hard), 0.0)],
    )
    given = {"speed": 30.0, "dt": 2e-4}
    rigid, five, felt = (
        tr.cross(bridge, train, contact=contact, size=size, residual=residual, **given)
        for contact, size, residual in (("rigid", 80, None), ("rigid", 5, None), ("hertz", 5, True))
    )
    w = rigid.deflection(10.0)
    off = [np.abs(run.deflection(10.0) - w).max() / w.max() for run in (five, felt)]
    assert off[0] > 3e-3
    assert off[1] < 1e-4
    inner = slice(100, -100)
    shaken = [np.abs(run.contact_forces - rigid.contact_forces)[inner].max() for run in (five, felt)]
    assert shaken[1] < 0.3 * shaken[0]


def test_near_axles_are_warned_of():
    """From half a wave of the last mode on, two wheels stand better with the modes left out than without."""
    beam = tr.Beam(20.0, 2e11 * 0.0104, 7900.0, damping=0.5)
    bridge, wheel = tr.Bridge(beam, tr.STEEL), tr.Wheel(0.46, 8e3, suspension=tr.Suspension(1e7, 1e6, 100.0))
    weight = 8.1e3 * 9.81
    known = np.array(beam.bend([(weight, 11.0), (weight, 7.0)]).deflection([11.0, 7.0]))

    def speed(t):
        return np.where(np.asarray(t) < 20.0, 0.55 * (1.0 - np.cos(0.1 * np.pi * np.asarray(t))), 0.0)

    off = []
    for residual in (None, True):
        run = tr.cross(
            bridge, [(wheel, 0.0), (wheel, 4.0)], speed, contact="hertz", size=5, dt=0.02, t_end=23.0,
            residual=residual,
        )  # fmt: skip
        off.append(np.abs(run.vehicle[-1, [0, 2]] / known - 1.0).max())
    assert off[1] < 0.1 * off[0]
    with pytest.warns(UserWarning, match=r"wheel 2 m from another axle is nearer than half a wave .* 4 m"):
        tr.cross(bridge, [(1e4, 0.0), (wheel, 2.0)], 30.0, contact="hertz", size=5, dt=1e-2, residual=True)


@pytest.mark.parametrize("bad", [lambda x: np.full(x.shape, np.nan), lambda x: np.sin(1e5 * x)])
def test_no_line_through_what_is_no_smooth_function(bad):
    with pytest.raises(tr.ConvergenceError, match=r"0 and 1 m is not a smooth function .*residual=F"):
        _smooth(bad, 0.0, 1.0)
