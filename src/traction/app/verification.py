"""Every capability against its closed or published answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from traction.contact.normal import press
from traction.errors import TractionError
from traction.grid import Grid
from traction.halfspace.operator import HalfSpace
from traction.halfspace.subsurface import subsurface_stress
from traction.kinds.case import load
from traction.kinds.registry import shipped
from traction.materials import RIGID, STEEL, Material, Pair
from traction.surfaces import Cylinder, Paraboloid, Sphere
from traction.theory import adhesion, hertz, loads

STEEL_PAIR = Pair(STEEL, STEEL)
UNIT_PAIR = Pair(RIGID, Material(1.0, 0.0))
CONTACT = "CONTACT rev 2707"


@dataclass(frozen=True)
class Check:
    """One number with its source; `tolerance` is relative to the expected value."""

    name: str
    quantity: str
    source: str
    expected: float
    tolerance: float
    compute: Callable[[], float]


@dataclass(frozen=True)
class Verdict:
    """What a check found."""

    check: Check
    computed: float

    @property
    def error(self) -> float:
        """Difference relative to the expected value."""
        return abs(self.computed - self.check.expected) / abs(self.check.expected)

    @property
    def passed(self) -> bool:
        """Whether the error is within the tolerance; not a number never is."""
        return self.error <= self.check.tolerance


def verify(only: str | None = None) -> Iterator[Verdict]:
    """Run all checks, or those whose name contains `only`."""
    for check in checks():
        if only is None or only in check.name:
            yield Verdict(check, _computed(check))


def _computed(check: Check) -> float:
    """The number of a check; not a number where it cannot be computed, which is a miss."""
    try:
        return check.compute()
    except (TractionError, ArithmeticError):
        return float("nan")


def checks() -> tuple[Check, ...]:
    """All registered checks."""
    return (*hertz_checks(), *reference_checks(), *periodic_checks(), *half_space_checks(), *theory_checks())


def hertz_checks() -> Iterator[Check]:
    """Discrete contacts against Hertz."""
    for ratio in (1.0, 3.0, 10.0):
        exact = hertz.ellipse(0.46, 0.46 / ratio, STEEL_PAIR, force=1e5)
        a, b = exact.semi_axes
        solve = partial(
            press,
            Paraboloid(0.46, 0.46 / ratio),
            Grid.around(1.12 * a, 1.12 * b, 41, 41),
            STEEL_PAIR,
            force=1e5,
        )
        for quantity, limit in (("approach", 5e-3), ("peak_pressure", 5e-3), ("stiffness", 2e-2)):
            expected = float(getattr(exact, quantity))
            compute = partial(_of, solve, quantity)
            yield Check(f"press-ellipse-{ratio:g}", quantity, "Hertz 1882", expected, limit, compute)
    line = hertz.line(0.5, STEEL_PAIR, force=1e6, length=0.5)
    strips = Grid.line(200, 2.2 * line.semi_axes[0] / 200, length=0.5)
    solve = partial(press, Cylinder(0.5), strips, STEEL_PAIR, force=1e6)
    for quantity, limit in (("approach", 1e-4), ("peak_pressure", 2e-3)):
        expected = float(getattr(line, quantity))
        yield Check("press-line", quantity, "Hertz 1882", expected, limit, partial(_of, solve, quantity))


def _of(solve: Callable[[], object], quantity: str) -> float:
    """A number of a result."""
    return float(getattr(solve(), quantity))


def reference_checks() -> Iterator[Check]:
    """The same discretisation in the reference program."""
    for cells, spacing, penetration in ((40, 1 / 18, 0.009998341616), (76, 1 / 36, 0.009999676912)):
        grid = Grid(cells, cells, spacing * 1e-3, spacing * 1e-3)
        compute = partial(_of, partial(press, Sphere(0.1), grid, STEEL_PAIR, force=1518.518519), "approach")
        yield Check(f"press-sphere-{cells}", "approach", CONTACT, penetration * 1e-3, 1e-7, compute)
    for quantity, expected in (("force", 10001.50694), ("peak_pressure", 674.0239148e6)):
        yield Check("press-wheel-on-rail", quantity, CONTACT, expected, 1e-5, partial(_shipped, quantity))


def _shipped(quantity: str) -> float:
    """A number of the shipped wheel on rail."""
    scenario = load(shipped()["wheel-on-rail"])
    stepper = scenario.definition.stepper(scenario.case)
    return float(stepper.advance(stepper.initial())[1][quantity])


def half_space_checks() -> Iterator[Check]:
    """Influence coefficients and stresses."""
    element = Pair(*(Material.from_shear_modulus(1.0, 0.28),) * 2)
    yield Check(
        "influence-element",
        "displacement",
        "Love 1929",
        0.72 * 4.0 * np.log(1.0 + np.sqrt(2.0)) / np.pi,
        1e-12,
        lambda: float(HalfSpace(Grid(1, 1, 1.0, 1.0), element).product("z", "z", np.ones((1, 1)))[0, 0]),
    )
    ball = hertz.sphere(0.1, STEEL_PAIR, force=1500.0)
    depth = 0.48 * ball.radius
    yield Check(
        "stress-below-sphere",
        "von Mises",
        "Johnson 1985, 3.4",
        float(ball.stress_on_axis(depth, STEEL.poisson_ratio).von_mises),
        5e-3,
        lambda: _von_mises(ball.radius, depth),
    )


def _von_mises(radius: float, depth: float) -> float:
    grid = Grid.around(1.2 * radius, 1.2 * radius, 41, 41)
    contact = press(Sphere(0.1), grid, STEEL_PAIR, force=1500.0)
    traction = np.zeros((3, *grid.shape))
    traction[2] = contact.pressure
    return float(subsurface_stress([0.0, 0.0, -depth], grid, traction, STEEL_PAIR, body=2).von_mises)


def periodic_checks() -> Iterator[Check]:
    """Wavy surfaces (Westergaard 1939; Johnson 1985, 13.2)."""
    wavelength, amplitude, half_width = 1e-2, 1e-6, 3e-3
    grid = Grid.line(512, wavelength / 512)
    gap = amplitude * (1.0 - np.cos(2.0 * np.pi * grid.x / wavelength))[None, :]
    full = np.pi * STEEL_PAIR.effective_modulus * amplitude / wavelength
    sine = np.sin(np.pi * half_width / wavelength)
    solve = partial(press, gap, grid, STEEL_PAIR, force=full * sine**2 * wavelength, periodic="x")
    source = "Westergaard 1939"
    peak = 2.0 * full * sine
    yield Check("press-waves", "peak_pressure", source, peak, 1e-3, partial(_of, solve, "peak_pressure"))
    yield Check(
        "press-waves", "contact_area", source, 2.0 * half_width, 5e-3, partial(_of, solve, "contact_area")
    )
    square = Grid(96, 96, 1.0 / 96, 1.0 / 96)
    x, _ = square.mesh()
    flattened = partial(
        press, 1e-3 * (1.0 - np.cos(2.0 * np.pi * x)), square, UNIT_PAIR, force=1.2e-3 * np.pi, periodic="xy"
    )
    expected = 2.2e-3 * np.pi
    yield Check(
        "press-flattened",
        "peak_pressure",
        "Johnson 1985, 13.2",
        expected,
        2e-3,
        partial(_of, flattened, "peak_pressure"),
    )


def theory_checks() -> Iterator[Check]:
    """Closed forms against each other in their limits."""
    for tabor, factor, source in (
        (100.0, 1.5, "Johnson, Kendall, Roberts 1971"),
        (1e-4, 2.0, "Derjaguin, Muller, Toporov 1975"),
    ):
        compute = partial(adhesion.maugis_dugdale, 1e-6, 1e9, 0.05, tabor=tabor, force=0.0)
        expected = -factor * np.pi * 0.05 * 1e-6
        name = f"pull-off, Tabor {tabor:g}"
        yield Check("adhesion-maugis", name, source, expected, 1e-3, partial(_of, compute, "pull_off_force"))
    circle = loads.uniform_circle(1.0, 1.0, pressure=1.0)
    yield Check(
        "load-circle",
        "displacement",
        "Johnson 1985, 3.4",
        2.0,
        1e-12,
        lambda: float(circle.displacement(0.0)),
    )
