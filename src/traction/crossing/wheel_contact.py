"""`WheelContact`: the contact of one wheel with the bridge under it, and its state at rest.

The law is that of the wheel on the straight bridge. The bridge's curvature c under the wheel changes the
relative curvature 1/R along the track to 1/R - c, and with it the stiffness of Hertz's contact by about a
quarter of R c, which is 1e-4 for a railway wheel on the thesis' bridge; `tr.rest` has it, a crossing leaves
it out and refuses bridges that bend more than `BENT`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from traction import checks
from traction.errors import ConvergenceError, InputError
from traction.grid import Grid
from traction.laws.contact_law import HalfSpaceLaw, PowerLaw, Response
from traction.materials import Pair
from traction.resting.patch_grid import ROOM, hertz_patch, hertz_strip
from traction.surfaces import Surface
from traction.theory.hertz import EllipseContact, LineContact, NoContact
from traction.trains.bridge import Bridge
from traction.trains.train import Train
from traction.trains.wheel import Wheel

ELEMENTS = 32  #: of a grid that is chosen, per direction
BENT = 0.05  #: radius of the wheel times curvature of the bridge, of which the contact knows nothing
CLOSE = 1e-13  #: of the force at rest
MOST_STEPS = 40
FEWEST = 3  #: elements across a patch at rest


@dataclass(frozen=True, eq=False)
class WheelContact:
    """A wheel on the straight bridge; its law remembers the last solution, where it solves."""

    wheel: Wheel
    bridge: Bridge
    load: float  #: P, force at rest, N
    static: float  #: approach at rest, m
    law: PowerLaw | HalfSpaceLaw
    hertz: EllipseContact | LineContact  #: Hertz's contact at rest

    @property
    def stiffness(self) -> float:
        """dF/d(approach) at rest by Hertz, N/m."""
        return self.hertz.stiffness

    def patch(self, approach: float) -> Any:
        """The contact at an approach (m): a `NormalContact` on its grid, or Hertz's ellipse.

        Either has no force and no pressure where the wheel does not touch.
        """
        if isinstance(self.law, HalfSpaceLaw):
            return self.law.contact(approach)
        assert isinstance(self.hertz, EllipseContact)
        if approach <= 0.0:
            return NoContact.of(self.hertz, approach)
        # one shape at all sizes: lengths and pressures grow with the root of the approach
        share, (a, b) = math.sqrt(approach / self.hertz.approach), self.hertz.semi_axes
        return replace(
            self.hertz,
            semi_axes=(a * share, b * share),
            approach=approach,
            force=self.hertz.force * share**3,
            peak_pressure=self.hertz.peak_pressure * share,
        )


def wheel_contacts(
    kind: str, bridge: Bridge, cars: Train, loads: np.ndarray, wheel: Wheel | None, grid: Grid | None
) -> tuple[WheelContact, ...]:
    """Of all wheels of a train, `loads` (N) being their forces at rest; equal wheels are solved once."""
    wheels = _shapes(cars, wheel)
    known: dict[tuple[int, float], WheelContact] = {}
    found = []
    for k, (one, load) in enumerate(zip(wheels, loads.tolist(), strict=True)):
        if not load > 0.0:
            raise InputError(f"wheel {k + 1} carries {load} N at rest: it does not touch. Give it a load.")
        key = id(one), load
        if key not in known:
            known[key] = _at_rest(kind, one, bridge, load, grid)
        found.append(_another(known[key]))
    return tuple(found)


def _shapes(cars: Train, wheel: Wheel | None) -> list[Wheel]:
    missing = any(one is None for one in cars.wheels)
    if missing and wheel is None:
        raise InputError(
            "the wheels of the train's vehicles have no shape: give wheel=tr.Wheel(radius, mass), of which "
            "radius, profile and material count."
        )
    if not missing and wheel is not None:
        raise InputError("wheel is given, but all wheels of the train have a shape of their own.")
    return [checks.instance("wheel", wheel if one is None else one, Wheel) for one in cars.wheels]


def _at_rest(kind: str, wheel: Wheel, bridge: Bridge, load: float, grid: Grid | None) -> WheelContact:
    hertz: EllipseContact | LineContact
    if grid is not None and checks.instance("grid", grid, Grid).is_line:
        hertz = hertz_strip(wheel, bridge, load, grid.length)
    else:
        hertz = hertz_patch(wheel, bridge, load)
    if kind == "hertz":
        law = PowerLaw(hertz.force / hertz.approach**1.5, 1.5)
        return WheelContact(wheel, bridge, load, hertz.approach, law, hertz)
    solved = half_space_law(wheel, bridge, hertz, grid)
    return WheelContact(wheel, bridge, load, _approach_under(solved, load, hertz.approach), solved, hertz)


def half_space_law(
    wheel: Wheel, bridge: Bridge, hertz: EllipseContact | LineContact, grid: Grid | None
) -> HalfSpaceLaw:
    """On the given grid, which must hold the contact at rest, or on one from Hertz's ellipse."""
    surface: Surface = wheel.tread
    if bridge.rail_profile is not None:
        surface = surface + bridge.rail_profile
    pair = Pair(wheel.material, bridge.material)
    a, b = hertz.semi_axes
    if grid is None:
        n = ELEMENTS
        return HalfSpaceLaw(surface, Grid(n, n, 2.0 * ROOM * a / n, 2.0 * ROOM * b / n), pair)
    _require_fine(grid, a, b)
    law = HalfSpaceLaw(surface, grid, pair)
    try:
        _approach_under(law, hertz.force, hertz.approach)
        fits = law.grid.shape == grid.shape
    except ConvergenceError:
        fits = False
    if not fits:
        size, patch = f"{grid.nx * grid.dx:.4g} m", f"{2.0 * a:.4g} m"
        if not grid.is_line:
            size, patch = f"{size} x {grid.ny * grid.dy:.4g} m", f"{patch} x {2.0 * b:.4g} m"
        raise InputError(
            f"grid of {size} is smaller than the patch at rest, about {patch}: enlarge it to 1.3 times that, "
            "or leave it out."
        )
    return law


def _require_fine(grid: Grid, a: float, b: float) -> None:
    """Refuse a grid that is not around the wheel, or too coarse for a patch of semi-axes a and b (m)."""
    reach = 0.5 * max(grid.dx, grid.dy)
    if max(map(abs, grid.center)) > reach:
        raise InputError(f"grid.center = {grid.center} m must be (0, 0): the grid travels with the wheel.")
    across = 2.0 * a / grid.dx if grid.is_line else min(2.0 * a / grid.dx, 2.0 * b / grid.dy)
    if across < FEWEST:
        raise InputError(
            f"grid has {across:.2g} elements across the patch at rest and needs {FEWEST} at least: take "
            "smaller elements, or leave it out."
        )


def _approach_under(law: HalfSpaceLaw, load: float, guess: float) -> float:
    """Approach at which the force is `load`, by Newton's method with the exact stiffness."""
    approach = guess
    for _ in range(MOST_STEPS):
        answer = law.response(approach)
        if abs(answer.force - load) <= CLOSE * load:
            return approach
        if answer.stiffness <= 0.0:  # not yet in contact
            approach += guess
            continue
        change = (load - answer.force) / answer.stiffness
        approach += change
        if abs(change) <= CLOSE * abs(approach):
            return approach
    raise ConvergenceError(f"no approach found under which the wheel presses with {load} N.")


def _another(contact: WheelContact) -> WheelContact:
    """The same with a memory of its own."""
    if isinstance(contact.law, PowerLaw):
        return contact
    law = HalfSpaceLaw(contact.law.surface, contact.law.grid, contact.law.pair, tol=contact.law.tol)
    law.memory = contact.law.memory
    return replace(contact, law=law)


def answers_at(contacts: tuple[WheelContact, ...], approaches: np.ndarray) -> list[Response]:
    """Of all wheels at their approaches, m."""
    return [one.law.response(float(d)) for one, d in zip(contacts, approaches, strict=True)]


def inside(contact: WheelContact, compliance: float, whole: float) -> tuple[float, Response]:
    """Approach a of the contact itself with a + R F(a) = `whole` (m), R (m/N) in series with it; its answer.

    By Newton's method from above, where the sum is convex.
    """
    approach = whole
    answer = contact.law.response(approach)
    if compliance == 0.0:
        return approach, answer
    for _ in range(MOST_STEPS):
        change = (approach + compliance * answer.force - whole) / (1.0 + compliance * answer.stiffness)
        if abs(change) <= CLOSE * max(abs(whole), contact.static):
            return approach, answer
        approach -= change
        answer = contact.law.response(approach)
    raise ConvergenceError(f"no approach found of a contact that shares {whole:.6g} m with its bridge.")


def in_series(contact: WheelContact, compliance: float, whole: float) -> Response:
    """Answer of contact and compliance R (m/N) in series to the approach of both, `whole` (m)."""
    _, answer = inside(contact, compliance, whole)
    return Response(
        answer.force,
        answer.stiffness / (1.0 + compliance * answer.stiffness),
        answer.energy + 0.5 * compliance * answer.force**2,
    )
