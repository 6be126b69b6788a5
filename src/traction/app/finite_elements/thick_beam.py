"""A rigid cylinder pressed on a beam in plane strain, contact solved in the mesh; `tr.rest` on the same.

Half of the beam is meshed, finest under the wheel. Its end carries the parabolic shear stress of a support
that takes a transverse force alone, and the neutral axis there stays where it is.
"""

from __future__ import annotations

import math
import warnings
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.app.finite_elements.contact import PressedTop, WiderThanMeshError, touching
from traction.app.finite_elements.elasticity import Factored, Solid, graded
from traction.beams.beam import Beam
from traction.beams.beam_description import Rayleigh
from traction.errors import UnitsWarning
from traction.grid import Grid
from traction.materials import RIGID, Material, Pair
from traction.resting.rest import rest
from traction.resting.rest_result import Rest
from traction.surfaces import Cylinder
from traction.theory import hertz
from traction.trains.bridge import Bridge
from traction.trains.vehicle import Wheel

REACHES = (1.4, 2.0, 2.8)  #: half widths by Hertz within which the mesh is fine, until the patch fits
ROOM = 2.0  #: of the grid of `tr.rest` over the patch: the first guess of Newton may be wider
ELEMENTS = 500  #: of that grid
LEAST = 1e-3  #: of the weight, for the size of a patch that is about to lift off


@dataclass(frozen=True)
class BeamUnderCylinder:
    """A beam on two supports, and a rigid cylinder in its middle; all per metre of width."""

    length: float  #: L, m
    height: float  #: h, m
    radius: float  #: R of the cylinder, m
    material: Material
    damping: float = 0.0  #: beta, s, of a damping beta K, where it moves

    @property
    def beam(self) -> Beam:
        """Timoshenko's: in plane strain it bends with E h^3/(12 (1 - nu^2))."""
        E, nu, h = self.material.youngs_modulus, self.material.poisson_ratio, self.height
        density = self.material.density or 1.0  # a beam at rest has some mass, whatever it is
        return Beam(
            self.length,
            E * h**3 / (12.0 * (1.0 - nu**2)),
            density * h,
            shear_stiffness=shear_coefficient(nu) * E / (2.0 * (1.0 + nu)) * h,
            rotary_inertia=density * h**3 / 12.0,
            supports=("pinned", "pinned"),
            damping=Rayleigh(0.0, self.damping),
        )

    @property
    def wheel(self) -> Wheel:
        """The cylinder, whose radius is meant however large it is."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnitsWarning)
            return Wheel(self.radius, 1.0, profile=Cylinder(self.radius), material=RIGID)

    def hertz(self, force: float) -> hertz.LineContact:
        """On a half plane under this force, N/m."""
        return hertz.line(self.radius, Pair(RIGID, self.material), force=force)

    def patch_width(self, force: float, weight: float) -> float:
        """Half width by Hertz under a force (N/m), at least that of a part of the weight, m."""
        return self.hertz(max(force, LEAST * weight)).half_width

    def split(self, force: float, patch: float) -> Rest:
        """Local and global deformation, for a patch of about this half width, m."""
        n, length = ELEMENTS, neutral_length(self.height, self.material)
        grid = Grid.line(n, 2.0 * ROOM * patch / n, length=length)
        return rest(self.wheel, Bridge(self.beam, self.material), 0.5 * self.length, force, grid=grid)

    def meshed(self, force: float, *, fine: float = 0.05) -> PressedBeam:
        """Full finite elements, under the wheel of `fine` half widths of the patch by Hertz."""
        a = self.hertz(force).half_width
        for reach in REACHES[:-1]:
            with suppress(WiderThanMeshError):
                return self._pressed(force, fine * a, reach * a)
        return self._pressed(force, fine * a, REACHES[-1] * a)

    def _pressed(self, force: float, fine: float, reach: float) -> PressedBeam:
        L, h = self.length, self.height
        half = graded(2.0 * fine, 2.0 * fine, 0.5 * h)
        below = np.linspace(0.5 * h, h, max(2, math.ceil(0.5 * h / np.diff(half)[-1])) + 1)
        reach = min(reach, 0.45 * L)
        solid = Solid((graded(fine, reach, 0.5 * L), np.append(half, below[1:])), self.material)
        middle, end, axis = solid.on(0, 0.0), solid.on(0, 0.5 * L), solid.on(1, 0.5 * h)
        held = np.append(solid.along(0, middle), solid.along(1, end & axis))
        solve = Factored(solid.stiffness, held)
        looked = solid.on(1, 0.0) & (solid.nodes[0] <= 1.001 * reach)
        top, x = solid.along(1, looked), solid.nodes[0, looked]
        support = solid.traction((0, 0.5 * L), 1, lambda _, z: 6.0 * z * (h - z) / h**3)
        loads = -np.repeat(support[:, None], top.size, axis=1)
        loads[top, np.arange(top.size)] += 1.0
        moved = solve(loads)
        found = touching(moved[top], x**2 / (2.0 * self.radius), 0.5 * force)
        share = solid.traction((1, 0.0), 1, lambda x, _: 1.0 + 0.0 * x)[top]
        order = np.argsort(x)
        neutral = float((moved[solid.along(1, middle & axis)] @ found.forces)[0])
        pressure = (found.forces / share)[order]
        return PressedBeam(x[order], pressure, found.forces[order], neutral, found.drop)


@dataclass(frozen=True, eq=False)
class PressedBeam(PressedTop):
    """What finite elements find."""

    x: np.ndarray  #: of the nodes on the right half of the top, m
    pressure: np.ndarray  #: there, Pa
    forces: np.ndarray  #: there, N/m
    deflection: float  #: of the neutral axis under the wheel, m
    drop: float  #: of the wheel, m

    @cached_property
    def half_width(self) -> float:
        """Of Hertz's pressure with the same second moment, as in `tr.press`, m."""
        return 2.0 * math.sqrt(float(self.forces @ self.x**2) / float(self.forces.sum()))

    @cached_property
    def edge(self) -> float:
        """Where the pressure ends, m: near it p^2 falls linearly in x^2."""
        last = np.flatnonzero(self.pressure > 0.0)[[-3, -1]]
        square, p = self.x[last] ** 2, self.pressure[last] ** 2
        return math.sqrt(float(square[0] + (square[1] - square[0]) * p[0] / (p[0] - p[1])))


def shear_coefficient(poisson_ratio: float) -> float:
    """k of a rectangle in plane strain that is loaded on its top: 20/(24 - 9 nu).

    So that the neutral axis has the kink F (1 + nu)(2.4 - 0.9 nu)/(E h) of the exact solution far from the
    force (Seewald 1927; Timoshenko and Goodier, Theory of Elasticity, article 40).
    """
    return 20.0 / (24.0 - 9.0 * poisson_ratio)


def neutral_length(height: float, material: Material) -> float:
    """Reference length of a line contact whose approach counts from the depth d = h/2, m.

    Under Hertz's pressure the surface comes nearer to that depth of a half plane by
    2 F/(pi E*) (ln(2 d/a) - nu/(2 (1 - nu))) (Johnson, Contact Mechanics, 5.6); a strip of length l has
    ln(2 l/a) + 1/2 in the bracket, so that l = d exp(-1/(2 (1 - nu))).
    """
    return 0.5 * height * math.exp(-0.5 / (1.0 - material.poisson_ratio))
