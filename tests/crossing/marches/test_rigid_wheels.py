"""Wheels and vehicles on a beam: published figures, an independent solution, limits, loss of contact."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import traction as tr
from convergence import observed_order
from reference_cases import DATA_FOLDER
from traction.crossing.marches.kernels.rigid_march import strike_track
from traction.crossing.marches.rigid_wheels import _find_landings, _have_landed

DATA = json.loads((DATA_FOLDER / "dynamics.json").read_text(encoding="utf-8"))
BRIDGE = tr.Beam(20.0, 2e11 * 0.0104, 7900.0)
PINNED = tr.Beam(20.0, 2e11 * 0.0104, 7900.0, supports=("pinned", "pinned"))
MASS, SPEED, GRAVITY, MODES = 76e3, 30.0, 9.81, 5
VEHICLE = {
    "body_mass": 32e3,
    "body_inertia": 1.97e6,
    "bogie_mass": 2615.0,
    "bogie_inertia": 1476.0,
    "wheel_mass": 1813.0,
    "primary": (1.18e6, 39.2e3),
    "secondary": (530e3, 90.2e3),
    "bogie_spacing": 12.0,
    "axle_spacing": 2.5,
}


def sprung(size, **options):
    beam = tr.Beam(25.0, 3.5e10 * 1.3901, 18358.0, supports=("pinned", "pinned"))
    wheel = tr.Wheel(0.46, 0.0, suspension=tr.Suspension(1595e3, 0.0, 5750.0))
    return tr.moving_load(beam, [(wheel, 0.0)], 25.0, size=size, residual=False, **options)


@pytest.mark.parametrize("size", [10, 40])
def test_sprung_mass(size):
    known = DATA["sprung_mass"]["values"][f"N={size}"]
    run = sprung(size)
    peak = run.largest("deflection", 12.5)
    z, a = run.vehicle[:, 1], run.vehicle_acceleration[:, 1]
    assert peak.value == pytest.approx(known["max_mid"], rel=1e-6)
    assert peak.time == pytest.approx(known["t_max"], abs=1e-5)
    assert z.max() == pytest.approx(known["max_z"], rel=1e-5)
    assert a.min() == pytest.approx(known["min_zdd"], rel=1e-5)
    assert a.max() == pytest.approx(known["max_zdd"], rel=1e-5)
    assert run.contact_forces.max() == pytest.approx(known["contactF_max"], rel=1e-6)
    assert run.contact_forces.min() == pytest.approx(known["contactF_min"], rel=1e-6)
    samples = np.linspace(0.0, 1.0, 11)
    for values, name in ((run.deflection(12.5), "mid_samples"), (z, "z_samples")):
        np.testing.assert_allclose(np.interp(samples, run.t, values), known[name], atol=1e-9)


def moving_mass_reference(t):
    """M(t) q'' + C(t) q' + K(t) q = f(t) of a mass in rigid contact, solved as such."""
    modes = BRIDGE.modes(MODES)
    square = modes.frequencies**2

    def parts(t):
        s = min(SPEED * t, 20.0)
        bend = np.array([float(shape.at("curvature", np.array(s))) for shape in modes.shapes])
        return modes.deflection(s), SPEED * modes.slope(s), SPEED**2 * bend

    def accelerated(t, y):
        phi, turn, bend = parts(t)
        q, p = y[:MODES], y[MODES:]
        right = MASS * GRAVITY * phi - square * q - MASS * phi * (2.0 * turn @ p + bend @ q)
        return np.linalg.solve(np.eye(MODES) + MASS * np.outer(phi, phi), right)

    found = solve_ivp(
        lambda t, y: np.r_[y[MODES:], accelerated(t, y)],
        (0.0, t[-1]), np.zeros(2 * MODES), t_eval=t, rtol=1e-8, atol=1e-11, method="DOP853",
    )  # fmt: skip
    force = []
    for time, y in zip(t, found.y.T, strict=True):
        phi, turn, bend = parts(time)
        force.append(
            MASS * (GRAVITY - phi @ accelerated(time, y) - 2.0 * turn @ y[MODES:] - bend @ y[:MODES])
        )
    return found.y[:MODES].T @ modes.deflection(10.0), np.array(force)


def test_moving_mass_against_an_independent_solution():
    t = np.linspace(0.0, 20.0 / SPEED, 101)
    w, F = moving_mass_reference(t)
    steps, errors, force_errors = np.array([400, 800, 1600]), [], []
    for n in steps:
        run = tr.moving_load(
            BRIDGE, [(tr.Wheel(0.46, MASS), 0.0)], SPEED, size=MODES, residual=False, dt=t[-1] / n
        )
        k = n // 100
        errors.append(np.abs(run.deflection(10.0)[::k] - w).max() / w.max())
        force_errors.append(np.abs(run.contact_forces[::k, 0] - F)[1:-1].max() / (MASS * GRAVITY))
        assert not run.lost_contact
    assert errors[-1] < 5e-6
    assert force_errors[-1] < 2e-4
    assert observed_order(1 / steps, errors) == pytest.approx(2.0, abs=0.25)
    assert observed_order(1 / steps, force_errors) == pytest.approx(2.0, abs=0.35)


def test_stiff_suspension_is_a_moving_mass():
    rigid = tr.moving_load(BRIDGE, [(tr.Wheel(0.46, MASS), 0.0)], SPEED, size=MODES)
    differences = []
    for stiffness in (1e10, 1e12):
        wheel = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(stiffness, 0.0, MASS - 1e3))
        run = tr.moving_load(BRIDGE, [(wheel, 0.0)], SPEED, size=MODES)
        differences.append(np.abs(run.deflection(10.0) - rigid.deflection(10.0)).max())
    assert differences[0] < 2e-3 * rigid.deflection(10.0).max()
    assert differences[1] < 5e-5 * rigid.deflection(10.0).max()


def test_soft_suspension_is_a_moving_force():
    """A mass on a spring so soft that the beam's deflection does not change its force presses evenly."""
    wheel = tr.Wheel(0.46, 0.0, suspension=tr.Suspension(10.0, 0.0, MASS))
    run = tr.moving_load(BRIDGE, [(wheel, 0.0)], SPEED, size=MODES, dt=1e-4)
    force = tr.moving_load(BRIDGE, [(MASS * GRAVITY, 0.0)], SPEED, size=MODES, dt=1e-4)
    np.testing.assert_allclose(run.deflection(10.0), force.deflection(10.0), atol=1e-6 * 0.015)


def test_a_light_wheel_changes_nothing():
    alone = tr.moving_load(BRIDGE, [(7e5, 0.0)], SPEED, size=MODES, dt=1e-4)
    with_wheel = tr.moving_load(BRIDGE, [(7e5, 0.0), (tr.Wheel(0.46, 1e-3), 0.0)], SPEED, size=MODES, dt=1e-4)
    np.testing.assert_allclose(with_wheel.deflection(10.0), alone.deflection(10.0), atol=1e-7 * 0.015)


def test_slow_vehicle_is_at_rest():
    train = tr.Train.vehicle(**VEHICLE)
    run = tr.moving_load(PINNED, train, 0.5, size=4, dt=5e-3, t_end=40.0)
    n = 6000
    loads = 9.81 * (32e3 / 4 + 2615.0 / 2 + 1813.0)
    np.testing.assert_allclose(run.contact_forces[n], loads, rtol=1e-3)
    places = [(loads, s) for s in run.places[n] if 0 <= s <= 20]
    assert run.deflection(10.0)[n] == pytest.approx(float(PINNED.bend(places).deflection(10.0)), rel=5e-3)


def test_vehicle_of_ten_degrees_of_freedom():
    vehicle, _ = tr.Train.vehicle(**VEHICLE).vehicles[0]
    assert len(vehicle.mass) == 10
    assert 9.81 * vehicle.axle_masses.sum() == pytest.approx(9.81 * (32e3 + 2 * 2615 + 4 * 1813))
    np.testing.assert_allclose(vehicle.stiffness, vehicle.stiffness.T)
    # moving all down by 1 strains nothing; turning all by the same angle neither
    down = np.array([1, 0, 1, 0, 1, 0, 1, 1, 1, 1.0])
    turned = np.array([0, 1, 6, 1, -6, 1, 7.25, 4.75, -4.75, -7.25])
    np.testing.assert_allclose(vehicle.stiffness @ down, 0.0, atol=1e-6)
    np.testing.assert_allclose(vehicle.stiffness @ turned, 0.0, atol=1e-6)
    run = tr.moving_load(PINNED, tr.Train.vehicle(**VEHICLE, count=2, spacing=18.0), 40.0, size=8, t_end=2.0)
    assert run.vehicle.shape == (run.t.size, 20)
    assert run.names[0] == "vehicle 1 body bounce"
    assert run.contact_forces.shape == (run.t.size, 8)


def test_energy_is_kept_where_the_vehicle_has_stopped():
    """Nothing dissipates: beam, springs and masses keep what they have, less the work of the weight."""
    wheel = tr.Wheel(0.46, 2e3, suspension=tr.Suspension(5e6, 0.0, 20e3))

    def speed(t):
        return np.where(np.asarray(t) < 0.2, 50.0 * (1.0 - np.cos(10.0 * np.pi * np.asarray(t))), 0.0)

    run = tr.moving_load(PINNED, [(wheel, 0.0)], speed, size=8, dt=2e-4, t_end=3.0)
    z, v = run.vehicle, run.vehicle_velocity
    springs = 0.5 * 5e6 * (z[:, 0] - z[:, 1]) ** 2
    kinetic = 0.5 * (2e3 * v[:, 0] ** 2 + 20e3 * v[:, 1] ** 2)
    weight = 22e3 * 9.81 * z[:, 0]
    total = (run.energy + springs + kinetic - weight)[run.t > 0.2]
    assert run.places[-1, 0] == pytest.approx(10.0, abs=1e-3)
    assert np.ptp(run.energy[run.t > 0.2]) > 0.1 * weight.max()  # it does swing
    assert np.ptp(total) < 1e-4 * weight.max()


@pytest.mark.parametrize(
    "wheel", [tr.Wheel(0.46, 76e3), tr.Wheel(0.46, 500.0, suspension=tr.Suspension(1e9, 0.0, 5e4))]
)
def test_long_steps_are_stable(wheel):
    """Steps far beyond the periods of the highest modes neither explode nor oscillate."""
    run = tr.moving_load(BRIDGE, [(wheel, 0.0)], 5.0, size=60, dt=4.0 / 150)
    assert BRIDGE.frequencies(60)[-1] * run.dt > 500.0
    weight = 9.81 * wheel.vehicle.carried.sum()
    static = run.at_rest("deflection", 10.0)
    assert np.abs(run.deflection(10.0) - static).max() < 0.2 * static.max()
    assert np.abs(run.contact_forces / weight - 1.0).max() < 0.2


@pytest.mark.filterwarnings("ignore:wheels land again in rigid contact")
def test_contact_is_lost_and_comes_back():
    """A hump throws the wheel off: free flight under gravity, then it lands."""
    hump = tr.Irregularity.harmonic(0.02, 8.0)
    stiff = tr.Beam(20.0, 1e15, 1e6)
    run = tr.moving_load(stiff, [(tr.Wheel(0.46, 1e3), 0.0)], 30.0, size=2, irregularity=hump, dt=1e-4)
    flying = ~run.in_contact[:, 0]
    assert run.lost_contact
    assert flying.any()
    assert run.in_contact[-1].all() or run.in_contact[run.t.size // 2 :].any()
    assert np.all(run.contact_forces[:, 0] > -1e-6)
    first, last = np.flatnonzero(np.diff(flying.astype(int), prepend=0) == 1)[0], 0
    last = first + int(np.argmin(flying[first:]))
    t, z = run.t[first:last], run.vehicle[first:last, 0]
    fall = np.polyfit(t - t[0], z, 2)
    assert 2.0 * fall[0] == pytest.approx(9.81, rel=1e-6)
    height = -z - hump.height(run.places[first:last, 0])
    assert height.min() > -1e-6  # above the rail
    # off where the track falls away faster than gravity: v^2 |r''| = g
    bend = 0.02 * (2 * np.pi / 8.0) ** 2 * np.sin(2 * np.pi * run.places[first, 0] / 8.0)
    assert 30.0**2 * bend == pytest.approx(9.81, rel=0.02)
    down = (z[-1] - z[-2]) / (t[-1] - t[-2]) + 30.0 * hump.slope(run.places[last, 0])  # against the rail
    assert run.landings[0].impulse == pytest.approx(1e3 * down, rel=0.02)
    landed = run.landings[0].t  # where the parabola meets the rail, within a thousandth of a step
    assert run.t[last - 1] < landed < run.t[last]
    assert abs(np.polyval(fall, landed - t[0]) + hump.height(30.0 * landed)) < 1.1e-3 * run.dt * down


def test_wheel_follows_a_gentle_irregularity():
    """On a rigid track the force is m (g + v^2 r'')."""
    wave = tr.Irregularity.harmonic(1e-3, 5.0, phase=0.3)
    stiff = tr.Beam(20.0, 1e15, 1e6)
    run = tr.moving_load(stiff, [(tr.Wheel(0.46, 1e3), 0.0)], 10.0, size=2, irregularity=wave, dt=1e-4)
    k = 2 * np.pi / 5.0
    expected = 1e3 * (9.81 - 100.0 * 1e-3 * k**2 * np.sin(k * run.places[:, 0] + 0.3))
    np.testing.assert_allclose(run.contact_forces[1:-1, 0], expected[1:-1], rtol=1e-5)
    np.testing.assert_allclose(run.vehicle[:, 0], -wave.height(run.places[:, 0]), atol=1e-9)


def test_a_massless_wheel_cannot_fly():
    wheel = tr.Wheel(0.46, 0.0, suspension=tr.Suspension(1e6, 0.0, 1e3))
    hump = tr.Irregularity.harmonic(0.05, 4.0)
    with pytest.raises(tr.InputError, match="Give it a mass"):
        tr.moving_load(BRIDGE, [(wheel, 0.0)], 30.0, size=2, irregularity=hump)


def test_rail_on_sleepers_under_a_wheel():
    """At a crawl the wheel is as low as a force on the rail at rest."""
    rail = tr.rail(12, 0.6, 3e7, damping=0.05)
    run = tr.moving_load(rail, [(tr.Wheel(0.46, 600.0), 0.0)], 0.5, size=30, dt=2e-3)
    weight = 600.0 * 9.81
    for n in (2500, 3600, 5000):
        s = float(run.places[n, 0])
        rest = float(rail.bend([(weight, s)]).deflection(s))
        assert run.vehicle[n, 0] == pytest.approx(rest, rel=0.03)


def test_axles_enter_a_bent_bridge_without_jumps():
    """The end of the deflected bridge is a kink of the track; forces do not jump all the same."""
    wheel = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 4e3))
    run = tr.moving_load(PINNED, [(wheel, 0.0), (wheel, 3.0), (wheel, 11.0)], 40.0, size=12)
    entry = int(np.argmin(np.abs(run.places[:, 2])))
    jump = run.vehicle_velocity[entry + 2, 4] - run.vehicle_velocity[entry - 2, 4]
    assert 1e3 * abs(jump) / run.dt > 2.0 * 5e3 * 9.81  # the force of that impulse over one step
    assert not run.lost_contact
    assert np.abs(np.diff(run.contact_forces, axis=0)).max() < 0.03 * 5e3 * 9.81


def test_two_masses_against_an_independent_solution():
    """The second one enters while the bridge swings."""
    modes, m, gap = PINNED.modes(4), 20e3, 4.0
    square, end = modes.frequencies**2, 24.0 / SPEED

    def motion(t, y):
        q, p = y[:4], y[4:]
        A, right = np.eye(4), -square * q
        for s in (SPEED * t, SPEED * t - gap):
            if 0.0 <= s <= 20.0:
                phi, turn = modes.deflection(s), SPEED * modes.slope(s)
                bend = SPEED**2 * np.array([float(one.at("curvature", np.array(s))) for one in modes.shapes])
                A += m * np.outer(phi, phi)
                right += m * phi * (GRAVITY - 2.0 * turn @ p - bend @ q)
        return np.r_[p, np.linalg.solve(A, right)]

    exact = solve_ivp(
        motion, (0, end), np.zeros(8), rtol=1e-7, atol=1e-10, max_step=2e-3, t_eval=[0.3, 0.5, 0.7]
    )
    wheel = tr.Wheel(0.46, m)
    run = tr.moving_load(PINNED, [(wheel, 0.0), (wheel, gap)], SPEED, size=4, residual=False)
    found = np.interp([0.3, 0.5, 0.7], run.t, run.deflection(10.0))
    expected = exact.y[:4].T @ modes.deflection(10.0)
    np.testing.assert_allclose(found, expected, atol=1e-4 * np.abs(expected).max())


def test_quarter_car_over_a_rough_beam_against_an_independent_solution():
    """Two springs and dampers, irregularity, two spans of Timoshenko's beam with damping, an approach."""
    span = tr.Beam(12.0, 4e8, 1500.0, shear_stiffness=2e9, supports=("pinned", "pinned"), damping=0.02)
    beam = tr.Beam.spans([span, span])
    upper = tr.Suspension(3e5, 4e3, 2500.0)
    wheel = tr.Wheel(0.46, 400.0, suspension=tr.Suspension(1.5e6, 5e3, 700.0, above=upper))
    rough = tr.Irregularity.harmonic(8e-4, 4.0, 0.7)
    n, v, start, end = 5, 20.0, 3.0, 1.4
    modes = beam.modes(n)
    square, rate = modes.frequencies**2, 2 * 0.02 * modes.frequencies
    weight = 3600.0 * 9.81
    k = 2 * np.pi / 4.0

    def track(t, y):
        """Height, velocity and acceleration without q'' of the track under the wheel, and phi."""
        s, q, p = v * t - start, y[:n], y[n : 2 * n]
        r = -8e-4 * np.array(
            [np.sin(k * s + 0.7), v * k * np.cos(k * s + 0.7), -((v * k) ** 2) * np.sin(k * s + 0.7)]
        )
        if not 0.0 <= s <= 24.0:
            return r, np.zeros(n)
        phi, turn = modes.deflection(s), v * modes.slope(s)
        bend = v * v * np.array([float(one.at("curvature", np.array(s))) for one in modes.shapes])
        return r + np.array([phi @ q, phi @ p + turn @ q, 2.0 * turn @ p + bend @ q]), phi

    def motion(t, y):
        (w, u, a), phi = track(t, y)
        z1, z2, v1, v2 = y[2 * n :]
        lower = 1.5e6 * (w - z1) + 5e3 * (u - v1)
        top = 3e5 * (z1 - z2) + 4e3 * (v1 - v2)
        # 400 (phi q'' + a) = weight - F - lower; q'' = F phi - ...
        own = -square * y[:n] - rate * y[n : 2 * n]
        F = (weight - lower - 400.0 * (a + phi @ own)) / (1.0 + 400.0 * phi @ phi)
        return np.r_[y[n : 2 * n], own + F * phi, v1, v2, (lower - top) / 700.0, top / 2500.0]

    first = -8e-4 * np.sin(0.7 - k * start)
    y0 = np.r_[np.zeros(2 * n), first, first, 0.0, 0.0]
    t = np.array([0.2, 0.6, 0.9, 1.3])
    exact = solve_ivp(motion, (0, end), y0, t_eval=t, rtol=1e-7, atol=1e-10, max_step=1e-3)
    run = tr.moving_load(
        beam, [(wheel, start)], v, size=n, residual=False, irregularity=rough, dt=1e-4, t_end=end
    )
    bent = exact.y[:n].T @ modes.deflection(6.0)
    np.testing.assert_allclose(np.interp(t, run.t, run.deflection(6.0)), bent, atol=1e-4 * np.abs(bent).max())
    for coordinate in (1, 2):
        z = exact.y[2 * n + coordinate - 1]
        found = np.interp(t, run.t, run.vehicle[:, coordinate])
        np.testing.assert_allclose(found, z, atol=2e-4 * np.abs(z).max())


def test_high_modes_under_several_wheels_are_of_fourth_order():
    """With the mean forces alone, accelerations of 20 modes were off by 5 and 1.4 % in these steps."""
    wheel = tr.Wheel(0.46, 900.0, suspension=tr.Suspension(0.8e6, 30e3, mass=8e3))
    end, omega = 0.6, float(PINNED.frequencies(20)[-1])
    steps = int(np.ceil(end * omega))  # of 1 rad of the highest mode

    def acceleration(parts):
        run = tr.moving_load(
            PINNED, [(wheel, 0.0), (wheel, 3.0)], 20.0, size=20, dt=end / (parts * steps), t_end=end
        )
        return run.acceleration(10.0)[::parts]

    exact = acceleration(8)
    off = [np.abs(acceleration(parts) - exact).max() / np.abs(exact).max() for parts in (1, 2)]
    assert off[0] < 3e-3
    assert off[1] < 5e-4


def test_a_step_that_is_divided_forgets_impulses_of_the_whole_one():
    """The wheel that landed before it touched to the end of the whole step, but not of its first part."""
    contacts = SimpleNamespace(
        held=np.array([[False], [True], [False]]), right=np.zeros(1), struck=np.ones((2, 1))
    )
    strike_track.py_func(None, None, None, None, 1, None, contacts)
    assert contacts.struck[1, 0] == 0.0


def test_wheels_that_stand_have_no_landings():
    """The impulse of a landing presses the other wheel on the bridge too, which has not landed."""
    held = np.ones((6, 4), dtype=bool)  # on the ground and the bridge, two wheels at six times
    held[:, [0, 3]] = False
    held[1:3, 1] = False  # the first wheel flies
    struck = np.zeros((5, 2))
    struck[3] = 5e4, 2e3
    t, load = 1e-3 * np.arange(6), np.full(2, 1e5)
    assert {one.wheel for one in _find_landings(t, struck, load)} == {0, 1}
    (landing,) = _find_landings(t, struck * _have_landed(held), load)
    assert (landing.wheel, landing.t) == (0, t[3])
    assert landing.impulse == pytest.approx(50.0)
