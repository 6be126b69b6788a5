"""Adhesion: fracture mechanics, the limits of Maugis-Dugdale, and quadratures of its tractions."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ellipkm1

import traction as tr
from traction.theory import adhesion, hertz

R, E, W = 2e-6, 5e9, 0.04
UNIT_FORCE = math.pi * W * R
UNIT_RADIUS = (3 * math.pi * W * R**2 / (4 * E)) ** (1 / 3)


def stress(transition):
    """sigma0 of a given lambda of Maugis."""
    return transition * (2 * math.pi * W * E**2 / (9 * R)) ** (1 / 3)


def maugis(transition, **given):
    return adhesion.maugis_dugdale(R, E, W, cohesive_stress=stress(transition), **given)


def models():
    return {
        "jkr": lambda **given: adhesion.jkr(R, E, W, **given),
        "dmt": lambda **given: adhesion.dmt(R, E, W, **given),
        "maugis-dugdale": lambda **given: maugis(0.8, **given),
    }


@pytest.mark.parametrize("model", models())
@pytest.mark.parametrize("load", [-1.2, 0.0, 7.0])
def test_force_and_contact_radius_are_inverse(model, load):
    make = models()[model]
    c = make(force=load * UNIT_FORCE)
    back = make(contact_radius=c.radius)
    assert c.force == pytest.approx(load * UNIT_FORCE, rel=1e-12, abs=1e-13 * UNIT_FORCE)
    assert back.force == pytest.approx(c.force, rel=1e-12, abs=1e-12 * UNIT_FORCE)
    assert back.approach == pytest.approx(c.approach, rel=1e-12)


@pytest.mark.parametrize("model", models())
def test_heavy_load_forgets_adhesion(model):
    """The excess falls at least with the root of the load."""

    def excess(load):
        bare, sticky = hertz.sphere(R, E, force=load * UNIT_FORCE), models()[model](force=load * UNIT_FORCE)
        assert sticky.radius > bare.radius
        return sticky.radius / bare.radius - 1, abs(sticky.approach / bare.approach - 1)

    light, heavy = excess(1e3), excess(9e4)
    assert max(heavy) < 6e-3
    for before, after in zip(light, heavy, strict=True):
        assert math.log(before / after) / math.log(90) > 0.45


@pytest.mark.parametrize("size", [0.5, 1.0, 3.0])
def test_jkr_edge_releases_the_work_of_adhesion(size):
    """The lacking force P acts as a flat punch, with a crack: K^2/(2 E*) = w, K = P/(2 a sqrt(pi a))."""
    c = adhesion.jkr(R, E, W, contact_radius=size * UNIT_RADIUS)
    lacking = 4 * E * c.radius**3 / (3 * R) - c.force
    crack = lacking / (2 * c.radius * math.sqrt(math.pi * c.radius))
    assert crack**2 / (2 * E) == pytest.approx(W, rel=1e-12)
    assert c.approach == pytest.approx(c.radius**2 / R - lacking / (2 * E * c.radius), rel=1e-12)
    assert c.outer_radius == c.radius


def test_pull_off_forces():
    assert adhesion.jkr(R, E, W, force=0.0).pull_off_force == pytest.approx(-1.5 * math.pi * W * R, rel=1e-14)
    assert adhesion.dmt(R, E, W, force=0.0).pull_off_force == pytest.approx(-2.0 * math.pi * W * R, rel=1e-14)


@pytest.mark.parametrize("model", models())
def test_pull_off_is_the_lowest_force_of_the_curve(model):
    more = {"cohesive_stress": stress(0.8)} if model == "maugis-dugdale" else {}
    line = adhesion.curve(R, E, W, model=model, points=4001, **more)
    lowest = int(np.argmin(line.force))
    assert line.force[lowest] == pytest.approx(line.pull_off_force, rel=1e-5)
    assert line.force[lowest] >= line.pull_off_force * (1 + 1e-12)
    assert (np.diff(line.force[line.stable]) > 0).all()
    assert (np.diff(line.force[~line.stable]) < 0).all()
    assert line.stable.argmax() - lowest in (0, 1)
    assert line.force[-1] == pytest.approx(-2 * line.pull_off_force, rel=1e-12)
    assert (line.radius.size, line.approach[0] <= 0) == (4001, True)


def test_curve_ends_at_the_given_force():
    line = adhesion.curve(R, E, W, max_force=9 * UNIT_FORCE, points=7)
    ends = adhesion.jkr(R, E, W, force=9 * UNIT_FORCE)
    assert (line.force[-1], line.radius[-1], line.approach[-1]) == pytest.approx(
        (ends.force, ends.radius, ends.approach)
    )


def test_jkr_parts_at_five_sixths_under_a_given_approach():
    line = adhesion.curve(R, E, W, points=20001)
    assert line.force[line.approach.argmin()] == pytest.approx(-5 / 6 * math.pi * W * R, rel=1e-3)


@pytest.mark.parametrize("model", models())
def test_state_at_pull_off(model):
    c = models()[model](force=models()[model](force=0.0).pull_off_force)
    assert c.force == pytest.approx(c.pull_off_force, rel=1e-12)
    for shift in (-0.02, 0.02):
        moved = max(0.0, c.radius + shift * UNIT_RADIUS)
        assert (models()[model](contact_radius=moved).force > c.force) == (moved != c.radius)


@pytest.mark.parametrize("transition", [0.05, 0.8, 6.0])
@pytest.mark.parametrize("size", [0.3, 1.0, 2.5])
def test_maugis_tractions_are_in_equilibrium_and_spend_the_work(transition, size):
    """Force, approach and opening at r = c, by quadrature of Maugis' tractions over the surface."""
    sigma0 = stress(transition)
    contact = maugis(transition, contact_radius=size * UNIT_RADIUS)
    a, c = contact.radius, contact.outer_radius

    def pressure(r):
        bare = 2 * E * math.sqrt(max(0.0, a * a - r * r)) / (math.pi * R)
        if r >= a:
            return -sigma0
        angle = math.acos(max(-1.0, (2 * a * a - c * c - r * r) / (c * c - r * r)))
        return bare - sigma0 / math.pi * angle

    def over_surface(kernel):
        # r = a sin t and a rule that ends inside take away the square roots at a and the logarithm at c
        inner = quad(
            lambda t: pressure(a * math.sin(t)) * kernel(a * math.sin(t)) * a * math.cos(t), 0, math.pi / 2
        )
        outer = quad(lambda t: -sigma0 * kernel(c - (c - a) * t * t) * 2 * (c - a) * t, 0, 1)
        return inner[0] + outer[0]

    def ring(r):
        return 4 / (math.pi * E) * r / (r + c) * ellipkm1(((r - c) / (r + c)) ** 2)

    assert over_surface(lambda r: 2 * math.pi * r) == pytest.approx(
        contact.force, rel=1e-8, abs=1e-8 * UNIT_FORCE
    )
    assert over_surface(lambda r: 2 / E) == pytest.approx(
        contact.approach, rel=1e-8, abs=1e-9 * UNIT_RADIUS**2 / R
    )
    opening = c * c / (2 * R) - contact.approach + over_surface(ring)
    assert opening * sigma0 == pytest.approx(W, rel=1e-6)


@pytest.mark.parametrize("transition", [0.05, 0.8, 6.0])
def test_maugis_equations_as_printed(transition):
    c = maugis(transition, force=0.7 * UNIT_FORCE)
    A, m, lam = c.radius / UNIT_RADIUS, c.outer_radius / c.radius, transition
    root, angle = math.sqrt(m * m - 1), math.acos(1 / m)
    ring = lam * A**2 / 2 * (root + (m * m - 2) * angle) + 4 * lam**2 * A / 3 * (root * angle - m + 1)
    assert ring == pytest.approx(1.0, rel=1e-12)
    assert c.force / UNIT_FORCE == pytest.approx(A**3 - lam * A**2 * (root + m * m * angle), rel=1e-11)
    assert c.approach * R / UNIT_RADIUS**2 == pytest.approx(A**2 - 4 / 3 * lam * A * root, rel=1e-11)
    assert c.transition == pytest.approx(lam, rel=1e-13)


@pytest.mark.parametrize(
    ("limit", "quantity", "far", "order"),
    [
        ("jkr", "radius", 20.0, -2.0),
        ("jkr", "approach", 20.0, -2.0),
        ("jkr", "pull_off_force", 20.0, -2.0),
        ("dmt", "radius", 1e-4, 1.0),
        ("dmt", "approach", 1e-4, 0.5),
        ("dmt", "pull_off_force", 1e-4, 1.5),
    ],
)
def test_maugis_tends_to_its_limits(limit, quantity, far, order):
    """The wider the ring of attraction (as lambda^(-1/2) towards DMT), the slower the limit."""
    goal = getattr(models()[limit](force=2 * UNIT_FORCE), quantity)
    errors = [abs(getattr(maugis(far * k, force=2 * UNIT_FORCE), quantity) - goal) for k in (1, 2)]
    assert errors[0] < 2e-2 * abs(goal)
    assert math.log2(errors[1] / errors[0]) == pytest.approx(order, abs=0.1)


def test_maugis_pull_off_grows_between_the_limits():
    forces = [maugis(t, force=0.0).pull_off_force / UNIT_FORCE for t in (1e-6, 0.01, 0.1, 1.0, 10.0, 1e6)]
    assert (np.diff(forces) > 0).all()
    assert forces[0] == pytest.approx(-2.0, rel=1e-6)
    assert forces[-1] == pytest.approx(-1.5, rel=1e-6)


def test_tabor_parameter_sets_the_lennard_jones_stress():
    """lambda = 1.157 mu (Johnson and Greenwood 1997)."""
    z0 = 3e-10
    mu = adhesion.tabor_parameter(R, E, W, z0)
    assert mu == pytest.approx((R * W**2 / (E**2 * z0**3)) ** (1 / 3), rel=1e-14)
    by_tabor = adhesion.maugis_dugdale(R, E, W, tabor=mu, force=0.0)
    by_stress = adhesion.maugis_dugdale(R, E, W, cohesive_stress=16 * W / (9 * math.sqrt(3) * z0), force=0.0)
    assert by_tabor.transition / mu == pytest.approx(1.157, abs=5e-4)
    assert by_tabor.radius == pytest.approx(by_stress.radius, rel=1e-12)


def test_point_contact_still_pulls():
    c = maugis(0.8, contact_radius=0.0)
    near = maugis(0.8, contact_radius=1e-9 * UNIT_RADIUS)
    assert (c.force, c.outer_radius) == pytest.approx((near.force, near.outer_radius), rel=1e-8)
    assert c.pull_off_force < c.force < 0 < c.outer_radius


@pytest.mark.parametrize("model", models())
def test_contact_as_wide_as_the_sphere_is_the_limit(model):
    make, largest = models()[model], 4 / 3 * E * R**2
    assert make(contact_radius=R).force == pytest.approx(largest, rel=0.02)
    assert make(force=0.9999999 * largest).radius == pytest.approx(R, rel=0.02)
    with pytest.raises(tr.InputError, match=r"contact_radius = 2\.1e-06 m must be at most radius = 2e-06 m"):
        make(contact_radius=2.1e-6)
    for force in (1.001 * largest, 1e90):
        with pytest.raises(tr.InputError, match=r"must be at most 4/3 E\* R\^2 = 0\.0266667 N"):
            make(force=force)
    with pytest.raises(tr.InputError, match=r"contact_radius = 1e\+90 m must be at most"):
        make(contact_radius=1e90)


@pytest.mark.parametrize("transition", [1e-7, 1.0, 1e7])
@pytest.mark.parametrize("work", [1e-30, 1e-20, 1e20, 1e30])
def test_extreme_work_has_an_answer(transition, work):
    """In range, all three models end, with numbers that are finite."""
    tension = transition * (2 * math.pi * work * E**2 / (9 * R)) ** (1 / 3)
    for given in ({"force": 0.0}, {"contact_radius": R}):
        contacts = [
            adhesion.maugis_dugdale(R, E, work, cohesive_stress=tension, **given),
            adhesion.jkr(R, E, work, **given),
            adhesion.dmt(R, E, work, **given),
        ]
        assert all(math.isfinite(v) for c in contacts for v in (c.radius, c.force, c.approach))


def test_brackets_are_sought_a_finite_number_of_times():
    with pytest.raises(tr.InputError, match="no solution in double precision"):
        adhesion._find_root(lambda A: -1.0, 0.0, 1.0)
    with pytest.raises(tr.InputError, match="no solution in double precision"):
        adhesion._find_root(lambda A: math.nan, 0.0, 1.0)


def test_pair_and_plain_modulus_agree():
    pair = tr.Pair(tr.STEEL, tr.RIGID)
    assert adhesion.jkr(R, pair, W, force=0.0) == adhesion.jkr(R, pair.effective_modulus, W, force=0.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: adhesion.jkr(R, E, W, force=-1.0),
            r"force = -1\.0 N must be at least the pull-off force -3\.76991e-07 N",
        ),
        (lambda: adhesion.dmt(R, E, W, force=-1.0), r"pull-off force -5\.02655e-07 N.*Pull less"),
        (lambda: maugis(1.0, force=-1.0), r"force = -1\.0 N must be at least the pull-off force"),
        (lambda: adhesion.jkr(R, E, -0.1, force=0.0), r"work = -0\.1 J/m2 must be positive.*hertz\.sphere"),
        (lambda: adhesion.jkr(0.0, E, W, force=0.0), r"radius = 0\.0 m must be positive"),
        (lambda: adhesion.jkr(R, E, W), "exactly one of contact_radius and force; neither"),
        (
            lambda: adhesion.jkr(R, E, W, contact_radius=-1.0),
            r"contact_radius = -1\.0 m must not be negative",
        ),
        (lambda: adhesion.maugis_dugdale(R, E, W, force=0.0), "exactly one of tabor and cohesive_stress"),
        (lambda: maugis(1e12, force=0.0), r"lambda = 1e\+12 must lie between 1e-08 and 1e\+08.*jkr"),
        (lambda: adhesion.maugis_dugdale(R, E, W, tabor=-1, force=0.0), r"tabor = -1\.0 must be positive"),
        (lambda: adhesion.curve(R, E, W, model="hertz"), "model = 'hertz' is not known; choose one of 'jkr'"),
        (lambda: adhesion.curve(R, E, W, model="dmt", tabor=1.0), 'no meaning in model = "dmt"'),
        (lambda: adhesion.curve(R, E, W, points=1), "points = 1 must be at least 2"),
        (lambda: adhesion.curve(R, E, W, max_force=-1.0), r"-1\.0 N must be at least the pull-off force"),
        (
            lambda: adhesion.curve(R, E, W, max_force=1.0),
            r"max_force = 1\.0 N must be at most 4/3 E\* R\^2 = 0\.0266667 N",
        ),
        (lambda: adhesion.jkr(R, E, 1e-300, force=0.0), r"work = 1e-300 J/m2 must lie between 1e-30"),
        (lambda: adhesion.dmt(R, 1e-300, W, force=0.0), r"= 1e-300 Pa must lie between 1e-30"),
        (lambda: adhesion.tabor_parameter(R, E, W, 0.0), r"separation = 0\.0 m must be positive"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(tr.InputError, match=message):
        call()
