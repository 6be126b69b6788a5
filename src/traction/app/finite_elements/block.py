"""A rigid sphere pressed on an elastic block in three dimensions, contact solved in the mesh.

A quarter of the block is meshed by hexahedra of 27 nodes; its bottom stands on a smooth rigid floor, its
outer sides are free.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from traction.app.finite_elements.contact import PressedTop, touching
from traction.app.finite_elements.elasticity import Factored, Solid, graded
from traction.materials import Material
from traction.theory import hertz

REACH = 1.2  #: radii of the patch by Hertz within which nodes may touch
GROWTH = 1.8


@dataclass(frozen=True, eq=False)
class PressedBlock(PressedTop):
    """What finite elements find."""

    r: np.ndarray  #: distance of the nodes from the middle of the patch, m
    pressure: np.ndarray  #: there, Pa
    forces: np.ndarray  #: there, on the quarter, N
    drop: float  #: of the sphere, m; it depends on the size of the block

    @property
    def radius(self) -> float:
        """Of Hertz's pressure with the same second moment, which is 2/5 of its square, m."""
        return math.sqrt(2.5 * float(self.forces @ self.r**2) / float(self.forces.sum()))


def press_sphere(
    radius: float, material: Material, force: float, *, size: float = 8.0, fine: float = 0.3
) -> PressedBlock:
    """A sphere (m) under a force (N) on a block of `size` patch radii to all sides and below.

    Elements under the sphere are `fine` patch radii long.
    """
    a = hertz.sphere(radius, _modulus(material), force=force).radius
    end = size * a
    side, down = (graded(fine * a, within, end, GROWTH) for within in (REACH * a, fine * a))
    solid = Solid((side, side, down), material)
    held = np.concatenate([solid.along(k, solid.on(k, at)) for k, at in enumerate((0.0, 0.0, end))])
    solve = Factored(solid.stiffness, held)
    r = np.hypot(*solid.nodes[:2])
    looked = solid.on(2, 0.0) & (r <= REACH * a)
    top, r = solid.along(2, looked), r[looked]
    loads = np.zeros((solid.size, top.size))
    loads[top, np.arange(top.size)] = 1.0
    found = touching(solve(loads)[top], r**2 / (2.0 * radius), 0.25 * force)
    share = solid.traction((2, 0.0), 2, lambda x, *_: 1.0 + 0.0 * x)[top]
    return PressedBlock(r, found.forces / share, found.forces, found.drop)


def _modulus(material: Material) -> float:
    return material.youngs_modulus / (1.0 - material.poisson_ratio**2)
