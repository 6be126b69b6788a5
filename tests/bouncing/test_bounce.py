"""The bouncing ball: closed values, energy of every method, half space and Hertz, restitution, shapes."""

import json
import math
from functools import lru_cache

import numpy as np
import pytest

import traction as tr
from reference_cases import DATA_FOLDER
from traction.bouncing.falling_body import damping_for
from traction.laws.rigid_strike import strike_rigid_ground

DATA = json.loads((DATA_FOLDER / "dynamics.json").read_text(encoding="utf-8"))
BALL = {name: float(value) for name, value in next(iter(DATA["bounce"]["values"].values())).items()}
AFTER_TEN = DATA["bounce_energy_after_10_bounces"]["values"]
DEPTH, CONTACT_TIME, PERIOD = BALL["d_max"], BALL["contact_duration"], BALL["period(z0->z0)"]

PAIR = tr.Pair(tr.Material(math.inf, 0.3, density=910.0), tr.Material(1.5e8, 0.5))
DROP = {"ball_radius": 0.11, "pair": PAIR, "height": 1.0}
ACCURATE = tuple(name for name, method in tr.methods().items() if method.order >= 2)
TABLE = {  #: names in the table -> method and options
    "euler_f": ("euler-forward", {}),
    "euler_b": ("euler-backward", {}),
    "euler_symp": ("symplectic-euler", {}),
    "rk4": ("rk4", {}),
    "radauIA": ("radau-ia", {}),
    "radauIIA": ("radau-iia", {}),
    "verlet": ("verlet", {}),
    "newmark": ("newmark", {}),
    "hht0.1": ("hht", {"alpha": 0.1}),
    "hht0.3": ("hht", {"alpha": 0.3}),
    "ga0.9": ("generalized-alpha", {"spectral_radius": 0.9}),
    "ga0.5": ("generalized-alpha", {"spectral_radius": 0.5}),
    "dgrad": ("energy-conserving", {}),
}


def period_of(history):
    """Time from one apex to the next, starting at rest."""
    return next(event.t for event in history.events if event.kind == "apex" and event.t > 0.1)


def assert_the_ball(history, rel):
    contact = history.contacts[0]
    assert contact.depth == pytest.approx(DEPTH, rel=rel)
    assert contact.duration == pytest.approx(CONTACT_TIME, rel=rel)
    assert period_of(history) == pytest.approx(PERIOD, rel=rel)
    assert contact.start == pytest.approx(BALL["t0=sqrt(2 z0/g)"], rel=rel)


def test_the_ball_by_default():
    h = tr.bounce(**DROP)
    assert_the_ball(h, 1e-5)
    assert len(h.contacts) == 3
    assert h.body.mass == pytest.approx(BALL["mass"], rel=1e-14)
    assert h.contact_force.max() == pytest.approx(BALL["F_max"], rel=1e-5)
    np.testing.assert_allclose(h.energy, h.energy[0], rtol=1e-6)


@pytest.mark.parametrize("name", ACCURATE)
def test_the_ball_by_every_method(name):
    rtol = 1e-8 if tr.method(name).order > 2 else 1e-7
    assert_the_ball(tr.bounce(**DROP, method=name, t_end=1.0, rtol=rtol), 1e-5)


@pytest.mark.parametrize("steps", ["30", pytest.param("100", marks=pytest.mark.slow)])
@pytest.mark.parametrize("row", TABLE)
def test_energy_after_ten_bounces(row, steps):
    name, options = TABLE[row]
    h = tr.bounce(
        **DROP, method=name, dt=CONTACT_TIME / int(steps), t_end=10.4 * PERIOD, locate_events=False, **options
    )
    change, expected = h.energy[-1] / h.energy[0] - 1.0, AFTER_TEN[steps][row] - 1.0
    if abs(change - expected) > 1e-6:
        assert math.copysign(1.0, change) == math.copysign(1.0, expected)
        assert 0.5 <= change / expected <= 2.0
    assert len(h) > 10


def test_conserved_energy_over_a_hundred_bounces():
    h = tr.bounce(**DROP, method="energy-conserving", dt=CONTACT_TIME / 10, t_end=100.4 * PERIOD)
    assert len(h.contacts) >= 100
    assert np.abs(h.energy / h.energy[0] - 1.0).max() <= 1e-9


@pytest.mark.slow
def test_conserved_energy_over_a_hundred_bounces_on_the_half_space():
    h = tr.bounce(
        **DROP, contact="half-space", method="energy-conserving", dt=CONTACT_TIME / 10, t_end=100.4 * PERIOD
    )
    assert len(h.contacts) >= 100
    assert np.abs(h.energy / h.energy[0] - 1.0).max() <= 1e-6


def test_conserved_energy_of_some_bounces_on_the_half_space():
    h = tr.bounce(
        **DROP,
        contact="half-space",
        method="energy-conserving",
        dt=CONTACT_TIME / 10,
        t_end=5.4 * PERIOD,
        elements=16,
    )
    assert len(h.contacts) >= 5
    assert np.abs(h.energy / h.energy[0] - 1.0).max() <= 1e-6


@lru_cache
def half_space_bounce():
    return tr.bounce(**DROP, contact="half-space", t_end=1.0)


def test_half_space_is_near_hertz():
    h = half_space_bounce()
    assert_the_ball(h, 5e-3)
    assert h.body.law.grid.dx == pytest.approx(2.0 * BALL["contact radius sqrt(R d_max)"] / 32, rel=1e-3)
    assert abs(h.energy[-1] / h.energy[0] - 1.0) <= 1e-4


def test_bit_identical_restart_of_the_half_space():
    """What the law remembers is in the state; through arrays, as a file would hold them."""
    body = tr.bounce(**DROP, contact="half-space", elements=12, t_end=0.01).body
    system = lambda: fresh(body).system(0.001, 1.0)  # noqa: E731
    for name, dt in (("newmark", 2e-4), ("verlet", 2e-4), ("rk4", "auto")):
        options = {"rtol": 1e-4} if dt == "auto" else {}
        whole = tr.integrate(system(), name, dt, 0.012, **options)
        count = []
        first = tr.integrate(
            system(),
            name,
            dt,
            0.012,
            stop=lambda state, seen=count: seen.append(0) or len(seen) == 9,
            **options,
        )
        assert whole.t[1] < first.t[-1] < 0.012
        assert "memory.pressure" in first.state.to_arrays()
        second = tr.integrate(system(), name, dt, 0.012, start=first.state.to_arrays(), **options)
        n = len(first)
        assert np.array_equal(whole.q[:n], first.q)
        assert np.array_equal(whole.q[n - 1 :], second.q)
        assert np.array_equal(whole.a[n - 1 :], second.a)


def fresh(body):
    """The same body with a law that remembers nothing."""
    law = tr.HalfSpaceLaw(body.surface, body.law.grid, body.pair)
    return type(body)(body.mass, body.gravity, body.pair, body.surface, law, body.damping)


@pytest.mark.parametrize("restitution", [0.95, 0.6, 0.2])
def test_restitution_of_one_impact(restitution):
    """Nearly without gravity the body leaves with the asked part of its speed."""
    h = tr.bounce(0.11, PAIR, 1e-4, gravity=1e-6, speed=4.0, restitution=restitution, t_end=0.02)
    assert h.v[-1] == pytest.approx(4.0 * restitution, rel=2e-5)
    assert h.contact_force.min() >= -1e-6


def test_damping_for_obeys_the_exact_relation():
    for e in (0.05, 0.3, 0.7, 0.99, 1.0 - 1e-6):
        d = damping_for(e, 3.0) * 3.0
        assert d * (1.0 + e) == pytest.approx(math.log1p(d) - math.log1p(-e * d), rel=1e-8, abs=1e-14)
        assert 0.0 < d < 1.0 / e
    assert damping_for(1.0, 3.0) == 0.0


def test_energy_never_grows_with_damping():
    for contact in ("hertz", "half-space"):
        h = tr.bounce(**DROP, contact=contact, restitution=0.8, t_end=2.0, elements=12)
        growth = np.diff(h.energy) / h.energy[0]
        assert growth.max() <= (1e-7 if contact == "hertz" else 2e-5)
        assert h.energy[-1] < 0.7 * h.energy[0]
        depths = [contact.depth for contact in h.contacts]
        assert depths == sorted(depths, reverse=True)


def test_energies_add_up():
    h = tr.bounce(**DROP, t_end=1.0)
    np.testing.assert_allclose(h.energy, h.kinetic_energy + h.gravitational_energy + h.elastic_energy)
    assert (h.elastic_energy >= 0.0).all()
    assert h.elastic_energy.max() == pytest.approx(h.energy[0] + h.body.weight * DEPTH, rel=1e-5)
    deepest = int(np.argmin(h.q))
    assert h.penetration[deepest] == pytest.approx(DEPTH, rel=1e-5)


def test_a_paraboloid_and_any_function():
    """A paraboloid with equal radii is a ball; a function of the same shape too."""
    mass = BALL["mass"]
    common = {"pair": PAIR, "height": 1.0, "mass": mass, "t_end": 1.0}
    assert_the_ball(tr.bounce(surface=tr.Paraboloid(0.11, 0.11), **common), 2e-5)
    bowl = tr.FunctionSurface(lambda x, y: (x**2 + y**2) / 0.22)
    assert_the_ball(tr.bounce(surface=bowl, **common), 1e-4)
    assert_the_ball(tr.bounce(surface=bowl, contact="half-space", elements=24, **common), 1e-2)


def test_an_ellipse_by_both_contacts():
    common = {"surface": tr.Paraboloid(0.2, 0.1), "pair": PAIR, "height": 0.5, "mass": 3.0, "t_end": 0.6}
    closed = tr.bounce(**common).contacts[0]
    solved = tr.bounce(**common, contact="half-space", elements=24).contacts[0]
    assert solved.depth == pytest.approx(closed.depth, rel=1e-2)
    assert solved.duration == pytest.approx(closed.duration, rel=1e-2)


def test_surfaces_agree_with_hertz_and_do_not_penetrate():
    closed, solved = tr.bounce(**DROP, t_end=1.0), half_space_bounce()
    x = np.linspace(-0.05, 0.05, 41)
    deepest = closed.contacts[0].peak_time
    body, ground = closed.surfaces(deepest, x)
    np.testing.assert_allclose(solved.surfaces(solved.contacts[0].peak_time, x)[1], ground, atol=0.02 * DEPTH)
    assert ground.min() == pytest.approx(-DEPTH, rel=1e-4)
    assert (body - ground).min() >= -1e-3 * DEPTH
    before = closed.surfaces(0.1, x)
    assert np.array_equal(before[1], np.zeros_like(x))
    assert before[0].min() == pytest.approx(float(closed.at(0.1)), rel=1e-9)


def test_an_elastic_pair_shares_the_displacement():
    soft = tr.Material(1.5e8, 0.5, density=910.0)
    pair = tr.Pair(soft, soft)
    x = np.linspace(-0.02, 0.02, 9)
    for contact in ("hertz", "half-space"):
        h = tr.bounce(0.11, pair, 0.5, contact=contact, t_end=0.33, elements=16)
        time = h.contacts[0].peak_time
        body, ground = h.surfaces(time, x)
        undeformed = float(h.at(time)) + h.body.surface.height(x, np.zeros_like(x))
        np.testing.assert_allclose(body - undeformed, -ground, rtol=1e-6, atol=1e-9)


HEIGHTS = np.linspace(-0.03, 0.03, 121)
NO_PARABOLOID = {
    "flat": tr.FunctionSurface(lambda x, y: 1e3 * (x**4 + y**4)),
    "wavy": tr.Sphere(0.1) + tr.FunctionSurface(lambda x, y: 1e-6 * (1.0 - np.cos(x / 3e-5))),
    "measured": tr.HeightMap(HEIGHTS, HEIGHTS, 5.0 * (HEIGHTS[:, None] ** 2 + HEIGHTS**2)),
}


@pytest.mark.parametrize("contact", ["hertz", "half-space"])
@pytest.mark.parametrize("shape", NO_PARABOLOID)
def test_a_contact_that_curvature_does_not_tell_is_refused_without_a_grid(shape, contact):
    fall = {"surface": NO_PARABOLOID[shape], "mass": 3.0, "pair": PAIR, "height": 0.1, "contact": contact}
    with pytest.raises(tr.InputError, match=r"surface is not a paraboloid.*with grid="):
        tr.bounce(**fall)


@pytest.mark.parametrize("shape", ["flat", "measured"])
def test_any_shape_bounces_on_a_grid(shape):
    fall = {"surface": NO_PARABOLOID[shape], "mass": 3.0, "pair": PAIR, "height": 0.1, "t_end": 0.3}
    h = tr.bounce(**fall, contact="half-space", grid=tr.Grid.around(0.025, 0.025, 41, 41))
    assert len(h.contacts) == 1
    assert h.energy[-1] == pytest.approx(h.energy[0], rel=1e-4)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ball_radius": -1.0}, "ball_radius"),
        ({"grid": tr.Grid(9, 9, 1e-3, 1e-3)}, 'grid has no effect with contact="hertz"'),
        ({"ball_radius": None}, "exactly one of ball_radius and surface"),
        ({"height": None}, "height"),
        ({"height": math.nan}, "height"),
        ({"gravity": 0.0}, "gravity"),
        ({"pair": None}, "pair"),
        ({"pair": tr.Pair(tr.Material(1e9, 0.3), tr.STEEL)}, "density"),
        ({"contact": "rigid"}, "contact"),
        ({"contact": "half-space", "elements": 2}, "elements"),
        ({"restitution": 1.5}, "restitution"),
        ({"restitution": 0.5, "damping": 0.1}, "not both"),
        ({"damping": -0.1}, "damping"),
        ({"mass": 0.0}, "mass"),
        ({"dt": 0.0}, "dt"),
        ({"dt": 0.01}, r"dt = 0\.01 s is longer than the contact, 0\.00303 s"),
        ({"t_end": -1.0}, "t_end"),
        ({"method": "rk5"}, "did you mean 'rk4'"),
        ({"tolerance": 1e-9}, "tolerance"),
    ],
)
def test_bad_input_is_named(change, words):
    with pytest.raises(tr.InputError, match=words):
        tr.bounce(**{**DROP, **change})


def test_a_rigid_ball_without_a_density_has_that_of_the_ground():
    ground = tr.Material(1.5e8, 0.5, density=910.0)
    h = tr.bounce(0.11, tr.Pair(tr.RIGID, ground), 1.0, t_end=1.0)
    assert h.body.mass == pytest.approx(BALL["mass"])
    with pytest.raises(tr.InputError, match="density"):
        tr.bounce(0.11, tr.Pair(tr.Material(1e9, 0.3), ground), 1.0)


def test_contact_time_is_that_of_hertz():
    """2.943275 delta/v (Johnson 1985, 11.4)."""
    law, mass, speed = tr.PowerLaw(1e8, 1.5), 2.0, 3.0
    depth = (5.0 * mass * speed**2 / (4.0 * law.coefficient)) ** 0.4
    assert strike_rigid_ground(law.compiled(0.0), mass, speed).duration == pytest.approx(
        2.943275 * depth / speed, rel=1e-6
    )
