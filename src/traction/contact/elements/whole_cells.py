"""The classical discretisation: slip at the element centres, displacements by exact influence coefficients.

It is that of Kalker's program CONTACT, digit for digit. Steady rolling goes by one element per step, and the
rotation of the rigid slip is taken at x + dq/6.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.rigid_slip import RigidSlip
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip
from traction.halfspace.half_space import HalfSpace
from traction.halfspace.tangential_influence import TangentialInfluence, TangentialInverse

COARSE_TOLERANCE = 3e-2  #: of solutions that only start finer ones
SPIN_OFFSET = 1.0 / 6.0  #: of the step, at which the rigid slip of rotation is taken


@dataclass(frozen=True, eq=False)
class Steady:
    """Steady rolling by steps of one element in the direction +1 or -1 along x."""

    rigid: RigidSlip
    direction: int = 1

    def equation(self, patch: FrictionPatch) -> SlipEquation:
        """s = A p - A' p + W over a step dq = dx, where A' is seen from one element upstream."""
        grid = patch.grid
        half_space = HalfSpace(grid, patch.pair)
        influence = TangentialInfluence(half_space, grid.shape, beyond=1)
        inverse = TangentialInverse(half_space, grid.shape)
        ahead = 2 if self.direction > 0 else 0

        def over_a_step(u: np.ndarray) -> np.ndarray:
            return u[:, :, 1:-1] - u[:, :, ahead : ahead + grid.nx]

        own = _everywhere(influence.own - influence.next, grid.shape)
        equation = SlipEquation(
            bound=patch.bound,
            known=over_a_step(patch.pressed(beyond=1)),
            product=lambda traction: over_a_step(influence.product(traction)),
            inverse=inverse,
            own=own,
            rho=2.0 / own.sum(axis=0),
            upstream=self.direction,
        )
        return with_rigid_slip(equation, patch, self.fields(patch), self.rigid)

    def fields(self, patch: FrictionPatch) -> np.ndarray:
        """Slip over a step of a unit of each creepage."""
        dq = patch.grid.dx
        return rigid_fields(patch, dq, self.direction * SPIN_OFFSET * dq)

    def on(self, patch: FrictionPatch) -> Steady:
        """The same on another patch: whole cells do not depend on it."""
        return self

    def arms(self, patch: FrictionPatch) -> np.ndarray:
        """x at which the force of each element acts, m: its centre."""
        return patch.mesh[0]


@dataclass(frozen=True, eq=False)
class Step:
    """A step from earlier displacements `before` (m, (2, ny, nx)): a shift, or transient rolling."""

    rigid: RigidSlip
    before: np.ndarray | None = None
    distance: float = 1.0  #: rolled in the step, m, by which creepages are multiplied; 1 for a shift
    direction: int = 0  #: of rolling, +1 or -1; 0 for a shift

    def equation(self, patch: FrictionPatch) -> SlipEquation:
        """s = A p - before + W."""
        half_space = HalfSpace(patch.grid, patch.pair)
        influence = TangentialInfluence(half_space, patch.grid.shape)
        inverse = TangentialInverse(half_space, patch.grid.shape)
        own = _everywhere(influence.own, patch.grid.shape)
        before = np.zeros((2, *patch.grid.shape)) if self.before is None else self.before
        equation = SlipEquation(
            bound=patch.bound,
            known=patch.pressed() - before,
            product=influence.product,
            inverse=inverse,
            own=own,
            rho=step_rho(own, int(np.count_nonzero(patch.bound))),
        )
        return with_rigid_slip(equation, patch, self.fields(patch), self.rigid)

    def fields(self, patch: FrictionPatch) -> np.ndarray:
        """Slip of a unit of each shift."""
        return rigid_fields(patch, self.distance, self.direction * SPIN_OFFSET * self.distance)

    def on(self, patch: FrictionPatch) -> Step:
        """The same on another patch of the same window."""
        return self

    def arms(self, patch: FrictionPatch) -> np.ndarray:
        """x at which the force of each element acts, m: its centre."""
        return patch.mesh[0]


def step_rho(own: np.ndarray, elements: int) -> np.ndarray:
    """Rho of a step that is the half space itself, Pa/m, from the own influence of elements, (2, ...), m/Pa.

    It lies between that of the smallest displacement per traction, of a single element, and that of the
    largest, of all of them.
    """
    across = 0.125 * np.sqrt(elements) + 1.0
    rho: np.ndarray = 4.0 / (own.sum(axis=0) * across)
    return rho


def _everywhere(numbers: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Two numbers as a field."""
    return np.broadcast_to(numbers[:, None, None], (2, *shape)).copy()


def rigid_fields(patch: FrictionPatch, scale: float, spin_at: float) -> np.ndarray:
    """Slip of a unit of x, y and rotation over a step, (3, 2, ny, nx); w = (xi - phi y, eta + phi x)."""
    x, y = patch.mesh
    one, zero = np.ones(patch.grid.shape), np.zeros(patch.grid.shape)
    return scale * np.array([[one, zero], [zero, one], [-y, x + spin_at]])


def with_rigid_slip(
    equation: SlipEquation, patch: FrictionPatch, fields: np.ndarray, rigid: RigidSlip
) -> SlipEquation:
    """The equation with what is given of the rigid slip put in, and the rest as unknown."""
    given = [0.0 if part is None else part for part in rigid.shift]
    resultants = np.zeros((2, 2, *patch.grid.shape))
    resultants[0, 0] = resultants[1, 1] = patch.grid.cell_area
    unknown = list(rigid.unknown)
    return replace(
        equation,
        known=equation.known + np.tensordot(given, fields, axes=1),
        rigid=fields[unknown],
        resultants=resultants[unknown],
        given=np.array([rigid.force[k] for k in unknown], dtype=float),
    )


class Discretisation(Protocol):
    """Anything that makes the equation of a patch."""

    def equation(self, patch: FrictionPatch) -> SlipEquation: ...  # noqa: D102
    def fields(self, patch: FrictionPatch) -> np.ndarray: ...  # noqa: D102
    def on(self, patch: FrictionPatch) -> Discretisation: ...  # noqa: D102
    def arms(self, patch: FrictionPatch) -> np.ndarray: ...  # noqa: D102


def solve_nested(
    discretisation: Discretisation,
    patch: FrictionPatch,
    *,
    tol: float,
    equation: SlipEquation | None = None,
) -> StickSlip:
    """The solution on the patch, started from that on coarser ones; `equation` where it is known."""
    coarse = patch.coarser()
    start = None
    if coarse is not None and coarse.bound.any():
        answer = solve_nested(discretisation, coarse, tol=COARSE_TOLERANCE)
        if answer.converged:
            start = patch.refined(answer.traction, coarse), answer.shifts
    return solve_stick_slip(equation or discretisation.equation(patch), tol=tol, start=start)
