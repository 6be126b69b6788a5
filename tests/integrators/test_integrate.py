"""`integrate` as a whole: what may be given, and that whatever is wrong is named."""

import functools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import traction as tr

METHODS = tuple(tr.methods())
COSINE = math.cos(1.0)


def spring(t, q):
    return -q


class Spring:
    """A force as an object and as a method."""

    def __init__(self, k):
        self.k = k

    def __call__(self, t, q, v):
        return -self.k * q

    def pull(self, t, q):
        return -self.k * q


@pytest.mark.parametrize(
    "force",
    [
        spring,
        lambda t, q, v: -q,
        lambda *given: -given[1],
        functools.partial(lambda k, t, q: -k * q, 1.0),
        functools.partial(lambda t, q, v, k: -k * q, k=1.0),
        Spring(1.0),
        Spring(1.0).pull,
        lambda t, q, v, k=1.0: -k * q,
        lambda t, q: np.array([-q]),
        lambda t, q: np.float32(-q) if q == 1.0 else -q,
    ],
)
def test_a_force_may_be_any_function(force):
    assert tr.integrate(tr.SecondOrderSystem(1.0, force, 1.0), "rk4", 0.05, 1.0).q[-1] == pytest.approx(
        COSINE, abs=1e-6
    )


def test_a_force_may_leave_out_what_it_does_not_need():
    pulled = tr.SecondOrderSystem(2.0, lambda t: 6.0 * t, 0.0)
    for name in ("rk4", "radau-iia"):
        assert tr.integrate(pulled, name, 0.1, 1.0).q[-1] == pytest.approx(0.5, rel=1e-12)
    free = tr.SecondOrderSystem(2.0, None, 1.0, 3.0)
    for name in METHODS:
        assert tr.integrate(free, name, 0.1, 1.0).q[-1] == pytest.approx(4.0, rel=1e-12)


def test_one_number_serves_all_coordinates():
    h = tr.integrate(tr.SecondOrderSystem(1.0, lambda t, q: 2.0, np.zeros(3), 1.0), "rk4", 0.1, 1.0)
    np.testing.assert_allclose(h.q[-1], 2.0, rtol=1e-12)


def test_a_last_step_may_be_shorter():
    h = tr.integrate(tr.SecondOrderSystem(1.0, spring, 1.0), "rk4", 0.03, 1.0)
    assert h.t[-1] == 1.0
    np.testing.assert_allclose(np.diff(h.t)[:-1], 0.03, rtol=1e-12)
    assert len(h) == 35


def test_a_step_longer_than_the_march():
    h = tr.integrate(tr.SecondOrderSystem(1.0, spring, 1.0), "rk4", 10.0, 0.1)
    assert h.t.tolist() == [0.0, 0.1]


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_controlled_steps_at_any_scale(size):
    system = tr.SecondOrderSystem(size, lambda t, q: -q / size, size)  # omega = 1/size
    h = tr.integrate(system, "radau-iia", "auto", size)
    assert h.q[-1] / size == pytest.approx(COSINE, abs=1e-6)


def test_masses_of_very_different_size():
    masses = np.array([1e-9, 1e9])
    for storage in (masses, np.diag(masses), sparse.csr_array(np.diag(masses))):
        for name in ("rk4", "newmark", "radau-iia"):
            h = tr.integrate(
                tr.SecondOrderSystem(storage, lambda t, q: -q * masses, np.ones(2)), name, 0.01, 1.0
            )
            np.testing.assert_allclose(h.q[-1], COSINE, atol=1e-4)


GOOD = {"mass": 1.0, "force": spring, "q0": 1.0}
TWO = {"mass": 1.0, "force": spring, "q0": np.ones(2)}


@pytest.mark.parametrize(
    ("system", "words"),
    [
        (GOOD | {"mass": 0.0}, "mass = 0.0 must be positive"),
        (GOOD | {"mass": -1.0}, "mass"),
        (GOOD | {"mass": math.nan}, "mass"),
        (GOOD | {"mass": None}, "mass"),
        (GOOD | {"mass": "heavy"}, "mass"),
        (GOOD | {"mass": lambda q: 0.0}, "mass"),
        (GOOD | {"mass": lambda: 1.0}, r"mass must take \(q\)"),
        (TWO | {"mass": np.array([1.0, 0.0])}, r"mass\[1\] = 0.0"),
        (TWO | {"mass": np.ones((2, 2))}, "mass is singular"),
        (TWO | {"mass": sparse.csr_array(np.diag([1.0, 0.0]))}, "mass is singular"),
        (TWO | {"mass": sparse.csr_array((2, 2))}, "mass is singular"),
        (TWO | {"mass": np.ones(3)}, r"mass has shape \(3,\)"),
        (TWO | {"mass": np.ones((2, 3))}, r"mass has shape \(2, 3\)"),
        (TWO | {"mass": sparse.eye_array(3)}, r"mass has shape \(3, 3\)"),
        (TWO | {"damping": np.ones(3)}, "damping has shape"),
        (TWO | {"stiffness": np.ones((3, 3))}, "stiffness has shape"),
        (TWO | {"stiffness": tr.Banded(0, 0, np.ones((1, 3)))}, "stiffness has shape"),
        (TWO | {"stiffness": np.array([1.0, math.inf])}, "stiffness"),
        (TWO | {"v0": np.ones(3)}, "v0 has shape"),
        (GOOD | {"q0": []}, "q0 has shape"),
        (GOOD | {"q0": np.ones((2, 2))}, "q0 has shape"),
        (GOOD | {"q0": math.nan}, "q0"),
        (GOOD | {"q0": "here"}, "q0"),
        (GOOD | {"force": 3.0}, "force = 3.0 must be a function"),
        (GOOD | {"force": lambda: 1.0}, "force must take"),
        (GOOD | {"force": lambda a, b, c, d: 1.0}, "force must take"),
        (GOOD | {"jacobian": lambda t, q: 1.0}, r"jacobian must take \(t, q, v\)"),
        (GOOD | {"gap": lambda q: 1.0}, r"gap must take \(t, q\)"),
        (GOOD | {"energy": lambda a, b, c, d: 1.0}, "energy must take"),
        (GOOD | {"ballistic": True}, "ballistic = True needs a gap"),
        (GOOD | {"ballistic": 1}, "ballistic"),
    ],
)
def test_a_wrong_system_is_named(system, words):
    with pytest.raises(tr.InputError, match=words):
        tr.SecondOrderSystem(**system)


def test_a_wrong_band_is_named():
    with pytest.raises(tr.InputError, match="bands has shape"):
        tr.Banded(1, 1, np.ones((2, 5)))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"dt": 0.0}, "dt = 0.0 s must be positive"),
        ({"dt": -0.1}, "dt"),
        ({"dt": math.nan}, "dt"),
        ({"dt": math.inf}, "dt"),
        ({"dt": None}, "dt"),
        ({"dt": "fast"}, "dt"),
        ({"dt": 1e-12}, "steps"),
        ({"t_end": None}, "t_end is missing"),
        ({"t_end": 0.0}, "after the start"),
        ({"t_end": -1.0}, "after the start"),
        ({"t_end": math.nan}, "t_end"),
        ({"method": "rk5"}, "did you mean 'rk4'"),
        ({"method": "newmrk"}, "did you mean 'newmark'"),
        ({"method": None}, "method"),
        ({"method": "newmark", "betta": 0.3}, "did you mean 'beta'"),
        ({"method": "newmark", "beta": 2.0}, "beta"),
        ({"method": "newmark", "gamma": math.nan}, "gamma"),
        ({"method": "hht", "alpha": 0.5}, "alpha"),
        ({"method": "generalized-alpha", "spectral_radius": 1.5}, "spectral_radius"),
        ({"method": "generalized-alpha", "alpha_m": 0.3}, "both alpha_m and alpha_f"),
        ({"method": "generalized-alpha", "alpha_m": 0.4, "alpha_f": 0.3}, "alpha_m"),
        ({"method": "generalized-alpha", "alpha_m": 0.1, "alpha_f": 0.3, "spectral_radius": 0.5}, "not both"),
        ({"method": tr.method("newmark"), "beta": 0.3}, "give options to the method"),
        ({"tolerance": 1e-6}, "is not an option"),
        ({"rtol": 0.0}, "rtol"),
        ({"rtol": 2.0}, "rtol"),
        ({"rtol": math.nan}, "rtol"),
        ({"locate_events": 1}, "locate_events"),
        ({"on_failure": "ignore"}, "on_failure"),
        ({"stop": 3}, "stop"),
        ({"progress": 3}, "progress"),
    ],
)
def test_a_wrong_option_is_named(change, words):
    with pytest.raises(tr.InputError, match=words):
        tr.integrate(tr.SecondOrderSystem(**GOOD), **{"method": "rk4", "dt": 0.1, "t_end": 1.0, **change})


def test_something_else_than_a_system():
    with pytest.raises(tr.InputError, match="system"):
        tr.integrate(lambda t: t, "rk4", 0.1, 1.0)


@pytest.mark.parametrize("dt", [0.01, "auto"])
@pytest.mark.parametrize("name", METHODS)
def test_a_force_that_is_no_number_stops_the_march(name, dt):
    """With the time and the quantity, and with the history until then."""
    options = {"rtol": 1e-3} if dt == "auto" else {}
    system = tr.SecondOrderSystem(1.0, lambda t, q: -q if t < 0.5 else q * math.nan, np.ones(2))
    with pytest.raises(tr.ConvergenceError, match=r"force is nan in component 0 at t = 0\.[45]") as caught:
        tr.integrate(system, name, dt, 1.0, **options)
    h = caught.value.result
    assert 0.4 < h.t[-1] < 0.5
    assert np.isfinite(h.q).all()
    again = tr.integrate(system, name, dt, 1.0, on_failure="return", **options)
    assert not again.ok
    assert np.array_equal(again.q, h.q)


@pytest.mark.parametrize(
    ("force", "words"),
    [
        (lambda t, q: math.nan, "the march cannot begin: force is nan at t = 0"),
        (lambda t, q: math.inf, "force is inf"),
        (lambda t, q: None, r"force\(t = 0\) is None, expected real numbers"),
        (lambda t, q: "much", "force.*expected real numbers"),
        (lambda t, q: 1j, "force.*expected real numbers"),
        (lambda t, q: np.ones(3), r"force\(t = 0\) has shape \(3,\)"),
        (lambda t, q: [[1.0], [2.0, 3.0]], "force.*expected real numbers"),
    ],
)
@pytest.mark.parametrize("q0", [1.0, np.ones(2)])
def test_a_force_that_is_wrong_from_the_start(force, words, q0):
    with pytest.raises(tr.InputError, match=words.replace("nan at", "nan.*at")):
        tr.integrate(tr.SecondOrderSystem(1.0, force, q0), "rk4", 0.1, 1.0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"force": lambda t, q: -q if t < 0.5 else np.ones(3)}, "shape"),
        ({"mass": lambda q: 1.0 if q[0] > 0.8 else 0.0}, "mass.* singular"),
        ({"mass": lambda q: 1.0 if q[0] > 0.8 else math.nan}, "mass"),
        ({"jacobian": lambda t, q, v: -1.0 if t < 0.5 else math.nan}, "jacobian"),
        ({"jacobian": lambda t, q, v: -1.0 if t < 0.5 else np.ones((3, 3))}, "jacobian"),
    ],
)
def test_what_goes_wrong_later_stops_the_march(change, words):
    system = tr.SecondOrderSystem(**(TWO | change))
    with pytest.raises(tr.ConvergenceError, match=words) as caught:
        tr.integrate(system, "newmark", 0.05, 1.0)
    assert "t = 0." in str(caught.value)
    assert 0.3 < caught.value.result.t[-1] < 0.8


def test_a_jump_of_the_force_without_a_gap():
    """Controlled steps pass a jump that depends on time, or say where they cannot."""
    system = tr.SecondOrderSystem(1.0, lambda t, q: 0.0 if t < 0.5 else 1.0, 0.0)
    h = tr.integrate(system, "rk4", "auto", 1.0, on_failure="return")
    assert h.t[-1] >= 0.499
    if h.ok:
        assert h.q[-1] == pytest.approx(0.125, rel=1e-4)


NUMBERS = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True, width=64),
    st.sampled_from([None, "x", True, 1j, [1.0], np.ones((2, 2)), np.ones(3), {}, -0.0, 1e-320]),
)


@given(mass=NUMBERS, q0=NUMBERS, v0=NUMBERS, dt=NUMBERS, t_end=NUMBERS, name=st.sampled_from(METHODS))
def test_nonsense_is_refused_with_words(mass, q0, v0, dt, t_end, name):
    if isinstance(dt, float) and isinstance(t_end, float) and dt > 0.0 and t_end / dt > 1e3:
        dt = t_end / 10.0
    said = ""
    try:
        system = tr.SecondOrderSystem(mass, None, q0, v0, stiffness=1.0)
        h = tr.integrate(system, name, dt, t_end, on_failure="return")
        said = h.message if np.isfinite(h.q).all() else ""
    except tr.TractionError as error:
        said = str(error)
    assert said


@pytest.mark.parametrize("name", ["hht", "generalized-alpha"])
def test_a_lagging_acceleration_does_not_shorten_controlled_steps(name):
    system = tr.SecondOrderSystem(1.0, lambda t, q: -q - q**3, 1.0)
    for rtol in (1e-4, 1e-6):
        steps = [
            tr.integrate(system, method, "auto", 10.0, rtol=rtol).stats["steps"]
            for method in (name, "newmark")
        ]
        assert steps[0] <= 1.15 * steps[1]
