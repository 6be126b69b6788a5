"""`Rest`: wheels at rest on a bridge, their contact patches and the bending."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.beams.exact.kernels.beam_parts import DEGREE
from traction.beams.exact.statics import Bending
from traction.contact.normal.press import NormalContact, solve_press
from traction.grid import Grid
from traction.halfspace.half_space import HalfSpace
from traction.outputs.beam_result import BeamResult, places_axis
from traction.outputs.variable import Variable, counter, data, figure
from traction.quantities import counted
from traction.status import Status
from traction.trains.bridge import Bridge
from traction.trains.vehicle import Wheel

STEEPEST = 0.1  #: slope of the bridge that small deflections allow
PLACES = 401  #: along the bridge, at which slopes are checked


@dataclass(frozen=True, eq=False, repr=False)
class Rest(BeamResult):
    """Result of `tr.rest`: contact patches of the wheels, and the bridge they bend."""

    _rows, _drawn = ("wheel",), "deflection"

    bridge: Bridge  #: the bridge
    wheels: tuple[Wheel, ...]  #: the wheels
    places: np.ndarray  #: positions of the wheels along the bridge, m
    contacts: tuple[NormalContact, ...]  #: in coordinates of each wheel, on the deflected bridge
    drops: np.ndarray  #: displacement of each wheel since it touched the straight bridge, m
    iterations: int  #: Newton or fixed-point iterations
    residuals: tuple[float, ...]  #: relative disagreement of the deflections per iteration
    status: Status  #: CONVERGED, or what went wrong
    message: str  #: the status with its numbers

    @property
    def ok(self) -> bool:
        """Whether local and global deformation agree."""
        return self.status is Status.CONVERGED

    @property
    def forces(self) -> np.ndarray:
        """Forces of the wheels, N; per metre for line contact."""
        return np.array([contact.force for contact in self.contacts])

    @property
    def approaches(self) -> np.ndarray:
        """Approach of each wheel and the deflected bridge, from first touch, m."""
        return self.drops - np.array([_find_least_gap(contact.gap) for contact in self.contacts])

    @property
    def equilibrium(self) -> float:
        """Equilibrium error: relative difference of the forces of wheels and supports (expected 0)."""
        total = float(self.forces.sum())
        carried = float(self.bending.reactions.sum()) + self._bedded
        return abs(carried - total) / total if total else 0.0

    @cached_property
    def steepest(self) -> float:
        """Largest slope of the beam."""
        return float(np.abs(self.bending.slope(np.linspace(0.0, self.bridge.beam.length, PLACES))).max())

    @property
    def beyond(self) -> np.ndarray:
        """Length by which each patch extends beyond an end of the bridge, to its element centres, m."""
        found = []
        for place, contact in zip(self.places, self.contacts, strict=True):
            x = place + contact.grid.x[contact.contact.any(axis=0)]
            found.append(max(-x.min(), x.max() - self.bridge.beam.length, 0.0) if x.size else 0.0)
        return np.array(found)

    @property
    def notices(self) -> tuple[str, ...]:
        """Limits of validity that the result exceeds, as sentences; `tr.rest` warns of them."""
        return notices(self.steepest, self.places, self.beyond)

    @cached_property
    def bending(self) -> Bending:
        """Bending of the beam under the pressures, column by column of their elements."""
        beam = self.bridge.beam
        forces: list[tuple[float, float]] = []
        for place, contact in zip(self.places, self.contacts, strict=True):
            columns = column_forces(contact.pressure, contact.grid)
            for x, force in zip(column_points(place, contact.grid, beam.length), columns, strict=True):
                forces += [(float(force) / x.size, float(one)) for one in x if force > 0.0]
        return beam.bend(forces)

    def deflection(self, x: ArrayLike) -> np.ndarray:
        """Return the deflection of the beam (m, downwards) at positions `x` (m)."""
        return self.bending.deflection(x)

    def local(self, x: ArrayLike) -> np.ndarray:
        """Return the local displacement of the top by the pressures, m, downwards, at `x` (m).

        On the line of the wheels.
        """
        places = checks.finite_points("x", x)
        total = np.zeros(places.shape)
        for place, contact in zip(self.places, self.contacts, strict=True):
            alone = HalfSpace.of_body(contact.grid, contact.pair, 2)
            points = places.ravel() - place
            total += alone.at_points("z", "z", contact.pressure, points, np.zeros_like(points)).reshape(
                places.shape
            )
        return total

    def surface(self, x: ArrayLike) -> np.ndarray:
        """Return the displacement of the top (m, downwards) at `x` (m): beam and half space together.

        On a beam without shear it meets the wheels within their patches. With shear, its slope changes by
        F/kGA over the length 2 a of a patch, as the pressure does: that is part of the beam's deflection,
        seen from afar, but not of the shape that a wheel meets (see `tr.rest`), and the surface lies up
        to F a/(2 kGA) above the wheel there. In between, at distances of the height of the beam, neither
        theory describes the shape.
        """
        return self.deflection(x) + self.local(x)

    @cached_property
    def on_straight_bridge(self) -> tuple[NormalContact, ...]:
        """The same wheels under the same forces on a rigid straight bridge."""
        flat = (
            profile(wheel, self.bridge, contact.grid)
            for wheel, contact in zip(self.wheels, self.contacts, strict=True)
        )
        return tuple(
            solve_press(gap, contact.grid, contact.pair, force=contact.force, on_failure="return")
            if contact.force > 0.0
            else contact  # in the air on either
            for gap, contact in zip(flat, self.contacts, strict=True)
        )

    @cached_property
    def _bedded(self) -> float:
        """Force of a foundation, by quadrature that is exact for the deflection of each part."""
        beam, ends = self.bridge.beam, self.bending.shape.parts
        beds = np.array([segment.foundation for segment in beam.segments])
        if not beds.any():
            return 0.0
        nodes, weights = np.polynomial.legendre.leggauss(DEGREE // 2 + 1)
        middles, halves = 0.5 * (ends[1:] + ends[:-1]), 0.5 * np.diff(ends)
        w = self.deflection(middles[:, None] + halves[:, None] * nodes) @ weights
        return float((beds[np.searchsorted(beam.ends[1:-1], middles)] * halves) @ w)

    def _headline(self) -> str:
        return f"{counted(len(self.wheels), 'wheel')}, {self.message}"

    def _default_places(self) -> np.ndarray:
        return np.linspace(0.0, self.bridge.beam.length, PLACES)

    def _variables_at(self, x: np.ndarray) -> Iterator[Variable]:
        per = "/m" if any(contact.grid.is_line for contact in self.contacts) else ""
        lowest, most = float(self.deflection(self.places).max()), float(self.forces.sum())
        peaks = np.array([contact.peak_pressure for contact in self.contacts])
        yield figure("largest_deflection", lowest, "m", "largest deflection under a wheel")
        yield figure("force_in_all", most, f"N{per}", "force of all wheels")
        yield figure("largest_pressure", float(peaks.max()), "Pa", "largest pressure")
        yield figure("equilibrium", self.equilibrium, "1", "equilibrium error, relative")
        yield counter("wheel", len(self.wheels), "number of the wheel")
        yield data("place", self.places, "m", "place of the wheel", "wheel")
        yield data("force", self.forces, f"N{per}", "force of the wheel", "wheel")
        yield data("drop", self.drops, "m", "drop of the wheel since it touched the straight bridge", "wheel")
        yield data("approach", self.approaches, "m", "approach of wheel and bent bridge", "wheel")
        yield data("peak_pressure", peaks, "Pa", "peak pressure under the wheel", "wheel")
        yield places_axis(x)
        bent, pressed = self.deflection(x), self.local(x)
        yield data("deflection", bent + pressed, "m", "deflection of the top of the bridge", "x")
        yield data("global_deflection", bent, "m", "deflection of the beam", "x")
        yield data("local_deflection", pressed, "m", "displacement of the top by the pressures", "x")
        yield data("moment", self.bending.moment(x), "N m", "bending moment", "x")


def notices(steepest: float, places: np.ndarray, beyond: np.ndarray) -> tuple[str, ...]:
    """Notices for a slope and for patches of wheels at `places` (m) that extend beyond the bridge."""
    told = []
    if steepest > STEEPEST:
        told.append(
            f"the bridge has a slope of {steepest:.3g}, beyond the {STEEPEST} of small deflections: "
            "treat the result as approximate, or reduce the load."
        )
    told += [
        f"the patch of the wheel at {place:.6g} m extends beyond the end of the bridge, which is assumed "
        "level: treat the result as approximate, or move the wheel inwards."
        for place, over in zip(places, beyond, strict=True)
        if over > 0.0
    ]
    return tuple(told)


def profile(wheel: Wheel, bridge: Bridge, grid: Grid) -> np.ndarray:
    """Distance of wheel and straight bridge over the grid, m."""
    gap = wheel.tread.gap(grid)
    return gap if bridge.rail_profile is None else gap + bridge.rail_profile.gap(grid)


def column_forces(pressure: np.ndarray, grid: Grid) -> np.ndarray:
    """Forces of the columns of elements across the bridge, N, (nx,)."""
    return np.asarray(pressure.sum(axis=0)) * grid.cell_area


def column_points(place: float, grid: Grid, length: float) -> np.ndarray:
    """Gauss points of each column under a wheel, on the beam, m, (nx, 2)."""
    offsets = np.array((-0.5, 0.5)) / math.sqrt(3.0)
    return np.clip(place + grid.x[:, None] + grid.dx * offsets, 0.0, length)


def _find_least_gap(gap: np.ndarray) -> float:
    """Smallest distance over a grid, m: of the parabolas through the smallest value and its neighbours."""
    row, column = np.unravel_index(int(np.argmin(gap)), gap.shape)
    least = float(gap[row, column])
    for line, k in ((gap[row], int(column)), (gap[:, column], int(row))):
        if 0 < k < line.size - 1:
            rise, bend = line[k + 1] - line[k - 1], line[k + 1] - 2.0 * line[k] + line[k - 1]
            least -= float(rise**2 / (8.0 * bend)) if bend > 0.0 else 0.0
    return least
