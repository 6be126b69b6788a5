"""Normal contact: against Hertz, against the reference program, and wavy surfaces."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from traction.app.check import Check, number_of
from traction.contact.normal.press import press
from traction.grid import Grid
from traction.kinds.case import load
from traction.kinds.registry import shipped
from traction.materials import RIGID, STEEL, Material, Pair
from traction.surfaces import Cylinder, Paraboloid, Sphere
from traction.theory import hertz

STEEL_PAIR = Pair(STEEL, STEEL)
UNIT_PAIR = Pair(RIGID, Material(1.0, 0.0))
CONTACT = "CONTACT rev 2707"


def checks() -> Iterator[Check]:
    """All rows of normal contact."""
    yield from hertz_checks()
    yield from reference_checks()
    yield from periodic_checks()


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
            compute = partial(number_of, solve, quantity)
            yield Check(f"press-ellipse-{ratio:g}", quantity, "Hertz 1882", expected, limit, compute)
    line = hertz.line(0.5, STEEL_PAIR, force=1e6, length=0.5)
    strips = Grid.line(200, 2.2 * line.semi_axes[0] / 200, length=0.5)
    solve = partial(press, Cylinder(0.5), strips, STEEL_PAIR, force=1e6)
    for quantity, limit in (("approach", 1e-4), ("peak_pressure", 2e-3)):
        expected = float(getattr(line, quantity))
        yield Check(
            "press-line", quantity, "Hertz 1882", expected, limit, partial(number_of, solve, quantity)
        )


def reference_checks() -> Iterator[Check]:
    """The same discretisation in the reference program."""
    for cells, spacing, penetration in ((40, 1 / 18, 0.009998341616), (76, 1 / 36, 0.009999676912)):
        grid = Grid(cells, cells, spacing * 1e-3, spacing * 1e-3)
        compute = partial(
            number_of, partial(press, Sphere(0.1), grid, STEEL_PAIR, force=1518.518519), "approach"
        )
        yield Check(f"press-sphere-{cells}", "approach", CONTACT, penetration * 1e-3, 1e-7, compute)
    for quantity, expected in (("force", 10001.50694), ("peak_pressure", 674.0239148e6)):
        yield Check("press-wheel-on-rail", quantity, CONTACT, expected, 1e-5, partial(_shipped, quantity))


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
    solve = partial(press, gap, grid, STEEL_PAIR, force=full * sine**2 * wavelength, periodic="x")
    source = "Westergaard 1939"
    peak = 2.0 * full * sine
    yield Check(
        "press-waves", "peak_pressure", source, peak, 1e-3, partial(number_of, solve, "peak_pressure")
    )
    yield Check(
        "press-waves",
        "contact_area",
        source,
        2.0 * half_width,
        5e-3,
        partial(number_of, solve, "contact_area"),
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
        partial(number_of, flattened, "peak_pressure"),
    )
