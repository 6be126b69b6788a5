"""Modes of a mesh and the compliance of the top at rest: the same mesh without the errors of time steps.

There are two models of the contact. `MeshModes` carries Hertz's pressure, whose force is the unknown.
`NodeContact` assumes no pressure: nodes of the top touch the cylinder or not, found as an active set in every
step.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import eigsh

from traction import checks
from traction.app.finite_elements.bridge_mesh import BridgeMesh
from traction.app.finite_elements.contact import held_down, touching
from traction.app.finite_elements.modal_crossing import FreeStep
from traction.errors import InputError

COLUMNS = 100  #: unit forces on the top that are solved together
WINDOW = 3.0  #: half widths of the patch at rest on either side of the cylinder where nodes may touch


class MeshModes:
    """The slowest modes of a mesh, and the compliance that its others have at rest."""

    def __init__(self, mesh: BridgeMesh, modes: int) -> None:
        self.mesh, self.weight = mesh, mesh.weight
        size, held = mesh.solid.size, mesh.held
        checks.count("modes", modes, 1, size - held.size - 1)
        free = np.setdiff1d(np.arange(size), held)
        mass, stiffness = (matrix[free][:, free] for matrix in (mesh.mass, mesh.stiffness))
        start = np.ones(free.size)  # the same in every run
        square, shapes = eigsh(stiffness, modes, mass, sigma=-1.0, v0=start)
        order = np.argsort(square)
        moved = np.zeros((size, modes))
        moved[free] = shapes[:, order]
        self.frequencies = np.sqrt(square[order])  #: rad/s
        self.shapes = moved[mesh.top]  #: u_z of the top
        self.at_rest = _top_compliance(mesh)  #: of the nodes of the top, m2/N
        self.left = self.at_rest - self.shapes / self.frequencies**2 @ self.shapes.T

    def loads(self, place: float, force: float) -> np.ndarray:
        """Loads of the modes per force of Hertz's pressure."""
        nodes, parts = self.mesh.patch(place, force)
        return np.asarray(parts @ self.shapes[nodes])

    def residual(self, place: float, force: float) -> float:
        """Drop of the cylinder per force that the modes do not have, m2/N."""
        nodes, parts = self.mesh.patch(place, force)
        return float(parts @ self.left[np.ix_(nodes, nodes)] @ parts) + self.mesh.give_at(place)


def _top_compliance(mesh: BridgeMesh) -> np.ndarray:
    n = mesh.top.size
    found = np.empty((n, n))
    for first in range(0, n, COLUMNS):
        some = np.arange(first, min(n, first + COLUMNS))
        loads = np.zeros((mesh.solid.size, some.size))
        loads[mesh.top[some], np.arange(some.size)] = 1.0
        found[:, some] = mesh.at_rest(loads)[mesh.top]
    return found


class NodeContact:
    """Nodes of the top that touch the cylinder: f >= 0, gap + u - z >= 0, and one of them zero."""

    def __init__(self, modes: MeshModes) -> None:
        self.modes, self.frequencies = modes, modes.frequencies
        mesh = modes.mesh
        if mesh.ends != "mean":
            raise InputError(
                f"contact of nodes needs a top that continues beyond the supports, not ends = {mesh.ends!r}: "
                'use ends="mean", or contact="pressure".'
            )
        half = np.arange(mesh.top.size) * 0.5
        self._x = (half - mesh.beyond) * mesh.spacing
        self._reach = WINDOW * mesh.bridge.hertz(mesh.weight).half_width
        self._on = np.zeros(mesh.top.size, dtype=bool)

    def at_rest(self, place: float, force: float) -> tuple[float, np.ndarray]:
        """Drop of the cylinder (m) under a force, and the loads of the modes."""
        nodes, gap = self._near(place)
        found = touching(self.modes.at_rest[np.ix_(nodes, nodes)], gap, force)
        self._on[nodes] = found.forces > 0.0
        return found.drop, found.forces @ self.modes.shapes[nodes]

    def meet(self, step: FreeStep) -> tuple[float, np.ndarray]:
        """Contact force (N/m) at the end of a step, and the loads of the modes."""
        nodes, gap = self._near(step.place)
        shapes = self.modes.shapes[nodes]
        compliance = self.modes.left[np.ix_(nodes, nodes)] + (shapes * step.per_load) @ shapes.T + step.rise
        forces = held_down(compliance, gap + shapes @ step.q, step.drop, self._on[nodes])
        self._on[:] = False
        self._on[nodes] = forces > 0.0
        return float(forces.sum()), forces @ shapes

    def _near(self, place: float) -> tuple[np.ndarray, np.ndarray]:
        """Nodes that may touch, and the distance of the cylinder's shape from its lowest point there, m."""
        nodes = np.flatnonzero(np.abs(self._x - place) <= self._reach)
        return nodes, (self._x[nodes] - place) ** 2 / (2.0 * self.modes.mesh.bridge.radius)
