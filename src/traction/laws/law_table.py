"""Contact laws as tables: ln F over ln(depth) with its slope, cubic between the rows, a power law outside.

`tabulate_law` samples a law that has no compiled form; `build_table` takes given rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from traction.errors import InputError
from traction.laws.kernels.law_values import table_force
from traction.laws.response import Memory, Response

NO_TABLE = np.zeros((1, 4))
DECADES, ROWS = 4.0, 65  #: of depths in the table of a law
DEEPER = 1.5  #: depth of a table relative to a strike on rigid ground
MOST_TRIALS = 400
GROWTH = 1.25  #: from one trial depth to the next
Respond = Callable[[float, Memory], Response]


def tabulate_law(
    respond: Respond, memory: Memory, first_touch: float, least: float, energy: float
) -> np.ndarray:
    """Table of an elastic law by depth beyond its first touch; its last row stores at least `energy` (J).

    `least` (m) is a depth that stores less than the energy.
    """
    depth, memory = _reach_energy(respond, memory, first_touch, least, energy)
    depths = np.geomspace(depth * 10.0**-DECADES, depth, ROWS)
    rows = np.zeros((ROWS, 3))
    for k, x in enumerate(depths.tolist()):
        found = respond(first_touch + x, memory)
        if not found.force > 0.0:
            raise InputError(f"law has no force {x:.3g} m after its first touch; check first_touch.")
        rows[k] = math.log(x), math.log(found.force), found.stiffness * x / found.force
        memory = found.memory
    return build_table(rows)


def build_table(rows: np.ndarray) -> np.ndarray:
    """Rows (ln depth, ln F, slope) with the energy as a fourth column.

    The energies are those of the table's own force, so that energy is conserved.
    """
    table = np.concatenate((rows, np.zeros((len(rows), 1))), axis=1)
    nodes, weights = np.polynomial.legendre.leggauss(12)
    table[0, 3] = math.exp(table[0, 0] + table[0, 1]) / (table[0, 2] + 1.0)
    for k in range(1, len(table)):
        a, b = np.exp(table[k - 1 : k + 1, 0])
        places = 0.5 * (a + b) + 0.5 * (b - a) * nodes
        forces = [table_force(table, x)[0] for x in places.tolist()]
        table[k, 3] = table[k - 1, 3] + 0.5 * (b - a) * float(weights @ forces)
    return table


def _reach_energy(
    respond: Respond, memory: Memory, first_touch: float, depth: float, energy: float
) -> tuple[float, Memory]:
    """Depth (m) that stores the energy, found by steps of a factor, with some margin; the memory there."""
    for _ in range(MOST_TRIALS):
        found = respond(first_touch + depth, memory)
        memory = found.memory
        if found.energy >= energy:
            return DEEPER * depth, memory
        depth *= GROWTH
    raise InputError(f"law stores less than the energy of the strike, {energy:.3g} J; check its surface.")
