"""Linear elasticity on graded boxes of quadratic elements, meshed and assembled by scikit-fem.

With the products D_ij = integral of (d phi/dx_i)(d phi/dx_j) of the shape functions, the stiffness between
the displacements along i and j is lambda D_ij + G D_ji, and G sum of D_kk more where i = j.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy.sparse import block_array, block_diag, csc_array
from scipy.sparse.linalg import splu

from traction import checks
from traction.errors import InputError
from traction.materials import Material

GROWTH = 1.25  #: of neighbouring elements, away from where they are fine
ON_A_PLANE = 1e-9  #: of the size of the box


def installed() -> bool:
    """Whether scikit-fem is there."""
    return find_spec("skfem") is not None


def scikit_fem() -> Any:
    """The package, or an error that tells how to get it."""
    if not installed():
        raise InputError(
            "full finite elements need scikit-fem, which is not installed: pip install traction[fem]."
        )
    import skfem

    return skfem


def graded(fine: float, within: float, end: float, growth: float = GROWTH) -> np.ndarray:
    """Ends of elements from 0 to `end`: about `fine` long up to `within`, then growing (m)."""
    checks.positive("fine", fine, "m")
    within = min(within, end)
    even = np.linspace(0.0, within, max(1, round(within / fine)) + 1)
    sizes: list[float] = []
    while sum(sizes) < (1.0 - ON_A_PLANE) * (end - within):
        sizes.append(fine * growth ** (len(sizes) + 1))
    if not sizes:
        return even
    return np.concatenate((even, within + np.cumsum(sizes) * (end - within) / sum(sizes)))


def lame_constants(material: Material) -> tuple[float, float]:
    """lambda and G, Pa."""
    E, nu = material.youngs_modulus, material.poisson_ratio
    return E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), E / (2.0 * (1.0 + nu))


@dataclass(frozen=True, eq=False)
class Solid:
    """A box of quadratic elements; its last coordinate is the depth under the loaded face.

    In the plane it is in plane strain, and forces are per metre. Displacements are arrays of those along the
    first axis at all nodes, then along the second, and so on.
    """

    lines: tuple[np.ndarray, ...]  #: ends of the elements along each axis, m
    material: Material

    @cached_property
    def basis(self) -> Any:
        """scikit-fem's, of one component."""
        fem = scikit_fem()
        if len(self.lines) == 2:
            return fem.Basis(fem.MeshQuad.init_tensor(*self.lines), fem.ElementQuad2(), intorder=4)
        return fem.Basis(fem.MeshHex.init_tensor(*self.lines), fem.ElementHex2(), intorder=4)

    @property
    def nodes(self) -> np.ndarray:
        """Places, m, (axes, nodes)."""
        return np.asarray(self.basis.doflocs)

    @property
    def size(self) -> int:
        """Number of displacements."""
        return len(self.lines) * self.nodes.shape[1]

    @cached_property
    def stiffness(self) -> csc_array:
        """K, N/m."""
        fem, axes = scikit_fem(), range(len(self.lines))
        lame, G = lame_constants(self.material)
        D: dict[tuple[int, int], Any] = {}
        for i in axes:
            for j in axes[i:]:
                form = fem.BilinearForm(lambda u, v, _, i=i, j=j: v.grad[i] * u.grad[j])
                D[i, j] = csc_array(form.assemble(self.basis))
                D[j, i] = D[i, j].T
        laplace = sum(D[k, k] for k in axes)
        blocks = [
            [lame * D[i, j] + G * D[j, i] + (G * laplace if i == j else 0.0) for j in axes] for i in axes
        ]
        return csc_array(block_array(blocks))

    def mass(self, within: tuple[float, float] = (-math.inf, math.inf)) -> csc_array:
        """M, kg, of what lies within these two places along the first axis; the rest is massless."""
        density, (first, last) = self.material.density, within
        if density is None:
            raise InputError("the material has no density; a motion needs one.")

        def form(u: Any, v: Any, w: Any) -> Any:
            return density * ((first < w.x[0]) & (w.x[0] < last)) * u * v

        one = scikit_fem().BilinearForm(form).assemble(self.basis)
        return csc_array(block_diag([one] * len(self.lines)))

    @cached_property
    def lattice(self) -> np.ndarray:
        """Numbers of the nodes, which lie at the ends and the middles of the elements along each axis."""
        index = []
        for line, places in zip(self.lines, self.nodes, strict=True):
            halves = np.interp(np.arange(0.0, len(line) - 0.5, 0.5), np.arange(len(line)), line)
            index.append(np.searchsorted(0.5 * (halves[1:] + halves[:-1]), places))
        numbers = np.empty([2 * len(line) - 1 for line in self.lines], dtype=int)
        numbers[tuple(index)] = np.arange(self.nodes.shape[1])
        return numbers

    def on(self, axis: int, value: float) -> np.ndarray:
        """Which nodes lie on the plane where a coordinate has a value."""
        return np.asarray(np.abs(self.nodes[axis] - value) < ON_A_PLANE * self.lines[axis][-1])

    def along(self, axis: int, nodes: np.ndarray) -> np.ndarray:
        """Displacements along an axis of the nodes that are marked."""
        return axis * self.nodes.shape[1] + np.flatnonzero(nodes)

    def traction(self, face: tuple[int, float], along: int, density: Callable[..., object]) -> np.ndarray:
        """Forces of a traction (Pa), a function of the place, along an axis on a face (axis, value), N."""
        fem, (axis, value) = scikit_fem(), face
        near = ON_A_PLANE * self.lines[axis][-1]
        facets = self.basis.mesh.facets_satisfying(lambda x: np.abs(x[axis] - value) < near)
        basis = fem.FacetBasis(self.basis.mesh, self.basis.elem, facets=facets, intorder=6)
        forces = np.zeros((len(self.lines), self.nodes.shape[1]))
        forces[along] = fem.LinearForm(lambda v, w: density(*w.x) * v).assemble(basis)
        return forces.ravel()


class Factored:
    """A symmetric matrix with some displacements held at zero, factored once for many loads."""

    def __init__(self, matrix: csc_array, held: np.ndarray) -> None:
        self.free = np.setdiff1d(np.arange(matrix.shape[0]), held)
        self._factors = splu(
            csc_array(matrix[self.free][:, self.free]),
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )

    def __call__(self, loads: np.ndarray) -> np.ndarray:
        """Displacements under one load or the columns of several."""
        found = np.zeros(loads.shape)
        found[self.free] = self._factors.solve(np.asarray(loads[self.free]))
        return found
