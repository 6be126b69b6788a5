"""Between USETAB files and splines: forces at the nodes of a file, and the nodes of splines through them.

Creepages of a file are the negatives of its xi, eta and psi, and forces turn with creepages, so that values
at nodes of splines are the negatives of those in the file.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from traction.contact.tables.kernels.table_forces import creep_forces_of_many
from traction.contact.tables.reduced_creepages import box_coordinates
from traction.contact.tables.spline_table import SplineTable
from traction.contact.tables.usetab.usetab_coefficients import POISSON_RATIO, read_printed_coefficients
from traction.contact.tables.usetab.usetab_file import Usetab, file_ratios, scaled_creepages
from traction.errors import InputError

SAME_MATERIAL = 5e-3  #: difference of Poisson's ratios; forces change by a thousandth of mu N


class BoxNodes(NamedTuple):
    """Nodes and values for `fit_table` in box coordinates."""

    nodes: tuple[np.ndarray, np.ndarray, np.ndarray]
    values: np.ndarray  #: (n0, n1, n2, n3, 3)
    ratios: np.ndarray
    creep_coefficients: np.ndarray  #: (3, n0)


def take_nodes(table: Usetab) -> BoxNodes:
    """Nodes in ascending order, each once."""
    ratios, at_ratio = np.unique(table.ratios, return_index=True)
    ahead, at_creepage = np.unique(table.creepages, return_index=True)
    spins, at_spin = np.unique(table.spins, return_index=True)
    values = -table.values[np.ix_(at_ratio, at_creepage, at_creepage, at_spin)]
    nodes = box_coordinates(ahead), box_coordinates(ahead), box_coordinates(spins)
    return BoxNodes(nodes, values, ratios, table.coefficients[at_ratio].T)


def tabulate(splines: SplineTable, cells: int | None = None) -> Usetab:
    """Forces of splines at all nodes of a file."""
    ratios, scaled = file_ratios(), scaled_creepages()
    _require_fit(splines, ratios)
    spins = np.concatenate((scaled, -scaled))
    grid = np.stack(np.meshgrid(scaled, scaled, spins, indexing="ij"), axis=-1)
    values = np.empty((ratios.size, *grid.shape))
    limit = splines.shear_modulus  # with c = 1, so that the file's units are those of the splines
    for k, ratio in enumerate(ratios.tolist()):
        creepages = -grid.reshape(-1, 3) * (np.array([3.0, 3.0, 1.0]) / read_printed_coefficients(ratio))
        contacts = np.tile([np.sqrt(ratio), 1.0 / np.sqrt(ratio), limit, 1.0], (len(creepages), 1))
        forces, jacobians = np.empty_like(creepages), np.empty((len(creepages), 3, 3))
        creep_forces_of_many(creepages, contacts, splines.packed, forces, jacobians)
        values[k] = (forces / limit).reshape(grid.shape)
    return Usetab(ratios, values, cells)


def _require_fit(splines: SplineTable, ratios: np.ndarray) -> None:
    low, high = splines.limits
    if low > ratios.min() or high < ratios.max():
        raise InputError(
            f"a/b of the table is {low:.6g} to {high:.6g}; a USETAB file has {ratios.min():.6g} to "
            f"{ratios.max():.6g}: use tr.solve_usetab(), which solves its nodes."
        )
    if abs(splines.poisson_ratio - POISSON_RATIO) > SAME_MATERIAL:
        raise InputError(
            f"Poisson's ratio of the table is {splines.poisson_ratio:.6g}; that of USETAB files is "
            f"{POISSON_RATIO}."
        )
