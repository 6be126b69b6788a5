"""Nodes of a creep-force table over a/b, s, azimuth and latitude, with values and errors of the cells.

Values at nodes are solved where the table needs them. Elsewhere they are those of the splines through
coarser nodes, whose error was measured there and is small: so a line of nodes that is needed in one place
costs nothing in others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.contact.tables.kernels.table_forces import creep_forces_of_many
from traction.contact.tables.making.ellipses import RADIUS, Ellipses
from traction.contact.tables.reduced_creepages import polar_creepages
from traction.contact.tables.spline_fit import Triple, fit_ellipses, join_ellipses
from traction.contact.tables.spline_table import POLAR, SplineTable

Axes = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class NodeGrid:
    """Nodes, and the cells between them; of one a/b a cell has no extent along it."""

    axes: Axes  #: a/b, s, azimuth, latitude
    values: np.ndarray  #: forces over mu N s at the nodes, (n0, n1, n2, n3, 3)
    solved: np.ndarray  #: whether they were solved, (n0, n1, n2, n3)
    errors: np.ndarray  #: of splines in cells, over mu N; infinite where not measured
    #: of the cells they were part of before one and two divisions, infinite where there were none, (..., 2)
    before: np.ndarray

    @property
    def nodes(self) -> Triple:
        """Nodes of s, azimuth and latitude."""
        return self.axes[1:]

    def fit(self, ellipses: Ellipses) -> SplineTable:
        """Splines through the values, with G = 1."""
        # one by one: whole circles of angles take sixteen times the memory of the nodes
        fits = [fit_ellipses(POLAR, self.nodes, one[None]) for one in self.values]
        found = [ellipses.find(ratio) for ratio in self.axes[0].tolist()]
        return join_ellipses(
            POLAR,
            fits[0][0],
            np.concatenate([coefficients for _, coefficients in fits]),
            np.array(self.axes[0]),
            np.log(np.array([one.reducing for one in found]).T),
            shear_modulus=1.0,
            poisson_ratio=found[0].coefficients.poisson_ratio,
            radius=RADIUS,
        )

    def open_middles(self) -> tuple[np.ndarray, np.ndarray]:
        """Cells that are not measured, (m, 4), and their middles, (m, 4)."""
        cells = np.argwhere(np.isinf(self.errors))
        centres = middles(self.axes)
        return cells, np.stack([one[k] for one, k in zip(centres, cells.T, strict=True)], axis=1)


def middles(axes: Axes) -> Axes:
    """The middle of each interval, of a/b the geometric mean."""
    ratios, *others = axes
    between = np.sqrt(ratios[1:] * ratios[:-1]) if ratios.size > 1 else ratios
    first, second, third = (0.5 * (one[1:] + one[:-1]) for one in others)
    return between, first, second, third


def all_places(axes: Axes) -> np.ndarray:
    """(a/b, s, azimuth, latitude) of all nodes, (n0, n1, n2, n3, 4)."""
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)


def spline_forces(splines: SplineTable, ellipses: Ellipses, places: np.ndarray) -> np.ndarray:
    """(F_x, F_y, M_z) of splines with G = 1 at (a/b, s, azimuth, latitude), (m, 4), over mu N, (m, 3).

    Creepages are those of the ellipses: what the splines of their scales miss between ratios counts too.
    """
    ratio, s, azimuth, latitude = places.T
    reduced = polar_creepages(s, azimuth, latitude, RADIUS)
    creepages = np.ascontiguousarray(reduced * ellipses.unit_scales(ratio))
    one = np.ones_like(ratio)
    contacts = np.column_stack((np.sqrt(ratio), 1.0 / np.sqrt(ratio), one, one))
    forces, slopes = np.empty((len(places), 3)), np.empty((len(places), 3, 3))
    creep_forces_of_many(creepages, contacts, splines.packed, forces, slopes)
    return forces


def missed_by(splines: SplineTable, ellipses: Ellipses, places: np.ndarray) -> np.ndarray:
    """Largest difference of splines from solutions at (a/b, s, azimuth, latitude), over mu N, (m,)."""
    found = spline_forces(splines, ellipses, places)
    return np.asarray(np.abs(found - ellipses.at(places) * places[:, 1:2]).max(axis=1))
