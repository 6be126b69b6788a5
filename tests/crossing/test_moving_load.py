"""Moving forces: published figures, limits, balances, order, bad input."""

import json
import math

import numpy as np
import pytest

import traction as tr
from convergence import observed_order
from reference_cases import DATA_FOLDER

DATA = json.loads((DATA_FOLDER / "dynamics.json").read_text(encoding="utf-8"))
REFERENCE = DATA["moving_load"]
EI, MASS, LENGTH = 2e11 * 0.0104, 7900.0, 20.0
BRIDGE = tr.Beam(LENGTH, EI, MASS)
PINNED = tr.Beam(LENGTH, EI, MASS, supports=("pinned", "pinned"))
DAMPED = tr.Beam(LENGTH, EI, MASS, supports=("pinned", "pinned"), damping=0.02)
FORCE = 76e3 * 9.81
QUANTITIES = ("deflection", "velocity", "acceleration", "moment", "shear")


def test_thesis_bridge():
    best = REFERENCE["clamped_bridge"]["values_best"]["v=30"]
    run = tr.moving_load(BRIDGE, [(FORCE, 0.0)], 30.0, size=40)
    peak = run.largest("deflection", 10.0)
    assert peak.value == pytest.approx(best["max_midspan_m"], rel=1e-8)
    assert peak.time == pytest.approx(best["t_s"], abs=1e-6)
    overall = run.largest("deflection")
    assert overall.value == pytest.approx(best["max_over_x_t_m"], rel=1e-8)
    assert overall.place == pytest.approx(best["at_x"], abs=1e-3)
    quarters = np.interp(np.array([0.25, 0.5, 0.75, 1.0]) * 2 / 3, run.t, run.deflection(10.0))
    np.testing.assert_allclose(quarters, best["midspan at T/4,T/2,3T/4,T"], atol=2e-8)


def test_few_modes_with_residual_flexibility_give_many_digits():
    with_rest = tr.moving_load(BRIDGE, [(FORCE, 0.0)], 30.0, size=6).largest("deflection", 10.0).value
    without = (
        tr.moving_load(BRIDGE, [(FORCE, 0.0)], 30.0, size=6, residual=False).largest("deflection", 10.0).value
    )
    exact = REFERENCE["clamped_bridge"]["values_best"]["v=30"]["max_midspan_m"]
    assert with_rest == pytest.approx(exact, rel=1e-5)
    assert abs(without / exact - 1) > 20 * abs(with_rest / exact - 1)


@pytest.mark.parametrize("ratio", ["0.1", "0.5"])
def test_simply_supported_amplification(ratio):
    known = REFERENCE["simply_supported"]["values"][ratio]
    speed = float(ratio) * math.pi / LENGTH * math.sqrt(EI / MASS)
    static = FORCE * LENGTH**3 / (48 * EI)
    run = tr.moving_load(PINNED, [(FORCE, 0.0)], speed, t_end=2 * LENGTH / speed)
    crossing = run.t <= LENGTH / speed
    peak = run.largest("deflection", 10.0)
    free = np.abs(run.deflection(10.0)[~crossing]).max() / static
    assert free == pytest.approx(known["max|w| free vibration after exit"], rel=1e-3)
    short = tr.moving_load(PINNED, [(FORCE, 0.0)], speed)
    peak = short.largest("deflection", 10.0)
    assert peak.value / static == pytest.approx(known["DAF_forced(max over 0<=vt<=L)"], rel=1e-7)
    assert peak.time * speed / LENGTH == pytest.approx(known["s=vt/L at max"], abs=1e-5)
    assert short.amplification("deflection", 10.0) == pytest.approx(peak.value / static, rel=1e-6)
    first = tr.moving_load(PINNED, [(FORCE, 0.0)], speed, size=1, residual=False)
    assert first.largest("deflection", 10.0).value / static == pytest.approx(
        known["DAF first mode only (x 48L^3/..; factor 96/pi^4)"], rel=1e-8
    )


@pytest.mark.parametrize(("model", "limit"), [("elements", 1e-5), ("differences", 1e-3)])
def test_discrete_models_on_the_thesis_bridge(model, limit):
    dt = 3.8e-5 if model == "differences" else None
    run = tr.moving_load(BRIDGE, [(FORCE, 0.0)], 30.0, model=model, size=100, dt=dt)
    assert run.largest("deflection", 10.0).value == pytest.approx(0.0150010948, rel=limit)
    modes = tr.moving_load(BRIDGE, [(FORCE, 0.0)], 30.0)
    assert run.largest("moment", 5.0).value == pytest.approx(modes.largest("moment", 5.0).value, rel=2e-2)
    assert run.modal.shape[0] == run.t.size


@pytest.mark.parametrize("quantity", ["deflection", "moment", "shear"])
def test_slow_loads_are_at_rest(quantity):
    beam = tr.Beam.spans([tr.Beam(8.0, 2e9, 50.0), tr.Beam(12.0, 3e9, 60.0)], damping=0.05)
    run = tr.moving_load(beam, [(1e5, 0.0), (2e5, 2.5)], 0.05, size=12, dt=0.5)
    x, seen = 5.0, slice(20, None, 37)
    expected = [
        float(getattr(beam.bend([(f, s) for f, s in ((1e5, a), (2e5, b)) if 0 <= s <= 20]), quantity)(x))
        for a, b in run.places[seen]
    ]
    found = getattr(run, quantity)(x)[seen]
    np.testing.assert_allclose(found, expected, atol=2e-5 * np.abs(expected).max())
    np.testing.assert_allclose(run.at_rest(quantity, x)[seen], expected, atol=1e-9 * np.abs(expected).max())


def test_reactions_balance_forces_and_inertia():
    run = tr.moving_load(PINNED, [(FORCE, 0.0)], 20.0, size=30, dt=5e-4)
    x = np.linspace(0, LENGTH, 401)
    inertia = MASS * np.trapezoid(run.acceleration(x)[::10], x, axis=1)
    total = run.reactions()[::10].sum(axis=1)
    np.testing.assert_allclose(total[1:-1] + inertia[1:-1], FORCE, rtol=2e-3)


def test_reaction_of_an_elastic_support_is_its_spring():
    beam = tr.Beam(10.0, 1e8, 500.0, supports=(tr.Support(deflection=5e6), "pinned"))
    run = tr.moving_load(beam, [(1e4, 0.0)], 10.0, size=10)
    np.testing.assert_allclose(run.reactions()[:, 0], 5e6 * run.deflection(0.0))


def test_rates_are_derivatives():
    loads = [(tr.HarmonicAxle(1e5, 3e4, 4.0), 0.0), (lambda t: 5e4 * np.cos(7 * t), 3.0)]
    run = tr.moving_load(DAMPED, loads, lambda t: 20.0 + 5.0 * np.sin(2 * t), size=12, t_end=1.0, dt=2e-4)
    for quantity, rate in (("deflection", "velocity"), ("velocity", "acceleration")):
        values, expected = getattr(run, quantity)(7.3), getattr(run, rate)(7.3)
        numeric = (values[2:] - values[:-2]) / (2 * run.dt)
        inside = np.abs(run.places[1:-1, :, None] - np.array([0.0, 7.3])).min(axis=(1, 2)) > 0.05
        error = np.abs(numeric - expected[1:-1])[inside].max() / np.abs(expected).max()
        assert error < 2e-2


@pytest.mark.parametrize("supports", [("pinned", "pinned"), ("free", "free"), ("clamped", "free")])
def test_energy_balance(supports):
    """Work of the forces is the change of energy and what damping takes; forces come and go at free ends."""
    beam = tr.Beam(LENGTH, EI, MASS, supports=supports, damping=tr.Rayleigh(0.4, 1e-5))
    run = tr.moving_load(beam, [(FORCE, 0.0), (0.5 * FORCE, 4.0)], 40.0, size=8, dt=1e-5, t_end=0.8)
    from scipy.integrate import trapezoid

    work = trapezoid(run.power, run.t)
    lost = trapezoid(run.dissipation, run.t)
    assert run.energy[-1] + lost == pytest.approx(work, rel=2e-4)


def test_force_on_a_free_beam_moves_it_as_a_whole():
    """Momentum and spin of a free beam are those that a force gives it."""
    beam = tr.Beam(4.0, 1e6, 50.0, supports=("free", "free"))
    run = tr.moving_load(beam, [(100.0, 0.0)], 8.0, size=6, dt=1e-3)
    x = np.linspace(0, 4.0, 801)
    momentum = 50.0 * np.trapezoid(run.velocity(x)[-2], x)
    assert momentum == pytest.approx(100.0 * run.t[-2], rel=1e-4)
    few, many = (tr.moving_load(beam, [(100.0, 0.0)], 8.0, size=n, dt=1e-3).deflection(1.0) for n in (5, 30))
    np.testing.assert_allclose(few, many, atol=2e-4 * np.abs(many).max())


def test_order_of_convergence():
    """Fourth order in the step, passages of axles inside steps included."""
    axles = [(FORCE, 0.0), (FORCE, 2.17)]

    def deflection(steps):
        return tr.moving_load(
            BRIDGE, axles, 60.0, size=6, residual=False, dt=0.36 / steps, t_end=0.36
        ).deflection(9.0)

    best = deflection(2560)
    steps = np.array([80, 160, 320])
    errors = [np.abs(deflection(n)[:: n // 80] - best[::32]).max() for n in steps]
    assert observed_order(1 / steps, errors) == pytest.approx(4.0, abs=0.3)


def test_harmonic_force_in_one_mode():
    """Against the equation of motion of the first mode, the force in resonance with it."""
    from scipy.integrate import solve_ivp

    omega = PINNED.frequencies(1)[0]
    wave = tr.HarmonicAxle(1e3, 1e4, omega / (2 * math.pi), phase=0.4)
    run = tr.moving_load(PINNED, [(wave, 0.0)], 2.0, size=1, residual=False)
    height = math.sqrt(2.0 / (MASS * LENGTH))

    def motion(t, y):
        force = 1e3 + 1e4 * math.sin(omega * t + 0.4)
        return y[1], force * height * math.sin(math.pi * 2.0 * t / LENGTH) - omega**2 * y[0]

    exact = solve_ivp(
        motion, (0, 10.0), (0.0, 0.0), rtol=1e-10, atol=1e-14, method="DOP853", t_eval=run.t[::100]
    )
    np.testing.assert_allclose(run.modal[::100, 0], exact.y[0], atol=1e-5 * np.abs(exact.y[0]).max())


def test_places_that_turn_back_are_refused():
    places = (np.array([0.0, 1e-3, 2e-3, 5.0]), np.array([0.0, 9.999, 10.0, 10.0]))  # its spline overshoots
    with pytest.raises(tr.InputError, match="must not be negative"):
        tr.moving_load(PINNED, [(FORCE, 0.0)], places, size=1, t_end=5.0)


def test_varying_speed_equals_constant_where_it_is():
    by_number = tr.moving_load(BRIDGE, [(FORCE, 0.0), (FORCE, 3.0)], 30.0, dt=1e-3, t_end=0.7)
    by_function = tr.moving_load(BRIDGE, [(FORCE, 0.0), (FORCE, 3.0)], lambda t: 30.0, dt=1e-3, t_end=0.7)
    t = np.linspace(0.0, 0.7, 11)
    by_places = tr.moving_load(BRIDGE, [(FORCE, 0.0), (FORCE, 3.0)], (t, 30.0 * t), dt=1e-3, t_end=0.7)
    for other in (by_function, by_places):
        np.testing.assert_allclose(other.deflection(10.0), by_number.deflection(10.0), atol=1e-9)


def test_superposition_of_axles():
    both = tr.moving_load(DAMPED, [(FORCE, 0.0), (2 * FORCE, 5.0)], 25.0, size=10, dt=1e-3, t_end=1.0)
    one = tr.moving_load(DAMPED, [(FORCE, 0.0)], 25.0, size=10, dt=1e-3, t_end=1.0)
    two = tr.moving_load(DAMPED, [(2 * FORCE, 5.0)], 25.0, size=10, dt=1e-3, t_end=1.0)
    for quantity in QUANTITIES:
        total = getattr(one, quantity)([3.0, 10.0]) + getattr(two, quantity)([3.0, 10.0])
        np.testing.assert_allclose(
            getattr(both, quantity)([3.0, 10.0]), total, atol=1e-9 * np.abs(total).max()
        )


def test_shapes_of_the_answers():
    run = tr.moving_load(BRIDGE, [(FORCE, 0.0)], 30.0, size=5)
    n = run.t.size
    for quantity in QUANTITIES:
        assert getattr(run, quantity)(3.0).shape == (n,)
        assert getattr(run, quantity)([3.0, 4.0, 5.0]).shape == (n, 3)
    envelope = run.envelope("moment")
    assert envelope.x.shape == envelope.least.shape == envelope.largest.shape == (101,)
    assert envelope.largest.max() == pytest.approx(run.moment(envelope.x).max())
    assert run.modal.shape == run.modal_velocity.shape == run.modal_acceleration.shape == (n, 5)
    assert run.ok
    assert "1 axle, " in repr(run)


@pytest.mark.parametrize(
    ("loads", "speed", "options", "words"),
    [
        ([(1e5, 0.0)], 0.0, {}, "speed = 0.0 m/s must be positive"),
        ([(1e5, 0.0)], -3.0, {}, "speed = -3.0"),
        ([(1e5, 0.0)], lambda t: 30.0, {}, "needs the time at which to end"),
        ([(1e5, 0.0)], lambda t: 1.0 - t, {"t_end": 3.0}, "must not be negative"),
        ([(1e5, 100.0)], 30.0, {"t_end": 1.0}, r"loads\[0\].*reaches the beam at t = 3.33333 s"),
        ([(1e5, 0.0), (1e5, 1e7)], 30.0, {}, "never reaches the beam"),
        ([(1e5, -5.0)], 30.0, {}, "counted backwards"),
        ([], 30.0, {}, "loads is empty"),
        (1e5, 30.0, {}, "must be pairs"),
        ([(math.nan, 0.0)], 30.0, {}, "must be finite"),
        ([(1e5, 0.0)], 30.0, {"model": "shells"}, "model = 'shells' is not known"),
        ([(1e5, 0.0)], 30.0, {"method": "newmark"}, "propagated exactly"),
        ([(1e5, 0.0)], 30.0, {"beta": 0.2}, "unknown options"),
        ([(1e5, 0.0)], 30.0, {"size": 0}, "size = 0 must be at least 1"),
        ([(1e5, 0.0)], 30.0, {"size": 3000}, "3000 modes of a beam are too many for a run, at most 1000"),
        ([(1e5, 0.0)], 30.0, {"dt": 1e-12}, "at most 20000000"),
        ([(1e5, 0.0)], 30.0, {"irregularity": tr.Irregularity.harmonic(1e-3, 3.0)}, "has no effect on"),
        ([(1e5, 0.0)], 30.0, {"gravity": 9.81}, "gravity is given, but has no effect on forces"),
        ([(1e5, 0.0)], 30.0, {"t_end": -1.0}, "t_end = -1.0 s must be positive"),
        ([(1e5, 0.0)], 30.0, {"model": "elements", "residual": True}, "applies to model"),
        ([(1e5, 0.0)], 30.0, {"model": "elements", "every": 3}, "keeps all states"),
        ([(tr.Wheel(0.5, 10.0), 0.0)], 30.0, {"model": "elements", "method": "verlet"}, "march condensed"),
    ],
)
def test_bad_input(loads, speed, options, words):
    with pytest.raises(tr.InputError, match=words):
        tr.moving_load(BRIDGE, loads, speed, **options)


def test_places_off_the_beam_are_refused():
    run = tr.moving_load(BRIDGE, [(FORCE, 0.0)], 30.0, size=3)
    for ask in (
        lambda: run.deflection(25.0),
        lambda: run.largest("moment", -1.0),
        lambda: run.moment([3.0, 21.0]),
    ):
        with pytest.raises(tr.InputError, match="lies outside the beam"):
            ask()
    with pytest.raises(tr.InputError, match="quantity"):
        run.largest("stress", 3.0)


def test_step_over_the_limit_of_an_explicit_method():
    with pytest.raises(tr.InputError, match="limit"):
        tr.moving_load(BRIDGE, [(FORCE, 0.0)], 30.0, model="differences", method="verlet", dt=1e-4)


@pytest.mark.parametrize("contact", ["rigid", "hertz"])
def test_a_run_may_end_before_the_last_axle_arrives(contact):
    """Until then it is the run of the whole train; an axle on its way carries its load."""
    bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0), tr.STEEL)
    wheel = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3))
    train, given = [(wheel, 0.0), (wheel, 16.0)], {"contact": contact, "size": 5, "dt": 1e-3}
    whole = tr.cross(bridge, train, 30.0, t_end=0.8, **given)
    part = tr.cross(bridge, train, 30.0, t_end=0.4, **given)
    np.testing.assert_allclose(part.deflection(10.0), whole.deflection(10.0)[:401], atol=1e-12)
    np.testing.assert_allclose(part.contact_forces[:-1], whole.contact_forces[:400], rtol=1e-9)
    np.testing.assert_allclose(part.contact_forces[:, 1], 98.1e3, rtol=1e-9)


def test_rigid_wheels_land_by_impulses():
    """The force of a landing has no limit as the step falls; the impulse and all other forces have one."""
    bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0), tr.STEEL)
    wheel = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3))
    given = {"irregularity": tr.Irregularity.harmonic(5e-3, 1.0), "t_end": 0.08, "size": 10}
    runs = []
    for dt in (2e-4, 5e-5, 1.25e-5):
        with pytest.warns(UserWarning, match=r"wheel 0 first at t = 0.025.* impulses .* N s.*no limit"):
            runs.append(tr.cross(bridge, [(wheel, 0.0)], 30.0, contact="rigid", dt=dt, **given))
    peaks, shocks = ([one.contact_forces.max() for one in runs], [one.landings for one in runs])
    assert peaks == pytest.approx([peaks[-1]] * 3, rel=5e-3)
    assert [len(one) for one in shocks] == [2, 2, 2]
    for k in range(2):
        assert shocks[1][k].impulse == pytest.approx(shocks[2][k].impulse, rel=0.01)
        assert shocks[1][k].t == pytest.approx(shocks[2][k].t, abs=1e-4)
    speed = shocks[-1][1].impulse / 1e3  # with which the mass of the wheel comes down on the track
    assert 0.5 < speed < 2.0
    assert runs[0].landings[0].wheel == 0
    assert not tr.cross(bridge, [(wheel, 0.0)], 30.0, contact="rigid", size=2, dt=1e-3).landings
    energies = [one.energies for one in runs]
    assert max(one.closure for one in energies) < 1e-5
    assert energies[-1].drift < 0.1 * energies[0].drift
    lost, speeds = runs[-1].energies.dissipated, [one.impulse / 1e3 for one in shocks[-1]]
    landed = [np.diff(np.interp((one.t - 1e-5, one.t + 5e-5), runs[-1].t, lost))[0] for one in shocks[-1]]
    plastic = np.array([0.5 * 1e3 * v * v for v in speeds])  # of a bridge that does not move
    assert (plastic < landed).all()
    assert (landed < 1.25 * plastic).all()


@pytest.mark.parametrize("model", ["modes", "elements"])
def test_energies_of_rigid_wheels(model):
    """The balance closes; what the constraint adds falls with the square of the step."""
    beam = tr.Beam(20.0, 2.08e9, 7900.0, damping=0.02)
    wheel = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3))
    found = [
        tr.moving_load(
            beam, [(wheel, 0.0), (8e4, 2.0), (wheel, 3.0)], 30.0, model=model, size=6, dt=dt,
            irregularity=tr.Irregularity.harmonic(1e-3, 1.0), t_end=0.4,
        ).energies
        for dt in (1e-3, 5e-4)
    ]  # fmt: skip
    assert found[1].closure < 1e-6
    assert found[1].drift == pytest.approx(0.25 * found[0].drift, rel=0.2)
    assert found[1].drift < 1e-3
    assert (found[1].contact == 0.0).all()
    assert found[1].dissipated[-1] > 0.1 * found[1].work
    with pytest.raises(tr.InputError, match="energies need wheels"):
        _ = tr.moving_load(beam, [(8e4, 0.0)], 30.0, size=2, dt=1e-2).energies
