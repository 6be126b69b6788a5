"""A coned railway wheel on a rail head of three arcs: its gap, its cases and what Hertz says of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.contact.normal.press import NormalContact, solve_press
from traction.errors import InputError
from traction.grid import Grid
from traction.materials import STEEL, Pair
from traction.surfaces import RollingProfile
from traction.theory import hertz

#: rail head 60E1 (UIC 60, EN 13674-1): radius (m) of each arc and the half width (m) at which it ends
RAIL_ARCS = ((0.300, 0.01025), (0.080, 0.02600), (0.013, 0.03530))
ROLLING_RADIUS = 0.46  #: of the wheel, m
TOLERANCE = 1e-6  #: distance left in the contact over the approach
PAIR = Pair(STEEL, STEEL)


def rail_gap(tilt: float, step: float = 1e-5) -> tuple[np.ndarray, np.ndarray]:
    """Lateral positions y and gap z(y), m, of a straight coned wheel on the rail, from the contact point.

    `tilt` (rad) is the angle of the wheel's tread with the top of the rail. The tread touches where the rail
    has the same slope; seen along the tread, a rail of radius R(t) at tangent angle t leaves the gap
    y = int R cos(t - tilt) dt, z = int R sin(t - tilt) dt, which is continuous with its tangent by itself.
    """
    angles, radii = _tangent_angles(step)
    touching = _arc_at(angles, tilt)
    slope = angles - tilt
    # 1 - cos without cancellation: the gap is a millionth of the radius
    sine, rise = np.sin(slope), 2.0 * np.sin(0.5 * slope) ** 2
    y = np.concatenate([[0.0], np.cumsum(radii * np.diff(sine))])
    z = np.concatenate([[0.0], np.cumsum(radii * np.diff(rise))])
    y -= y[touching] - radii[touching] * sine[touching]
    z -= z[touching] - radii[touching] * rise[touching]
    keep = np.abs(slope) < 0.5 * math.pi
    return y[keep], z[keep]


def rail_radius(tilt: float) -> float:
    """Radius of the rail (m) where a tread at `tilt` (rad) touches it."""
    angles, radii = _tangent_angles(1e-4)
    return float(radii[_arc_at(angles, tilt)])


def _arc_at(angles: np.ndarray, tilt: float) -> int:
    """Which interval of tangent angles holds `tilt`."""
    steepest = float(angles[-1])
    if abs(checks.finite("tilt", tilt, "rad")) >= steepest:
        raise InputError(f"tilt = {tilt} rad must be below {steepest:.3f} rad, where the rail head ends.")
    return int(np.searchsorted(angles, tilt, side="right")) - 1


def _tangent_angles(step: float) -> tuple[np.ndarray, np.ndarray]:
    """Tangent angles (n) across the head, about `step` (m) apart, and the radius (n - 1) between them."""
    ends, sine, inner = [0.0], 0.0, 0.0
    for radius, half_width in RAIL_ARCS:
        sine += (half_width - inner) / radius
        inner = half_width
        ends.append(math.asin(sine))
    angles, radii = [np.zeros(1)], []
    for (radius, _), first, last in zip(RAIL_ARCS, ends[:-1], ends[1:], strict=True):
        pieces = math.ceil(radius * (last - first) / step)
        angles.append(np.linspace(first, last, pieces + 1)[1:])
        radii.append(np.full(pieces, radius))
    right, right_radii = np.concatenate(angles), np.concatenate(radii)
    return np.concatenate([-right[:0:-1], right]), np.concatenate([right_radii[::-1], right_radii])


@dataclass(frozen=True, eq=False)
class Case:
    """One position of the wheel: the computed contact and Hertz's, around the first point of contact."""

    name: str
    tilt: float  #: angle of the tread with the top of the rail, rad
    contact: NormalContact
    hertz: hertz.EllipseContact


def solve_case(name: str, tilt: float, force: float = 100e3, cells: int = 128) -> Case:
    """Press the wheel on the rail with `force` (N) on `cells` by `cells` elements."""
    y, z = rail_gap(tilt)
    expected = hertz.ellipse(ROLLING_RADIUS, rail_radius(tilt), PAIR, force=force)
    # the widest arc gives the widest patch, so that a patch across two arcs fits as well
    widest = hertz.ellipse(ROLLING_RADIUS, RAIL_ARCS[0][0], PAIR, force=force)
    grid = Grid.around(1.35 * widest.semi_axes[0], 1.35 * widest.semi_axes[1], cells, cells)
    contact = solve_press(RollingProfile(ROLLING_RADIUS, y, z), grid, PAIR, force=force, tol=TOLERANCE)
    return Case(name, tilt, contact, expected)
