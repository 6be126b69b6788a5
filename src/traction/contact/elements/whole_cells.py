"""The classical discretisation: slip at the element centres, displacements by exact influence coefficients.

It is that of Kalker's program CONTACT, digit for digit. Steady rolling goes by one element per step, and the
rotation of the rigid slip is taken at x + dq/6.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.contact.elements.friction_step import FrictionStep, fill_rigid_fields
from traction.contact.stick_slip.slip_equation import SlipEquation
from traction.halfspace.half_space import HalfSpace
from traction.halfspace.tangential_influence import TangentialInfluence, TangentialInverse

SPIN_OFFSET = 1.0 / 6.0  #: of the step, at which the rigid slip of rotation is taken


@dataclass(frozen=True, eq=False)
class WholeCellRolling(FrictionStep):
    """Steady rolling by steps of one element in the direction +1 or -1 along x."""

    direction: int = 1

    @cached_property
    def equation(self) -> SlipEquation:
        """s = A p - A' p + W over a step dq = dx, where A' is seen from one element upstream."""
        patch, grid = self.patch, self.patch.grid
        half_space = HalfSpace(grid, patch.pair)
        influence = TangentialInfluence(half_space, grid.shape, beyond=1)
        ahead = 2 if self.direction > 0 else 0

        def over_a_step(u: np.ndarray) -> np.ndarray:
            return u[:, :, 1:-1] - u[:, :, ahead : ahead + grid.nx]

        own = _spread_over(influence.own - influence.next, grid.shape)
        equation = SlipEquation(
            bound=patch.bound,
            known=over_a_step(patch.displace_by_pressure(beyond=1)),
            product=lambda traction: over_a_step(influence.product(traction)),
            inverse=TangentialInverse(half_space, grid.shape),
            own=own,
            rho=2.0 / own.sum(axis=0),
            upstream=self.direction,
        )
        return equation.prescribe_slip(self.rigid_fields, self.rigid, grid.cell_area)

    @property
    def rigid_fields(self) -> np.ndarray:
        """Slip over a step of a unit of each creepage."""
        return _offset_fields(self, self.patch.grid.dx, self.direction)


@dataclass(frozen=True, eq=False)
class WholeCellStep(FrictionStep):
    """A step from earlier displacements (m, (2, ny, nx)): a shift, or transient rolling."""

    earlier: np.ndarray | None = None
    distance: float = 1.0  #: rolled in the step, m, by which creepages are multiplied; 1 for a shift
    direction: int = 0  #: of rolling, +1 or -1; 0 for a shift

    @cached_property
    def equation(self) -> SlipEquation:
        """s = A p - earlier + W."""
        patch, grid = self.patch, self.patch.grid
        half_space = HalfSpace(grid, patch.pair)
        influence = TangentialInfluence(half_space, grid.shape)
        own = _spread_over(influence.own, grid.shape)
        equation = SlipEquation(
            bound=patch.bound,
            known=patch.displace_by_pressure() - (0.0 if self.earlier is None else self.earlier),
            product=influence.product,
            inverse=TangentialInverse(half_space, grid.shape),
            own=own,
            rho=choose_step_rho(own, int(np.count_nonzero(patch.bound))),
        )
        return equation.prescribe_slip(self.rigid_fields, self.rigid, grid.cell_area)

    @property
    def rigid_fields(self) -> np.ndarray:
        """Slip of a unit of each shift."""
        return _offset_fields(self, self.distance, self.direction)


def choose_step_rho(own: np.ndarray, elements: int) -> np.ndarray:
    """Rho of a step that is the half space itself, Pa/m, from the own influence of elements, (2, ...), m/Pa.

    It lies between that of the smallest displacement per traction, of a single element, and that of the
    largest, of all of them.
    """
    across = 0.125 * np.sqrt(elements) + 1.0
    rho: np.ndarray = 4.0 / (own.sum(axis=0) * across)
    return rho


def _offset_fields(step: FrictionStep, distance: float, direction: int) -> np.ndarray:
    """Slip of a unit of each part, with the rotation taken some way ahead of the centres."""
    x, y = step.patch.mesh
    return fill_rigid_fields(distance, np.ones_like(x), x + direction * SPIN_OFFSET * distance, y)


def _spread_over(numbers: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Two numbers as a field."""
    return np.broadcast_to(numbers[:, None, None], (2, *shape)).copy()
