"""Pressed contacts, their stress and displacement, products of the half space, contact laws."""

from __future__ import annotations

import numpy as np

import traction as tr
from fingerprints.calls.bodies import ALUMINIUM, RUBBER, STEEL, UNLIKE, ball, ellipse, roller
from fingerprints.cases import call, each
from fingerprints.results import Numbers, normal, stress, take

POINTS = np.array([[0.0, 0.0, -1e-4], [1e-4, 2e-4, -3e-4], [-3e-4, 1e-4, -1e-5], [2e-4, 0.0, 0.0]])


def waves(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Roughness of a few waves, m."""
    return 4e-7 * (np.cos(9e3 * x + 0.3) + np.sin(7e3 * y) + 0.5 * np.cos(2.1e4 * x - 1.7e4 * y))


@call("contact/press_force")
def press_force() -> Numbers:
    """A ball under a force."""
    return normal(ball())


@call("contact/press_approach")
def press_approach() -> Numbers:
    """An ellipse under an approach."""
    return normal(
        tr.press(tr.Paraboloid(0.46, 0.30), tr.Grid.around(9e-3, 7e-3, 33, 27), STEEL, approach=8e-5)
    )


@call("contact/press_apart")
def press_apart() -> Numbers:
    """Bodies that do not touch."""
    n = tr.press(tr.Sphere(0.1), tr.Grid(8, 8, 1e-4, 1e-4), STEEL, approach=-1e-6)
    return take(n, "pressure force approach status")


@call("contact/press_line")
def press_line() -> Numbers:
    """A roller, and the same by its approach."""
    n = roller()
    again = tr.press(tr.Cylinder(0.5), n.grid, STEEL, approach=n.approach)
    return {"force": normal(n), "approach": normal(again)}


@call("contact/press_line_without_length")
def press_line_without_length() -> Numbers:
    """A roller whose approach is not defined."""
    return normal(tr.press(tr.Cylinder(0.02), tr.Grid.line(48, 2e-5), STEEL, force=5e4))


@call("contact/press_rough")
def press_rough() -> Numbers:
    """A rough ball: several patches."""
    surface = tr.Sphere(0.1) + tr.FunctionSurface(waves)
    return normal(tr.press(surface, tr.Grid.around(1.2e-3, 1.2e-3, 48, 48), STEEL, force=300.0))


@each("contact/press_height_map_{}", ("linear", "cubic"))
def press_height_map(interpolation: str) -> Numbers:
    """Measured heights."""
    x, y = np.linspace(-2e-3, 2e-3, 21), np.linspace(-2e-3, 2e-3, 17)
    z = x**2 / 0.2 + y[:, None] ** 2 / 0.15 + waves(x, y[:, None])
    surface = tr.HeightMap(x, y, z, interpolation)
    return normal(tr.press(surface, tr.Grid.around(1.5e-3, 1.5e-3, 30, 30), STEEL, force=500.0))


@call("contact/press_profile")
def press_profile() -> Numbers:
    """A wheel over a sampled profile."""
    y = np.linspace(-8e-3, 8e-3, 41)
    surface = tr.RollingProfile(0.46, y, 1.4 * y**2 + 30.0 * np.abs(y) ** 3)
    return normal(tr.press(surface, tr.Grid.around(7e-3, 7e-3, 32, 30), STEEL, force=4e4))


@call("contact/press_unlike", UNLIKE)
@call("contact/press_rigid", tr.Pair(tr.RIGID, RUBBER))
@call("contact/press_rigid_ground", tr.Pair(ALUMINIUM, tr.RIGID))
def press_pair(pair: tr.Pair) -> Numbers:
    """A ball of other materials."""
    constants = take(pair, "effective_modulus shear_modulus poisson_ratio mismatch")
    return {**constants, **normal(ball(pair, 20))}


@each("contact/press_periodic_{}", ("x", "y", "xy"))
def press_periodic(periodic: str) -> Numbers:
    """A wavy surface that repeats."""
    grid = tr.Grid(32, 24, 1e-4, 1e-4, length=None if periodic == "xy" else 0.1)
    x, y = grid.mesh()
    gap = 1e-6 * (2.0 - np.cos(2 * np.pi * x / 3.2e-3) - np.cos(2 * np.pi * y / 2.4e-3))
    if periodic != "xy":
        gap = gap + (y if periodic == "x" else x) ** 2 / 0.05
    return normal(tr.press(gap, grid, STEEL, force=60.0, periodic=periodic))


@call("contact/press_from_start")
def press_from_start() -> Numbers:
    """A warm start on the same grid and from another one."""
    first, gap = ellipse(), tr.Paraboloid(0.46, 0.30)
    same = tr.press(gap, first.grid, STEEL, force=1.1e5, start=first)
    other = tr.press(gap, tr.Grid.around(9e-3, 7e-3, 40, 36), STEEL, force=1e5, start=first)
    return {"same": normal(same), "other": normal(other)}


@call("contact/press_off_center")
def press_off_center() -> Numbers:
    """An exact sphere away from the middle of a long grid."""
    surface = tr.Sphere(0.05, center=(3e-4, -2e-4), exact=True)
    return normal(tr.press(surface, tr.Grid(40, 22, 5e-5, 8e-5, center=(1e-4, 0.0)), STEEL, force=200.0))


@call("contact/press_edge_returned", "return")
@call("contact/press_edge_raised", "raise")
def press_edge(on_failure: str) -> Numbers:
    """A contact that reaches the edge of its grid."""
    grid = tr.Grid(12, 12, 5e-5, 5e-5)
    n = tr.press(tr.Sphere(0.1), grid, STEEL, force=1000.0, on_failure=on_failure)
    return take(n, "pressure force status message")


@call("contact/stiffness")
def stiffness() -> Numbers:
    """Exact derivatives by the approach."""
    return take(ellipse(), "stiffness pressure_rate approach")


@call("contact/displacement")
def displacement() -> Numbers:
    """Surface displacement on the own grid, a larger and a skew one, of each body."""
    n = ball(UNLIKE, 20)
    near, skew = tr.Grid(30, 30, n.grid.dx, n.grid.dy), tr.Grid(9, 7, 1.7e-4, 2.3e-4, center=(1e-4, 5e-5))
    found = {f"body {body}": n.displacement(near, body) for body in (1, 2)}
    sideways = n.displacement(component="x")
    return {**found, "own": n.displacement(), "skew": n.displacement(skew), "sideways": sideways}


@call("contact/stress")
def stress_below() -> Numbers:
    """Stress inside both bodies under pressure, and in plane strain."""
    n = ball(UNLIKE, 20)
    line = roller().stress(POINTS * (5.0, 0.0, 5.0))
    upper = n.stress(-POINTS, body=1)
    return {"lower": stress(n.stress(POINTS)), "upper": stress(upper), "line": stress(line)}


@call("contact/subsurface")
def subsurface() -> Numbers:
    """Stress and displacement under tractions in all three directions."""
    grid = tr.Grid(6, 5, 1e-4, 1.2e-4)
    traction = 1e6 * np.cos(np.arange(90.0)).reshape(3, 5, 6)
    found = stress(tr.subsurface_stress(POINTS, grid, traction, UNLIKE, body=2))
    return {**found, "displacement": tr.subsurface_displacement(POINTS, grid, traction, UNLIKE, body=2)}


@call("contact/half_space")
def half_space() -> Numbers:
    """Products of all nine pairs of directions, by transforms and directly."""
    grid = tr.Grid(12, 9, 1e-4, 1.3e-4)
    space, traction = tr.HalfSpace(grid, UNLIKE), np.sin(np.arange(108.0)).reshape(9, 12)
    pairs = [(i, j) for i in "xyz" for j in "xyz"]
    found = {f"{i}{j}": space.product(i, j, traction) for i, j in pairs}
    direct = {f"direct {i}{j}": space.direct(i, j, traction) for i, j in pairs}
    x, y = np.array([1e-4, 9e-4]), np.array([0.0, -3e-4])
    return {**found, **direct, "points": space.at_points("z", "x", traction, x, y)}


@call("laws/power")
def power_law() -> Numbers:
    """Closed laws: force, stiffness and energy."""
    laws = {
        "hertz": tr.PowerLaw.hertz(0.1, STEEL),
        "ellipse": tr.PowerLaw.hertz_ellipse(0.46, 0.3, STEEL),
        "other": tr.PowerLaw(3e7, 1.2),
    }
    return {name: {**take(law, "coefficient exponent"), **responses(law)} for name, law in laws.items()}


@call("laws/half_space")
def half_space_law() -> Numbers:
    """A law solved on a grid that grows, asked twice."""
    law = tr.HalfSpaceLaw(tr.Sphere(0.1), tr.Grid(20, 20, 5e-5, 5e-5), STEEL)
    first, again = responses(law), responses(law)
    return {"first": first, "again": again, "contact": normal(law.contact(3e-6)), "grid": law.grid.shape}


@call("laws/half_space_memory")
def half_space_memory() -> Numbers:
    """A warm start that is kept and given back."""
    law = tr.HalfSpaceLaw(tr.Sphere(0.1), tr.Grid(20, 20, 5e-5, 5e-5), STEEL)
    law.response(4e-6)
    memory = dict(law.memory)
    law.response(1e-6)
    law.memory = memory
    return {"memory": memory, **responses(law)}


@call("laws/half_space_line")
def half_space_line_law() -> Numbers:
    """A law of a roller."""
    return responses(tr.HalfSpaceLaw(tr.Cylinder(0.1), tr.Grid.line(40, 2e-5, length=0.1), STEEL))


@call("laws/values")
def law_values() -> Numbers:
    """Constants of the laws with losses."""
    plastic = tr.PlasticLaw.from_yield_pressure(0.01, STEEL, 1.6e9)
    damped = tr.DampedLaw(tr.PowerLaw.hertz(0.01, STEEL), 0.2)
    found = take(plastic, "yield_approach elastic.coefficient elastic.exponent")
    return {"plastic": found, "damped": take(damped, "damping elastic.coefficient")}


def responses(law: tr.PowerLaw | tr.HalfSpaceLaw) -> Numbers:
    """Force, stiffness and energy of a law at approaches up and down."""
    approaches = (-1e-6, 0.0, 1e-6, 2.5e-6, 6e-6, 1.2e-5, 9e-6, 4e-6, 5e-7)
    found = [law.response(one) for one in approaches]
    names = ("force", "stiffness", "energy")
    return {name: [getattr(one, name) for one in found] for name in names}
