"""Bodies, grids and contacts that several calls share."""

from __future__ import annotations

from functools import cache

import traction as tr

STEEL = tr.Pair(tr.STEEL, tr.STEEL)
ALUMINIUM = tr.Material(70e9, 0.33, 2700.0)
RUBBER = tr.Material(5e6, 0.48, 1100.0)
UNLIKE = tr.Pair(tr.STEEL, ALUMINIUM)
MU = 0.3
METHODS = (
    "euler-forward", "euler-backward", "symplectic-euler", "rk4", "radau-ia", "radau-iia", "verlet",
    "newmark", "hht", "generalized-alpha", "energy-conserving",
)  # fmt: skip


@cache
def ball(pair: tr.Pair = STEEL, n: int = 26) -> tr.NormalContact:
    """A sphere of 100 mm under 1 kN, n elements across the grid."""
    radius = tr.hertz.sphere(0.1, pair, force=1000.0).radius
    grid = tr.Grid.around(1.3 * radius, 1.3 * radius, n, n)
    return tr.press(tr.Sphere(0.1), grid, pair, force=1000.0, tol=1e-9)


@cache
def ellipse() -> tr.NormalContact:
    """A wheel on a rail head under 100 kN."""
    grid = tr.Grid.around(9e-3, 7e-3, 30, 26)
    return tr.press(tr.Paraboloid(0.46, 0.30), grid, STEEL, force=1e5)


@cache
def roller(pair: tr.Pair = STEEL) -> tr.NormalContact:
    """A cylinder of 500 mm under 178.9 kN/m, in plane strain."""
    half = tr.hertz.line(0.5, pair, force=178.9e3).half_width
    grid = tr.Grid.line(60, half / 25, length=0.2)
    return tr.press(tr.Cylinder(0.5), grid, pair, force=178.9e3)


@cache
def bridge_beam(damping: float = 0.0) -> tr.Beam:
    """A clamped bridge of 20 m."""
    return tr.Beam(20.0, 2.08e9, 7900.0, damping=damping)


@cache
def pinned_beam() -> tr.Beam:
    """A simply supported bridge of 15 m."""
    return tr.Beam(15.0, 7694081e3, 15000.0, supports=("pinned", "pinned"), damping=0.01)


@cache
def thick_beam() -> tr.Beam:
    """A beam by Timoshenko's theory, clamped and pinned, on an elastic foundation."""
    return tr.Beam(
        6.0, 5e7, 400.0, shear_stiffness=4e8, rotary_inertia=8.0, supports=("clamped", "pinned"),
        damping=tr.Rayleigh(0.3, 2e-4), foundation=2e5,
    )  # fmt: skip


@cache
def spans() -> tr.Beam:
    """Two unlike spans with a spring between them."""
    left, right = tr.Beam(8.0, 4e8, 1500.0), tr.Beam(10.0, 6e8, 1800.0)
    return tr.Beam.spans([left, right], supports=("pinned", tr.Support(2e8, 1e6), "clamped"), damping=0.02)


@cache
def sprung_wheel() -> tr.Wheel:
    """1 t under a sprung mass of 9 t."""
    return tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3))


@cache
def coach() -> tr.Train:
    """A vehicle on two bogies."""
    return tr.Train.vehicle(
        body_mass=4e4, body_inertia=1.8e6, bogie_mass=3e3, bogie_inertia=3e3, wheel_mass=1.8e3,
        primary=(1.2e6, 1e4), secondary=(4e5, 2e4), bogie_spacing=12.0, axle_spacing=2.5,
    )  # fmt: skip
