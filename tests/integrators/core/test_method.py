"""The contract of every registered method: its order, on smooth problems of every kind."""

import math
from functools import lru_cache

import numpy as np
import pytest
import scipy.linalg
from scipy import sparse
from scipy.integrate import solve_ivp

import traction as tr
from convergence import observed_order
from traction.integrators.core.motion import Motion

METHODS = tuple(tr.methods())
COARSEST = {1: 40, 2: 16, 4: 10, 5: 5}  #: steps, so that all are asymptotic and above rounding
HALVINGS = 4
T_END = 2.0


def order_of(name):
    return tr.method(name).order


def solution(acceleration, q0, v0, t_end=T_END):
    """q and v at the end, by a method of order 8."""
    n = len(q0)
    found = solve_ivp(
        lambda t, y: np.concatenate((y[n:], acceleration(t, y[:n], y[n:]))),
        (0.0, t_end),
        np.concatenate((q0, v0)),
        method="DOP853",
        rtol=3e-14,
        atol=1e-15,
    )
    return found.y[:, -1]


def measured_order(name, run, exact, coarsest=None):
    """Slope of the error at the end with steps that are halved; `run(steps)` gives the history."""
    steps = [(coarsest or COARSEST)[order_of(name)] * 2**k for k in range(HALVINGS)]
    errors = []
    for count in steps:
        h = run(count)
        errors.append(float(np.abs(np.concatenate((np.ravel(h.q[-1]), np.ravel(h.v[-1]))) - exact).max()))
    return observed_order([1.0 / count for count in steps], errors)


def end_of(system, name, **options):
    return lambda steps: tr.integrate(system, name, T_END / steps, T_END, **options)


SMOOTH = tr.SecondOrderSystem(1.0, lambda t, q: -q - q**3, 1.0, 0.5)


@lru_cache
def smooth_end():
    return solution(lambda t, q, v: -q - q**3, np.array([1.0]), np.array([0.5]))


@pytest.mark.parametrize("name", METHODS)
def test_order_on_a_nonlinear_oscillator(name):
    assert measured_order(name, end_of(SMOOTH, name), smooth_end()) == pytest.approx(order_of(name), abs=0.15)


@pytest.mark.parametrize("name", METHODS)
def test_order_across_a_restart(name):
    def run(steps):
        dt = T_END / steps
        half = tr.integrate(SMOOTH, name, dt, T_END / 2)
        return tr.integrate(SMOOTH, name, dt, T_END, start=half)

    assert measured_order(name, run, smooth_end()) == pytest.approx(order_of(name), abs=0.15)


@pytest.mark.parametrize(
    ("name", "options", "order"),
    [
        ("newmark", {"beta": 1.0 / 6.0}, 2),
        ("newmark", {"beta": 0.3025, "gamma": 0.6}, 1),
        ("newmark", {"beta": 0.0}, 2),
        ("hht", {"alpha": 0.0}, 2),
        ("hht", {"alpha": 0.3}, 2),
        ("generalized-alpha", {"spectral_radius": 0.0}, 2),
        ("generalized-alpha", {"spectral_radius": 1.0}, 2),
        ("generalized-alpha", {"alpha_m": -0.2, "alpha_f": 0.1}, 2),
        ("radau-iia", {"solver": "picard"}, 5),
        ("energy-conserving", {"solver": "picard"}, 2),
    ],
)
def test_order_with_options(name, options, order):
    assert tr.method(name, **options).order == order
    steps = [COARSEST[order] * 2**k for k in range(HALVINGS)]
    errors = []
    for count in steps:
        h = tr.integrate(SMOOTH, name, T_END / count, T_END, **options)
        errors.append(math.hypot(h.q[-1] - smooth_end()[0], h.v[-1] - smooth_end()[1]))
    assert observed_order([1.0 / count for count in steps], errors) == pytest.approx(order, abs=0.15)


@pytest.mark.parametrize("name", METHODS)
def test_order_with_a_load_over_time(name):
    load = lambda t: math.sin(3.0 * t) + t  # noqa: E731
    system = tr.SecondOrderSystem(2.0, load, 0.3, -0.2, stiffness=1.5, damping=0.2)
    exact = solution(lambda t, q, v: (load(t) - 1.5 * q - 0.2 * v) / 2.0, np.array([0.3]), np.array([-0.2]))
    assert measured_order(name, end_of(system, name), exact) == pytest.approx(order_of(name), abs=0.15)


@pytest.mark.parametrize("place", ["damping", "force"])
@pytest.mark.parametrize("name", METHODS)
def test_order_with_damping(name, place):
    c = 0.8
    inside, matrix = (0.0, c) if place == "damping" else (c, None)
    system = tr.SecondOrderSystem(1.0, lambda t, q, v: -q - q**3 - inside * v, 1.0, 0.5, damping=matrix)
    exact = solution(lambda t, q, v: -q - q**3 - c * v, np.array([1.0]), np.array([0.5]))
    assert measured_order(name, end_of(system, name), exact) == pytest.approx(order_of(name), abs=0.15)


@pytest.mark.parametrize("name", METHODS)
def test_order_with_a_mass_that_depends_on_the_place(name):
    def mass(q):
        return np.array([[2.0 + np.cos(q[1]), 0.3 * q[0]], [0.3 * q[0], 1.5 + 0.5 * np.sin(q[0])]])

    system = tr.SecondOrderSystem(mass, lambda t, q: -np.sin(q), np.array([0.8, -0.4]), np.array([0.1, 0.6]))
    exact = solution(lambda t, q, v: np.linalg.solve(mass(q), -np.sin(q)), system.q0, system.v0)
    coarsest = {1: 30, 2: 16, 4: 8, 5: 5}
    assert measured_order(name, end_of(system, name), exact, coarsest) == pytest.approx(
        order_of(name), abs=0.15
    )


# a damped chain of 50 masses whose highest frequency is near 2 rad/s
CHAIN = 50


@lru_cache
def chain():
    """Mass, damping and stiffness (dense), start, and q and v at the end."""
    K = 2.0 * np.eye(CHAIN) - np.eye(CHAIN, k=1) - np.eye(CHAIN, k=-1)
    M = np.diag(1.0 + 0.3 * np.sin(np.arange(CHAIN)))
    C = 0.05 * np.eye(CHAIN) + 0.1 * K
    q0, v0 = np.sin(np.arange(CHAIN) / 5.0), np.cos(np.arange(CHAIN))
    inverse = np.linalg.inv(M)
    A = np.block([[np.zeros((CHAIN, CHAIN)), np.eye(CHAIN)], [-inverse @ K, -inverse @ C]])
    return M, C, K, q0, v0, scipy.linalg.expm(T_END * A) @ np.concatenate((q0, v0))


def banded(matrix):
    bands = np.zeros((3, CHAIN))
    bands[0, 1:], bands[1], bands[2, :-1] = np.diag(matrix, 1), np.diag(matrix), np.diag(matrix, -1)
    return tr.Banded(1, 1, bands)


STORAGES = {"dense": np.array, "sparse": sparse.csr_array, "banded": banded}


def chain_system(storage="sparse"):
    M, C, K, q0, v0, _ = chain()
    store = STORAGES[storage]
    return tr.SecondOrderSystem(store(M), None, q0, v0, damping=store(C), stiffness=store(K))


@pytest.mark.parametrize("name", METHODS)
def test_order_on_a_damped_linear_system(name):
    coarsest = {1: 40, 2: 16, 4: 8, 5: 4}
    run = end_of(chain_system(), name)
    assert measured_order(name, run, chain()[-1], coarsest) == pytest.approx(order_of(name), abs=0.15)


@pytest.mark.parametrize("name", METHODS)
def test_order_on_a_damped_linear_system_across_a_restart(name):
    def run(steps):
        half = tr.integrate(chain_system(), name, T_END / steps, T_END / 2)
        return tr.integrate(chain_system(), name, T_END / steps, T_END, start=half)

    coarsest = {1: 30, 2: 10, 4: 6, 5: 4}
    assert measured_order(name, run, chain()[-1], coarsest) == pytest.approx(order_of(name), abs=0.15)


@pytest.mark.parametrize("name", METHODS)
def test_storages_agree(name):
    ends = [tr.integrate(chain_system(storage), name, 0.1, T_END) for storage in STORAGES]
    for other in ends[1:]:
        np.testing.assert_allclose(other.q, ends[0].q, rtol=0.0, atol=1e-12)
        np.testing.assert_allclose(other.v, ends[0].v, rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("name", METHODS)
def test_linear_problems_factor_once(name):
    h = tr.integrate(chain_system("banded"), name, 0.01, T_END)  # a dt whose multiples are rounded
    assert h.stats["steps"] == 200
    assert h.stats["factorizations"] <= 2  # of the mass, and of the step
    assert h.t[-1] == T_END


@pytest.mark.parametrize("name", METHODS)
def test_a_method_keeps_nothing(name):
    method = tr.method(name)
    first = tr.integrate(SMOOTH, method, 0.05, T_END)
    tr.integrate(chain_system(), method, 0.5, T_END)
    again = tr.integrate(SMOOTH, method, 0.05, T_END)
    assert np.array_equal(first.q, again.q)
    assert np.array_equal(first.a, again.a)


@pytest.mark.parametrize("name", METHODS)
def test_acceleration_is_that_of_the_equation_of_motion(name):
    h = tr.integrate(SMOOTH, name, 0.01, T_END)
    np.testing.assert_allclose(h.a, -h.q - h.q**3, rtol=0.0, atol=1e-10)


@pytest.mark.parametrize("name", METHODS)
def test_step_control_keeps_the_tolerance(name):
    errors = []
    for rtol in (1e-4, 1e-5) if order_of(name) < 4 else (1e-6, 1e-9):
        h = tr.integrate(SMOOTH, name, "auto", T_END, rtol=rtol)
        errors.append(math.hypot(h.q[-1] - smooth_end()[0], h.v[-1] - smooth_end()[1]))
        assert h.t[-1] == T_END
        assert errors[-1] <= 2.0 * len(h) * rtol  # that of all steps
    assert errors[1] < 0.5 * errors[0]


EMBEDDED = tuple(name for name in METHODS if tr.method(name).embedded_order is not None)


@pytest.mark.parametrize("name", METHODS)
def test_who_estimates_its_own_error(name):
    method, motion = tr.method(name), Motion(SMOOTH)
    state = method.begin(motion, 0.0, np.array([1.0]), np.array([0.5]))
    if name in EMBEDDED:
        assert 1 <= method.embedded_order < method.order
        forces = [motion.counts["force_evaluations"]]
        step = method.step(motion, state, 0.1)
        forces.append(motion.counts["force_evaluations"])
        estimated, _ = method.estimated_step(motion, state, 0.1)
        assert motion.counts["force_evaluations"] - forces[1] == forces[1] - forces[0]
        for part in ("t", "q", "v", "a", "x"):
            assert np.array_equal(getattr(step, part), getattr(estimated, part))
    else:
        with pytest.raises(tr.InputError, match=name):
            method.estimated_step(motion, state, 0.1)


@pytest.mark.parametrize("name", EMBEDDED)
def test_order_of_the_estimated_error(name):
    method = tr.method(name)
    steps = [0.1 / 2**k for k in range(HALVINGS)]
    for system in (SMOOTH, tr.SecondOrderSystem(1.0, lambda t: math.sin(3.0 * t), 0.3, 0.5)):
        motion = Motion(system)
        state = method.begin(motion, 0.4, np.array([1.0]), np.array([0.5]))
        errors = [method.estimated_step(motion, state, dt)[1] for dt in steps]
        order = method.embedded_order
        for part, shrinks in (("q", order + 1), ("v", order + 1), ("lower_v", order)):
            found = [float(getattr(error, part)[0]) for error in errors]
            if part == "v" and max(found) < 1e-15:
                continue  # both solutions take a load over time alike; the velocities of lower order do not
            assert observed_order(steps, found) == pytest.approx(shrinks, abs=0.15), part


@pytest.mark.parametrize("name", METHODS)
def test_controlled_steps_grow_as_their_order_says(name):
    """Their number is in proportion to rtol^(-1/(order + 1)), of the solution whose error is estimated."""
    method = tr.method(name)
    order = method.embedded_order or method.order
    tolerances = {1: (1e-3, 1e-5), 2: (1e-4, 1e-6), 3: (1e-5, 1e-9)}.get(order, (1e-7, 1e-11))
    counts = [tr.integrate(SMOOTH, name, "auto", 5.0, rtol=rtol).stats["steps"] for rtol in tolerances]
    assert observed_order(tolerances, counts) == pytest.approx(-1.0 / (order + 1), abs=0.03)


def test_a_method_of_one_history_may_go_on_with_another():
    for first, second in (("rk4", "newmark"), ("newmark", "rk4"), ("verlet", "hht"), ("hht", "radau-iia")):
        half = tr.integrate(SMOOTH, first, 5e-3, 1.0)
        end = tr.integrate(SMOOTH, second, 5e-3, T_END, start=half)
        assert end.q[-1] == pytest.approx(smooth_end()[0], abs=3e-5)


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1e9])
@pytest.mark.parametrize("name", METHODS)
def test_units_do_not_matter(name, scale):
    """Lengths, times and masses in other units give the same motion."""
    length, time, mass = scale, scale**0.5, 1.0 / scale
    k = mass / time**2
    plain = tr.integrate(SMOOTH, name, 0.02, 1.0)
    other = tr.SecondOrderSystem(mass, lambda t, q: -k * (q + q**3 / length**2), length, 0.5 * length / time)
    h = tr.integrate(other, name, 0.02 * time, time)
    np.testing.assert_allclose(h.q / length, plain.q, rtol=0.0, atol=1e-9)


def test_a_stiff_pair_of_masses():
    """A small and a large mass, joined stiffly: implicit methods follow the slow motion."""
    M, k = np.array([1e-3, 1e3]), 1e9
    K = k * np.array([[1.0, -1.0], [-1.0, 1.0]]) + np.diag([0.0, 1e3])
    system = tr.SecondOrderSystem(M, None, np.array([1.0, 1.0]), stiffness=K)
    for name in ("radau-iia", "radau-ia", "newmark", "hht", "generalized-alpha", "energy-conserving"):
        h = tr.integrate(system, name, 0.01, 5.0)
        np.testing.assert_allclose(h.q[:, 1], np.cos(h.t * math.sqrt(1e3 / 1000.001)), atol=3e-4)


def test_a_method_of_ones_own_states_its_behaviour():
    class Bare(tr.Method):
        name, summary = "bare", "states nothing"

    class Stated(Bare):
        behaviour = tr.Behaviour(4, 2.8, "weak")

    class ByProperties(Bare):
        order, stability_limit, damping = 4, 2.8, "weak"

    for one in (Stated(), ByProperties()):
        assert (one.order, one.stability_limit, one.damping) == (4, 2.8, "weak")
        assert one.high_frequency_radius == math.inf
    with pytest.raises(tr.InputError, match=r"Bare states no behaviour: give `behaviour = tr.Behaviour"):
        _ = Bare().order
