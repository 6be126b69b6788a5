"""Rolling with friction laws and layers: against CONTACT, steady against transient, tangents, branches."""

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import traction as tr
from traction.contact.elements.friction_step import solve_nested
from traction.contact.elements.whole_cells import WholeCells
from traction.contact.friction.friction_solution import check_demand, finish_steps
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.rolling import friction_branches
from traction.contact.stick_slip import steep_bounds
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.kernels.sliding_states import resist
from traction.contact.stick_slip.newton_iteration import iterate_newton
from traction.errors import ConvergenceError, InputError, TractionError

REFERENCE = json.loads((Path(__file__).parents[2] / "data" / "falling_friction.json").read_text())["cases"]
ROWS = [(name, k) for name, case in REFERENCE.items() for k in range(len(case["rows"]))]
BODY = tr.Material.from_shear_modulus(82e9, 0.28)
PAIR = tr.Pair(BODY, BODY)
GAP, SPEED, LOAD = tr.Paraboloid(1 / 1.6, 1 / 2.942), 20.0, 80e3
MEMORY = (3e-6, 1e-3)
LAW = tr.friction.exponential(0.15, (0.2, 1.0), memory=MEMORY)
SOFT = tr.Layer(4e9, 0.25e-3)
HARD = tr.Layer(4e9, 0.25e-3, 200e6, hardening=2e13)
#: friction and layer
BETWEEN = {
    "law": (LAW, None),
    "linear": (tr.friction.linear(0.2, (0.15, 1.5), memory=MEMORY), None),
    "own": (tr.friction.own(lambda s: 0.15 + 0.2 / (1.0 + s), memory=MEMORY), None),
    "elastic layer": (0.35, SOFT),
    "law on a layer": (LAW, SOFT),
    "plastic layer": (0.35, tr.Layer(4e9, 0.25e-3, 250e6)),
    "hardening layer": (0.35, HARD),
    "softening layer": (0.35, tr.Layer(4e9, 0.25e-3, 250e6, hardening=-5e12)),
    "law on a hardening layer": (LAW, HARD),
}


@lru_cache
def press(nx=40, ny=30, force=LOAD, tol=1e-6):
    a, b = tr.hertz.ellipse(GAP.radius_x, GAP.radius_y, PAIR, force=LOAD).semi_axes
    grid = tr.Grid(nx, ny, 2.2 * a / nx, 2.2 * b / ny)
    return tr.press(GAP, grid, PAIR, force=force, tol=tol)


def given(name):
    p = REFERENCE[name]["parameters"]
    layer = tr.Layer(p["G3"], p["h3"], p.get("tau_c")) if "G3" in p else None
    if "mu" in p:
        return p["mu"], layer
    make = getattr(tr.friction, name.split("_")[0])
    return make(p["mu_kin"], (p["m1"], p["h1"]), (p["m2"], p["h2"]), memory=MEMORY), layer


def forces(t):
    return np.array([*t.force, t.moment])


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("name", "row"), ROWS)
def test_whole_cells_agree_with_contact(name, row):
    friction, layer = given(name)
    xi, eta, phi, fx, fy, mz, power, stick, slip = REFERENCE[name]["rows"][row]
    n = press()
    t = tr.roll_steady(
        n, friction, creepage=(xi, eta, phi), speed=SPEED, layer=layer, discretisation="classical"
    )
    limit = t.friction * LOAD
    assert np.abs(np.array(t.force) - (fx, fy)).max() <= 5e-4 * limit
    assert abs(t.moment - mz) <= 1e-4 * limit * 6e-3
    assert (int((t.stick & n.contact).sum()), int(t.sliding.sum())) == (stick, slip)
    if np.hypot(xi, eta) > 0.005:
        assert -t.dissipation * SPEED == pytest.approx(power, rel=1e-3)


@pytest.mark.parametrize("name", BETWEEN)
def test_result_obeys_the_law_and_pays_for_it(name):
    """Bounds are mu pn or the yield stress, slip and flow oppose tractions, and nothing is gained."""
    friction, layer = BETWEEN[name]
    t = tr.roll_steady(press(24, 18), friction, creepage=(0.004, 0.001, 0.1), speed=SPEED, layer=layer)
    assert np.hypot(*t.traction).max() <= t.bound.max() * (1.0 + 1e-6)
    assert (np.hypot(*t.traction) <= t.bound + 1e-6 * t.bound.max()).all()
    assert t.certificate.holds(1e-6)
    assert (t.power_density >= -1e-9 * t.power_density.max()).all()
    assert 0.0 <= t.plastic_work <= t.dissipation
    yields = layer is not None and layer.yield_stress is not None
    assert (t.plastic_work > 0.0) == yields == bool(t.yielding.any())
    if yields:  # what flows is at its yield stress
        flows = t.yielding & ~t.sliding
        assert np.hypot(*t.traction)[flows] == pytest.approx(t.interface.yielding[flows], rel=1e-4)
    if name == "law":
        assert t.coefficient[t.sliding].min() < 0.34 < t.coefficient[t.stick].min()


@pytest.mark.parametrize("name", BETWEEN)
def test_march_of_whole_cells_ends_in_the_steady_solution(name):
    friction, layer = BETWEEN[name]
    n, options = press(18, 16), {"speed": SPEED, "layer": layer, "discretisation": "classical"}
    creepage = (0.004, 0.001, 0.1)
    steady = tr.roll_steady(n, friction, creepage=creepage, **options)
    t = tr.roll_steady(n, friction, creepage=(0.0, 0.0, 0.0), **options)
    for _ in range(100):
        t = tr.roll(t, friction, distance=n.grid.dx, creepage=creepage, **options)
    assert np.abs(np.array(t.force) - steady.force).max() <= 1e-4 * steady.friction * LOAD
    assert t.dissipation / n.grid.dx == pytest.approx(steady.dissipation, rel=1e-3)
    assert t.coefficient == pytest.approx(steady.coefficient, rel=1e-3)


@pytest.mark.parametrize("part", [1.0, 0.5, pytest.param(0.05, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["law", "elastic layer", "hardening layer"])
def test_steps_of_covered_elements_stay_near_the_steady_solution(name, part):
    friction, layer = BETWEEN[name]
    n, creepage = press(28, 22), (0.004, 0.0, 0.0)
    between = {"speed": SPEED, "layer": layer}
    steady = t = tr.roll_steady(n, friction, creepage=creepage, **between)
    for _ in range(round(4 / part)):
        t = tr.roll(t, friction, distance=part * n.grid.dx, creepage=creepage, **between)
    assert np.abs(np.array(t.force) - steady.force).max() <= 4e-3 * steady.friction * LOAD


@pytest.mark.parametrize("creepage", [(0.002, 0.001, 0.1), (0.01, 0.0, 0.0)], ids=["rising", "falling"])
@pytest.mark.parametrize("discretisation", ["classical", "covered"])
@pytest.mark.parametrize("name", ["law", "law on a hardening layer"])
def test_tangents_are_exact(name, discretisation, creepage):
    (friction, layer), n = BETWEEN[name], press(20, 16, tol=1e-10)

    def roll(c, contact=n):
        return tr.roll_steady(
            contact, friction, creepage=tuple(c), speed=SPEED, layer=layer, tol=1e-10,
            discretisation=discretisation,
        )  # fmt: skip

    t = roll(creepage)
    for k, h in enumerate((1e-8, 1e-8, 1e-5)):
        step = h * np.eye(3)[k]
        slope = (forces(roll(creepage + step)) - forces(roll(creepage - step))) / (2.0 * h)
        assert np.abs(slope - t.tangent[:, k]).max() <= 1e-5 * np.abs(t.tangent[:, k]).max()
    more, less = (press(20, 16, LOAD * (1.0 + d), 1e-10) for d in (1e-6, -1e-6))
    slope = (forces(roll(creepage, more)) - forces(roll(creepage, less))) / (more.approach - less.approach)
    assert np.abs(slope - t.approach_tangent).max() <= 1e-5 * np.abs(t.approach_tangent).max()
    if creepage[0] == 0.01 and layer is None:
        assert t.tangent[0, 0] > 0.0  # the curve falls


@pytest.mark.parametrize("cells", [0.5, 1.0, 2.5])
@pytest.mark.parametrize("name", ["law", "softening layer", "law on a hardening layer"])
def test_tangents_of_a_step_of_several_parts_are_exact(name, cells):
    """Derivatives follow the memory of friction and layer from part to part."""
    (friction, layer), n = BETWEEN[name], press(20, 16, tol=1e-10)
    options = {"speed": SPEED, "layer": layer, "tol": 1e-10}
    t, given = tr.roll_steady(n, friction, creepage=(0.001, 0.0, 0.0), **options), (0.008, 5e-4, 0.1)

    def roll(creepage, contact=n):
        way = cells * n.grid.dx
        return tr.roll(t, friction, distance=way, creepage=tuple(creepage), normal=contact, **options)

    found = roll(given)
    for k, h in enumerate((1e-7, 1e-7, 1e-5)):
        step = h * np.eye(3)[k]
        slope = (forces(roll(given + step)) - forces(roll(given - step))) / (2.0 * h)
        assert np.abs(slope - found.tangent[:, k]).max() <= 1e-6 * np.abs(slope).max()
    # rounding of pressures on the way is 1e-11: shorter differences would show it
    more, less = (press(20, 16, LOAD * (1.0 + d), 1e-10) for d in (1e-5, -1e-5))
    slope = (forces(roll(given, more)) - forces(roll(given, less))) / (more.approach - less.approach)
    assert np.abs(slope - found.approach_tangent).max() <= 5e-6 * np.abs(slope).max()


@pytest.mark.parametrize("discretisation", ["classical", pytest.param("covered", marks=pytest.mark.slow)])
def test_given_force_is_on_the_rising_branch_and_below_the_maximum(discretisation):
    n, options = press(20, 16), {"speed": SPEED, "discretisation": discretisation}
    found = minimize_scalar(
        lambda xi: tr.roll_steady(n, LAW, creepage=(xi, 0.0, 0.0), **options).force[0], bounds=(0.003, 0.006)
    )
    top = -found.fun
    t = tr.roll_steady(n, LAW, creepage=(None, 0.0, 0.0), force=(-0.99 * top, None), **options)
    assert t.force[0] == pytest.approx(-0.99 * top, rel=1e-6)
    assert t.tangent[0, 0] < 0.0
    assert t.other_solutions
    assert "other solutions" in t.message
    little = tr.roll_steady(n, LAW, creepage=(None, 0.0, 0.0), force=(-0.2 * top, None), **options)
    assert not little.other_solutions
    with pytest.raises(
        InputError, match=r"force = -.* N is larger in size than the maximum of the creep curve"
    ) as refused:
        tr.roll_steady(n, LAW, creepage=(None, 0.0, 0.0), force=(-1.01 * top, None), **options)
    stated = float(str(refused.value).split("curve, ")[1].split(" N")[0])
    assert stated == pytest.approx(top, rel=1e-4)


@pytest.mark.parametrize("discretisation", ["classical", "covered"])
def test_steps_under_a_force_stay_on_the_rising_branch(discretisation):
    """A force that grows by a fifth in one element, as with constant friction, and one that is too large."""
    n, options = press(20, 16), {"speed": SPEED, "discretisation": discretisation}
    t = tr.roll_steady(n, LAW, creepage=(None, 0.0, 0.0), force=(-15e3, None), **options)
    for _ in range(3):
        t = tr.roll(t, LAW, distance=n.grid.dx, creepage=(None, 0.0, 0.0), force=(-18e3, None), **options)
        assert t.force[0] == pytest.approx(-18e3, rel=1e-6)
        assert t.creepage[0] < 0.01
        assert t.tangent[0, 0] < 0.0
    with pytest.raises(
        InputError, match="force = -27900 N is larger in size than what falling friction carries in this step"
    ):
        tr.roll(t, LAW, distance=n.grid.dx, creepage=(None, 0.0, 0.0), force=(-27.9e3, None), **options)


def test_steep_laws_tell_of_other_solutions_or_of_the_reason(monkeypatch):
    n = press(20, 16)
    gentle = tr.roll_steady(n, LAW, creepage=(0.004, 0.0, 0.0), speed=SPEED)
    assert gentle.steepness < 0.05
    assert not gentle.other_solutions
    steep = tr.friction.exponential(0.1, (0.4, 0.2))
    for contact, xi, speed, kind in (
        (n, 0.003, 100.0, "covered"),
        (press(28, 24), 0.002, 200.0, "classical"),
    ):
        t = tr.roll_steady(contact, steep, creepage=(xi, 0.0, 0.0), speed=speed, discretisation=kind)
        assert t.other_solutions
        assert t.certificate.holds(1e-6)
    monkeypatch.setattr("traction.contact.stick_slip.newton_iteration.MAX_STEPS", 2)
    with pytest.raises(ConvergenceError, match="more steeply with the slip than elements resist"):
        tr.roll_steady(n, steep, creepage=(0.003, 0.0, 0.0), speed=100.0)


def test_a_search_for_other_solutions_that_fails_denies_none(monkeypatch):
    law, given = tr.friction.exponential(0.1, (0.4, 0.2)), {"creepage": (3e-4, 0.0, 0.0), "speed": 120.0}
    assert tr.roll_steady(press(20, 16), law, discretisation="classical", **given).other_solutions is False
    monkeypatch.setattr(friction_branches, "_slide", lambda equation: (np.nan * equation.known, np.zeros(0)))
    t = tr.roll_steady(press(20, 16), law, discretisation="classical", **given)
    assert t.other_solutions is None
    assert "could not be decided" in t.message


def test_bounds_without_a_solution_are_not_followed_further(monkeypatch):
    n = press(20, 16)
    demand = check_demand(
        n, LAW, "creepage", (0.004, 0.0, 0.0), (None, None), tol=1e-6, on_failure="raise", speed=SPEED
    )
    step = WholeCells(FrictionPatch.around(n, 0.35, demand.interface), demand.rigid, 1)
    tried = []

    def fail(equation, **given):
        tried.append(equation)
        return replace(iterate_newton(equation, **given), converged=False)

    monkeypatch.setattr(steep_bounds, "iterate_any_rho", fail)
    steep_bounds.follow_bounds(step.equation, 1e-6, None, 1.0)
    assert len(tried) == 1


def test_message_names_shares_that_alone_did_not_settle():
    n = press(20, 16)
    demand = check_demand(
        n, LAW, "creepage", (0.004, 0.0, 0.0), (None, None), tol=1e-6, on_failure="return", speed=SPEED
    )
    step = WholeCells(FrictionPatch.around(n, 0.35, demand.interface), demand.rigid, 1)
    solved = SolvedFriction(n, step, solve_nested(step, tol=1e-8), doubt=0.01)
    t = finish_steps([solved], demand, distance=n.grid.dx, dissipation=1.0, motion="steady rolling")
    assert not t.ok
    assert "the shares by which they stick and glide did not settle (1.0e-02" in t.message
    assert "memory" not in t.message


def test_layer_has_the_compliance_of_a_brush():
    """On rigid bodies a layer is Winkler's: p = -xi (a - x) G/h in stick, F = -xi G/h integral (a - x)."""
    n, film = press(40, 30), tr.Layer(4e6, 0.25e-3)  # a thousand times softer than the bodies
    t = tr.roll_steady(n, 0.35, creepage=(1e-3, 0.0, 0.0), layer=film)
    a, b = tr.hertz.ellipse(GAP.radius_x, GAP.radius_y, PAIR, force=LOAD).semi_axes
    brush = -1e-3 / film.compliance * 8.0 / 3.0 * a * a * b
    assert t.force[0] == pytest.approx(brush, rel=1e-2)


def test_layer_is_more_accurate_by_covered_elements():
    """Both tend to the same force; covered elements are nearer to it."""
    found = {
        kind: [
            tr.roll_steady(
                press(n, 3 * n // 4), 0.35, creepage=(0.003, 0.0, 0.0), layer=SOFT, discretisation=kind
            ).force[0]
            for n in (20, 40, 80)
        ]
        for kind in ("classical", "covered")
    }
    limit = 2 * found["classical"][2] - found["classical"][1]  # of first order
    assert limit == pytest.approx(found["covered"][2], rel=5e-3)
    assert abs(found["covered"][0] / limit - 1.0) < 0.3 * abs(found["classical"][0] / limit - 1.0)


def test_friction_of_a_place():
    """An even field is a number; where halves differ, each slides at its own bound."""
    n = press(24, 18)
    one = tr.roll_steady(n, 0.3, creepage=(0.002, 0.001, 0.1))
    for friction in (np.full(n.grid.shape, 0.3), lambda x, y: 0.3):
        assert tr.roll_steady(n, friction, creepage=(0.002, 0.001, 0.1)).force == pytest.approx(one.force)
    halves = np.where(n.grid.mesh()[1] > 0.0, 0.4, 0.1)
    t = tr.roll_steady(n, halves, creepage=(0.05, 0.0, 0.0))
    assert t.force[0] == pytest.approx(-0.25 * LOAD, rel=1e-4)
    assert t.bound == pytest.approx(halves * n.pressure)
    u = tr.roll(t, halves, distance=n.grid.dx, creepage=(0.05, 0.0, 0.0))
    assert u.force[0] == pytest.approx(t.force[0], rel=1e-3)


def test_unlike_bodies_take_laws_and_layers():
    n = press(20, 16)
    other = tr.Pair(tr.STEEL, tr.Material(70e9, 0.33))
    grid = tr.Grid(24, 20, 1.3 * n.grid.dx, 1.3 * n.grid.dy)
    n = tr.press(GAP, grid, other, force=LOAD)
    t = tr.roll_steady(n, LAW, creepage=(0.004, 0.001, 0.1), speed=SPEED, layer=HARD)
    assert t.certificate.holds(1e-6)
    u = tr.roll(t, LAW, distance=grid.dx, creepage=(0.004, 0.001, 0.1), speed=SPEED, layer=HARD)
    assert u.force == pytest.approx(t.force, rel=2e-3)


def test_shift_slides_at_the_coefficient_of_its_speed():
    """A long shift forgets: all of the contact slides at mu_s of the speed."""
    n = press(20, 16)
    t = tr.shift(n, LAW, displacement=(1e-3, 0.0, 0.0), speed=2.0)
    assert t.force[0] == pytest.approx(-LAW.coefficient(2.0) * LOAD, rel=0.03)
    again = tr.shift(n, LAW, displacement=(0.0, 0.0, 0.0), speed=2.0, previous=t)
    assert again.force[0] == pytest.approx(t.force[0], rel=1e-3)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda n: tr.roll_steady(n, LAW, creepage=(1e-3, 0, 0)), "speed must be given"),
        (lambda n: tr.roll_steady(n, (0.4, 0.3), creepage=(1e-3, 0, 0)), "static coefficient above"),
        (lambda n: tr.roll_steady(n, np.ones(3), creepage=(1e-3, 0, 0)), "one per cell of the grid"),
        (lambda n: tr.roll_steady(n, -np.ones(n.grid.shape), creepage=(1e-3, 0, 0)), "not be negative"),
        (lambda n: tr.roll_steady(n, lambda x: 0.3, creepage=(1e-3, 0, 0)), "must take x and y"),
        (lambda n: tr.roll_steady(n, 0.3, creepage=(1e-3, 0, 0), layer=0.1), "tr.Layer"),
        (lambda n: tr.shift(n, LAW, force=(1e3, 0.0), speed=1.0), "has no duration"),
        (lambda n: tr.Batch(n.grid, PAIR).roll_steady(n, LAW, [[1e-3, 0, 0]]), "speed must be given"),
        (lambda n: tr.Drive(force=1e3, friction=LAW), "give the torque"),
    ],
)
def test_what_is_out_of_reach_is_refused(call, words):
    with pytest.raises(InputError, match=words):
        call(press(20, 16))


def random_case(rng):
    """Law, layer, creepage and speed; most laws have a memory, half of the contacts a layer."""

    def between(low, high):
        return float(np.exp(rng.uniform(np.log(low), np.log(high))))

    kind = rng.choice(["linear", "rational", "exponential", "polach", "constant"])
    memory = None if rng.random() < 0.25 else (between(1e-7, 1e-5), between(1e-4, 1e-2))
    terms = [(rng.uniform(0.02, 0.3), between(0.05, 5.0)) for _ in range(rng.integers(1, 3))]
    friction = rng.uniform(0.1, 0.4)
    if kind == "polach":
        law = rng.uniform(0.2, 0.6), rng.uniform(0.2, 0.8), between(0.1, 3.0)
        friction = tr.friction.polach(*law, memory=memory)
    elif kind != "constant":
        friction = getattr(tr.friction, kind)(rng.uniform(0.05, 0.3), *terms, memory=memory)
    layer = None
    if rng.random() < 0.5 or kind == "constant":
        stress = None if rng.random() < 0.4 else rng.uniform(5e7, 4e8)
        hardening = 0.0
        if stress is not None and rng.random() < 0.7:  # by its own size over 10 um to 10 mm
            hardening = float(rng.choice([-1.0, 1.0])) * stress / between(1e-5, 1e-2)
        layer = tr.Layer(between(1e9, 2e10), between(1e-6, 3e-4), stress, hardening)
    size, angle = between(1e-4, 5e-2), rng.uniform(0.0, 2.0 * np.pi)
    spin = rng.normal() * 0.3 if rng.random() < 0.7 else 0.0
    return friction, layer, (size * np.cos(angle), size * np.sin(angle), spin), between(1.0, 100.0)


@pytest.mark.parametrize("cases", [60, pytest.param(2000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("discretisation", ["classical", "covered"])
def test_random_cases_are_certified_or_refused_with_a_reason(cases, discretisation):
    rng, n, reasons = np.random.default_rng(19), press(24, 20), []
    for _ in range(cases):
        friction, layer, creepage, speed = random_case(rng)
        given = {"creepage": creepage, "speed": speed, "layer": layer, "discretisation": discretisation}
        try:
            t = tr.roll_steady(n, friction, **given)
        except TractionError as error:
            reasons.append(str(error))
        else:
            assert t.certificate.holds(1e-6)
            assert t.dissipation >= 0.0
    assert all("more steeply with the slip than elements resist" in reason for reason in reasons)
    assert len(reasons) <= 0.003 * cases


@pytest.mark.parametrize("discretisation", ["classical", "covered"])
@pytest.mark.parametrize(
    ("friction", "layer", "creepage", "speed"),
    [
        (
            tr.friction.rational(0.289, (0.267, 0.181), (0.0934, 0.0708)),
            tr.Layer(1.105e9, 7.99e-6),
            (-0.00455, 0.00305, 0.0),
            62.0,
        ),
        (
            tr.friction.rational(0.085, (0.153, 0.1), (0.0284, 0.0876), memory=(5.55e-7, 1.6e-4)),
            tr.Layer(4.04e9, 1.25e-5, 240e6, -2.82e12),
            (0.00087, 0.00096, 0.11),
            81.0,
        ),
        (
            tr.friction.linear(0.174, (0.0361, 1.65), (0.275, 0.7), memory=(1.22e-6, 1.9e-4)),
            tr.Layer(8.7e9, 2.15e-6, 263e6, -1.06e13),
            (0.00019, -0.00586, 0.0),
            3.26,
        ),
    ],
    ids=["hold or let go", "yield or slip after a memory", "yield or slip"],
)
def test_elements_that_may_hold_or_let_go_are_decided(friction, layer, creepage, speed, discretisation):
    """Newton's method alone finds no solution of these, as two states of an element exclude each other."""
    t = tr.roll_steady(
        press(24, 20), friction, creepage=creepage, speed=speed, layer=layer, discretisation=discretisation
    )
    assert t.certificate.holds(1e-6)
    assert t.dissipation > 0.0


@pytest.mark.parametrize(
    ("law", "film", "xi"),
    [
        ("linear", tr.Layer(4e9, 1e-5, 2.9484e8, -3.6e12), -0.0075),
        ("exponential", tr.Layer(4e9, 1e-5, 2.736e8), 0.0075),
    ],
)
def test_forces_are_those_of_a_sharp_choice_of_friction_or_yield(law, film, xi, monkeypatch):
    friction = {
        "linear": tr.friction.linear(0.2196, (0.2, 2.0), memory=(24e-6, 1e-3)),
        "exponential": LAW,
    }[law]
    a, b = tr.hertz.ellipse(GAP.radius_x, GAP.radius_y, PAIR, force=60e3).semi_axes
    n = tr.press(GAP, tr.Grid(18, 14, 2.3 * a / 18, 2.3 * b / 14), PAIR, force=60e3, tol=1e-6)
    given = {"creepage": (xi, 0.0, 0.0), "speed": 20.0, "layer": film, "discretisation": "classical"}
    found = tr.roll_steady(n, friction, **given)
    monkeypatch.setattr("traction.contact.stick_slip.interface.TIE", 0.0)
    sharp = tr.roll_steady(n, friction, **given)
    assert forces(found) == pytest.approx(forces(sharp), rel=1e-8, abs=1e-3)


def test_friction_and_yield_that_agree_give_way_together():
    """The bound and both parts of a motion depend on the memory continuously, with the derivatives stated."""
    n = press(20, 16)
    law, film = (
        tr.friction.exponential(0.15, (0.2, 1.0), memory=(3e-6, 1e-3)),
        tr.Layer(4e9, 1e-5, 2e8, -5e12),
    )
    demand = check_demand(
        n,
        law,
        "creepage",
        (0.004, 0.0, 0.0),
        (None, None),
        tol=1e-6,
        on_failure="raise",
        speed=20.0,
        layer=film,
    )
    pressure = np.full((1, 1), 2e8 / 0.3)
    rule = demand.interface.rule(pressure, 2e-5, upstream=1)

    def found(mu, tau, motion=1e-6):
        return np.array(resist(rule, 0, 0, pressure[0, 0], mu, tau, motion))

    rest = found(0.3, 1e12, 0.0)  # from which mu follows at which friction without slip is the yield stress
    still = 0.3 + (2e8 - rest[0]) / (pressure[0, 0] * rest[4])
    near = still * np.linspace(1.0 - 1e-5, 1.0 + 1e-5, 2001)
    bounds = np.array([found(mu, 2e8)[0] for mu in near])
    assert np.abs(np.diff(bounds)).max() < 0.01 * bounds.max()
    assert found(near[0], 2e8)[3] == 0.0
    assert found(near[-1], 2e8)[3] == 1e-6
    middle = found(still, 2e8)
    assert 0.3e-6 < middle[3] < 0.7e-6
    for place, size in ((0, 1e-8), (1, 1e1), (2, 1e-12)):  # mu and tau before, and the motion
        step = size * np.eye(3)[place]
        more, less = (found(*(np.array([still, 2e8, 1e-6]) + sign * step)) for sign in (1.0, -1.0))
        slope = (more[1:3] - less[1:3]) / (2.0 * size)
        assert slope == pytest.approx(middle[[4 + place, 7 + place]], rel=1e-4, abs=1e-9)


@pytest.mark.parametrize("discretisation", ["classical", "covered"])
def test_change_with_friction_is_exact(discretisation):
    """Derivatives by parameters of the law and the layer, without solving again."""
    n = press(20, 16, tol=1e-10)
    known = np.array([0.15, 0.2, 1.0, 0.1e-3, 200e6, 2e13])

    def make(p):
        law = tr.friction.exponential(p[0], (p[1], p[2]), memory=MEMORY)
        return law, {"speed": SPEED, "layer": tr.Layer(4e9, p[3], p[4], hardening=p[5])}

    def roll(p):
        law, between = make(p)
        given = {"creepage": (0.004, 0.001, 0.1), "discretisation": discretisation, "tol": 1e-10}
        return tr.roll_steady(n, law, **given, **between)

    t = roll(known)
    for k in range(known.size):
        step = 1e-5 * known * np.eye(known.size)[k]
        expected = forces(roll(known + step)) - forces(roll(known - step))
        found = np.subtract(
            *(t.change_with(law, **between) for law, between in map(make, (known + step, known - step)))
        )
        assert np.abs(found - expected).max() <= 1e-5 * np.abs(expected).max()
