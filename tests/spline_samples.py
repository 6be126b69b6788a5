"""Splines with made-up coefficients, in which an index that is off shows."""

import math

import numpy as np

from traction.contact.tables.spline_table import fit_table

SIZES = (7, 5, 9)
ENDS = {
    "polar": ((0.0, 1.0), (0.0, 0.5 * math.pi), (-0.5 * math.pi, 0.5 * math.pi)),
    "box": ((0.0, 2.0), (0.0, 2.0), (-2.0, 2.0)),
}


def random_splines(coordinates, ratios):
    """A table of random forces at its nodes."""
    rng = np.random.default_rng(len(ratios))
    nodes = [np.linspace(*ends, size) for ends, size in zip(ENDS[coordinates], SIZES, strict=True)]
    return fit_table(
        coordinates,
        nodes,
        rng.uniform(-0.5, 0.5, (len(ratios), *SIZES, 3)),
        ratios=ratios,
        creep_coefficients=rng.uniform(2.0, 5.0, (3, len(ratios))),
        shear_modulus=82e9,
        poisson_ratio=0.28,
        radius=0.6,
    )


def random_calls(table, count):
    """Creepages (count, 3) from none to full sliding, some of them zero, and contacts (count, 4)."""
    rng = np.random.default_rng(count)
    creepages = (
        rng.uniform(-1.0, 1.0, (count, 3)) * (1.0, 1.0, 100.0) * 10.0 ** rng.uniform(-7, 1, (count, 1))
    )
    creepages[::5, 0], creepages[::7, 1], creepages[::3, 2], creepages[::11, :2] = 0.0, 0.0, 0.0, 0.0
    creepages[0], creepages[1], creepages[2] = 0.0, (1e9, -1e9, 0.0), (0.0, 0.0, -1e9)
    side = np.exp(0.5 * rng.uniform(*np.log(table.limits), count))
    contacts = np.column_stack((5e-3 * side, 5e-3 / side, rng.uniform(1e3, 2e5, count), np.full(count, 0.3)))
    return creepages, contacts
