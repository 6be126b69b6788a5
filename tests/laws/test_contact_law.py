"""The contract of contact laws, which every law keeps; and laws that a user writes."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

import traction as tr
from traction.laws.half_space_table import HalfSpaceTable

STEEL = tr.Pair(tr.STEEL, tr.STEEL)
HERTZ = tr.PowerLaw.hertz(0.01, STEEL)
DEPTH = 2e-5  #: largest approach of the tests, beyond first touch, m
YIELD = 3e-6  #: m


class Stiffening(tr.ContactLaw):
    """A law of one's own: F = k (delta + delta^3/s^2)."""

    k, s = 1e7, 1e-5

    def response(self, approach, memory=None, *, rate=0.0):
        d = max(0.0, approach)
        inner = (d / self.s) ** 2
        stiffness = self.k * (1.0 + 3.0 * inner) if d > 0.0 else 0.0
        return tr.Response(self.k * d * (1.0 + inner), stiffness, self.k * d * d * (0.5 + 0.25 * inner))


def half_space():
    return tr.HalfSpaceLaw(tr.Sphere(0.01), tr.Grid(24, 24, 5e-5, 5e-5), STEEL, tol=1e-10)


LAWS = {
    "hertz": lambda: HERTZ,
    "linear": lambda: tr.PowerLaw(1e7, 1.0),
    "table": lambda: tr.TabulatedLaw([1e-6, 3e-6, 1e-5, 4e-5], [1.0, 7.0, 30.0, 500.0]),
    "half space": half_space,
    "raised half space": lambda: tr.HalfSpaceLaw(
        lambda x, y: (x * x + y * y) / 0.02 + 1e-6, tr.Grid(24, 24, 5e-5, 5e-5), STEEL, tol=1e-10
    ),
    "tabulated half space": lambda: HalfSpaceTable(half_space()),
    "damped table": lambda: tr.DampedLaw(HalfSpaceTable(half_space()), 0.3),
    "damped": lambda: tr.DampedLaw(HERTZ, 0.3),
    "damped half space": lambda: tr.DampedLaw(half_space(), 0.3),
    "plastic": lambda: tr.PlasticLaw(HERTZ, YIELD),
    "own": Stiffening,
}


@pytest.fixture(params=LAWS)
def law(request):
    return LAWS[request.param]()


def approaches(law, n=7):
    return law.first_touch + DEPTH * np.linspace(0.1, 1.0, n)


def test_the_force_is_the_law_called(law):
    at = approaches(law)
    forces = [law.response(d, law.begin()).force for d in at]
    assert isinstance(law(at[2]), float)
    assert law(at[2]) == pytest.approx(forces[2], rel=1e-9)
    np.testing.assert_allclose(law(at), forces, rtol=1e-9)
    assert law(at.reshape(1, -1)).shape == (1, at.size)
    assert law(law.first_touch) == law(law.first_touch - 1e-6) == 0.0


def test_stiffness_is_the_derivative_of_the_force(law):
    for d in approaches(law):
        memory, step = law.response(d, law.begin()).memory, 1e-4 * DEPTH
        force = lambda x: law.response(x, law.begin()).force  # noqa: E731
        slope = (force(d + step) - force(d - step)) / (2.0 * step)
        # elements that enter within the step change the stiffness of a contact on a grid
        rel = 1e-5 if law.grid is None else 0.05
        assert law.response(d, law.begin()).stiffness == pytest.approx(slope, rel=rel)
        assert set(memory) == set(law.begin())


def test_energy_is_the_integral_of_the_force(law):
    start, end = law.first_touch, law.first_touch + DEPTH
    if law.grid is None:
        work = quad(lambda d: law(d), start, end, points=[start + YIELD], epsrel=1e-12)[0]
        assert law.response(end, law.begin()).energy == pytest.approx(work, rel=1e-6)
    else:
        x = np.linspace(start, end, 801)
        work = float(np.trapezoid(law(x), x))
        assert law.response(end, law.begin()).energy == pytest.approx(work, rel=1e-4)


def test_equal_memories_have_equal_responses(law):
    """On the way in and out, whatever was asked between."""
    memory, kept = law.begin(), []
    for d in (*approaches(law), *approaches(law)[::-1]):
        kept.append((d, memory, law.response(d, memory)))
        memory = kept[-1][2].memory
    law.response(0.5 * DEPTH)
    other = law.response(law.first_touch + 0.9 * DEPTH, law.begin())
    for d, before, found in kept:
        again = law.response(d, law.recall({name: value.copy() for name, value in before.items()}))
        assert again == found
        assert set(again.memory) == set(found.memory)
        assert all(np.array_equal(again.memory[name], found.memory[name]) for name in found.memory)
    assert law.response(law.first_touch + 0.9 * DEPTH, law.begin()) == other


def test_a_given_memory_leaves_the_law_as_it_is(law):
    before = {name: value.copy() for name, value in law.memory.items()}
    for d in approaches(law):
        law.response(d, law.begin())
        law.contact(d, law.begin())
    assert all(np.array_equal(before[name], law.memory[name]) for name in before)
    assert law.grid == law.grid_of(law.begin())


def test_viscosity_is_the_derivative_by_the_rate(law):
    d = law.first_touch + 0.5 * DEPTH
    found, at_rest = law.response(d, law.begin(), rate=0.2), law.response(d, law.begin())
    above = law.response(d, law.begin(), rate=0.2 + 1e-3)
    assert (above.force - found.force) / 1e-3 == pytest.approx(found.viscosity, rel=1e-6)
    assert (found.viscosity > 0.0) == law.uses_rate
    assert found.energy == at_rest.energy
    assert law.response(d, law.begin(), rate=-100.0).force == (0.0 if law.uses_rate else at_rest.force)


def test_the_compiled_form_has_the_same_force(law):
    from traction.laws.kernels.law_values import REMEMBERED, contact_energy, contact_force

    most = law.response(law.first_touch + DEPTH, law.begin()).energy
    compiled, memory = law.compiled(most), np.zeros(REMEMBERED)
    rel = 1e-9 if law.grid is None and type(law) is not Stiffening else 3e-3
    for d in approaches(law):
        expected = law.response(d, law.begin(), rate=0.1)
        force, stiffness, viscosity = contact_force(compiled, memory, d - law.first_touch, 0.1)
        assert force == pytest.approx(expected.force, rel=rel)
        assert stiffness == pytest.approx(expected.stiffness, rel=20.0 * rel)
        assert viscosity == pytest.approx(expected.viscosity, rel=rel)
        energy = contact_energy(compiled, memory, d - law.first_touch)
        assert energy == pytest.approx(expected.energy, rel=rel)


def test_the_approach_under_a_load(law):
    load = law.response(law.first_touch + 0.4 * DEPTH, law.begin()).force
    found, memory = law.approach_under(load, law.first_touch + 0.1 * DEPTH)
    assert law.response(found, memory).force == pytest.approx(load, rel=1e-9)


@pytest.mark.parametrize("approach", [math.nan, math.inf, "1 mm", None, [1e-6, math.nan]])
def test_an_approach_must_be_finite(law, approach):
    with pytest.raises(tr.InputError, match="approach"):
        law(approach)


def test_what_the_laws_are():
    made = {name: law() for name, law in LAWS.items()}
    assert {name for name, law in made.items() if not law.is_elastic} == {
        "damped", "damped half space", "damped table", "plastic"
    }  # fmt: skip
    assert [name for name, law in made.items() if law.uses_history] == ["plastic"]
    assert [name for name, law in made.items() if law.power_form] == ["hertz", "linear", "damped"]
    assert made["damped"].power_form == (HERTZ.coefficient, 1.5, 0.3)
    assert made["damped half space"].grid == made["half space"].grid
    assert made["damped half space"].tol == 1e-10
    assert made["raised half space"].first_touch == pytest.approx(1e-6, rel=0.1)


def test_a_law_that_loses_energy_needs_a_compiled_form_of_its_own():
    class Sticky(Stiffening):
        uses_rate = True

    with pytest.raises(tr.InputError, match="Sticky has no compiled form"):
        Sticky().compiled(1.0)


def test_any_law_bounces_and_strikes(law):
    """A ball on each law: its bounce and its strike on rigid ground agree."""
    pair, mass, speed = STEEL, 0.03, 0.2
    history = tr.bounce(
        0.01, pair, -law.first_touch, contact=law, mass=mass, speed=speed, gravity=1e-6, t_end=2e-3, rtol=1e-8
    )
    strike = tr.impact(tr.RigidGround(), None, tr.Striker(mass, speed, law=law))
    after = float(history.v[-1]) / speed
    rel = 1e-4 if law.grid is None else 1e-2
    assert after == pytest.approx(strike.restitution, rel=rel)
    assert (after == pytest.approx(1.0, rel=1e-4)) == law.is_elastic
    assert float(history.contact_force.max()) == pytest.approx(strike.contacts[0].peak, rel=5e-2)
