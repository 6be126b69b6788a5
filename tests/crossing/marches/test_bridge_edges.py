"""Wheels that meet the end of a soft bridge over their arc, against integrations that know nothing of it."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import traction as tr
from traction.crossing.bridge_models.wheels_at_edges import TrackEdges
from traction.crossing.cross import make_march
from traction.crossing.marches.kernels.bridge_edges import balanced_share
from traction.crossing.setup import prepare_crossing
from traction.trains.train import read_train
from traction.trains.travel import read_travel

pytestmark = pytest.mark.filterwarnings("ignore:wheel .* meets a step of the track")

MASS, LAW, BEHIND, G = 1000.0, tr.PowerLaw(1e10, 1.5), 0.5, 9.81
SOFT = tr.Beam(20.0, 2.08e9, 7900.0, supports=(tr.Support(1e8, 0.0),) * 2)


def roll_over(height, radius, speed, dt, end=0.5):
    """A wheel that rolls onto a block as heavy as a mountain, whose top is `height` above the ground."""
    block = tr.Beam(5.0, 1e25, 1e15, supports=("free", "free"))
    wheel = tr.Wheel(radius, MASS)
    setup = prepare_crossing(
        tr.Bridge(block, tr.STEEL), read_train([(wheel, 0.0), (wheel, BEHIND)]), read_travel(speed, end), G,
        contact=LAW, wheel=None, grid=None, model="modes", size=2, method=None, dt=dt, end=end,
        irregularity=None, residual=None, options={},
    )  # fmt: skip
    march = make_march(setup)
    begun = march.begin()
    lifted = np.linalg.solve(block.modes(2).deflection(np.array([0.0, 5.0])).T, [-height, -height])
    z = np.array([-max(height, 0.0), 0.0])  # the first wheel stands on it, or on the ground's edge
    _, part = march.advance(replace(begun, q=lifted, z=z), setup.times.t.size - 1)
    return march.result(part)


def integrate_alone(height, radius, speed, t):
    """Force of the second wheel alone: its centre falls by z, its circle touches the higher edge."""
    k, load = LAW.coefficient, MASS * G
    static = (load / k) ** (2.0 / 3.0)

    def force(time, z):
        s = speed * time - BEHIND
        circle = radius - np.sqrt(max(radius**2 - s * s, 0.0)) if abs(s) < radius else np.inf
        ground, block = (0.0, height - circle) if s < 0.0 else (-circle, height)
        return k * max(0.0, static + z + max(ground, block)) ** 1.5

    def motion(time, state):
        return [state[1], G - force(time, state[0]) / MASS]

    close = {"rtol": 1e-9, "atol": 1e-13, "max_step": 2e-4}
    parts, state = [np.empty((2, 0))], np.zeros(2)
    meet = BEHIND / speed
    for low, high in ((0.0, meet), (meet, float(t[-1]))):
        at = t[(t >= low) & ((t < high) | (high == t[-1]))]
        found = solve_ivp(motion, (low, high), state, t_eval=np.append(at[at < high], high), **close)
        state = found.y[:, -1]
        parts.append(found.y[:, : at.size])
    z = np.concatenate(parts, axis=1)[0]
    return np.array([force(*one) for one in zip(t.tolist(), z.tolist(), strict=True)])


@pytest.mark.parametrize("height", [3e-4, -3e-4])
def test_a_wheel_rolls_over_a_step_as_it_does_alone(height):
    """Up and down, met at sqrt(2 R h) from the edge; the difference falls with the square of the step."""
    off = []
    for dt in (1e-4, 5e-5):
        run = roll_over(height, 0.46, 1.5, dt)
        alone = integrate_alone(height, 0.46, 1.5, run.t)
        off.append(np.abs(run.contact_forces[:, 1] - alone).max() / (MASS * G))
        assert run.energies.closure < 1e-9
    assert off[1] < 2e-3
    assert off[1] < 0.35 * off[0]
    assert np.ptp(alone) > 0.5 * MASS * G
    moved = np.abs(run.contact_forces[:, 1] - MASS * G) > 1e-3 * MASS * G
    first = run.t[np.argmax(moved)] * 1.5 - BEHIND
    met = -np.sqrt(2.0 * 0.46 * height) if height > 0.0 else 0.0
    assert met - 1e-4 < first < met + 3e-3


def test_a_small_wheel_meets_the_step_at_once():
    run = roll_over(3e-4, 1e-5, 1.5, 1e-4)
    now, static = int(np.searchsorted(run.t, BEHIND / 1.5)), (MASS * G / LAW.coefficient) ** (2.0 / 3.0)
    sudden = LAW.coefficient * (static + 3e-4) ** 1.5
    assert run.contact_forces[now - 1, 1] == pytest.approx(MASS * G, rel=1e-6)
    assert run.contact_forces[now, 1] == pytest.approx(sudden, rel=2e-3)
    flat = integrate_alone(3e-4, 1e-5, 1.5, run.t)
    assert np.abs(run.contact_forces[:, 1] - flat)[now:].max() < 1e-2 * sudden


def test_ground_and_bridge_share_the_wheel_while_the_end_sinks_along_its_circle():
    wheel = tr.Wheel(0.46, 8e3)
    run = tr.cross(
        tr.Bridge(SOFT, tr.STEEL), [(wheel, 0.0)], 0.5, contact="hertz", size=8, dt=2e-4, t_end=0.1
    )
    rows = run.ledger.args[0].energies.rows
    shared = (rows.share[:, 0] > 0.0) & (rows.share[:, 0] < 1.0)
    assert shared.sum() > 50
    assert rows.share[0, 0] < 0.1
    assert rows.share[-1, 0] == 1.0
    sunk = rows.q @ SOFT.modes(8).deflection(np.zeros(1))[:, 0]
    slope = rows.q @ SOFT.modes(8).slope(np.zeros(1))[:, 0]
    s = 0.5 * run.t
    under = (sunk + s * slope - s * s / (2.0 * 0.46))[1:][shared]
    assert np.abs(under).max() < 1e-3 * sunk.max()
    assert run.energies.closure < 1e-9


@pytest.mark.slow
def test_solved_and_tabulated_contacts_meet_the_ends_alike():
    wheel = tr.Wheel(0.46, 4e3)
    one, other = (
        tr.cross(
            tr.Bridge(SOFT, tr.STEEL), [(wheel, 0.0), (wheel, 1.0)], 10.0, contact="half-space", size=10,
            dt=5e-4, t_end=0.14, solve=solve, residual=True,
        )
        for solve in ("table", "every-step")
    )  # fmt: skip
    assert np.ptp(one.contact_forces) > 0.3 * 4e3 * G
    np.testing.assert_allclose(one.contact_forces, other.contact_forces, atol=1e-4 * 4e3 * G)
    assert max(one.energies.closure, other.energies.closure) < 1e-6


@cache
def condensed(size):
    return cross_softly(size=size)


def cross_softly(**given):
    train, times = [(tr.Wheel(0.46, 4e3), 0.0), (tr.Wheel(0.46, 4e3), 0.3)], {"dt": 1e-4, "t_end": 0.08}
    return tr.cross(tr.Bridge(SOFT, tr.STEEL), train, 4.0, contact="hertz", **(times | given))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "given",
    [
        {"method": "newmark", "size": 8},
        {"method": "energy-conserving", "size": 8},
        {"method": "rk4", "size": 8},
        {"model": "elements", "size": 24},
        {"model": "differences", "size": 24},
    ],
)
def test_methods_roll_over_the_ends_too(given):
    """The second wheel meets an end that the first one has pressed down by more than its approach at rest."""
    run = cross_softly(**given)
    load, met = 4e3 * G, int(np.searchsorted(run.t, 0.3 / 4.0))
    assert run.deflection(0.0)[met] > run.contacts[1].static
    assert np.ptp(run.contact_forces[:, 1]) > 0.5 * load
    known = condensed(8 if "method" in given else 40).contact_forces[:, 1]
    flies = met + int(np.argmax(known[met:] == 0.0))
    assert flies > met + 10
    assert np.abs(run.contact_forces[:, 1] - known)[: flies + 1].max() < 0.05 * load
    assert run.energies.closure < 1e-6
    assert run.energies.drift < 1e-2


@pytest.mark.parametrize("method", ["newmark", pytest.param("energy-conserving", marks=pytest.mark.slow)])
def test_methods_with_neglected_modes_roll_over_the_ends_too(method):
    """They are felt as the bridge comes to carry the wheel, and the drive does the work of that."""
    given = {"size": 8, "dt": 2e-4, "t_end": 0.0876}
    run, known, without = (
        cross_softly(**given, **one) for one in ({"method": method, "residual": True}, {"residual": True}, {})
    )
    load, met = 4e3 * G, int(np.searchsorted(run.t, 0.3 / 4.0))
    assert np.abs(np.diff(run.contact_forces[met - 10 : met + 10, 1])).max() < 0.2 * load  # over its arc
    off, felt = (
        np.abs(one.contact_forces - known.contact_forces)[met - 10 :].max() for one in (run, without)
    )
    assert felt > 0.5 * load
    assert off < 0.3 * felt
    assert run.energies.closure < 1e-6
    assert run.energies.drift < 1e-2


def test_neglected_modes_are_felt_by_and_by_behind_a_soft_end():
    radii = np.array([[0.4, 0.0], [0.4, 0.4]])
    edges = TrackEdges(np.array([0.0, 20.0]), radii, np.full(2, 1e-6), 2e-3)
    assert edges.around[1] == pytest.approx(0.04)
    for end, inward in ((0.0, 1.0), (20.0, -1.0)):
        y = np.linspace(-0.1, 0.1, 4001)[:, None] * np.ones(2)
        felt, slope = edges.fade(end + inward * y)
        part = y[:, 1] / 0.04
        known = np.where(part > 0.0, np.where(part < 1.0, part**2 * (3.0 - 2.0 * part), 1.0), 0.0)
        np.testing.assert_allclose(felt[:, 1], known, atol=1e-9)
        np.testing.assert_allclose(slope[:, 1], inward * np.gradient(known, y[:, 1]), atol=0.2)
        assert np.abs(slope[:, 1]).max() == pytest.approx(1.5 / 0.04, rel=1e-3)
        np.testing.assert_allclose(felt[:, 0], known if end == 0.0 else 1.0, atol=1e-9)  # level at its end


@pytest.mark.parametrize("start", [-2.0, -1e-3, 0.0, 1e-3, 2.0])
@pytest.mark.parametrize("free", [-1.0, 1e-4, 0.4, 3.0])
def test_the_share_is_the_mean_slope_of_the_higher_level(start, free):
    falls = 0.7
    share = balanced_share(start, free, falls)
    end = free - falls * share
    assert 0.0 <= share <= 1.0
    assert max(end, 0.0) - max(start, 0.0) == pytest.approx(share * (end - start), abs=1e-15)
