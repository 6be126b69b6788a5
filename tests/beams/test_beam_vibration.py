"""Vibration: closed forms against the integrators, models against each other, what modes hold of a start."""

import numpy as np
import pytest
from scipy.integrate import quad

import traction as tr
from traction.beams.beam_vibration import oscillate_freely, oscillate_under_sine

LENGTH, EI, MASS = 20.0, 2e11 * 0.0104, 7900.0


def bridge(**options):
    return tr.Beam(LENGTH, EI, MASS, **options)


def parabolas(x):
    """The start of the thesis' program, 1 cm high."""
    return x**2 * (LENGTH - x) ** 2 / 1e6


#: omega, 2 zeta omega: undamped, under-, critically and overdamped, free, braked
OSCILLATORS = [(3.0, 0.0), (3.0, 0.4), (3.0, 6.0), (3.0, 40.0), (0.0, 0.0), (0.0, 0.7)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("omega", "rate"), OSCILLATORS)
def test_free_oscillation_against_the_integrator(omega, rate):
    system = tr.SecondOrderSystem(1.0, None, 0.3, -0.5, damping=rate, stiffness=omega**2)
    history = tr.integrate(system, "radau-iia", 2e-3, 1.5)
    q, v = oscillate_freely(history.t, *(np.array([x]) for x in (omega, rate, 0.3, -0.5)))
    assert q[:, 0] == pytest.approx(history.q, abs=1e-10)
    assert v[:, 0] == pytest.approx(history.v, abs=1e-9)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("driven", [1.0, 2.9999, 3.0, 7.0])
@pytest.mark.parametrize(("omega", "rate"), OSCILLATORS)
def test_forced_oscillation_against_the_integrator(omega, rate, driven):
    def force(t):
        return 0.8 * np.sin(driven * t)

    system = tr.SecondOrderSystem(1.0, force, 0.0, 0.0, damping=rate, stiffness=omega**2)
    history = tr.integrate(system, "radau-iia", 2e-3, 1.5)
    q, v = oscillate_under_sine(history.t, *(np.array([x]) for x in (omega, rate, 0.8)), driven)
    assert q[:, 0] == pytest.approx(history.q, abs=1e-10)
    assert v[:, 0] == pytest.approx(history.v, abs=1e-9)


def test_strong_damping_neither_overflows_nor_loses_digits():
    t = np.array([0.0, 1.0, 1e4])
    q, _ = oscillate_freely(t, np.array([1.0]), np.array([1e5]), np.array([1.0]), np.array([0.0]))
    assert q[:, 0] == pytest.approx(np.exp(-t / 1e5), rel=1e-9)


@pytest.mark.parametrize(("omega", "rate"), OSCILLATORS)
def test_free_oscillation_is_followed_back_in_time(omega, rate):
    one = [np.array([x]) for x in (omega, rate)]
    q, v = oscillate_freely(np.array([0.4]), *one, np.array([0.3]), np.array([-0.5]))
    back, speed = oscillate_freely(np.array([-0.4]), *one, q[0], v[0])
    assert (back[0, 0], speed[0, 0]) == pytest.approx((0.3, -0.5), rel=1e-8)


def test_a_mode_swings_by_itself():
    beam = bridge()
    modes = beam.modes(3)
    found = beam.vibrate(lambda x: modes.deflection(x)[1], t_end=0.5, dt=1e-3, size=5)
    swing = np.cos(modes.frequencies[1] * found.t)
    assert found.modal[:, 1] == pytest.approx(swing, abs=1e-11)
    assert np.abs(found.modal[:, [0, 2, 3, 4]]).max() < 1e-12
    assert found.initial.captured == pytest.approx(1.0, abs=1e-12)
    assert found.moment(3.0) == pytest.approx(swing * modes.moment(3.0)[1], rel=1e-9, abs=1e-6)


def test_shares_of_modes_are_the_integrals():
    """(5.19) with the right factor: the modes here have the integral of m w^2 equal to 1."""
    beam = bridge()
    modes = beam.modes(4)
    found = beam.vibrate(parabolas, t_end=0.1, dt=0.1, size=4)
    for k in range(4):
        integral = quad(lambda x: MASS * parabolas(x) * modes.deflection(x)[k], 0.0, LENGTH, epsabs=1e-12)[0]  # noqa: B023
        assert found.initial.coefficients[k] == pytest.approx(integral, abs=1e-9)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("damping", [0.0, 0.03, tr.Rayleigh(2.0, 1e-3)])
def test_all_models_vibrate_alike(damping):
    beam, x = bridge(damping=damping), np.array([5.0, 10.0, 13.0])
    options = {"speed": lambda x: 0.1 * np.sin(np.pi * x / LENGTH) ** 2, "t_end": 0.4, "dt": 1e-4}
    exact = beam.vibrate(parabolas, **options)
    assert exact.deflection(x)[0] == pytest.approx(parabolas(x), rel=1e-5)
    assert exact.initial.captured > 1.0 - 1e-10
    size, speed = np.abs(exact.deflection(x)).max(), np.abs(exact.velocity(x)).max()
    for model, tol, rough in (("elements", 2e-4, 2e-2), ("differences", 1e-2, 5e-2)):
        found = beam.vibrate(parabolas, model=model, **options)
        assert found.deflection(x) == pytest.approx(exact.deflection(x), abs=tol * size)
        assert found.velocity(x) == pytest.approx(exact.velocity(x), abs=rough * speed)
        assert found.moment(x)[::500] == pytest.approx(
            exact.moment(x)[::500], abs=rough * np.abs(exact.moment(x)).max()
        )
        assert found.modal[:, 0] == pytest.approx(
            exact.modal[:, 0], abs=tol * np.abs(exact.modal[:, 0]).max()
        )
        assert found.frequencies[0] == pytest.approx(exact.frequencies[0], rel=1e-3)
        assert found.energy[0] == pytest.approx(exact.energy[0], rel=1e-2)


def test_energy_stays_and_decays():
    free = bridge().vibrate(parabolas, t_end=1.0, dt=1e-2)
    assert np.ptp(free.energy) < 1e-10 * free.energy[0]
    curvature = quad(
        lambda x: 0.5 * EI * ((12 * x**2 - 12 * LENGTH * x + 2 * LENGTH**2) / 1e6) ** 2, 0, LENGTH
    )[0]
    assert free.energy[0] == pytest.approx(curvature, rel=1e-4)
    damped = bridge(damping=0.02).vibrate(parabolas, t_end=1.0, dt=1e-2)
    assert (np.diff(damped.energy) < 0.0).all()
    marched = bridge().vibrate(parabolas, t_end=0.5, dt=1e-3, model="elements")
    assert np.ptp(marched.energy) < 1e-8 * marched.energy[0]


@pytest.mark.parametrize("model", ["modes", "elements"])
def test_a_load_let_go_starts_from_rest(model):
    beam = bridge(shear_stiffness=5e9, rotary_inertia=300.0, supports=("pinned", "clamped"))
    rest = beam.bend([(1e5, 7.0)])
    found = beam.vibrate(rest, t_end=0.01, dt=1e-5, model=model)
    x = np.array([3.0, 7.0, 16.0])
    assert found.deflection(x)[0] == pytest.approx(rest.deflection(x), rel=1e-3)
    assert np.abs(found.velocity(x)[0]).max() == 0.0


def test_an_unsupported_beam_flies_on():
    beam = bridge(supports=("free", "free"))
    found = beam.vibrate(speed=lambda x: 0.2 + 0.01 * x, t_end=3.0, dt=0.5)
    x = np.array([0.0, 10.0, 20.0])
    assert found.deflection(x) == pytest.approx(np.outer(found.t, 0.2 + 0.01 * x), abs=1e-9)


def test_values_along_the_beam_are_a_start():
    beam, x = bridge(), np.linspace(0.0, LENGTH, 41)
    found = beam.vibrate(parabolas(x), t_end=0.2, dt=0.01)
    assert found.deflection(7.0) == pytest.approx(
        beam.vibrate(parabolas, t_end=0.2, dt=0.01).deflection(7.0), abs=1e-6
    )


def test_what_modes_do_not_hold_is_told():
    beam = bridge()
    few, many = (beam.vibrate(lambda x: x * (LENGTH - x), t_end=0.1, dt=0.1, size=n).initial for n in (3, 30))
    assert few.captured < many.captured < 1.0
    assert many.error < 1e-10
    kinked = beam.vibrate(lambda x: np.minimum(x, 0.7 * (LENGTH - x)), t_end=0.1, dt=0.1).initial
    assert 1e-12 < kinked.error < 1e-3


@pytest.mark.parametrize("damping", [0.0, 0.02])
@pytest.mark.parametrize("share", [0.5, 1.0, 2.9])
def test_harmonic_force_by_modes_and_elements(damping, share):
    beam = bridge(damping=damping)
    force = (1e5, 7.0, share * beam.frequencies(1)[0])
    exact = beam.vibrate(force=force, t_end=0.6, dt=1e-4)
    found = beam.vibrate(force=force, t_end=0.6, dt=1e-4, model="elements", size=40)
    for place in (7.0, 12.0):
        size = np.abs(exact.deflection(place)).max()
        assert found.deflection(place) == pytest.approx(exact.deflection(place), abs=1e-3 * size)


def test_the_rest_of_few_modes_is_there():
    beam = bridge()
    force = (1e5, 7.0, 10.0)
    few, many = (beam.vibrate(force=force, t_end=0.5, dt=1e-3, size=n) for n in (3, 60))
    assert few.deflection(7.0) == pytest.approx(
        many.deflection(7.0), abs=1e-3 * np.abs(many.deflection(7.0)).max()
    )
    assert few.moment(7.0) == pytest.approx(many.moment(7.0), abs=3e-2 * np.abs(many.moment(7.0)).max())
    bare = few.modal @ beam.modes(3).moment(7.0)
    assert np.abs(bare - many.moment(7.0)).max() > 0.1 * np.abs(many.moment(7.0)).max()


def test_steady_state_is_where_the_motion_ends():
    beam = bridge(damping=0.05)
    steady = beam.steady_vibration(1e5, 7.0, 40.0)
    late = beam.vibrate(force=(1e5, 7.0, 40.0), t=np.linspace(60.0, 61.0, 50))
    for quantity in ("deflection", "moment"):
        wave = (getattr(steady, quantity)(9.0) * np.exp(40.0j * late.t)).imag
        assert getattr(late, quantity)(9.0) == pytest.approx(wave, abs=1e-9 * np.abs(wave).max())


def test_steady_state_without_damping_needs_no_modes():
    beam = bridge()
    one, many = (
        beam.steady_vibration(1e5, 7.0, 20.0, modes=1),
        beam.steady_vibration(1e5, 7.0, 20.0, modes=50),
    )
    x = np.linspace(0.0, LENGTH, 9)[1:-1]
    assert one.deflection(x) == pytest.approx(many.deflection(x), rel=1e-10)
    assert one.moment(x) == pytest.approx(many.moment(x), rel=1e-8)
    slow = beam.steady_vibration(1e5, 7.0, 1e-3)
    assert slow.deflection(x).real == pytest.approx(beam.bend([(1e5, 7.0)]).deflection(x), rel=1e-8)
    assert slow.shear(3.0).real == pytest.approx(beam.bend([(1e5, 7.0)]).shear(3.0), rel=1e-8)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"t_end": 1.0}, "the beam stays at rest"),
        ({"initial": parabolas, "t_end": 1.0, "dt": None}, "dt is missing"),
        ({"initial": parabolas, "dt": None}, "exactly one of t and t_end"),
        ({"initial": parabolas, "t": [0.0, 1.0]}, "dt belongs to t_end"),
        ({"initial": parabolas, "t_end": 1e9, "dt": 1e-3}, "at most"),
        ({"initial": 0.1, "t_end": 1.0}, "initial = 0.1 must be a function"),
        (
            {"initial": np.cos, "t_end": 1.0},
            "initial is 1 at x = 0 m, at a rigid support",
        ),
        ({"initial": [0.0, 1.0, 0.0], "t_end": 1.0}, "at least 4 values"),
        ({"initial": lambda x: x[:-1], "t_end": 1.0}, "one value for each x"),
        ({"initial": parabolas, "t_end": 1.0, "model": "fem"}, "model = 'fem'"),
        ({"initial": parabolas, "t_end": 1.0, "method": "newmark"}, "modes need no method"),
        ({"initial": parabolas, "t_end": 1.0, "model": "elements", "method": "verlet"}, "stability limit"),
        ({"initial": parabolas, "t": [0.1, 0.2], "dt": None, "model": "elements"}, "from 0 on"),
        ({"force": (1.0, 2.0), "t_end": 1.0}, "force = .* must be"),
        ({"force": (1.0, 25.0, 3.0), "t_end": 1.0}, "lies outside the beam"),
        ({"force": (1.0, 5.0, 1e6), "t_end": 1.0, "size": 3}, "above the last of 3 modes"),
    ],
)
def test_bad_input(options, message):
    with pytest.raises(tr.InputError, match=message):
        bridge().vibrate(**({"dt": 1e-2} | options))


def test_no_steady_state_at_resonance():
    beam = bridge()
    with pytest.raises(tr.InputError, match="there is no steady state"):
        beam.steady_vibration(1.0, 7.0, float(beam.frequencies(1)[0]))
