"""Shafts of driven wheels: free and damped torsion, momentum, stick-slip with falling friction."""

import math
import re
import warnings
from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import PchipInterpolator

import traction as tr
from convergence import observed_order
from traction.crossing.driving.drive_checks import SHAFT_PARTS
from traction.crossing.driving.driven_wheel import DrivenWheel, PartDemand, RolledPart, WheelState
from traction.crossing.driving.driven_wheels import RollState
from traction.crossing.driving.shaft_torsion import ShaftPart, Torsion, WheelTorque
from traction.crossing.results.wheel_rolling import jump_notices
from traction.trains.drive import Demand

FIRM = tr.Bridge(tr.Beam(20.0, 1e13, 1e6), tr.STEEL)  #: hardly moves: the contact force is the load
PAIR = tr.Pair(tr.STEEL, tr.STEEL)
RADIUS, SPEED, LOAD, INERTIA = 0.46, 10.0, 80e3, 50.0


def crossed(drive, t_end, *, dt=4e-4, speed=SPEED, **options):
    wheel = tr.Wheel(RADIUS, LOAD / 9.81)
    return tr.cross(
        FIRM, [(wheel, 0.0)], speed, contact="hertz", dt=dt, t_end=t_end, drive=drive, **options
    ).rolling()


def turn_freely(shaft, steps, given=0.0):
    """Speeds of a wheel without contact and its rotor, and the twist, after one period in `steps` steps."""
    h = shaft.period(INERTIA) / steps
    torsion, turning = Torsion(3.0, 2e-3), 1.0
    for _ in range(steps):
        part = ShaftPart(shaft, INERTIA, torsion, turning, h, given)
        torque = part.torque
        turning = (INERTIA / h * turning + torque.free) / (INERTIA / h + torque.slope)
        torsion = part.end(turning)
    return np.array([turning, *torsion])


def exactly(shaft, given=0.0):
    """The same in closed form."""
    rotor = math.inf if shaft.inertia is None else shaft.inertia
    k, c, mean = shaft.stiffness, shaft.damping, 1.0 / (1.0 / INERTIA + 1.0 / rotor)
    omega, decay, t = math.sqrt(k / mean), c / (2.0 * mean), shaft.period(INERTIA)
    swing = math.sqrt(omega**2 - decay**2)
    rest = 0.0 if shaft.inertia is None else given * mean / rotor / k
    start, rate = 2e-3 - rest, 2.0
    sine, cosine = math.sin(swing * t), math.cos(swing * t)
    grown = math.exp(-decay * t)
    twist = rest + grown * (start * cosine + (rate + decay * start) / swing * sine)
    speed = grown * (rate * cosine - (omega**2 * start + decay * rate) / swing * sine)
    if shaft.inertia is None:
        return np.array([3.0 - speed, 3.0, twist])
    whole = (INERTIA * 1.0 + rotor * 3.0 + given * t) / (INERTIA + rotor)
    return np.array([whole - speed * mean / INERTIA, whole + speed * mean / rotor, twist])


@pytest.mark.parametrize(
    ("shaft", "given"),
    [
        (tr.Shaft(4e5), 3.0),
        (tr.Shaft(4e5, damping=900.0), 3.0),
        (tr.Shaft(4e5, inertia=20.0), 0.0),
        (tr.Shaft(4e5, damping=900.0, inertia=20.0), 700.0),
    ],
)
def test_torsion_is_of_second_order(shaft, given):
    """With a rotor of given speed, or of an inertia on which a torque acts."""
    expected = exactly(shaft, given)
    sizes = 1.0 / np.array([40, 80, 160])
    errors = [np.abs(turn_freely(shaft, round(1.0 / h), given) - expected).max() for h in sizes]
    assert observed_order(sizes, errors) == pytest.approx(2.0, abs=0.1)


def test_torsion_without_damping_keeps_its_energy():
    shaft = tr.Shaft(4e5, inertia=20.0)

    def energy(turning, rotor, twist):
        return 0.5 * (INERTIA * turning**2 + 20.0 * rotor**2 + shaft.stiffness * twist**2)

    assert energy(*turn_freely(shaft, 7)) == pytest.approx(energy(1.0, 3.0, 2e-3), rel=1e-12)


def test_periods_are_divided_finely_enough():
    """The phase error after a period, with the parts of a march."""
    shaft = tr.Shaft(4e5)
    off = turn_freely(shaft, SHAFT_PARTS, 3.0) - exactly(shaft, 3.0)
    assert abs(off[0]) < 2.5 * 2.0 * math.pi * 1e-3


def test_a_shaft_ends_in_the_steady_creepage_of_its_rotor():
    """A wheel that adheres turns, once the torsion has decayed, with the speed of its rotor."""
    creepage = (-0.001, 0.0, 0.0)
    drive = tr.Drive(
        creepage=(lambda t: -0.001 * np.clip(t / 0.01, 0.0, 1.0), 0.0, 0.0),
        inertia=INERTIA, shaft=tr.Shaft(1e8, damping=1e4), elements=8, keep=2,
    )  # fmt: skip
    rolling = crossed(drive, 0.025)
    fixed = crossed(tr.Drive(creepage=creepage, elements=8, keep=2), 0.01)
    assert rolling.creepage[-1, 0] == pytest.approx(-0.001, rel=3e-3)
    assert rolling.force[-1, 0] == pytest.approx(fixed.force[-1, 0], rel=5e-3)
    assert rolling.shaft_torque[-1] == pytest.approx(RADIUS * rolling.force[-1, 0], rel=5e-3)
    assert rolling.rotor_speed[-1] == pytest.approx(1.001 * SPEED / RADIUS)


def test_momentum_of_wheel_and_rotor_is_what_torque_and_rail_leave():
    """Over all steps, while the wheel begins to slide and the rotor runs ahead."""
    shaft, torque = tr.Shaft(3e5, damping=200.0, inertia=30.0), 18e3
    drive = tr.Drive(
        torque=lambda t: torque * np.clip(t / 0.02, 0.0, 1.0),
        inertia=INERTIA,
        shaft=shaft,
        elements=8,
        keep=2,
    )
    rolling = crossed(drive, 0.12, dt=1e-4)
    t, h = rolling.t[1:], np.diff(rolling.t)
    moved = INERTIA * np.diff(rolling.rotation[1:]) + 30.0 * np.diff(rolling.rotor_speed[1:])
    acts = (torque * np.clip(t / 0.02, 0.0, 1.0) - RADIUS * rolling.force[1:, 0]) * h
    assert rolling.sliding[-1]
    assert moved.sum() == pytest.approx(acts[1:].sum(), rel=1e-3)
    assert rolling.rotor_speed[-1] > 1.05 * SPEED / RADIUS


def test_a_brake_on_the_rotor_holds_it_once_it_stands():
    """The wheel oscillates on its shaft and comes to rest; it then slides at the speed of the train."""
    drive = tr.Drive(
        torque=lambda t: -30e3 * np.clip(t / 0.02, 0.0, 1.0), inertia=INERTIA,
        shaft=tr.Shaft(4e5, damping=900.0, inertia=10.0), elements=6, keep=2,
    )  # fmt: skip
    rolling = crossed(drive, 0.3, dt=1e-3)
    assert rolling.rotor_speed.min() == rolling.rotor_speed[-1] == 0.0
    assert rolling.creepage[-1, 0] == pytest.approx(1.0, abs=0.03)
    last = rolling.t > 0.3 - tr.Shaft(4e5).period(INERTIA)
    assert rolling.shaft_torque[last].mean() == pytest.approx(RADIUS * rolling.force[-1, 0], rel=0.02)


def brake_freely(shaft, brake, start, t_end, steps):
    """Speeds of a wheel without contact and its braked rotor, and the twist, at the ends of the steps."""
    h, (turning, *rest) = t_end / steps, start
    torsion, found = Torsion(*rest), [start]
    for _ in range(steps):
        part, tried = ShaftPart(shaft, INERTIA, torsion, turning, h, -brake), set()
        while part.way not in tried:
            tried.add(part.way)
            turns = (INERTIA / h * turning + part.torque.free) / (INERTIA / h + part.torque.slope)
            part = replace(part, way=part.see_way(turns))
        turning, torsion = turns, part.end(turns)
        found.append((turning, *torsion))
    return np.array(found)


def brake_exactly(shaft, brake, start, t_end):
    """The same at the end by an ODE for each direction of rotation, with located events; the directions."""
    t, y, ways = 0.0, np.array(start), []

    def twisted(y):
        return shaft.torque(y[2], y[1] - y[0])

    while t < t_end:
        # a rotor that stands is pulled backwards by a positive torque of its shaft
        way = np.sign(y[1]) if y[1] else -np.sign(twisted(y)) * (abs(twisted(y)) > brake)
        held, y[1] = way == 0.0, y[1] or 1e-9 * way  # not at once where the rotor is to stop

        def rate(t, y, way=way, held=held):
            pulled = twisted(y)
            turned = 0.0 if held else (-way * brake - pulled) / shaft.inertia
            return [pulled / INERTIA, turned, y[1] - y[0]]

        def ends(t, y, held=held):
            return abs(twisted(y)) - brake * (1.0 + 1e-6) if held else y[1]

        ends.terminal, ends.direction = True, 1.0 if held else -way
        known = solve_ivp(
            rate, (t, t_end), y, method="DOP853", rtol=1e-10, atol=1e-12, max_step=1e-4, events=ends
        )
        t, y = known.t[-1], known.y[:, -1]
        y[1] = 0.0 if not held and known.status == 1 else y[1]
        ways.append(int(way))
    return y, ways


@pytest.mark.parametrize(
    ("brake", "damping", "start", "ways"),
    [
        (2e3, 0.0, (1.0, 8.0, 0.1), [1, -1, 1, -1, 1, -1, 1, -1]),
        (2e4, 0.0, (1.0, 8.0, 0.1), [1, -1, 0, 1, 0]),
        (3e4, 900.0, (2.0, 3.0, 0.05), [1, 0]),
        (8e3, 300.0, (0.0, 0.0, 0.1), [-1, 1, -1, 0]),
    ],
)
def test_a_braked_rotor_turns_as_by_dry_friction(brake, damping, start, ways):
    """Forwards, backwards or held, as by an ODE with located events; parts change direction at their ends."""
    shaft, t_end = tr.Shaft(4e5, damping=damping, inertia=20.0), 0.12
    known, turned = brake_exactly(shaft, brake, start, t_end)
    assert turned == ways
    off = [np.abs(brake_freely(shaft, brake, start, t_end, n)[-1] - known).max() for n in (400, 3200)]
    assert off[0] < 0.08
    assert off[1] < 0.01
    mirrored = brake_freely(shaft, brake, tuple(np.negative(start)), t_end, 400)
    np.testing.assert_array_equal(mirrored, -brake_freely(shaft, brake, start, t_end, 400))


def test_just_one_way_of_a_braked_rotor_is_right():
    shaft, right = tr.Shaft(4e5, damping=900.0, inertia=20.0), []
    for rotor, twist in product((-2.0, 0.0, 2.0), (-0.3, -0.06, 0.0, 0.06, 0.3)):
        for way in (-1, 0, 1):
            part = ShaftPart(shaft, INERTIA, Torsion(rotor, twist), 0.0, 1e-3, -30e3, way)
            turning = part.torque.free / (INERTIA / 1e-3 + part.torque.slope)
            if part.see_way(turning) == way:
                right.append(way)
                assert np.sign(part.end(turning).rotor) == way
    assert right == [1, 0, -1, -1, -1, 1, 0, 0, 0, -1, 1, 1, 1, 0, -1]


@pytest.mark.parametrize("damping", [1e6, 1e8, 1e10])
def test_strong_damping_does_not_oscillate(damping):
    """The relative speed of a free wheel and rotor decays at once, and keeps its sign."""
    shaft = tr.Shaft(4e5, damping=damping, inertia=20.0)
    h, torsion, turning = shaft.period(INERTIA) / SHAFT_PARTS, Torsion(3.0, 0.0), 1.0
    for _ in range(20):
        part = ShaftPart(shaft, INERTIA, torsion, turning, h, 0.0)
        turning = (INERTIA / h * turning + part.torque.free) / (INERTIA / h + part.torque.slope)
        slip, torsion = torsion.rotor - turning, part.end(turning)
        assert -1e-3 < torsion.rotor - turning < 0.8 * max(slip, 1e-3)
    assert turning == pytest.approx((INERTIA + 60.0) / (INERTIA + 20.0), rel=1e-3)


@pytest.mark.parametrize("damping", [1e6, 1e8])
def test_a_stiffly_damped_shaft_carries_what_the_rail_takes(damping):
    drive = tr.Drive(
        creepage=(lambda t: -0.05 * np.clip(t / 0.003, 0.0, 1.0), 0.0, 0.0),
        inertia=INERTIA, shaft=tr.Shaft(1e6, damping=damping), elements=6, keep=2,
    )  # fmt: skip
    rolling = crossed(drive, 0.008)
    assert rolling.sliding[-1]
    assert rolling.shaft_torque[-1] == pytest.approx(0.3 * LOAD * RADIUS, rel=0.01)
    assert rolling.shaft_torque.max() < 1.05 * (0.3 * LOAD * RADIUS + 0.05 * SPEED / RADIUS / 0.003 * INERTIA)


@pytest.mark.parametrize(
    ("drive", "message"),
    [
        ({"shaft": tr.Shaft(1e30)}, r"parts of .* in the period of a shaft.*softer shafts"),
        ({"shaft": tr.Shaft(1e5), "inertia": 1e-25}, r"parts of .* s"),
        ({"shaft": tr.Shaft(1e5, damping=1e30)}, r"damping = 1e\+30 .* of the shaft of wheel 1"),
    ],
)
def test_shafts_that_no_march_follows_are_refused(drive, message):
    given = {"creepage": (-0.01, 0.0, 0.0), "inertia": INERTIA, **drive}
    with pytest.raises(tr.InputError, match=message):
        crossed(tr.Drive(**given), 0.01)


def test_a_lag_of_friction_is_said():
    drive = tr.Drive(
        creepage=(-0.01, 0.0, 0.0), friction=tr.friction.exponential(0.15, (0.2, 0.05)), elements=6, keep=2
    )
    rolling = crossed(drive, 0.004, dt=2e-4)
    assert rolling.lag.max() > 1e-4
    assert f"lags behind the law by {1e3 * rolling.lag.max():.2g} mm" in rolling.message
    assert crossed(replace(drive, friction=0.3), 0.004, dt=2e-4).lag is None


def test_slides_are_counted_by_parts():
    """Also several in one step; a slide that continues after a flight, or while an element sticks, is one."""

    def part(share):
        contact = SimpleNamespace(
            stick=np.arange(100) < 100 * share, normal=SimpleNamespace(contact=np.ones(100))
        )
        return RolledPart(contact, (0.0, 0.0, 0.0), 0.5, sliding=share == 0.0)

    air = RolledPart(None, (0.0, 0.0, 0.0), 0.0)
    state = RollState(None, 1.0, 2, True)
    state = state.follow(None, [part(0.0), part(0.05), part(0.0), air, part(0.0)])
    assert (state.slides, state.slid, state.work) == (2, True, 3.0)
    state = state.follow(None, [part(0.5), part(0.0), part(0.2), part(0.02), part(0.0), part(0.3)])
    assert (state.slides, state.slid) == (4, False)


@pytest.mark.parametrize(("jump", "warned"), [(0.004, False), (0.05, True)])
def test_an_unresolved_jump_of_the_force_is_measured_and_reported(monkeypatch, jump, warned):
    """The wheel continues with the creepage of the jump; more than 1 % of the friction bound is a warning."""
    drive = tr.Drive(torque=1e3, inertia=1e-3, elements=6)
    wheel = DrivenWheel(np.zeros((1, 1)), tr.Grid(4, 4, 1e-3, 1e-3), PAIR, LOAD, RADIUS, drive)

    def roll(before, normal, way, demand, kind, speed):
        xi, bound = demand.along, 0.3 * LOAD
        force = bound * (0.5 - 10.0 * xi + jump * (np.sign(-0.02 - xi)))
        return RolledPart(SimpleNamespace(force=(force, 0.0)), (xi, 0.0, 0.0), 0.0)

    monkeypatch.setattr(wheel, "_roll", roll)
    state = WheelState(None, None, 1.02 * SPEED / RADIUS, -1e6)
    torque = RADIUS * 0.3 * LOAD * 0.7  # requires the force in the middle of the jump
    asked = PartDemand(1e-3, 1e-3 / SPEED, LOAD, Demand(torque, 0.0, 0.0, 0.3))
    normal = SimpleNamespace(force=LOAD)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            still = SimpleNamespace(force=(0.0, 0.0))
            after, done = wheel._find_rotation(state, still, normal, asked, WheelTorque(torque))
    assert done.jump == pytest.approx(2.0 * jump, rel=0.6)
    assert done.creepage[0] == pytest.approx(-0.02, abs=1e-6)
    assert after.turning == pytest.approx(1.02 * SPEED / RADIUS, rel=1e-6)
    assert [one.category for one in caught] == [tr.StepWarning] * warned


STEEP = tr.friction.exponential(0.15, (0.2, 0.1))
SOFTENING = tr.Layer(4e9, 50e-6, yield_stress=1e8, hardening=-1e12)
JUMPS = {
    "friction falls with the slip .*: use a less steep law or a longer memory$": (STEEP, None),
    "where the yield stress of the layer falls .*: use less softening$": (0.3, SOFTENING),
    "where friction or the yield stress of the layer falls .* or less softening$": (STEEP, SOFTENING),
    "bound where the yield stress of the layer falls": (
        tr.friction.along_track([0.0, 1.0], [0.3, 0.2]),
        SOFTENING,
    ),
}


@pytest.mark.parametrize("words", JUMPS)
def test_the_message_of_a_jump_names_what_falls(words):
    friction, layer = JUMPS[words]
    drive = tr.Drive(torque=1e3, inertia=1.0, friction=friction, layer=layer)
    (notice,) = jump_notices(0.03, drive)
    assert re.search(words, notice)
    assert "jumps by up to 3 % of the friction bound" in notice
    assert jump_notices(0.009, drive) == ()


def test_before_the_bridge_the_shaft_is_twisted_by_its_load():
    torque = 5e3
    drive = tr.Drive(torque=torque, inertia=INERTIA, shaft=tr.Shaft(3e5, inertia=30.0), elements=8, keep=2)
    rolling = crossed(drive, 0.01)
    np.testing.assert_allclose(rolling.shaft_torque, torque, rtol=1e-4)
    np.testing.assert_allclose(rolling.force[:, 0] * RADIUS, torque, rtol=1e-2)


def test_torsion_goes_on_in_the_air():
    """A wheel that a flat throws off the rail turns with its shaft alone; its rotor keeps its speed."""
    flat = tr.Irregularity.flat(RADIUS, 0.05, at=0.06)
    drive = tr.Drive(creepage=(-0.002, 0.0, 0.0), inertia=INERTIA, shaft=tr.Shaft(4e6), elements=6, keep=2)
    wheel = tr.Wheel(RADIUS, 1000.0, suspension=tr.Suspension(1e6, 1e4, 7e3), irregularity=flat)
    given = {"contact": "hertz", "dt": 5e-5, "t_end": 0.009, "drive": drive}
    rolling = tr.cross(FIRM, [(wheel, 0.0)], 20.0, **given).rolling()
    air = np.flatnonzero(rolling.contact_force == 0.0)
    air = air[air - air[0] == np.arange(air.size)]
    assert air.size > 10
    free = 4e6 / INERTIA  # omega'' = -(k/I) (omega - Omega)
    omega = rolling.rotation[air][2:]
    bends = np.diff(omega, 2) / 5e-5**2
    np.testing.assert_allclose(
        bends, -free * (omega[1:-1] - 1.002 * 20.0 / RADIUS), atol=0.03 * np.abs(bends).max()
    )


def test_torsion_goes_on_where_the_train_stands():
    """The rotor oscillates against the wheel, which sticks; steps at rest are not joined to others."""
    drive = tr.Drive(
        torque=lambda t: 2e3 * np.clip(1.0 - t / 0.01, 0.0, 1.0), inertia=INERTIA,
        shaft=tr.Shaft(4e5, damping=900.0, inertia=20.0), elements=8, keep=2,
    )  # fmt: skip
    stops = 0.0203
    rolling = crossed(
        drive, 0.08, dt=2e-4, speed=lambda t: 0.5 * np.clip(1.0 - np.asarray(t) / stops, 0.0, 1.0)
    )
    stands = rolling.t[:-1] > stops
    np.testing.assert_array_equal(np.isnan(rolling.creepage[1:, 0]), stands)
    late = rolling.t > 0.03
    torque, swings = rolling.shaft_torque[late], rolling.rotor_speed[late]
    np.testing.assert_allclose(RADIUS * rolling.force[late, 0], torque, atol=0.05 * np.abs(torque).max())
    assert swings.min() < -0.1 < 0.1 < swings.max()
    assert not rolling.sliding.any()


def steady_curve(law, elements):
    """Steady force over the driving creepage, N."""
    size = 2.7 * tr.hertz.sphere(RADIUS, PAIR, force=LOAD).radius / elements
    n = tr.press(tr.Sphere(RADIUS), tr.Grid(elements, elements, size, size), PAIR, force=LOAD)
    xi = np.concatenate((np.linspace(0.0, 0.01, 31), np.geomspace(0.011, 0.12, 16)))
    force = [tr.roll_steady(n, law, creepage=(-x, 0.0, 0.0), speed=SPEED).force[0] if x else 0.0 for x in xi]
    return PchipInterpolator(np.r_[-xi[:0:-1], xi], np.r_[np.negative(force[:0:-1]), force])


@pytest.mark.slow
def test_stick_slip_is_that_of_the_steady_creep_curve():
    """The limit cycle agrees with that of an ODE with steady forces, as the patch is short."""
    law, shaft, ahead = tr.friction.exponential(0.15, (0.2, 0.5), memory=(2e-6, 1e-3)), tr.Shaft(1e6), 0.03
    curve = steady_curve(law, 12)

    def rate(t, y):
        turning, twist = y
        rotor = (1.0 + ahead * min(t / 0.03, 1.0)) * SPEED / RADIUS
        return [(1e6 * twist - RADIUS * curve(turning * RADIUS / SPEED - 1.0)) / INERTIA, rotor - turning]

    known = solve_ivp(
        rate, (0.0, 0.6), [SPEED / RADIUS, 0.0], method="Radau", rtol=1e-7, atol=1e-9, max_step=1e-3
    )
    drive = tr.Drive(
        creepage=(lambda t: -ahead * np.clip(t / 0.03, 0.0, 1.0), 0.0, 0.0),
        inertia=INERTIA, shaft=shaft, friction=law, elements=12, keep=2,
    )  # fmt: skip
    rolling = crossed(drive, 0.4, dt=2e-4)
    late, then = rolling.t > 0.2, known.t > 0.4
    torque = rolling.shaft_torque[late]
    twist = 1e6 * known.y[1, then]
    assert np.ptp(torque) == pytest.approx(np.ptp(twist), rel=0.02)
    crossings = known.t[then][1:][np.diff(np.sign(twist - twist.mean())) > 0.0]
    assert rolling.stick_slip_frequency == pytest.approx(1.0 / np.diff(crossings).mean(), rel=0.01)
    assert rolling.sliding[late].any()
    assert not rolling.sliding[late].all()


def test_constant_friction_ends_the_oscillation_that_falling_friction_keeps():
    """With the same shaft: repeated slides, or one slide whose oscillation decays."""
    slides = {}
    for name, friction in (
        ("constant", 0.35),
        ("falling", tr.friction.linear(0.15, (0.2, 0.3), memory=(2e-6, 1e-3))),
    ):
        drive = tr.Drive(
            creepage=(lambda t: -0.03 * np.clip(t / 0.01, 0.0, 1.0), 0.0, 0.0),
            inertia=INERTIA, shaft=tr.Shaft(1e7, damping=500.0), friction=friction, elements=6, keep=2,
        )  # fmt: skip
        slides[name] = crossed(drive, 0.08, dt=2e-4)
    assert slides["constant"].slide_starts.size == 1
    assert math.isnan(slides["constant"].stick_slip_frequency)
    assert slides["falling"].slide_starts.size > 3
    early = slides["falling"].slides[slides["falling"].slides.size // 2]
    ended = replace(slides["falling"], slides=np.minimum(slides["falling"].slides, early))
    assert ended.slide_starts.size >= 3
    assert math.isnan(ended.stick_slip_frequency)
    assert slides["falling"].stick_slip_frequency == pytest.approx(
        1.0 / tr.Shaft(1e7).period(INERTIA), rel=0.1
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"creepage": (0.1, 0.0, 0.0), "shaft": tr.Shaft(1e5)}, "give inertia"),
        ({"creepage": (0.1, 0.0, 0.0), "inertia": 1.0}, "neither torque nor shaft"),
        ({"creepage": (0.1, 0.0, 0.0), "inertia": 1.0, "shaft": tr.Shaft(1e5, inertia=1.0)}, "omit it"),
        ({"torque": 1.0, "inertia": 1.0, "shaft": tr.Shaft(1e5)}, "give inertia to tr.Shaft"),
        ({"force": 1.0, "inertia": 1.0, "shaft": tr.Shaft(1e5)}, "torque on the rotor"),
        ({"torque": 1.0, "inertia": 1.0, "shaft": 1e5}, "shaft = 100000.0"),
    ],
)
def test_drives_that_no_shaft_fits_are_refused(options, message):
    with pytest.raises(tr.InputError, match=message):
        tr.Drive(**options)


@pytest.mark.parametrize("wrong", [{"stiffness": 0.0}, {"damping": -1.0}, {"inertia": math.nan}])
def test_shafts_that_cannot_be_are_refused(wrong):
    with pytest.raises(tr.InputError, match=next(iter(wrong))):
        tr.Shaft(**{"stiffness": 1e5, **wrong})


@pytest.mark.parametrize("inertia", [math.nan, 0.0, -1.0, "heavy"])
def test_period_needs_the_inertia_of_a_wheel(inertia):
    with pytest.raises(tr.TractionError, match=r"inertia = .*must be"):
        tr.Shaft(4e5).period(inertia)
