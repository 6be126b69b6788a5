"""Figures of the stress inside pressed bodies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.contact.normal.press import NormalContact
from traction.errors import InputError
from traction.quantities import significant, unit_for
from traction.view.arguments import checked, figure
from traction.view.chart import Chart, colour_bar
from traction.view.contacts import require_direction, span, window
from traction.view.figures import DARK, FONT

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class StressPlane:
    """Von Mises stress (Pa) in the vertical plane through the centre of pressure, (depth, position)."""

    along: str  #: "x" or "y"
    body: int
    position: np.ndarray  #: along x or y, m
    z: np.ndarray  #: m, zero at the surface, negative in body 2
    von_mises: np.ndarray  #: Pa, (len(z), len(position))
    peak: float  #: largest von Mises stress, Pa, on a mesh refined around it
    peak_position: float  #: m
    peak_z: float  #: m


@figure
def von_mises_map(
    contact: NormalContact,
    body: int = 2,
    ax: Axes | None = None,
    *,
    along: str = "x",
    plane: StressPlane | None = None,
    title: str | None = None,
) -> Axes:
    """Plot the von Mises stress over the peak pressure in the vertical plane through the centre.

    The maximum is marked.

    Parameters
    ----------
    contact
        Result of `tr.press`.
    body
        1 (upper) or 2 (lower).
    along
        Direction of the section, "x" or "y".
    plane
        Earlier `stress_plane` of this contact, which then sets `body` and `along`.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If the bodies do not touch, or `body` or `along` is unknown.

    Examples
    --------
    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> contact = tr.press(tr.Sphere(0.02), tr.Grid(24, 24, 20e-6, 20e-6), pair, force=50.0)
    >>> plane = tr.view.stress_plane(contact, points=(9, 9))
    >>> ax = tr.view.von_mises_map(contact, plane=plane)
    >>> ax.get_title("left")
    'Stress below the contact'
    """
    plane = stress_plane(contact, body, along=along) if plane is None else plane
    where = "above" if np.max(plane.z) > 0.0 else "below"
    length = unit_for([np.ptp(plane.position), np.ptp(plane.z)], "m")
    chart, x, z = Chart(ax, length, length), length.of(plane.position), length.of(plane.z)
    ratio, peak = plane.von_mises / contact.peak_pressure, plane.peak / contact.peak_pressure
    levels = np.linspace(0.0, max(0.1, math.ceil(peak * 20.0) / 20.0), 29)
    shades = chart.ax.contourf(x, z, ratio, levels, cmap="cividis")
    # without an edge of their own colour the bands show hairlines in vector formats
    shades.set_edgecolor("face")
    lines = np.arange(0.1, levels[-1], 0.1)
    chart.ax.contour(x, z, ratio, lines, colors="white", linewidths=0.5, alpha=0.6)
    side, va = (1.0, "bottom") if plane.body == 1 else (-1.0, "top")
    spot = float(length.of(plane.peak_position)), float(length.of(plane.peak_z))
    chart.ax.plot(*spot, "+", color="black", ms=11, mew=1.8, label="maximum")
    chart.ax.annotate(
        f"{significant(peak, 3)} p₀ at depth {significant(abs(spot[1]), 3)} {length.name}", spot,
        xytext=(0.0, side * 16.0), textcoords="offset points", ha="center", va=va, fontsize=FONT["tick"],
        color="black", bbox={"boxstyle": "round,pad=0.25", "fc": "white", "ec": "none", "alpha": 0.8},
    )  # fmt: skip
    surface = span(contact, plane.along)
    chart.plot(surface, [0.0, 0.0], color=DARK, lw=4.0, solid_capstyle="butt", clip_on=False)
    colour_bar(chart.ax, shades, "von Mises stress / peak pressure", ticks=np.arange(0.0, 1.0, 0.1))
    chart.ax.set_aspect("equal")
    return chart.finish(plane.along, "z", title, f"Stress {where} the contact", grid=False)


@checked
def stress_plane(
    contact: NormalContact,
    body: int = 2,
    *,
    along: str = "x",
    half_width: float | None = None,
    depth: float | None = None,
    points: tuple[int, int] = (61, 41),
) -> StressPlane:
    """Compute the von Mises stress in the vertical plane through the centre of pressure.

    The maximum is refined on a finer mesh.

    Parameters
    ----------
    contact, body, along
        As in `von_mises_map`.
    half_width
        Extent to either side, m; 1.5 times the contact by default.
    depth
        Extent downwards, m; twice the smaller semi-axis by default.
    points
        Points across and down.

    Returns
    -------
    StressPlane
        Stress over the plane, and its maximum.

    Raises
    ------
    InputError
        As `von_mises_map`, or if a size is not positive.

    Examples
    --------
    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> contact = tr.press(tr.Sphere(0.02), tr.Grid(24, 24, 20e-6, 20e-6), pair, force=50.0)
    >>> plane = tr.view.stress_plane(contact, points=(9, 9))
    >>> print(f"{plane.peak / contact.peak_pressure:.2f} p0 at z = {plane.peak_z * 1e6:.0f} um")
    0.63 p0 at z = -88 um
    """
    require_direction(contact, along)
    if not contact.contact.any():
        raise InputError("the bodies do not touch: there is no stress to show. Press them together.")
    low, high = window(contact, along, room=1.5)
    middle = 0.5 * (low + high)
    half = 0.5 * (high - low) if half_width is None else checks.positive("half_width", half_width, "m")
    # a line contact has an infinite semi-axis along y
    deepest = 2.0 * min(contact.semi_axes) if depth is None else checks.positive("depth", depth, "m")
    across, down = checks.count("points[0]", points[0], 3), checks.count("points[1]", points[1], 3)
    position, depths = np.linspace(middle - half, middle + half, across), np.linspace(0.0, deepest, down)
    values = _von_mises(contact, body, along, position, depths)
    j, i = divmod(int(np.argmax(values)), across)
    near = np.linspace(position[max(i - 1, 0)], position[min(i + 1, across - 1)], 9)
    below = np.linspace(depths[max(j - 1, 0)], depths[min(j + 1, down - 1)], 17)
    fine = _von_mises(contact, body, along, near, below)
    jj, ii = divmod(int(np.argmax(fine)), near.size)
    side = 1.0 if body == 1 else -1.0
    peak, place, z = float(fine[jj, ii]), float(near[ii]), float(side * below[jj])
    return StressPlane(along, body, position, side * depths, values, peak, place, z)


def _von_mises(
    contact: NormalContact, body: int, along: str, position: np.ndarray, depths: np.ndarray
) -> np.ndarray:
    across, down = np.meshgrid(position, depths if body == 1 else -depths)
    x, y = contact.center
    here = (across, np.full_like(across, y)) if along == "x" else (np.full_like(across, x), across)
    return contact.stress(np.stack([*here, down], axis=-1), body).von_mises
