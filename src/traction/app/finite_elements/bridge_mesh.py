"""The mesh of a beam in plane strain under a rolling cylinder: supports, pressure, compliance at rest.

The pressure under the cylinder is Hertz's, p0 sqrt(1 - s^2/a^2) with a^2 = 4 F R (1 - nu^2)/(pi E). Where
the top stays on the cylinder, u = z - s^2/(2 R), the mean of u under that pressure is z - a^2/(8 R), and
a^2/(8 R) = F (1 - nu^2)/(2 pi E). Between its nodes an element of the top is softer than at them; that
difference at rest is subtracted.

Ends are of two kinds. "mean": the mean displacement of the section is held, weighted like the shear stress
over it, and the beam reaches beyond by its height, so that the cylinder does not begin on a corner; what is
beyond is massless, so that the beam vibrates as if it ended at its supports. "sections": every point of the
end section is held along z and free along x. The motion continues beyond such an end with the opposite sign,
and so does a pressure that reaches beyond it.

Its modes and the compliance of its top at rest are the same mesh without the errors of time steps. There are
two models of their contact. `MeshModes` carries Hertz's pressure, whose force is the unknown. `NodeContact`
assumes no pressure: nodes of the top touch the cylinder or not, found as an active set in every step.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.sparse import csc_array
from scipy.sparse.linalg import eigsh

from traction import checks
from traction.app.finite_elements.contact import held_down, touching
from traction.app.finite_elements.elasticity import Factored, Solid, graded
from traction.app.finite_elements.modal_crossing import FreeStep
from traction.app.finite_elements.thick_beam import BeamUnderCylinder
from traction.errors import InputError

ENDS = ("mean", "sections")
STIFF = 1e6  #: of the supports, over Young's modulus
POINTS = 12  #: at which the pressure is sampled
PLACES = np.linspace(0.0, 1.0, 17)  #: in an element, at which its compliance is computed
ROWS = 2  #: of elements below the neutral axis
GROWTH = 1.7
COLUMNS = 100  #: unit forces on the top that are solved together
WINDOW = 3.0  #: half widths of the patch at rest on either side of the cylinder where nodes may touch


class BridgeMesh:
    """Mesh, supports and top of a beam under a cylinder of some weight (N/m)."""

    def __init__(self, bridge: BeamUnderCylinder, weight: float, fine: float, ends: str = "mean") -> None:
        """Elements along the top are `fine` half widths of the patch at rest."""
        self.bridge, self.weight, self.ends = bridge, weight, checks.choice("ends", ends, ENDS)
        L, h, size = bridge.length, bridge.height, fine * bridge.hertz(weight).half_width
        self.spacing = L / (2 * math.ceil(0.5 * L / size))
        self.beyond = math.ceil(h / self.spacing) if ends == "mean" else 0  # elements outside of each support
        elements = round(L / self.spacing)
        x = self.spacing * np.arange(-self.beyond, elements + self.beyond + 1)
        half = graded(size, size, 0.5 * h, GROWTH)
        below = np.linspace(0.5 * h, h, ROWS + 1)[1:]
        self.solid = solid = Solid((x, np.append(half, below)), bridge.material)
        axis = solid.on(1, 0.5 * h)
        self.middle = int(solid.along(1, axis & solid.on(0, 0.5 * L))[0])
        self.held = solid.along(0, axis & solid.on(0, 0.0))
        if ends == "sections":
            self.held = np.append(self.held, solid.along(1, solid.on(0, 0.0) | solid.on(0, L)))
        self.top = solid.size // 2 + solid.lattice[:, 0]  # ends and middles of elements in turn
        self.stiffness = csc_array(solid.stiffness + self._supports())
        self.at_rest = Factored(self.stiffness, self.held)
        self.give = (1.0 - bridge.material.poisson_ratio**2) / (
            2.0 * math.pi * bridge.material.youngs_modulus
        )
        self.between = self._between_nodes()

    @property
    def mass(self) -> csc_array:
        """M, kg/m, of what lies between the supports."""
        return self.solid.mass((0.0, self.bridge.length))

    def _supports(self) -> csc_array:
        """Springs on the mean displacements of the end sections."""
        on, total = self.bridge, csc_array((self.solid.size, self.solid.size))
        h = on.height
        for place in (0.0, on.length) if self.ends == "mean" else ():
            mean = self.solid.traction((0, place), 1, lambda _, z: 6.0 * z * (h - z) / h**3)
            total += STIFF * on.material.youngs_modulus * (csc_array(mean[:, None]) @ csc_array(mean[None]))
        return total

    def patch(self, place: float, force: float) -> tuple[np.ndarray, np.ndarray]:
        """Nodes of the top, and their forces under a cylinder at a place, of 1 N/m in all (Gauss' points)."""
        a = self.bridge.patch_width(force, self.weight)
        angle = math.pi * np.arange(1, POINTS + 1) / (POINTS + 1)
        x, weights = place + a * np.cos(angle), 2.0 / (POINTS + 1) * np.sin(angle) ** 2
        if self.ends == "sections":
            L = self.bridge.length
            weights = np.where((x < 0.0) | (x > L), -weights, weights)
            x = L - np.abs(L - np.abs(x))
        x = x / self.spacing + self.beyond
        e = np.minimum(x.astype(int), self.top.size // 2 - 1)
        s = x - e
        shapes = np.array([(1.0 - s) * (1.0 - 2.0 * s), 4.0 * s * (1.0 - s), s * (2.0 * s - 1.0)])
        nodes = 2 * e + np.arange(3)[:, None]
        first = int(nodes.min())
        forces = np.bincount((nodes - first).ravel(), (weights * shapes).ravel())
        return np.arange(first, first + forces.size), forces

    def under(self, place: float, force: float) -> np.ndarray:
        """The same as forces on all displacements."""
        nodes, parts = self.patch(place, force)
        forces = np.zeros(self.solid.size)
        forces[self.top[nodes]] = parts
        return forces

    def _between_nodes(self) -> np.ndarray:
        """Compliance at `PLACES` of an element at midspan beyond a cubic through the ends of three, m2/N.

        The cubic is the influence line, whose own curvature over an element is as large as the ripple.
        """
        start, ends = round(0.5 * self.bridge.length / self.spacing), np.arange(-1.0, 3.0)
        found = []
        for s in (*PLACES.tolist(), *ends.tolist()):
            load = self.under((start + s) * self.spacing, self.weight)
            found.append(float(load @ self.at_rest(load)))
        smooth = np.polyfit(ends, found[PLACES.size :], 3)
        return np.asarray(found[: PLACES.size] - np.polyval(smooth, PLACES))

    def give_at(self, place: float) -> float:
        """Compliance in series with the mesh: of the cylinder's shape, without that between nodes, m2/N."""
        return self.give - float(np.interp(place / self.spacing % 1.0, PLACES, self.between))

    def compliance(self, place: float) -> float:
        """Drop of the cylinder at rest at a place per force, m2/N."""
        load = self.under(place, self.weight)
        return float(load @ self.at_rest(load)) + self.give_at(place)

    def rolling(self, rest: np.ndarray, speed: float) -> np.ndarray:
        """Velocities -V du/dx: the deformation over the first support, local alone, rolls on with the wheel.

        Were the mesh at rest, the contact force would ring as the deformation is set in motion at once.
        """
        lattice = self.solid.lattice
        moved = rest.reshape(2, -1)
        velocities = np.empty_like(moved)
        velocities[:, lattice] = -speed * np.gradient(moved[:, lattice], 0.5 * self.spacing, axis=1)
        velocities = velocities.ravel()
        velocities[self.held] = 0.0
        return velocities


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
