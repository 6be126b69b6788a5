"""Normal contact: Hertz, CONTACT (Vollebregt), wavy surfaces, the half space, limits of closed forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain

import numpy as np

from traction.app.verification import Check, number_of
from traction.contact.normal.press import NormalContact, solve_press
from traction.grid import Grid
from traction.halfspace.half_space import HalfSpace
from traction.kinds.case import load
from traction.kinds.registry import shipped
from traction.materials import RIGID, STEEL, Material, Pair
from traction.surfaces import Cylinder, Paraboloid, Sphere
from traction.theory import adhesion, hertz, loads

STEEL_PAIR = Pair(STEEL, STEEL)
UNIT_PAIR = Pair(RIGID, Material(1.0, 0.0))
CONTACT = "CONTACT rev 2707"


def checks() -> Iterator[Check]:
    """All rows of normal contact."""
    groups = hertz_checks, reference_checks, periodic_checks, half_space_checks, theory_checks
    return chain.from_iterable(group() for group in groups)


def hertz_checks() -> Iterator[Check]:
    """Discrete contacts against Hertz."""
    for ratio in (1.0, 3.0, 10.0):
        ellipse = hertz.ellipse(0.46, 0.46 / ratio, STEEL_PAIR, force=1e5)
        a, b = ellipse.semi_axes
        grid = Grid.around(1.12 * a, 1.12 * b, 41, 41)
        solve = partial(solve_press, Paraboloid(0.46, 0.46 / ratio), grid, STEEL_PAIR, force=1e5)
        limits = {"approach": 5e-3, "peak_pressure": 5e-3, "stiffness": 2e-2}
        yield from _compare(f"press-ellipse-{ratio:g}", solve, ellipse, limits)
    line = hertz.line(0.5, STEEL_PAIR, force=1e6, length=0.5)
    strips = Grid.line(200, 2.2 * line.semi_axes[0] / 200, length=0.5)
    solve = partial(solve_press, Cylinder(0.5), strips, STEEL_PAIR, force=1e6)
    yield from _compare("press-line", solve, line, {"approach": 1e-4, "peak_pressure": 2e-3})


def _compare(
    name: str, solve: Callable[[], NormalContact], exact: object, limits: dict[str, float]
) -> Iterator[Check]:
    """Numbers of a contact with those of Hertz."""
    for quantity, limit in limits.items():
        expected = getattr(exact, quantity)
        yield Check(name, quantity, "Hertz 1882", expected, limit, number_of, solve, quantity)


def reference_checks() -> Iterator[Check]:
    """The same discretisation in CONTACT."""
    for cells, spacing, penetration in ((40, 1 / 18, 0.009998341616), (76, 1 / 36, 0.009999676912)):
        grid = Grid(cells, cells, spacing * 1e-3, spacing * 1e-3)
        solve = partial(solve_press, Sphere(0.1), grid, STEEL_PAIR, force=1518.518519)
        name, expected = f"press-sphere-{cells}", penetration * 1e-3
        yield Check(name, "approach", CONTACT, expected, 1e-7, number_of, solve, "approach")
    for quantity, expected in (("force", 10001.50694), ("peak_pressure", 674.0239148e6)):
        yield Check("press-wheel-on-rail", quantity, CONTACT, expected, 1e-5, _shipped, quantity)


def _shipped(quantity: str) -> float:
    """A number of the shipped wheel on rail."""
    scenario = load(shipped()["wheel-on-rail"])
    stepper = scenario.definition.stepper(scenario.case)
    return float(stepper.advance(stepper.initial())[1][quantity])


def periodic_checks() -> Iterator[Check]:
    """Wavy surfaces (Westergaard 1939; Johnson 1985, 13.2)."""
    wavelength, amplitude, half_width = 1e-2, 1e-6, 3e-3
    grid = Grid.line(512, wavelength / 512)
    gap = amplitude * (1.0 - np.cos(2.0 * np.pi * grid.x / wavelength))[None, :]
    full = np.pi * STEEL_PAIR.effective_modulus * amplitude / wavelength
    sine = np.sin(np.pi * half_width / wavelength)
    waves = partial(solve_press, gap, grid, STEEL_PAIR, force=full * sine**2 * wavelength, periodic="x")
    square = Grid(96, 96, 1.0 / 96, 1.0 / 96)
    bumps, force = 1e-3 * (1.0 - np.cos(2.0 * np.pi * square.mesh()[0])), 1.2e-3 * np.pi
    flat = partial(solve_press, bumps, square, UNIT_PAIR, force=force, periodic="xy")
    for name, quantity, source, expected, limit, solve in (
        ("press-waves", "peak_pressure", "Westergaard 1939", 2.0 * full * sine, 1e-3, waves),
        ("press-waves", "contact_area", "Westergaard 1939", 2.0 * half_width, 5e-3, waves),
        ("press-flattened", "peak_pressure", "Johnson 1985, 13.2", 2.2e-3 * np.pi, 2e-3, flat),
    ):
        yield Check(name, quantity, source, expected, limit, number_of, solve, quantity)


def half_space_checks() -> Iterator[Check]:
    """Influence coefficients and stresses."""
    love = 0.72 * 4.0 * np.log(1.0 + np.sqrt(2.0)) / np.pi
    yield Check("influence-element", "displacement", "Love 1929", love, 1e-12, _element)
    ball = hertz.sphere(0.1, STEEL_PAIR, force=1500.0)
    depth = 0.48 * ball.radius
    expected, source = ball.stress_on_axis(depth, STEEL.poisson_ratio).von_mises, "Johnson 1985, 3.4"
    yield Check("stress-below-sphere", "von Mises", source, expected, 5e-3, _von_mises, ball.radius, depth)
    yield Check("stress-layer-by-fft", "von Mises", source, expected, 5e-3, _layer_peak, ball.radius, depth)


def _element() -> float:
    body = Material.from_shear_modulus(1.0, 0.28)
    space = HalfSpace(Grid(1, 1, 1.0, 1.0), Pair(body, body))
    return float(space.product("z", "z", np.ones((1, 1)))[0, 0])


def _ball(radius: float) -> NormalContact:
    return solve_press(Sphere(0.1), Grid.around(1.2 * radius, 1.2 * radius, 41, 41), STEEL_PAIR, force=1500.0)


def _von_mises(radius: float, depth: float) -> float:
    """On the axis alone, by the sum over elements."""
    return float(_ball(radius).stress([0.0, 0.0, -depth]).von_mises)


def _layer_peak(radius: float, depth: float) -> float:
    """The largest in a layer below all elements, which at this depth is on the axis."""
    contact = _ball(radius)
    x, y = contact.grid.mesh()
    return float(contact.stress(np.stack([x, y, np.full_like(x, -depth)], axis=-1)).von_mises.max())


def theory_checks() -> Iterator[Check]:
    """Closed forms against each other in their limits."""
    for tabor, factor, source in (
        (100.0, 1.5, "Johnson, Kendall, Roberts 1971"),
        (1e-4, 2.0, "Derjaguin, Muller, Toporov 1975"),
    ):
        solve = partial(adhesion.maugis_dugdale, 1e-6, 1e9, 0.05, tabor=tabor, force=0.0)
        expected, words = -factor * np.pi * 0.05 * 1e-6, f"pull-off, Tabor {tabor:g}"
        call = number_of, solve, "pull_off_force"
        yield Check("adhesion-maugis", words, source, expected, 1e-3, *call)
    circle = loads.uniform_circle(1.0, 1.0, pressure=1.0)
    yield Check("load-circle", "displacement", "Johnson 1985, 3.4", 2.0, 1e-12, circle.displacement, 0.0)
