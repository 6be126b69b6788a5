"""Local and global deformation together, against full finite elements by scikit-fem where it is installed.

Each number is that of this package over that of the elements: 1 where both agree.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from traction.app.finite_elements.block import PressedBlock, press_sphere
from traction.app.finite_elements.elasticity import installed
from traction.app.finite_elements.meshed_crossing import MeshedCrossing, RollingCylinder
from traction.app.finite_elements.meshed_half_space import LoadedHalfSpace, load_half_space
from traction.app.finite_elements.split_modes import SplitModes
from traction.app.finite_elements.strip_modes import StripModes
from traction.app.finite_elements.thick_beam import BeamUnderCylinder, PressedBeam
from traction.app.verification import Check
from traction.contact.normal.press import NormalContact, solve_press
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.grid import Grid
from traction.materials import RIGID, Material, Pair
from traction.resting.rest_result import Rest
from traction.surfaces import Sphere
from traction.theory import hertz
from traction.trains.vehicle import Suspension

STEEL = Material(2.1e11, 0.3)
SOFT = Material(7e9, 0.3, 7850.0)  #: a thirtieth of steel: the bridge bends, and the patch is large
SOURCE = "finite elements (scikit-fem)"
THICKNESS = 21.0  #: of the beam, in half widths of the patch by Hertz
RADIUS, FORCE = 0.1, 1000.0  #: of the sphere, m and N
STRIP = "elastic strip in plane strain, by its waves"
STEPS = 250  #: of the crossing
INSIDE = 2.0  #: m from the support, more than the height of the bridge


def left_out() -> str | None:
    """Why there are no rows, if there are none."""
    if installed():
        return None
    rows = "fem-beam, fem-block, fem-half-space, fem-crossing, fem-heavy-wheel"
    return f"{rows} need scikit-fem: pip install traction[fem]"


def checks() -> Iterator[Check]:
    """All rows, where scikit-fem is installed."""
    if not installed():
        return
    for name, quantity, tolerance, compute in (
        ("fem-beam", "peak pressure", 0.02, _beam_pressure),
        ("fem-beam", "half width", 0.02, lambda: _beam()[0].contacts[0].semi_axes[0] / _beam()[1].half_width),
        ("fem-beam", "deflection", 0.02, _deflection),
        ("fem-block", "peak pressure", 0.05, lambda: _block()[0].peak_pressure / _block()[1].peak_pressure),
        ("fem-block", "radius", 0.05, lambda: _block()[0].semi_axes[0] / _block()[1].radius),
        ("fem-half-space", "middle of the surface", 1e-3, lambda: _surface(0.0)),
        ("fem-half-space", "surface at two radii", 1e-3, lambda: _surface(2.0)),
        ("fem-crossing", "largest difference, midspan", 0.03, lambda: max(difference()[0])),
        ("fem-crossing", "largest difference, contact force", 0.03, lambda: max(difference()[1])),
    ):
        expected = 0.0 if "difference" in quantity else 1.0
        yield Check(name, quantity, SOURCE, expected, tolerance, compute)
    yield Check("fem-heavy-wheel", "drop at rest, finite elements", STRIP, 1.0, 1e-3, _drop)
    yield Check("fem-heavy-wheel", "largest difference, contact force", STRIP, 0.0, 0.02, _heavy_difference)


@lru_cache(maxsize=1)
def _beam() -> tuple[Rest, PressedBeam]:
    patch = 1e-3
    case = BeamUnderCylinder(8.0 * THICKNESS * patch, THICKNESS * patch, 0.5, STEEL)
    force = math.pi * Pair(RIGID, STEEL).effective_modulus * patch**2 / (4.0 * case.radius)
    meshed = case.meshed(force)
    return case.split(force, meshed.half_width), meshed


def _beam_pressure() -> float:
    split, meshed = _beam()
    return split.contacts[0].peak_pressure / meshed.peak_pressure


def _deflection() -> float:
    split, meshed = _beam()
    return float(split.deflection(0.5 * split.bridge.beam.length)) / meshed.deflection


def _press(cells: int) -> tuple[NormalContact, hertz.SphereContact]:
    """The sphere on so many elements, and by Hertz."""
    pair = Pair(RIGID, STEEL)
    exact = hertz.sphere(RADIUS, pair, force=FORCE)
    grid = Grid.around(1.2 * exact.radius, 1.2 * exact.radius, cells, cells)
    return solve_press(Sphere(RADIUS), grid, pair, force=FORCE), exact


@lru_cache(maxsize=1)
def _block() -> tuple[NormalContact, PressedBlock]:
    return _press(48)[0], press_sphere(RADIUS, STEEL, FORCE, fine=0.4)


@lru_cache(maxsize=1)
def _half_space() -> tuple[NormalContact, LoadedHalfSpace, float]:
    contact, exact = _press(96)
    return contact, load_half_space(exact, STEEL), exact.radius


def _surface(radii: float) -> float:
    """Displacement at some radii from the middle of the patch."""
    contact, meshed, a = _half_space()
    at = Grid(1, 1, 1e-3 * a, 1e-3 * a, center=(radii * a, 0.0))
    here = -float(contact.displacement(at, body=2)[0, 0])  # of the lower body, upwards
    return here / float(np.interp(radii * a, meshed.r, meshed.displacement))


def rolling_cylinder() -> RollingCylinder:
    """A cylinder that carries a suspended mass of 135 t/m over a beam of 20 m at 36 km/h."""
    bridge = BeamUnderCylinder(20.0, 1.8, 8.0, SOFT, damping=2e-4)
    carried, omega = 135e3, 7.5
    suspension = Suspension(carried * omega**2, 0.2 * carried * omega, carried)
    return RollingCylinder(bridge, 15e3, suspension, 10.0)


@lru_cache(maxsize=1)
def crossings() -> tuple[ContactCrossing, MeshedCrossing]:
    """Of that cylinder, by both."""
    case = rolling_cylinder()
    return case.split(STEPS), case.meshed(STEPS)


def difference() -> tuple[np.ndarray, np.ndarray]:
    """Of midspan over its largest deflection, of the contact force over the weight, over time."""
    split, meshed = crossings()
    middle = 0.5 * split.beam.length
    apart = np.interp(meshed.t, split.t, split.deflection(middle)) - meshed.deflection
    force = np.interp(meshed.t, split.t, split.contact_forces[:, 0]) - meshed.force
    return np.abs(apart) / meshed.deflection.max(), np.abs(force) / rolling_cylinder().weight


def heavy_wheel() -> RollingCylinder:
    """A wheel of 150 t/m without springs on the same beam without damping."""
    case = rolling_cylinder()
    return replace(case, mass=150e3, suspension=None, bridge=replace(case.bridge, damping=0.0))


def _drop() -> float:
    case = heavy_wheel()
    middle = 0.5 * case.bridge.length
    return case.mesh(1.5).compliance(middle) / StripModes(case.bridge, case.weight).compliance(
        middle, case.weight
    )


def _heavy_difference() -> float:
    """Of the modes of a beam and a half plane, the model of `tr.cross`, over the weight."""
    case = heavy_wheel()
    strip = StripModes(case.bridge, case.weight, cutoff=150.0)
    beam = SplitModes.of_beam(case.bridge, case.weight)
    exact, found = (case.vibrations(body, 1000, start=INSIDE).force for body in (strip, beam))
    return float(np.abs(found - exact).max()) / case.weight
