"""A half space under Hertz's pressure of a sphere (de Looij 2015, section 7.1), axially symmetric elements.

The mesh ends far away, where the displacements are those of a point force (Boussinesq).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csc_array

from traction import checks
from traction.app.finite_elements.elasticity import Factored, graded, lame_constants, scikit_fem
from traction.materials import Material
from traction.theory.hertz_contacts import SphereContact

FINE = 0.25  #: size of the coarsest elements in and under the patch, in its radius
SIZE = 30.0  #: of the mesh, in radii of the patch
GROWTH = 1.3
INTEGRATED = 12  #: order to which the pressure is integrated, which falls like a root at its edge


@dataclass(frozen=True, eq=False)
class LoadedHalfSpace:
    """What finite elements find."""

    r: np.ndarray  #: of the nodes on the surface, m
    displacement: np.ndarray  #: there, downwards, m
    work: float  #: of the pressure, the integral of p u, J


def load_half_space(contact: SphereContact, material: Material, *, halvings: int = 1) -> LoadedHalfSpace:
    """The surface under Hertz's pressure, on a mesh whose elements were halved so often."""
    fem, a = scikit_fem(), contact.radius
    checks.count("halvings", halvings, 0)
    side, down = (graded(FINE * a, within, SIZE * a, GROWTH) for within in (2.0 * a, FINE * a))
    for _ in range(halvings):
        side, down = _halved(side), _halved(down)
    mesh = fem.MeshQuad.init_tensor(side, down)
    basis = fem.Basis(mesh, fem.ElementVector(fem.ElementQuad2()), intorder=6)
    K = csc_array(fem.BilinearForm(_energy(*lame_constants(material))).assemble(basis))
    under = mesh.facets_satisfying(lambda x: (np.abs(x[1]) < 1e-9 * a) & (x[0] < a))
    face = fem.FacetBasis(mesh, basis.elem, facets=under, intorder=INTEGRATED)
    load = fem.LinearForm(lambda v, w: 2.0 * math.pi * w.x[0] * contact.pressure(w.x[0]) * v[1]).assemble(
        face
    )
    (r, z), (outward, downward) = basis.doflocs, basis.split_indices()
    far = np.flatnonzero(np.maximum(r, z) > (SIZE - 1e-6) * a)
    u = np.zeros(basis.N)
    u[far] = np.where(np.isin(far, outward), *_point_force(contact.force, material, r[far], z[far]))
    axis = outward[r[outward] < 1e-9 * a]
    u += Factored(K, np.union1d(far, axis))(load - K @ u)
    top = downward[z[downward] < 1e-9 * a]
    order = top[np.argsort(r[top])]
    return LoadedHalfSpace(r[order], u[order], float(load @ u))


def _halved(ends: np.ndarray) -> np.ndarray:
    return np.sort(np.append(ends, 0.5 * (ends[1:] + ends[:-1])))


def _energy(lame: float, G: float) -> Any:
    """lambda (trace e)(trace e') + 2 G e : e' around the axis, where the hoop strain is u_r/r."""

    def form(u: Any, v: Any, w: Any) -> Any:
        r = w.x[0]
        strains = [(f.grad[0][0], f.grad[1][1], f[0] / r, f.grad[0][1] + f.grad[1][0]) for f in (u, v)]
        (er, ez, et, g), (fr, fz, ft, f) = strains
        direct = lame * (er + ez + et) * (fr + fz + ft) + 2.0 * G * (er * fr + ez * fz + et * ft)
        return 2.0 * math.pi * r * (direct + G * g * f)

    return form


def _point_force(
    force: float, material: Material, r: np.ndarray, z: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Boussinesq's displacements outwards and downwards, m (Johnson, Contact Mechanics, 3.2)."""
    nu, G = material.poisson_ratio, lame_constants(material)[1]
    d = np.hypot(r, z)
    outwards = r * z / d**3 - (1.0 - 2.0 * nu) * r / (d * (d + z))
    downwards = z**2 / d**3 + 2.0 * (1.0 - nu) / d
    factor = force / (4.0 * math.pi * G)
    return factor * outwards, factor * downwards
