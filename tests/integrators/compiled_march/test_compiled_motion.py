"""Compiled marches give what the interpreted ones give, to rounding: their formulas are the same."""

import importlib
import math
import sys
from functools import lru_cache

import numba
import numpy as np
import pytest

import traction as tr
from traction.integrators.march.stepping import Stepping

METHODS = tuple(tr.methods())
IMPLICIT = tuple(name for name, method in tr.methods().items() if method.implicit)


def force_t(t):
    return math.sin(2.0 * t)


def force_tq(t, q):
    return -2.0 * q - q**3


def force_tqv(t, q, v):
    return -2.0 * q - q**3 - 0.3 * v * abs(v) + math.cos(t)


def jacobian(t, q, v):
    return -2.0 - 3.0 * q**2


def jacobians(t, q, v):
    return -2.0 - 3.0 * q**2, -0.6 * abs(v)


def potential(q):
    return q**2 + 0.25 * q**4


def total(q, v):
    return q**2 + 0.25 * q**4 + 0.5 * 1.3 * v**2 + 0.5 * 0.7 * q**2


def force_stop(t, q):
    return -q - 40.0 * max(0.0, q - 0.5)


def gap_stop(t, q):
    return 0.5 - q


CASES = {
    "force(t)": {"force": force_t, "stiffness": 3.0, "damping": 0.1},
    "force(t, q)": {"force": force_tq},
    "jacobian": {"force": force_tq, "jacobian": jacobian},
    "energy": {"force": force_tq, "energy": potential, "damping": 0.2},
    "energy and jacobian": {"force": force_tq, "energy": potential, "jacobian": jacobian, "stiffness": 0.7},
    "total energy": {"force": force_tq, "energy": total, "stiffness": 0.7},
    "force(t, q, v)": {"force": force_tqv, "stiffness": 0.5},
    "both jacobians": {"force": force_tqv, "jacobian": jacobians, "damping": 0.1},
}


STOP = {"force": force_stop, "gap": gap_stop}
compiled_once = lru_cache(numba.njit)


def both(case):
    """The same system in Python and compiled."""
    given = CASES[case] if isinstance(case, str) else case
    compiled = {name: compiled_once(value) if callable(value) else value for name, value in given.items()}
    return [tr.SecondOrderSystem(1.3, q0=0.8, v0=0.4, **functions) for functions in (given, compiled)]


def assert_equal_marches(python, compiled, tolerance=1e-12, located=False):
    """Times are the same bits, except those `located` as roots, which differ as states do."""
    if located:
        np.testing.assert_allclose(compiled.t, python.t, rtol=0.0, atol=tolerance)
    else:
        assert np.array_equal(python.t, compiled.t)
    for name in ("q", "v", "a"):
        plain, other = getattr(python, name), getattr(compiled, name)
        np.testing.assert_allclose(other, plain, rtol=0.0, atol=tolerance * np.abs(plain).max())


@pytest.mark.sampled(7)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", METHODS)
def test_compiled_equals_python(name, case):
    python, compiled = (tr.integrate(system, name, 0.02, 1.0) for system in both(case))
    assert_equal_marches(python, compiled, 1e-11)
    if case == "energy":
        np.testing.assert_allclose(compiled.energy, python.energy, rtol=1e-10)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", IMPLICIT)
def test_compiled_equals_python_with_picard(name):
    python, compiled = (
        tr.integrate(system, name, 0.02, 2.0, solver="picard") for system in both("force(t, q, v)")
    )
    assert_equal_marches(python, compiled, 1e-10)


@pytest.mark.parametrize("name", METHODS)
def test_compiled_equals_python_with_controlled_steps(name):
    rtol = 1e-5 if tr.method(name).order == 1 else 1e-7
    python, compiled = (tr.integrate(system, name, "auto", 0.5, rtol=rtol) for system in both("force(t, q)"))
    assert len(python) == pytest.approx(len(compiled), abs=2)
    assert compiled.q[-1] == pytest.approx(python.q[-1], abs=1e-8)


@pytest.mark.parametrize("name", [name for name in METHODS if tr.method(name).embedded_order is not None])
def test_compiled_errors_equal_those_of_python(name):
    for case in ("force(t, q, v)", "both jacobians"):
        python, compiled = (Stepping(system, tr.method(name)) for system in both(case))
        state, other = python.begin(0.2), compiled.begin(0.2)
        for dt in (0.3, 0.1):
            plain, fast = python.estimated(state, dt), compiled.estimated(other, dt)
            for one, two in zip((plain[0].q, *plain[1]), (fast[0].q, *fast[1]), strict=True):
                np.testing.assert_allclose(two, one, rtol=1e-9, atol=1e-15)
            assert np.array_equal(fast[0].q, compiled.single(other, dt).q)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", METHODS)
def test_compiled_equals_python_with_contacts(name):
    python, compiled = (tr.integrate(system, name, 0.03, 6.0) for system in both(STOP))
    assert [event.kind for event in python.events] == [event.kind for event in compiled.events]
    assert sum(event.kind == "touch" for event in python.events) >= 1
    np.testing.assert_allclose(compiled.t, python.t, rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(compiled.q, python.q, rtol=0.0, atol=1e-8)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", METHODS)
def test_stop_is_asked_after_every_step(name):
    seen = []
    system = both("force(t, q)")[1]
    h = tr.integrate(system, name, 0.02, 1.0, stop=lambda state: seen.append(state.t) or len(seen) == 7)
    assert h.t.tolist() == [0.0, *seen]
    assert h.status is tr.Status.STOPPED
    assert not h.ok
    assert len(h) == 8


def test_progress_is_shown_while_compiled_code_marches(monkeypatch):
    tr.integrate  # noqa: B018  loads its module
    monkeypatch.setattr(sys.modules["traction.integrators.integrate"], "PROGRESS_SECONDS", 0.0)
    system = both("force(t, q)")[1]
    shown = []
    tr.integrate(system, "rk4", 5e-6, 1.0, progress=lambda t, end: shown.append((t, end)))
    assert len(shown) >= 2
    assert all(0.0 < t <= end == 1.0 for t, end in shown)


def force_that_raises(t, q):
    return -q if t < 0.5 else 1.0 / (q - q)


@pytest.mark.parametrize("name", ["rk4", "newmark", "radau-iia", "energy-conserving"])
def test_a_compiled_exception_stops_the_march(name):
    force = compiled_once(force_that_raises)
    with pytest.raises(tr.ConvergenceError, match=r"force is not finite near t = 0\.5"):
        tr.integrate(tr.SecondOrderSystem(1.0, force, 1.0), name, 0.01, 1.0)


def force_that_ends(t, q):
    return -q if t < 0.5 else math.nan


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", tr.methods())
def test_a_compiled_force_that_is_not_a_number_is_named_as_a_plain_one(name):
    words = []
    for function in (force_that_ends, compiled_once(force_that_ends)):
        with pytest.raises(tr.ConvergenceError, match=r"force is nan at t = 0\.5.*where q = ") as error:
            tr.integrate(tr.SecondOrderSystem(1.0, function, 1.0), name, 0.04, 1.0)
        words.append(str(error.value))
    assert words[0] == words[1]


def test_a_compiled_energy_that_fails_is_no_number():
    energy = numba.njit(lambda q: 1.0 / (q - q))
    h = tr.integrate(tr.SecondOrderSystem(1.0, compiled_once(force_tq), 1.0, energy=energy), "rk4", 0.1, 1.0)
    with pytest.raises(tr.UndefinedError, match="energy is nan at t = 0"):
        h.energy  # noqa: B018


def test_functions_that_cannot_be_compiled_are_named():
    text = numba.njit(lambda t, q: "much")
    with pytest.raises(tr.InputError, match="force"):
        tr.integrate(tr.SecondOrderSystem(1.0, text, 1.0), "rk4", 0.1, 1.0)
    wrong = numba.njit(lambda t, q, v: (1.0, 2.0, 3.0))
    with pytest.raises(tr.InputError, match="jacobian"):
        tr.integrate(
            tr.SecondOrderSystem(1.0, compiled_once(force_tq), 1.0, jacobian=wrong), "newmark", 0.1, 1.0
        )


PLAIN = {"mass": 1.0, "stiffness": None, "damping": None}
LONG = [(name, numbers) for name in METHODS for numbers in ({}, PLAIN)]


def quick(name, numbers):
    """One of each family, since all are compiled anew; of those that solve no equation also a plain one."""
    return name == "newmark" if not numbers else name == "verlet"


@pytest.mark.parametrize(
    ("name", "numbers"),
    [pytest.param(*case, marks=[] if quick(*case) else pytest.mark.slow) for case in LONG],
)
def test_a_loop_of_its_own_gives_the_same_bits(name, numbers, monkeypatch):
    """A problem that marches long gets its functions built into the loop, and numbers that are 0 or 1."""
    module = importlib.import_module("traction.integrators.compiled_march.compiled_motion")
    compiled = {
        key: compiled_once(value) for key, value in CASES["energy and jacobian"].items() if callable(value)
    }
    given = {"mass": 1.3, "q0": 0.8, "v0": 0.4, "stiffness": 0.7, "damping": 0.1, **compiled, **numbers}
    plain = tr.integrate(tr.SecondOrderSystem(**given), name, 0.01, 3.0)
    made = []
    build = module.LongMarch._compile
    monkeypatch.setattr(module.LongMarch, "_compile", lambda *given: made.append(0) or build(*given))
    monkeypatch.setattr(module, "LEAST_STEPS", 0)
    monkeypatch.setattr(module, "LEAST_IMPLICIT_STEPS", 0)
    module.share_long_march.cache_clear()
    built_in = tr.integrate(tr.SecondOrderSystem(**given), name, 0.01, 3.0)
    module.share_long_march.cache_clear()
    assert made
    for column in ("t", "q", "v", "a"):
        assert np.array_equal(getattr(plain, column), getattr(built_in, column))
    assert plain.stats["iterations"] == built_in.stats["iterations"]


def test_a_force_that_raises_in_a_long_march(monkeypatch):
    module = importlib.import_module("traction.integrators.compiled_march.compiled_motion")
    monkeypatch.setattr(module, "LEAST_STEPS", 0)
    force = compiled_once(force_that_raises)
    with pytest.raises(tr.ConvergenceError, match=r"force is not finite near t = 0\.5"):
        tr.integrate(tr.SecondOrderSystem(1.0, force, 1.0), "verlet", 0.01, 1.0)


CHAIN = np.array([[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.0]])
VECTORS = {
    "linear": {
        "force": lambda t: np.array([math.sin(t), 0.0, 0.1]),
        "stiffness": CHAIN,
        "damping": 0.1 * CHAIN,
    },
    "differences": {"force": lambda t, q, v: -np.sin(q) - 0.2 * v * np.abs(v), "stiffness": CHAIN},
    "jacobian": {
        "force": lambda t, q, v: -np.sin(q) - 0.2 * v * np.abs(v),
        "jacobian": lambda t, q, v: (np.diag(-np.cos(q)), np.diag(-0.4 * np.abs(v))),
        "damping": 0.1 * CHAIN,
    },
    "energy": {"force": lambda t, q: -np.sin(q), "energy": lambda q: -np.sum(np.cos(q)), "stiffness": CHAIN},
    "gap": {"force": lambda t, q: -np.sin(q), "gap": lambda t, q: 0.9 - q[1]},
}


@pytest.mark.parametrize(
    ("name", "case"),
    [
        pytest.param(name, case, marks=[] if (name, case) == ("verlet", "energy") else pytest.mark.slow)
        for name in METHODS
        for case in VECTORS
    ],
)
def test_long_marches_of_vectors_equal_interpreted_ones(name, case, monkeypatch):
    module = importlib.import_module("traction.integrators.compiled_march.compiled_motion")
    given = VECTORS[case]
    compiled = {key: compiled_once(value) if callable(value) else value for key, value in given.items()}
    systems = [
        tr.SecondOrderSystem(np.array([2.0, 1.0, 1.5]), q0=[1.0, -0.5, 0.3], v0=[0.1, 1.2, -0.3], **functions)
        for functions in (given, compiled)
    ]
    loops = []
    build = module.LongMarch._compile
    monkeypatch.setattr(module, "LEAST_VECTOR_STEPS", 50)
    monkeypatch.setattr(module.LongMarch, "_compile", lambda *given: loops.append(build(*given)) or loops[-1])
    python, fast = (tr.integrate(system, name, 0.02, 2.0) for system in systems)
    assert len(loops) == 1
    located = case == "gap"
    assert_equal_marches(python, fast, 1e-9 if located else 1e-11, located)
    assert [event.kind for event in python.events] == [event.kind for event in fast.events]


@pytest.mark.slow
def test_vectors_that_cannot_be_compiled_stay_interpreted(monkeypatch):
    module = importlib.import_module("traction.integrators.compiled_march.compiled_motion")
    monkeypatch.setattr(module, "LEAST_VECTOR_STEPS", 0)
    force = numba.njit(lambda t, q: -q[0])  # one number for all of them
    h = tr.integrate(tr.SecondOrderSystem(1.0, force, [1.0, 1.0]), "verlet", 0.1, 1.0)
    assert h.q[-1] == pytest.approx([math.cos(1.0)] * 2, abs=1e-2)


def test_memory_of_a_history_is_its_own():
    """Memory is used again only when no array of an earlier history is left."""
    system = both("force(t, q)")[1]
    h = tr.integrate(system, "verlet", 2e-5, 1.0)
    kept, expected = h.q[100:200], h.q.copy()
    assert np.array_equal(tr.integrate(system, "verlet", 2e-5, 1.0).q, expected)
    assert np.array_equal(h.q, expected)
    del h
    again = tr.integrate(system, "rk4", 4e-5, 1.0)
    assert np.array_equal(kept, expected[100:200])
    assert not np.shares_memory(kept, again.q)
