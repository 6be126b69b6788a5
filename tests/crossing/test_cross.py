"""Trains across bridges in elastic contact: independent solutions, limits, energy, impacts."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import traction as tr
from coarse import LONG_STEPS
from convergence import observed_order
from traction.crossing.bridge_models.bridge_model import bridge_model
from traction.crossing.bridge_models.wheels_on_bridge import WheelsOnBridge
from traction.crossing.marches.kernels.contact_springs import Springs
from traction.crossing.marches.kernels.elastic_march import step_forces

pytestmark = pytest.mark.filterwarnings("ignore:wheel .* meets a step of the track")

BEAM = tr.Beam(20.0, 2e11 * 0.0104, 7900.0)
PINNED = tr.Beam(20.0, 2e11 * 0.0104, 7900.0, supports=("pinned", "pinned"))
BRIDGE = tr.Bridge(BEAM, tr.STEEL)
MASS, SPEED, GRAVITY = 76e3, 30.0, 9.81
MASSIVE = tr.Wheel(0.46, MASS)
ELASTIC = ("hertz", "half-space")
LIMITED = ("symplectic-euler", "rk4", "verlet")  #: that need short steps


def hard(factor):
    """Steel, so many times as stiff."""
    return tr.Material(2.1e11 * factor, 0.3)


def largest_difference(one, other, x=10.0):
    w = other.deflection(x)
    return np.abs(np.interp(other.t, one.t, one.deflection(x)) - w).max() / np.abs(w).max()


def test_rigid_contact_is_the_moving_load():
    run = tr.cross(BRIDGE, [(MASSIVE, 0.0)], SPEED, contact="rigid", size=5, dt=1e-3)
    same = tr.moving_load(BEAM, [(MASSIVE, 0.0)], SPEED, size=5, dt=1e-3)
    np.testing.assert_array_equal(run.deflection(10.0), same.deflection(10.0))
    np.testing.assert_array_equal(run.contact_forces, same.contact_forces)


def test_hertz_against_an_independent_solution():
    """A wheel under a sprung mass over a rough rail with Hertz's contact, solved as one set of equations."""
    n, m, top, k, c = 4, 5e3, 30e3, 4e6, 3e4
    wheel = tr.Wheel(0.46, m, suspension=tr.Suspension(k, c, top))
    rough = tr.Irregularity.harmonic(1e-4, 3.0, 0.4)
    modes, weight = BEAM.modes(n), (m + top) * GRAVITY
    pair = tr.Pair(tr.STEEL, tr.STEEL)
    law = tr.PowerLaw.hertz(0.46, pair)
    rest = (weight / law.coefficient) ** (2 / 3)

    def force(t, y):
        s = min(SPEED * t, 20.0)
        depth = rest + y[2 * n] - modes.deflection(s) @ y[:n] + float(rough.height(s))
        return law.coefficient * max(0.0, depth) ** 1.5, s

    def motion(t, y):
        F, s = force(t, y)
        z, zt, v, vt = y[2 * n :]
        spring = k * (zt - z) + c * (vt - v)
        own = F * modes.deflection(s) - modes.frequencies**2 * y[:n]
        return np.r_[y[n : 2 * n], own, v, vt, (weight - F + spring) / m, -spring / top]

    start = -float(rough.height(0.0))
    y0 = np.r_[np.zeros(2 * n), start, start, -SPEED * float(rough.slope(0.0)), 0.0]
    t = np.linspace(0.0, 20.0 / SPEED, 41)
    found = solve_ivp(motion, (0.0, t[-1]), y0, t_eval=t, rtol=1e-9, atol=1e-12, method="DOP853")
    bent = found.y[:n].T @ modes.deflection(10.0)
    pressed = np.array([force(one, y)[0] for one, y in zip(t, found.y.T, strict=True)])
    steps, errors, force_errors = np.array([3200, 6400, 12800]), [], []
    for count in steps:
        run = tr.cross(
            BRIDGE, [(wheel, 0.0)], SPEED, contact="hertz", size=n, residual=False, irregularity=rough,
            dt=t[-1] / count,
        )  # fmt: skip
        every = count // 40
        errors.append(np.abs(run.deflection(10.0)[::every] - bent).max() / bent.max())
        force_errors.append(np.abs(run.contact_forces[::every, 0] - pressed).max() / weight)
    assert np.ptp(pressed) > 0.1 * weight  # the rail is felt
    assert errors[-1] < 1e-6
    assert force_errors[-1] < 1e-4
    assert observed_order(1 / steps, errors) == pytest.approx(2.0, abs=0.3)
    assert observed_order(1 / steps, force_errors) == pytest.approx(2.0, abs=0.3)


@pytest.mark.parametrize("contact", ELASTIC)
def test_hard_contact_is_the_moving_mass(contact):
    rigid = tr.cross(BRIDGE, [(MASSIVE, 0.0)], SPEED, contact="rigid", size=5, dt=1e-3, residual=False)
    differences = []
    for factor in (1.0, 100.0):
        wheel = tr.Wheel(0.46, MASS, material=hard(factor))
        bridge = tr.Bridge(BEAM, hard(factor))
        run = tr.cross(bridge, [(wheel, 0.0)], SPEED, contact=contact, size=5, dt=1e-3, residual=False)
        differences.append(largest_difference(run, rigid))
    assert differences[1] < 2e-4
    assert differences[1] < 0.2 * differences[0]


@pytest.mark.parametrize("contact", ELASTIC)
@pytest.mark.parametrize("mass", [0.0, 50.0])
def test_hard_contact_is_the_sprung_mass(contact, mass):
    beam = tr.Beam(25.0, 3.5e10 * 1.3901, 18358.0, supports=("pinned", "pinned"))
    wheel = tr.Wheel(0.46, mass, material=hard(100.0), suspension=tr.Suspension(1595e3, 0.0, 5750.0))
    bridge = tr.Bridge(beam, hard(100.0))
    rigid, run = (
        tr.cross(bridge, [(wheel, 0.0)], 25.0, contact=kind, size=10, dt=1e-3) for kind in ("rigid", contact)
    )
    assert largest_difference(run, rigid, 12.5) < 1e-5
    assert np.abs(run.contact_forces - rigid.contact_forces).max() < 1e-3 * rigid.contact_forces.max()
    np.testing.assert_allclose(run.vehicle[:, 1], rigid.vehicle[:, 1], atol=1e-3 * rigid.vehicle[:, 1].max())


def test_slow_crossing_is_the_wheel_at_rest():
    wheel, bridge = tr.Wheel(0.46, 8e3), tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, damping=0.2), tr.STEEL)
    run = tr.cross(bridge, [(wheel, 0.0)], 1.0, contact="half-space", size=10, dt=0.02, t_end=8.0)
    at = float(run.places[-1, 0])
    rest = tr.rest(wheel, bridge, at, 8e3 * GRAVITY)
    assert run.contact_forces[-1, 0] == pytest.approx(rest.forces[0], rel=1e-3)
    assert run.approach[-1, 0] == pytest.approx(rest.approaches[0], rel=1e-3)
    assert run.deflection(at)[-1] == pytest.approx(float(rest.deflection(at)), rel=1e-3)
    patch = run.patch(8.0)
    assert patch.force == pytest.approx(run.contact_forces[-1, 0], rel=1e-6)
    assert patch.pressure.max() == pytest.approx(rest.contacts[0].pressure.max(), rel=5e-3)


def test_half_space_is_hertz_for_a_ball():
    hertz, solved = (
        tr.cross(BRIDGE, [(MASSIVE, 0.0)], SPEED, contact=kind, size=8, dt=1e-3) for kind in ELASTIC
    )
    np.testing.assert_allclose(solved.contact_forces, hertz.contact_forces, rtol=1e-2)
    np.testing.assert_allclose(solved.approach, hertz.approach, rtol=1e-2)
    assert largest_difference(solved, hertz) < 1e-3
    assert solved.contacts[0].table.solver.evaluations < 0.2 * solved.stats["steps"]
    one, other = solved.patch(0.3), hertz.patch(0.3)
    assert one.semi_axes[0] == pytest.approx(other.semi_axes[0], rel=0.02)
    assert other.force == pytest.approx(hertz.contact_forces[np.argmin(np.abs(hertz.t - 0.3)), 0])


def test_line_contact_per_metre_of_width():
    """Started at rest under the wheel, its patch is Hertz's strip; the bridge is that of a rigid wheel."""
    wheel = tr.Wheel(0.46, 2e4, profile=tr.Cylinder(0.46))
    strip = tr.hertz.line(0.46, tr.Pair(tr.STEEL, tr.STEEL), force=2e4 * GRAVITY, length=0.5)
    grid = tr.Grid.line(64, 2.8 * strip.half_width / 64, length=0.5)
    run = tr.cross(BRIDGE, [(wheel, 0.0)], SPEED, contact="half-space", grid=grid, size=5, dt=1e-3)
    assert run.approach[0, 0] == pytest.approx(strip.approach, rel=1e-3)
    assert run.patch(0.0).semi_axes[0] == pytest.approx(strip.half_width, rel=2e-3)
    rigid = tr.cross(BRIDGE, [(tr.Wheel(0.46, 2e4), 0.0)], SPEED, contact="rigid", size=5, dt=1e-3)
    assert largest_difference(run, rigid) < 2e-3
    for bad, words in (
        (tr.Grid.line(64, 1e-4), "reference length"),
        (tr.Grid.line(8, 1e-5, length=0.5), "smaller than the patch"),
    ):
        with pytest.raises(tr.InputError, match=words):
            tr.cross(BRIDGE, [(wheel, 0.0)], SPEED, contact="half-space", grid=bad)


def test_unequal_curvatures_make_an_ellipse():
    rail = tr.Cylinder(0.3, axis="x")
    bridge = tr.Bridge(BEAM, tr.STEEL, rail_profile=rail)
    wheel = tr.Wheel(0.46, 1e4, profile=tr.Paraboloid(0.46, 2.0))
    known = tr.hertz.ellipse(0.46, 1 / (1 / 0.3 + 1 / 2.0), tr.Pair(tr.STEEL, tr.STEEL), force=1e4 * GRAVITY)
    for kind, limit in (("hertz", 1e-9), ("half-space", 5e-3)):
        run = tr.cross(bridge, [(wheel, 0.0)], SPEED, contact=kind, size=2, dt=1e-3, t_end=0.01)
        assert run.approach[0, 0] == pytest.approx(known.approach, rel=limit)
        assert run.patch(0.0).semi_axes == pytest.approx(known.semi_axes, rel=max(limit, 1e-9) * 4)


@pytest.mark.parametrize("contact", ELASTIC)
def test_energy_is_kept_where_the_train_has_stopped(contact):
    wheel = tr.Wheel(0.46, 2e3, suspension=tr.Suspension(5e6, 0.0, 20e3))

    def speed(t):
        return np.where(np.asarray(t) < 0.2, 50.0 * (1.0 - np.cos(10.0 * np.pi * np.asarray(t))), 0.0)

    run = tr.cross(
        tr.Bridge(PINNED, tr.STEEL), [(wheel, 0.0)], speed, contact=contact, size=8, dt=5e-4, t_end=0.6
    )
    stands, energies = run.t > 0.2, run.energies
    assert np.ptp(run.approach[stands]) > 0.2 * run.contacts[0].static  # it does swing
    assert np.ptp(energies.total[stands]) < 1e-8 * energies.work
    assert energies.closure < 1e-8
    assert np.ptp(energies.drive) > 0.01 * energies.work


def test_energy_balance_with_damping_and_forces():
    """Damped bridge and vehicles, rough rail, plain forces beside wheels: all work is found again."""
    beam = tr.Beam(20.0, 2.08e9, 7900.0, damping=0.03)
    wheel = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 2e4, 9e3))
    train = [(1e5, 0.0), (tr.HarmonicAxle(8e4, 2e4, 6.0), 3.0), (wheel, 5.0), (wheel, 8.0)]
    rough = tr.Irregularity.harmonic(3e-4, 2.0)
    closures = []
    for dt in (1e-3, 2.5e-4):
        run = tr.cross(
            tr.Bridge(beam, tr.STEEL), train, SPEED, contact="hertz", size=6, irregularity=rough, dt=dt
        )
        closures.append(run.energies.closure)
    energies = run.energies
    for part in (energies.dissipated, energies.axles, energies.drive, energies.gravity):
        assert np.ptp(part) > 0.01 * energies.work
    assert (np.diff(energies.dissipated) >= 0.0).all()
    assert closures[0] < 1e-8
    assert closures[1] < 0.2 * closures[0]


@LONG_STEPS  # energy is kept at any step
@pytest.mark.filterwarnings("ignore:wheels land again in rigid contact")  # at the edges of soft ends
@pytest.mark.sampled(2)
@pytest.mark.parametrize("contact", ELASTIC)
@pytest.mark.parametrize("held", ["springs", "spans"])
def test_bridges_on_springs_and_of_several_spans(contact, held):
    """On springs the second wheel meets a step of the track, whose work is counted as the drive's."""
    if held == "springs":
        ends = tr.Support(1e9, 0.0)
        beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=(ends, ends))
    else:
        span = tr.Beam(10.0, 4e8, 1500.0, shear_stiffness=2e9, supports=("pinned", "pinned"), damping=0.02)
        beam = tr.Beam.spans([span, span])
    wheel = tr.Wheel(0.46, 400.0, suspension=tr.Suspension(1.5e6, 5e3, 3000.0))
    run, rigid = (
        tr.cross(tr.Bridge(beam, tr.STEEL), [(wheel, 0.0), (wheel, 3.0)], 20.0, contact=kind, size=6, dt=1e-3)
        for kind in (contact, "rigid")
    )
    assert run.energies.closure < 1e-7
    assert largest_difference(run, rigid, 5.0) < 2e-3


@pytest.mark.parametrize("contact", ELASTIC)
def test_contact_is_lost_and_comes_back(contact):
    """A hump throws the wheel off: free fall, then an impact that conserves energy."""
    hump = tr.Irregularity.harmonic(0.02, 8.0)
    stiff = tr.Bridge(tr.Beam(20.0, 1e15, 1e6), tr.STEEL)
    run = tr.cross(
        stiff, [(tr.Wheel(0.46, 1e3), 0.0)], SPEED, contact=contact, size=2, irregularity=hump, dt=2e-4,
        t_end=0.4,
    )  # fmt: skip
    flying = ~run.in_contact[:, 0]
    assert run.lost_contact
    first = int(np.argmax(flying))
    last = first + int(np.argmin(flying[first:]))
    assert last > first + 20
    assert (run.contact_forces[first:last, 0] == 0.0).all()
    assert (run.approach[first:last, 0] <= 0.0).all()
    fall = np.polyfit(run.t[first + 1 : last - 1] - run.t[first], run.vehicle[first + 1 : last - 1, 0], 2)
    assert 2.0 * fall[0] == pytest.approx(GRAVITY, rel=1e-6)
    assert run.contact_forces[last:, 0].max() > 5e3 * GRAVITY
    assert run.energies.closure < 1e-8
    patch = run.patch(float(run.t[first + 5]))
    assert (patch.force, patch.peak_pressure, patch.semi_axes) == (0.0, 0.0, (0.0, 0.0))
    assert patch.approach == run.approach[first + 5, 0] < 0.0
    assert patch.stiffness == 0.0


DIFFERENT = ("euler-backward", "verlet", "newmark", "energy-conserving", "radau-iia")  #: one of each family


@pytest.fixture(scope="module")
def condensed():
    return tr.cross(BRIDGE, [(MASSIVE, 0.0)], SPEED, contact="hertz", size=12, dt=1e-4, t_end=0.4)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "method",
    [
        pytest.param(name, marks=[] if name in DIFFERENT else [pytest.mark.slow])
        for name in tr.methods()
        if name != "euler-forward"
    ],
)
def test_any_method_agrees_with_the_condensed_march(condensed, method):
    run = tr.cross(
        BRIDGE,
        [(MASSIVE, 0.0)],
        SPEED,
        contact="hertz",
        size=12,
        dt=1e-4 if method in LIMITED else 1e-3,
        t_end=0.4,
        method=method,
    )
    limit = 1e-2 if method == "euler-backward" else 1e-3
    assert run.method == method
    assert largest_difference(run, condensed) < limit
    forces = np.interp(run.t, condensed.t, condensed.contact_forces[:, 0])
    assert np.abs(run.contact_forces[:, 0] - forces).max() < (0.1 if limit > 1e-3 else 0.04) * MASS * GRAVITY
    assert run.energies.closure < 1e-8
    assert run.energies.drift < (5e-3 if method == "euler-backward" else 1e-4)
    if method == "euler-backward":
        assert (np.diff(run.energies.numerical) < 0.0).mean() > 0.9  # it takes energy nearly always


@pytest.mark.parametrize(("model", "size", "limit"), [("elements", 24, 1e-3), ("differences", 60, 5e-3)])
def test_elements_and_differences(condensed, model, size, limit):
    run = tr.cross(
        BRIDGE, [(MASSIVE, 0.0)], SPEED, contact="hertz", model=model, size=size, dt=1e-3, t_end=0.4
    )
    assert run.model == model
    assert largest_difference(run, condensed) < limit
    assert not run.lost_contact
    assert run.energies.closure < 1e-6
    assert run.energies.drift < 1e-4


def test_half_space_by_a_method(condensed):
    run = tr.cross(
        BRIDGE, [(MASSIVE, 0.0)], SPEED, contact="half-space", size=12, dt=1e-3, t_end=0.2, method="newmark"
    )
    ahead = np.interp(run.t, condensed.t, condensed.deflection(10.0))
    np.testing.assert_allclose(run.deflection(10.0), ahead, atol=2e-3 * 0.0173)


@pytest.mark.parametrize("model", ["modes", "elements", "differences"])
def test_jacobian_is_exact(model):
    from traction.crossing.packed_train import pack_cars, schedule
    from traction.crossing.wheel_contact import wheel_contacts
    from traction.trains.travel import read_travel

    cars = tr.Train([(tr.Wheel(0.46, 1e4), 0.0), (tr.Wheel(0.46, 2e4), 2.5)])
    packed, way = pack_cars(cars, GRAVITY), read_travel(SPEED, None)
    contacts = wheel_contacts("hertz", BRIDGE, cars, packed.load, None, None, "table")
    wheels = WheelsOnBridge(
        bridge_model(BEAM, model, 8), cars, packed, contacts, schedule(BEAM, cars, way, 1e-3, None), None
    )
    q, v = wheels.start()
    q += 1e-5 * np.random.default_rng(1).standard_normal(q.size)
    exact, t = wheels.jacobian(0.3, q, v), 0.3
    exact = exact if model == "modes" else exact.toarray()
    step = 1e-9 * np.eye(q.size)
    differences = [(wheels.force(t, q + one) - wheels.force(t, q - one)) / 2e-9 for one in step]
    np.testing.assert_allclose(np.transpose(differences), exact, atol=1e-5 * np.abs(exact).max())
    slopes = [(wheels.energy(t, q + one, 0 * v) - wheels.energy(t, q - one, 0 * v)) / 2e-9 for one in step]
    force = wheels.stiffness @ q - wheels.force(t, q)
    np.testing.assert_allclose(slopes, force, atol=1e-4 * np.abs(force).max())


@pytest.mark.parametrize("worn", [True, False])
def test_flat_spot(worn):
    flat = tr.Irregularity.flat(0.46, 0.05, at=1.0, worn=worn)
    x = np.linspace(0.9, 1.1, 4001)
    depth = 0.05**2 / (16 * 0.46) if worn else 0.05**2 / (8 * 0.46)
    assert flat.height(1.0) == pytest.approx(-depth)
    assert (flat.height(x) <= 0.0).all()
    np.testing.assert_array_equal(flat.height(x) < -1e-12, np.abs(x - 1.0) < 0.025 - 1e-6)
    np.testing.assert_allclose(flat.height(x + 2 * np.pi * 0.46), flat.height(x), atol=1e-15)
    smooth = np.abs(x - 1.0) > 1e-4
    slopes = np.gradient(flat.height(x), x)
    np.testing.assert_allclose(flat.slope(x)[smooth], slopes[smooth], atol=3e-4 * np.abs(slopes).max() + 5e-5)


def test_flat_wheel_hits_the_rail():
    """The first impact, in elastic contact; Hertz and the half space agree on it."""
    wheel = tr.Wheel(
        0.46,
        1e3,
        suspension=tr.Suspension(1e6, 1e4, 9e3),
        irregularity=tr.Irregularity.flat(0.46, 0.04, at=1.0),
    )
    load = 1e4 * GRAVITY
    peaks = []
    for contact in ELASTIC:
        run = tr.cross(BRIDGE, [(wheel, 0.0)], 20.0, contact=contact, size=8, dt=1e-4, t_end=0.06)
        before = run.places[:, 0] < 0.97
        assert np.abs(run.contact_forces[before, 0] / load - 1.0).max() < 0.02
        assert run.contact_forces.min() < 0.5 * load
        peaks.append(run.contact_forces.max())
    assert peaks[0] > 1.5 * load
    assert peaks[1] == pytest.approx(peaks[0], rel=0.01)


def test_irregularity_of_wheel_and_rail_are_one():
    wave = tr.Irregularity.harmonic(1e-4, 2 * np.pi * 0.46 / 3)
    runs = [
        tr.cross(
            BRIDGE, [(tr.Wheel(0.46, 1e4, irregularity=own), 0.0)], SPEED, contact=contact, size=4, dt=5e-4,
            irregularity=rail, **options,
        )
        for contact, options in (("hertz", {}), ("hertz", {"method": "rk4"}), ("rigid", {}))
        for own, rail in ((wave, None), (None, wave))
    ]  # fmt: skip
    for one, other in zip(runs[::2], runs[1::2], strict=True):
        assert np.ptp(one.contact_forces) > 1e4
        np.testing.assert_allclose(one.contact_forces, other.contact_forces, rtol=1e-9)


def test_spectrum_of_the_contact_force():
    """A rail wave of 2 m at 30 m/s is felt at 15 Hz."""
    run = tr.cross(
        tr.Bridge(tr.Beam(20.0, 1e15, 1e6), tr.STEEL), [(tr.Wheel(0.46, 1e4), 0.0)], SPEED, contact="hertz",
        size=2, dt=2e-4, irregularity=tr.Irregularity.harmonic(1e-5, 2.0),
    )  # fmt: skip
    assert run.force_spectrum().dominant(1)[0] == pytest.approx(15.0, rel=0.05)


@LONG_STEPS  # deflections do not need the contact resolved
def test_vehicles_need_the_shape_of_their_wheels():
    train = tr.Train.vehicle(
        body_mass=32e3, body_inertia=1.97e6, bogie_mass=2615.0, bogie_inertia=1476.0, wheel_mass=1813.0,
        primary=(1.18e6, 39.2e3), secondary=(530e3, 90.2e3), bogie_spacing=12.0, axle_spacing=2.5,
    )  # fmt: skip
    bridge = tr.Bridge(PINNED, tr.STEEL)
    with pytest.raises(tr.InputError, match=r"wheel=tr\.Wheel"):
        tr.cross(bridge, train, SPEED, contact="hertz")
    run = tr.cross(bridge, train, SPEED, contact="hertz", wheel=tr.Wheel(0.46, 1.0), size=6, dt=1e-3)
    rigid = tr.cross(bridge, train, SPEED, contact="rigid", size=6, dt=1e-3)
    assert run.contact_forces.shape == (run.t.size, 4)
    assert largest_difference(run, rigid) < 5e-3
    assert run.energies.closure < 1e-4


@LONG_STEPS  # deflections do not need the contact resolved
def test_resonance_of_wheels():
    """Wheels of equal spacing meet the first mode at v = f D."""
    beam = tr.Beam(15.0, 7.694081e9, 15000.0, supports=("pinned", "pinned"), damping=0.01)
    train = tr.Train([(tr.Wheel(0.46, 2e3), 20.0 * k) for k in range(8)], spacing=20.0)
    expected = 20.0 * float(beam.frequencies(1)[0]) / (2 * np.pi)
    speeds = expected * np.array([0.7, 0.9, 1.0, 1.1, 1.3])
    curve = tr.cross_resonance(tr.Bridge(beam, tr.STEEL), train, speeds, contact="hertz", size=3, dt=1e-3)
    assert curve.peak("deflection")[0] == pytest.approx(expected)
    assert any(one.speed == pytest.approx(expected) and one.mode == 1 for one in curve.expected[0])
    assert curve.amplification[0].max() > 2.0
    assert (curve.force > 2e3 * GRAVITY).all()


def test_bad_input():
    wheels = [(MASSIVE, 0.0)]
    soft = tr.Bridge(tr.Beam(20.0, 1e7, 7900.0), tr.STEEL)
    for arguments, words in (
        ((soft, wheels, SPEED), "small deflections"),
        ((BRIDGE, wheels, SPEED, {"method": "verlet", "dt": 0.05, "size": 4}), "stability limit"),
        ((BRIDGE, wheels, SPEED, {"method": "euler-forward", "dt": 1e-3}), "unstable"),
        ((BRIDGE, wheels, SPEED, {"contact": "half-space", "grid": tr.Grid(16, 16, 2e-4, 2e-4)}), "smaller"),
        ((BRIDGE, wheels, SPEED, {"grid": tr.Grid(16, 16, 1e-3, 1e-3)}), "hertz"),
        ((BRIDGE, [(1e5, 0.0)], SPEED), "plain forces"),
        ((BRIDGE, wheels, SPEED, {"wheel": MASSIVE}), "of their own"),
        ((BRIDGE, wheels, SPEED, {"contact": "rigid", "wheel": MASSIVE}), "omit it"),
        ((BRIDGE, wheels, SPEED, {"contact": "soft"}), "contact"),
        ((BRIDGE, wheels, SPEED, {"size": 3000}), "at most 1000"),
        ((BRIDGE, wheels, SPEED, {"beta": 0.3}), "unknown options"),
        ((BRIDGE, wheels, SPEED, {"model": "elements", "method": "condensed"}), "modes"),
        ((BRIDGE, wheels, SPEED, {"model": "elements", "residual": True}), "residual"),
        ((BEAM, wheels, SPEED), "bridge"),
    ):
        *positional, options = arguments if isinstance(arguments[-1], dict) else (*arguments, {})
        with pytest.raises(tr.InputError, match=words):
            tr.cross(*positional, **{"contact": "hertz", **options})
    bent = tr.Bridge(tr.Beam(2.0, 6e3, 40.0), tr.STEEL)
    with pytest.raises(tr.InputError, match=r"tr\.rest"):
        tr.cross(bent, [(tr.Wheel(0.46, 400.0), 0.0)], SPEED, contact="hertz")
    run = tr.cross(BRIDGE, wheels, SPEED, contact="hertz", size=2, dt=1e-3)
    with pytest.raises(tr.InputError, match="times of the run"):
        run.patch(9.0)
    with pytest.raises(tr.InputError, match="has 1 wheel"):
        run.patch(0.1, wheel=3)


@pytest.mark.parametrize("contact", ["rigid", *ELASTIC])
def test_a_rail_that_ends_is_told_before_the_march(contact):
    broken = tr.Irregularity(
        lambda x: np.where(np.asarray(x) > 3.0, np.nan, 0.0), lambda x: np.zeros(np.shape(x))
    )
    with pytest.raises(tr.InputError, match=r"irregularity: height or slope at x = 3\..* is not finite"):
        tr.cross(BRIDGE, [(tr.Wheel(0.46, 1e4), 0.0)], SPEED, contact=contact, irregularity=broken, dt=1e-3)


def test_numbers_that_are_none_do_not_converge():
    springs = Springs(
        np.ones(1), np.ones(1), np.zeros((1, 2, 1)), np.zeros((0, 6)), np.zeros((1, 2), dtype=np.int64),
        np.array([-1.0, 0.0]), np.zeros((1, 2)), np.zeros((0, 2, 1)),
        np.zeros((0, 2), dtype=np.int64), np.zeros((1, 0)), np.zeros((1, 1)), np.zeros((2, 0, 0)),
    )  # fmt: skip
    start, end, F = np.ones(1), np.ones(1), np.zeros(1)
    assert step_forces(np.ones((1, 1)), np.full(1, np.nan), springs, 0, start, end, F) == -1
    assert step_forces(np.ones((1, 1)), np.full(1, 2.0), springs, 0, start, end, F) > 0


def test_stability_may_be_asked_for_by_name():
    given = {"method": "rk4", "size": 3, "t_end": 0.02, "contact": "hertz"}
    one, same = (
        tr.cross(BRIDGE, [(tr.Wheel(0.46, 1e4), 0.0)], SPEED, **given, **more)
        for more in ({}, {"allow_unstable": False})
    )
    np.testing.assert_array_equal(one.contact_forces, same.contact_forces)


@pytest.mark.parametrize(
    ("grid", "words"),
    [
        (tr.Grid(8, 8, 0.02, 0.02), "elements across the patch at rest"),
        (tr.Grid(20, 20, 1e-3, 1e-3, center=(0.1, 0.0)), "travels with the wheel"),
    ],
)
def test_grids_that_do_not_see_the_patch(grid, words):
    with pytest.raises(tr.InputError, match=words):
        tr.cross(BRIDGE, [(tr.Wheel(0.4, 9e3), 0.0)], SPEED, contact="half-space", grid=grid, dt=1e-3)


def test_wheels_without_mass_are_for_the_condensed_march():
    light = tr.Wheel(0.46, 0.0, suspension=tr.Suspension(1e6, 1e4, 9e3))
    with pytest.raises(tr.InputError, match="needs a mass of every wheel"):
        tr.cross(BRIDGE, [(light, 0.0)], SPEED, contact="hertz", method="verlet", size=6, dt=5e-5)
    run = tr.cross(BRIDGE, [(light, 0.0)], SPEED, contact="hertz", size=6, dt=1e-3, t_end=0.05)
    assert np.isfinite(run.contact_forces).all()
