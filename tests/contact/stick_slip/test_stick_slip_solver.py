"""The Newton method for stick and slip: small problems by hand, and random contacts of all kinds."""

from dataclasses import replace

import numpy as np
import pytest

import traction as tr
from traction.contact.elements.covered_cells import CoveredElements
from traction.contact.elements.covered_rolling import CoveredRolling, EdgeShares
from traction.contact.elements.whole_cells import WholeCells
from traction.contact.stick_slip import newton_iteration, stick_slip_solver
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.kernels import stick_slip_states as kernels
from traction.contact.stick_slip.rigid_slip import RigidSlip
from traction.contact.stick_slip.slip_equation import SlipEquation
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip
from traction.contact.stick_slip.traction_rates import solve_traction_rates
from traction.errors import ConvergenceError
from traction.halfspace import tangential_influence


def springs(known, bound=1.0, **more):
    """Elements that feel only themselves: s = p + k."""
    known = np.array(known, dtype=float).T[:, None, :]
    shape = known.shape[1:]
    return SlipEquation(
        bound=np.full(shape, bound),
        known=known,
        product=lambda p: p.copy(),
        inverse=lambda s: s.copy(),
        own=np.ones((2, *shape)),
        rho=np.ones(shape),
        **more,
    )


def test_springs_stick_below_the_bound_and_slip_above():
    found = solve_stick_slip(springs([(0.5, 0.0), (0.0, -0.9), (3.0, 4.0)]), tol=1e-12)
    assert found.converged
    np.testing.assert_allclose(found.traction[:, 0].T, [(-0.5, 0.0), (0.0, 0.9), (-0.6, -0.8)], atol=1e-11)
    assert found.stick.tolist() == [[True, True, False]]
    np.testing.assert_allclose(found.slip[:, 0, 2], (2.4, 3.2), rtol=1e-11)


def test_a_given_force_finds_its_shift():
    rigid = np.array([[[[1.0, 1.0]], [[0.0, 0.0]]]])
    equation = springs([(0.2, 0.0), (-0.2, 0.0)], rigid=rigid, resultants=rigid, given=np.array([1.5]))
    found = solve_stick_slip(equation, tol=1e-12)
    assert found.converged
    # one sticks at 0.5 or both reach 0.75 +- 0.2
    np.testing.assert_allclose(found.traction[0, 0], (0.55, 0.95), atol=1e-10)
    assert found.shifts == pytest.approx([-0.75])


def test_elements_outside_the_contact_carry_nothing():
    equation = replace(springs([(5.0, 0.0), (5.0, 0.0)]), bound=np.array([[1.0, 0.0]]))
    found = solve_stick_slip(equation, tol=1e-12)
    assert found.traction[:, 0, 1].tolist() == [0.0, 0.0]
    assert not found.stick[0, 1]


def test_rates_are_those_of_sticking_and_turning():
    equation = springs([(0.5, 0.0), (4.0, 0.0)])
    found = solve_stick_slip(equation, tol=1e-12)
    causes = np.zeros((2, 2, 1, 2))
    causes[0, 0] = causes[1, 1] = 1.0
    along_x, along_y = solve_traction_rates(equation, found, causes, tol=1e-12)
    np.testing.assert_allclose(
        along_x[0, 0], (-1.0, 0.0), atol=1e-10
    )  # what slips along x stays at its bound
    np.testing.assert_allclose(along_y[1, 0], (-1.0, -0.25), atol=1e-10)  # and turns by g/|k|


def test_nan_is_not_a_solution():
    assert not solve_stick_slip(springs([(np.nan, 0.0)]), tol=1e-6).converged


def test_states_and_violations():
    traction = np.array([[[0.2, 1.0, 0.0]], [[0.0, 0.0, 0.0]]])
    slip = np.array([[[0.0, -2.0, 1.0]], [[0.0, 0.0, 0.0]]])
    bound, rho = np.array([[1.0, 1.0, 0.0]]), np.ones((1, 3))
    state, normal, weight = np.zeros((1, 3), np.int8), np.zeros((2, 1, 3)), np.zeros((1, 3))
    assert kernels.classify(traction, slip, bound, rho, state, normal, weight) == 0.0
    assert state.tolist() == [[kernels.STICK, kernels.SLIP, kernels.OUTSIDE]]
    assert weight[0, 1] == pytest.approx(2.0)  # |s|/g


@pytest.fixture(scope="module")
def rolling():
    """An equation of steady rolling with spin, in which elements stick and slip."""
    body = tr.Material.from_shear_modulus(1.0, 0.25)
    n = tr.press(tr.Sphere(1.0), tr.Grid(18, 18, 0.1, 0.1), tr.Pair(body, body), force=0.5)
    size = 0.3 * n.peak_pressure
    rigid = RigidSlip((0.3 * size, 0.2 * size, size), (None, None))
    return WholeCells(FrictionPatch.around(n, 0.3), rigid, 1).equation


@pytest.mark.parametrize("factor", [0.05, 0.3, 1.0])
def test_any_rho_has_the_same_solution(rolling, factor):
    expected = solve_stick_slip(rolling, tol=1e-10)
    found = solve_stick_slip(replace(rolling, rho=factor * rolling.rho), tol=factor * 1e-10)
    assert expected.converged
    assert found.converged
    assert 0 < found.stick.sum() < np.count_nonzero(rolling.bound)
    assert np.abs(found.traction - expected.traction).max() <= 1e-7 * rolling.bound.max()


@pytest.mark.parametrize("failures", [1, 3, 4])
def test_when_newton_fails_other_ways_are_tried(rolling, monkeypatch, failures):
    """The first attempts are made to fail: other rho, then parts of the load, find the same answer."""
    expected = solve_stick_slip(rolling, tol=1e-9)
    newton, calls = stick_slip_solver.iterate_newton, []

    def failing(equation, **options):
        calls.append(1)
        answer = newton(equation, **options)
        return replace(answer, converged=False) if len(calls) <= failures else answer

    for module in (newton_iteration, stick_slip_solver):
        monkeypatch.setattr(module, "iterate_newton", failing)
    found = solve_stick_slip(rolling, tol=1e-9)
    assert found.converged
    assert len(calls) > failures
    assert np.abs(found.traction - expected.traction).max() <= 1e-6 * rolling.bound.max()
    assert found.products > expected.products


def test_a_force_is_found_by_halving_where_newton_flies_off(rolling, monkeypatch):
    force = np.zeros((1, 2, *rolling.bound.shape))
    force[:, 0] = 1.0
    one = (rolling.bound > 0.0).astype(float)
    rigid = np.array([[0.1 * one, 0.0 * one]])
    limit = rolling.bound.sum()
    equation = replace(rolling, rigid=rigid, resultants=force, given=np.array([0.4 * limit]))
    expected = solve_stick_slip(equation, tol=1e-9)
    newton = stick_slip_solver.iterate_newton

    def failing(equation, **options):
        answer = newton(equation, **options)
        return replace(answer, converged=answer.converged and not len(equation.given))

    for module in (newton_iteration, stick_slip_solver):
        monkeypatch.setattr(module, "iterate_newton", failing)
    found = solve_stick_slip(equation, tol=1e-8)
    assert found.converged
    assert found.shifts == pytest.approx(expected.shifts, rel=1e-6)


@pytest.mark.parametrize("discretisation", ["classical", "covered"])
@pytest.mark.parametrize("force", [(None, None), (0.3, None), (0.2, -0.4)])
def test_sums_of_waves_and_transforms_lead_to_the_same_iterates(discretisation, force, monkeypatch):
    """Small windows multiply by sums of waves, large ones by transforms."""
    body = tr.Material.from_shear_modulus(1.0, 0.25)
    n = tr.press(tr.Sphere(1.0), tr.Grid(18, 17, 0.1, 0.1), tr.Pair(body, body), force=0.5)
    patch, size = FrictionPatch.around(n, 0.3), 0.3 * n.peak_pressure
    shift = [0.3 * size, 0.2 * size, size]
    given = [None if part is None else part * 0.3 * n.force for part in force]
    rigid = RigidSlip(
        tuple(part if k == 2 or given[k] is None else None for k, part in enumerate(shift)), tuple(given)
    )
    steady = WholeCells(patch, rigid, 1)
    if discretisation == "covered":
        elements = CoveredElements(patch, 1)
        glides = elements.column < 3
        steady = CoveredRolling(patch, rigid, elements, EdgeShares(1.0 - glides, 1.0 * glides))
    found = solve_stick_slip(steady.equation, tol=1e-8)
    monkeypatch.setattr(tangential_influence, "SMALL", (0, 0))
    equation = replace(steady).equation
    expected = solve_stick_slip(equation, tol=1e-8)
    assert found.products == expected.products
    assert found.residuals == pytest.approx(expected.residuals, rel=1e-3, abs=1e-12)
    assert np.abs(found.traction - expected.traction).max() <= 1e-9 * equation.bound.max()
    np.testing.assert_allclose(found.shifts, expected.shifts, rtol=1e-8)


def test_octaves_add_up_to_the_slip_and_damp_long_waves_less():
    rng = np.random.default_rng(2)
    shape = (9, 14)
    slip, state = rng.normal(size=(2, *shape)), np.full(shape, kernels.STICK, np.int8)
    normal, weight = np.zeros((2, *shape)), np.zeros(shape)
    normal[0] = 1.0
    damping, shares = np.empty((kernels.OCTAVES, *shape)), np.empty((2, *shape))
    swept, alone = np.empty((2, *shape), np.float32), np.empty((2, *shape), np.float32)
    parts = np.empty((kernels.OCTAVES, 2, *shape), np.float32)
    kernels.fill_downstream_factors(state, normal, weight, np.ones((2, *shape)), damping, shares)
    kernels.split_octaves(slip, parts)
    np.testing.assert_allclose(parts.sum(axis=0), slip, atol=1e-6)
    kernels.sweep_downstream(parts, state, normal, damping, -1, swept, alone)
    np.testing.assert_allclose(swept, np.cumsum(slip, axis=2), atol=1e-5)
    state[:], weight[:] = kernels.SLIP, 0.5
    kernels.fill_downstream_factors(state, normal, weight, np.ones((2, *shape)), damping, shares)
    np.testing.assert_allclose(damping[:, 0, 0], [2 / 3, 4 / 5, 8 / 9, 16 / 17])


def random_rolling(seed):
    """A contact, its coefficient of friction and what is given: ratios 0.1 to 10, creepages of all sizes."""
    rng = np.random.default_rng(seed)
    body = tr.Material.from_shear_modulus(1.0, rng.uniform(0.0, 0.5))
    pair, force, mu = tr.Pair(body, body), 1e-3, 10.0 ** rng.uniform(np.log10(0.05), 0.0)
    radii = 10.0 ** rng.uniform(-0.75, 0.75, 2)
    hertz = tr.hertz.ellipse(*radii, pair, force=force)
    (a, b), (nx, ny) = hertz.semi_axes, (int(n) for n in rng.integers(12, 49, 2))
    dx, dy = 2 * a / nx, 2 * b / ny
    x, y = rng.uniform(-0.5, 0.5, 2)
    grid = tr.Grid(nx + 4, ny + 4, dx, dy, center=(x * dx, y * dy))
    contact = tr.press(tr.Paraboloid(*radii), grid, pair, force=force)
    direction = rng.normal(size=3)
    if rng.random() < 0.2:
        direction[:2] = 0.0
    elif rng.random() < 0.2:
        direction[2] = 0.0
    size = 10.0 ** rng.uniform(-3.0, 2.5) * 4.0 * mu * hertz.peak_pressure
    creepage = list(size * direction / np.linalg.norm(direction) / (1.0, 1.0, np.sqrt(a * b)))
    given = [None, None]
    if rng.random() < 0.4:
        share, angle = 0.99 * np.sqrt(rng.random()), rng.uniform(0.0, 2 * np.pi)
        wanted = share * mu * contact.force * np.array([np.cos(angle), np.sin(angle)])
        for k in ((0,), (1,), (0, 1))[rng.integers(3)]:
            creepage[k], given[k] = None, float(wanted[k])
    options = {
        "creepage": tuple(creepage),
        "force": tuple(given),
        "direction": int(rng.choice((1, -1))),
        "discretisation": str(rng.choice(("covered", "classical"))),
    }
    return contact, mu, options


def failed(seeds):
    """Which of the random contacts raise; all others prove themselves."""
    raised = []
    for seed in seeds:
        contact, mu, options = random_rolling(seed)
        try:
            t = tr.roll_steady(contact, mu, **options)
        except ConvergenceError:
            raised.append(seed)
            continue
        assert t.certificate.holds(1e-6), seed
        assert (np.hypot(*t.traction) <= t.bound + 1e-6 * t.bound.max()).all(), seed
        elastic = t.bound.max() / contact.pair.shear_modulus
        assert t.dissipation >= -1e-6 * mu * contact.force * elastic, seed
        assert np.hypot(*t.force) <= mu * contact.force * (1.0 + 1e-6), seed
    return raised


def test_twenty_random_contacts_are_solved():
    assert failed(range(20)) == []


@pytest.mark.slow
def test_two_thousand_random_contacts_are_solved():
    assert len(failed(range(2000))) < 2
