"""`WheelContact`: the contact of one wheel with the bridge under it, its state at rest, and wheels together.

The law is that of the wheel on the straight bridge. The bridge's curvature c under the wheel changes the
relative curvature 1/R along the track to 1/R - c, and with it the stiffness of Hertz's contact by about a
quarter of R c, which is 1e-4 for a railway wheel on the bridge of de Looij (2015). `tr.rest` includes it, a
crossing neglects it and refuses bridges that bend more than `small_deflections.BENT`.

Wheels feel each other through the compliance that a bridge model leaves out. With the compliance C of all
wheels, R on its diagonal, the approaches to the coordinates of the bridge are d = a + C P(a), P the forces of
the contacts at their own approaches a. The stored energy E(d) = sum E_k(a_k) + P'C P/2 has the gradient P by
d and the second derivative S = (K^-1 + C)^-1, K the stiffnesses of the contacts alone: the forces have a
potential, and S is symmetric. Between two states the mean forces F of the energy-conserving method are those
with F . (d1 - d0) = E1 - E0 next to the mean P of both ends: F = P + c (d1 - d0) (Gonzalez 1996).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from traction import checks
from traction.contact.normal.press import NormalContact
from traction.errors import ConvergenceError, InputError, warn_user
from traction.grid import Grid
from traction.laws.contact_law import ContactLaw, Memory, Response, checked_law
from traction.laws.half_space_law import HalfSpaceLaw
from traction.laws.half_space_table import HalfSpaceTable, NotTabulatedError, tabulate_half_space
from traction.laws.power_law import PowerLaw
from traction.materials import Pair
from traction.quantities import indexed
from traction.resting.standing_wheels import ROOM, hertz_patch, hertz_strip
from traction.surfaces import Surface
from traction.theory.hertz_contacts import EllipseContact, LineContact, NoContact
from traction.trains.bridge import Bridge
from traction.trains.train import Train
from traction.trains.vehicle import Wheel

CONTACTS = ("rigid", "hertz", "half-space")
SOLVES = ("table", "every-step")  #: how often contacts of a half space are solved
ELEMENTS = 32  #: of a default grid, per direction
CLOSE = 1e-13  #: of the force at rest
MOST_STEPS = 40
FEWEST = 3  #: elements across a patch at rest
#: change of an approach, over the one at rest, below which differences of energies have too few digits
NEAR = 1e-3
LEAST_PART = 1e-3  #: of a Newton step


@dataclass(frozen=True, eq=False)
class WheelContact:
    """A wheel on the straight bridge: its contact law, and its state at rest."""

    wheel: Wheel
    bridge: Bridge
    load: float  #: P, force at rest, N
    static: float  #: approach at rest, m
    law: ContactLaw
    memory: Memory  #: of the law, at rest or at the end of a crossing
    hertz: EllipseContact | LineContact  #: Hertz contact at rest
    stiffness: float  #: dF/d(approach) at rest, N/m; for half spaces by Hertz

    @property
    def grid(self) -> Grid | None:
        """Grid on which the contact is solved, as it has grown; None for closed forms."""
        return self.law.grid_of(self.memory)

    @property
    def hertz_coefficient(self) -> float | None:
        """k of a law F = k delta^(3/2); None for another."""
        form = self.law.power_form
        return form.coefficient if form is not None and form.exponent == 1.5 and form.damping == 0.0 else None

    @property
    def table(self) -> HalfSpaceTable | None:
        """The law, if it is tabulated."""
        return self.law if isinstance(self.law, HalfSpaceTable) else None

    @property
    def is_compiled(self) -> bool:
        """Whether kernels evaluate the law: Hertz's, or one that is tabulated."""
        return self.hertz_coefficient is not None or self.table is not None

    @property
    def by_hertz(self) -> WheelContact:
        """The same wheel with Hertz's contact."""
        law = _hertz_law(self.hertz)
        return replace(self, static=self.hertz.approach, law=law, memory=law.begin())

    def patch(self, approach: float) -> NormalContact | EllipseContact | LineContact | NoContact:
        """The contact at an approach (m): a `NormalContact` on its grid, or Hertz's ellipse.

        Both are empty where the wheel does not touch.
        """
        solved = self.law.contact(approach, self.memory)
        if solved is not None:
            return solved
        assert isinstance(self.hertz, EllipseContact)
        force = self.law.response(approach, self.memory).force
        if force == 0.0:
            return NoContact.of(self.hertz, approach)
        # one shape at all sizes: lengths and pressures grow with the cube root of the force
        share, (a, b) = math.cbrt(force / self.hertz.force), self.hertz.semi_axes
        axes, peak = (a * share, b * share), self.hertz.peak_pressure * share
        return replace(self.hertz, semi_axes=axes, approach=approach, force=force, peak_pressure=peak)


def checked_contact(contact: object) -> str | ContactLaw:
    """One of CONTACTS, or an elastic contact law."""
    if isinstance(contact, str):
        return str(checks.choice("contact", contact, CONTACTS))
    law = checked_law("contact", contact)
    if not law.is_elastic:
        raise InputError(
            f"contact = {checks.shown(law)} dissipates energy, which a crossing does not support; give an "
            "elastic law."
        )
    return law


def wheel_contacts(
    kind: str | ContactLaw,
    bridge: Bridge,
    cars: Train,
    loads: np.ndarray,
    wheel: Wheel | None,
    grid: Grid | None,
    solve: str,
) -> tuple[WheelContact, ...]:
    """Contacts of all wheels of a train with static `loads` (N); equal wheels are solved once."""
    wheels = _shapes(cars, wheel)
    known: dict[tuple[int, float], WheelContact] = {}
    found = []
    for k, (one, load) in enumerate(zip(wheels, loads.tolist(), strict=True)):
        if not load > 0.0:
            raise InputError(
                f"{indexed('wheel', k)} carries {load} N at rest: it does not touch. Give it a load."
            )
        key = id(one), load
        if key not in known:
            known[key] = _at_rest(kind, one, bridge, load, grid, solve)
        found.append(known[key])
    return tuple(found)


def _shapes(cars: Train, wheel: Wheel | None) -> list[Wheel]:
    missing = any(one is None for one in cars.wheels)
    if missing and wheel is None:
        raise InputError(
            "the wheels of the train's vehicles have no shape: give wheel=tr.Wheel(radius, mass), of which "
            "radius, profile and material count."
        )
    if not missing and wheel is not None:
        raise InputError("wheel is given, but all wheels of the train have a shape of their own; omit it.")
    return [checks.instance("wheel", wheel if one is None else one, Wheel) for one in cars.wheels]


def _at_rest(
    kind: str | ContactLaw, wheel: Wheel, bridge: Bridge, load: float, grid: Grid | None, solve: str
) -> WheelContact:
    hertz: EllipseContact | LineContact
    if grid is not None and checks.instance("grid", grid, Grid).is_line:
        hertz = hertz_strip(wheel, bridge, load, grid.length)
    else:
        hertz = hertz_patch(wheel, bridge, load)
    if kind == "hertz":
        closed = _hertz_law(hertz)
        return WheelContact(
            wheel, bridge, load, hertz.approach, closed, closed.begin(), hertz, hertz.stiffness
        )
    law: ContactLaw
    if isinstance(kind, str):
        (law, memory), guess = half_space_law(wheel, bridge, hertz, grid), hertz.approach
    else:
        law, memory, guess = kind, kind.begin(), kind.first_touch + hertz.approach
    static, memory, law = _find_rest(law, load, guess, memory, solve)
    stiffness = hertz.stiffness if isinstance(kind, str) else law.response(static, memory).stiffness
    return WheelContact(wheel, bridge, load, static, law, memory, hertz, stiffness)


def _hertz_law(known: EllipseContact | LineContact) -> PowerLaw:
    """F = k a^(3/2) through the contact at rest."""
    return PowerLaw(known.force / known.approach**1.5, 1.5)


def _find_rest(
    law: ContactLaw, load: float, guess: float, memory: Memory, solve: str
) -> tuple[float, Memory, ContactLaw]:
    """Approach under a load (N), the memory there and the law, tabulated if it is to be and can be."""
    if isinstance(law, HalfSpaceLaw) and solve == "table":
        table = tabulate_half_space(law)
        try:
            return (*table.approach_under(load, guess), table)
        except NotTabulatedError as error:
            warn_user(f"contacts are solved at every step: {error}", UserWarning)
    return (*law.approach_under(load, guess, memory), law)


def half_space_law(
    wheel: Wheel, bridge: Bridge, hertz: EllipseContact | LineContact, grid: Grid | None
) -> tuple[HalfSpaceLaw, Memory]:
    """The law on the given grid, which must contain the contact at rest, or on one from Hertz's ellipse.

    Its memory.
    """
    surface: Surface = wheel.tread
    if bridge.rail_profile is not None:
        surface = surface + bridge.rail_profile
    pair = Pair(wheel.material, bridge.material)
    a, b = hertz.semi_axes
    if grid is None:
        n = ELEMENTS
        law = HalfSpaceLaw(surface, Grid(n, n, 2.0 * ROOM * a / n, 2.0 * ROOM * b / n), pair)
        return law, law.begin()
    _require_fine(grid, a, b)
    law = HalfSpaceLaw(surface, grid, pair)
    try:
        _, memory = law.approach_under(hertz.force, hertz.approach)
        fits = law.grid_of(memory).shape == grid.shape
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
    return law, memory


def _require_fine(grid: Grid, a: float, b: float) -> None:
    """Refuse a grid that is not centred on the wheel, or too coarse for a patch of semi-axes a and b (m)."""
    reach = 0.5 * max(grid.dx, grid.dy)
    if max(map(abs, grid.center)) > reach:
        raise InputError(f"grid.center = {grid.center} m must be (0, 0): the grid travels with the wheel.")
    across = 2.0 * a / grid.dx if grid.is_line else min(2.0 * a / grid.dx, 2.0 * b / grid.dy)
    if across < FEWEST:
        raise InputError(
            f"grid has {across:.2g} elements across the patch at rest and needs {FEWEST} at least: take "
            "smaller elements, or leave it out."
        )


def responses_at(
    contacts: tuple[WheelContact, ...], approaches: np.ndarray, memories: Sequence[Memory]
) -> list[Response]:
    """Responses of all wheels at their approaches, m."""
    every = zip(contacts, approaches.tolist(), memories, strict=True)
    return [one.law.response(approach, memory) for one, approach, memory in every]


def inside(contact: WheelContact, compliance: float, whole: float, memory: Memory) -> tuple[float, Response]:
    """Approach a of the contact itself with a + R F(a) = `whole` (m), R (m/N) in series; its response.

    By Newton's method from above, where the sum is convex.
    """
    approach = whole
    found = contact.law.response(approach, memory)
    if compliance == 0.0:
        return approach, found
    for _ in range(MOST_STEPS):
        change = (approach + compliance * found.force - whole) / (1.0 + compliance * found.stiffness)
        if abs(change) <= CLOSE * max(abs(whole), contact.static):
            return approach, found
        approach -= change
        found = contact.law.response(approach, found.memory)
    raise ConvergenceError(f"no approach found of a contact that shares {whole:.6g} m with its bridge.")


def in_series(contact: WheelContact, compliance: float, whole: float, memory: Memory) -> Response:
    """Response of contact and compliance R (m/N) in series to the approach of both, `whole` (m)."""
    _, found = inside(contact, compliance, whole, memory)
    return found._replace(
        stiffness=found.stiffness / (1.0 + compliance * found.stiffness),
        energy=found.energy + 0.5 * compliance * found.force**2,
    )


def mean_response(
    before: Response, start: float, after: Response, end: float, near: float
) -> tuple[float, float]:
    """Mean force between two approaches, and its derivative by the second.

    The difference of the energies over that of the approaches; when these are `near` (m), where it has too
    few digits, the trapezoidal rule with the stiffnesses as its correction.
    """
    change = end - start
    if abs(change) > near:
        mean = (after.energy - before.energy) / change
        return mean, (after.force - mean) / change
    mean = 0.5 * (before.force + after.force) + change * (before.stiffness - after.stiffness) / 12.0
    return mean, 0.5 * after.stiffness + (before.stiffness - after.stiffness) / 12.0


def contact_period(masses: np.ndarray, contacts: tuple[WheelContact, ...]) -> float:
    """Shortest period of a wheel on its contact, s."""
    periods = [
        2.0 * math.pi * math.sqrt(mass / one.stiffness)
        for mass, one in zip(masses, contacts, strict=True)
        if mass > 0.0
    ]
    return min(periods, default=math.inf)


class CoupledResponse(NamedTuple):
    """Contacts in series with the compliance of all of them."""

    responses: list[Response]  #: forces, and energies with half of that of each pair
    stiffness: np.ndarray  #: S, N/m, (wheels, wheels)

    @property
    def force(self) -> np.ndarray:
        """P, N."""
        return np.array([one.force for one in self.responses])

    @property
    def energy(self) -> float:
        """E, J."""
        return sum(one.energy for one in self.responses)


def respond_coupled(
    contacts: tuple[WheelContact, ...], C: np.ndarray, whole: np.ndarray, memories: Sequence[Memory]
) -> CoupledResponse:
    """Responses to approaches `whole` (m) of contacts and compliance C (m/N), by Newton's method."""
    every = zip(contacts, np.diag(C).tolist(), whole.tolist(), memories, strict=True)
    a = np.array([inside(one, R, d, memory)[0] for one, R, d, memory in every])
    found = responses_at(contacts, a, memories)
    enough = CLOSE * np.maximum(np.abs(whole), [one.static for one in contacts])
    for _ in range(MOST_STEPS):
        F, k = _forces(found)
        off = a + C @ F - whole
        if (np.abs(off) <= enough).all():
            return _coupled(found, C, F, k)
        change, part = np.linalg.solve(np.eye(a.size) + C * k, off), 1.0
        while True:
            trial = a - part * change
            found = responses_at(contacts, trial, [one.memory for one in found])
            left = np.abs(trial + C @ _forces(found)[0] - whole).max()
            if left < np.abs(off).max() or part <= LEAST_PART:
                break
            part *= 0.5
        a = trial
    raise ConvergenceError("no approaches found of contacts that share a compliance with their bridge.")


def _forces(found: Sequence[Response]) -> tuple[np.ndarray, np.ndarray]:
    F, k = np.array([(one.force, one.stiffness) for one in found]).T
    return F, k


def _coupled(found: list[Response], C: np.ndarray, F: np.ndarray, k: np.ndarray) -> CoupledResponse:
    S = np.linalg.solve(np.eye(F.size) + k[:, None] * C, np.diag(k))
    sunk = (C @ F).tolist()
    every = zip(found, sunk, np.diag(S).tolist(), strict=True)
    shared = [
        one._replace(energy=one.energy + 0.5 * one.force * down, stiffness=own) for one, down, own in every
    ]
    return CoupledResponse(shared, 0.5 * (S + S.T))


def mean_coupled(
    before: CoupledResponse, start: np.ndarray, after: CoupledResponse, end: np.ndarray, near: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Mean forces between two states and their derivatives by the second, (wheels, wheels).

    Where all approaches change by less than `near` (m), differences of energies have too few digits: the
    mean of both ends.
    """
    change, mean = end - start, 0.5 * (before.force + after.force)
    if (np.abs(change) <= near).all():
        return mean, 0.5 * after.stiffness
    size = float(change @ change)
    c = (after.energy - before.energy - float(mean @ change)) / size
    slope = 0.5 * (after.force - before.force) - 0.5 * after.stiffness @ change - 2.0 * c * change
    return mean + c * change, 0.5 * after.stiffness + c * np.eye(change.size) + np.outer(change, slope) / size
