"""Contact laws in impacts: power laws, damping, plastic flow, other shapes."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import traction as tr
from traction.laws.kernels import law_values as kernels
from traction.laws.rigid_strike import strike_rigid_ground

GROUND = tr.RigidGround()
K, M = 1e9, 0.01


@pytest.mark.parametrize("exponent", [0.8, 1.0, 1.5, 2.0, 3.5])
def test_power_laws_on_rigid_ground(exponent):
    striker = tr.Striker(M, 1.0, law=tr.PowerLaw(1e7, exponent))
    force, _, duration = strike_rigid_ground(striker.law.compiled(1.0), M, 1.0)
    (contact,) = tr.impact(GROUND, None, striker).contacts
    assert contact.peak == pytest.approx(force, rel=1e-7)
    assert contact.duration == pytest.approx(duration, rel=1e-7)


def test_linear_spring_is_half_a_sine():
    (contact,) = tr.impact(GROUND, None, tr.Striker(M, 2.0, law=tr.PowerLaw(1e6, 1.0))).contacts
    assert contact.duration == pytest.approx(math.pi * math.sqrt(M / 1e6), rel=1e-9)
    assert contact.peak == pytest.approx(2.0 * math.sqrt(M * 1e6), rel=1e-8)


@pytest.mark.parametrize("product", [0.01, 0.5, 2.0])
def test_damped_contact_by_hunt_and_crossley(product):
    """d (1 + e) = ln((1 + d)/(1 - e d)) with d = damping times speed."""
    history = tr.impact(GROUND, None, tr.Striker(M, 2.0, law=tr.PowerLaw(K, 1.5), damping=product / 2.0))
    most = min(1.0, (1.0 - 1e-12) / product)
    expected = brentq(
        lambda e: product * (1.0 + e) - math.log1p(product) + math.log1p(-e * product), 1e-6, most, xtol=1e-14
    )
    assert history.restitution == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("ratio", [0.9, 1.2, 3.0, 10.0, 60.0])
def test_plastic_contact_by_thornton(ratio):
    """Restitution over the ratio of the speed to that of yield (Thornton 1997, equation 41)."""
    limit = 1e-6
    law = tr.PlasticLaw(tr.PowerLaw(K, 1.5), limit)
    speed = ratio * math.sqrt(0.8 * K * limit**2.5 / M)
    history = tr.impact(GROUND, None, tr.Striker(M, speed, law=law))
    x = 1.0 / ratio
    inner = x / (x + 2.0 * math.sqrt(1.2 - 0.2 * x * x))
    expected = math.sqrt(1.2 * math.sqrt(3.0) * (1.0 - x * x / 6.0)) * inner**0.25 if x < 1.0 else 1.0
    assert history.restitution == pytest.approx(expected, abs=1e-7)
    assert history.energies.imbalance < 1e-7
    if x < 1.0:
        spent = history.track.memories[-1, kernels.SPENT]
        assert spent == pytest.approx(0.5 * M * speed**2 * (1.0 - expected**2), rel=1e-6)


def test_plastic_contact_reloads_from_its_dent(classical):
    """On a beam the striker comes back to the dent; deeper, it flows again."""
    law = tr.PlasticLaw(tr.PowerLaw(1.58e10, 1.5), 1e-6)
    history = tr.impact(classical.beam, classical.at, tr.Striker(0.3, 0.3, law=law), t_end=0.02)
    assert len(history.contacts) > 1
    deepest = history.track.memories[:, kernels.DEEPEST]
    assert (np.diff(deepest[deepest > 0.0]) >= 0.0).all()
    assert history.energies.imbalance < 1e-7
    assert 0.0 <= history.track.memories[-1, kernels.SPENT] < 0.5 * 0.3 * 0.3**2


def test_yield_pressure_gives_the_approach():
    law = tr.PlasticLaw.from_yield_pressure(0.01, 1e11, 1e9)
    force = law.elastic.coefficient * law.yield_approach**1.5
    area = math.pi * 0.01 * law.yield_approach
    assert 1.5 * force / area == pytest.approx(1e9, rel=1e-12)


def test_half_space_of_a_sphere_is_hertz(classical):
    material = tr.Material(2.1e11, 0.3, 7800.0)
    pair = tr.Pair(material, material)
    closed = tr.Striker(0.03, 0.1, radius=0.01, pair=pair)
    a = math.sqrt(0.01 * strike_rigid_ground(closed.law.compiled(1.0), 0.03, 0.1).depth)
    law = tr.HalfSpaceLaw(tr.Sphere(0.01), tr.Grid(41, 41, 2.6 * a / 41, 2.6 * a / 41), pair)
    striker = tr.Striker(0.03, 0.1, law=law)
    for structure, at in ((GROUND, None), (classical.beam, 0.07)):
        found = tr.impact(structure, at, striker, t_end=3e-4)
        expected = tr.impact(structure, at, closed, t_end=3e-4)
        assert found.contacts[0].peak == pytest.approx(expected.contacts[0].peak, rel=2e-3)
        assert found.contacts[0].end == pytest.approx(expected.contacts[0].end, rel=2e-3)
        assert found.energies.imbalance < 1e-7
    damped = tr.impact(GROUND, None, tr.Striker(0.03, 0.1, law=law, damping=1.0))
    assert damped.restitution < 0.95


def test_half_space_of_a_blunt_shape_is_stiffer():
    material = tr.Material(2.1e11, 0.3, 7800.0)
    pair = tr.Pair(material, material)
    blunt = tr.FunctionSurface(lambda x, y: 4e6 * (x * x + y * y) ** 2)
    law = tr.HalfSpaceLaw(blunt, tr.Grid(33, 33, 6e-5, 6e-5), pair)
    history = tr.impact(GROUND, None, tr.Striker(0.03, 0.5, law=law))
    assert history.restitution == pytest.approx(1.0, abs=1e-6)
    # F grows with the power 1 + 1/4 of the approach for a gap of the fourth power
    table = history.law.table
    assert table[-20:, 2].mean() == pytest.approx(1.25, abs=0.02)


def test_force_of_the_table_is_smooth_and_has_its_energy():
    material = tr.Material(2.1e11, 0.3, 7800.0)
    law = tr.HalfSpaceLaw(tr.Sphere(0.01), tr.Grid(21, 21, 1.5e-5, 1.5e-5), tr.Pair(material, material))
    made = law.compiled(1e-5)
    depths = np.geomspace(1e-9, np.exp(made.table[-1, 0]), 400)
    memory = np.zeros(kernels.REMEMBERED)
    force = np.array([kernels.contact_force(made, memory, d, 0.0) for d in depths])
    energy = kernels.contact_energies(made, np.zeros((400, kernels.REMEMBERED)), depths)
    h = 1e-6 * depths
    ahead = kernels.contact_energies(made, np.zeros((400, kernels.REMEMBERED)), depths + h)
    assert (ahead - energy) / h == pytest.approx(force[:, 0], rel=1e-4)
    assert (np.diff(force[:, 0]) > 0.0).all()


def test_deep_dents_are_marched_through_in_spite_of_rounding():
    """The approach is a small difference of large displacements where a soft beam yields much."""
    beam = tr.Beam(8.11, 3.89, 0.717, supports=("pinned", "free"), damping=0.01)
    law = tr.PlasticLaw(tr.PowerLaw(8.66e9, 1.5), 7.4e-8)
    history = tr.impact(beam, 3.0, tr.Striker(2.41, 1.83, law=law), modes=30, gravity=9.81, t_end=0.05)
    assert history.ok
    assert history.contacts[0].end < 0.05


def test_damped_contact_lets_go_where_it_would_pull():
    """The beam falls back faster than 1/c: no force, then contact again or flight; never a gain of energy."""
    beam = tr.Beam(7.43, 2.4, 3.25, supports=("pinned", "clamped"), damping=0.01)
    law = tr.DampedLaw(tr.PowerLaw(7.63e7, 1.5), 33.2)
    history = tr.impact(beam, 3.5, tr.Striker(1.8, 0.072, law=law), modes=30, t_end=0.5)
    assert history.ok
    assert (history.force > -1e-9 * history.force.max()).all()
    total = history.energies.total
    assert (np.diff(total) <= 1e-7 * total[0]).all()
    inside = ~history.track.touching & (history.track.cubics == 0.0).all(axis=1)
    assert inside.any()
