"""The equation of stick and slip on the elements of a window, and its solution.

Find tractions |p| <= g and rigid shifts c with s = B p + k + sum c_m R_m, s = 0 where |p| < g, and
p = -g s/|s| where the elements slip.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from traction.contact.stick_slip.kernels.sliding_states import Sliding, SlidingRule
from traction.contact.stick_slip.rigid_slip import RigidSlip

NONE = np.zeros((0, 2, 1, 1))

Arrays = tuple[np.ndarray, ...]
Iterated = tuple[list[float], int]  #: errors of the steps, none where it gave up, and products
#: Newton's method in one piece: changes traction, slip and shifts, given bound, rho and own influence;
#: states, normals and weights; rigid slips and forces of shifts, given and largest forces; and a tolerance
CompiledNewton = Callable[[Arrays, Arrays, Arrays, Arrays, float], Iterated]


class RollingWaves(NamedTuple):
    """B of steady rolling and its approximate inverse as sums of waves, for compiled steps."""

    #: tables and factor; the part of the contact to which each row belongs, and how much these interact
    influence: tuple[tuple[np.ndarray, ...], float, np.ndarray, np.ndarray]
    inverse: tuple[tuple[np.ndarray, ...], np.float32]  #: tables and factor


def combine_fields(shares: Iterable[float], fields: np.ndarray) -> np.ndarray:
    """Sum of fields, (M, ...), times shares; by far quicker than a tensor product where M is 3."""
    total = np.zeros(fields.shape[1:])
    for share, one in zip(shares, fields, strict=True):
        if share != 0.0:
            total += share * one
    return total


@dataclass(frozen=True, eq=False)
class SlipEquation:
    """Equation for tractions and slips on the elements of a window; fields are (2, ny, nx)."""

    bound: np.ndarray  #: g, Pa, (ny, nx); zero outside the contact. With a rule, the largest that it allows
    known: np.ndarray  #: k, m: slip that does not depend on the unknown tractions
    product: Callable[[np.ndarray], np.ndarray]  #: B
    inverse: Callable[[np.ndarray], np.ndarray]  #: approximate inverse of the half space, a preconditioner
    own: np.ndarray  #: B of each element on itself, m/Pa, (2, ny, nx)
    #: Pa/m, (ny, nx), any; the method converges best with about the inverse of the largest B
    rho: np.ndarray
    upstream: int = 0  #: where the neighbour upstream lies, +1 or -1; 0 where B is the half space itself
    rigid: np.ndarray = field(default_factory=lambda: NONE)  #: R_m, unknown rigid slips, (M, 2, ny, nx)
    resultants: np.ndarray = field(default_factory=lambda: NONE)  #: tractions to given forces, (M, 2, ny, nx)
    given: np.ndarray = field(default_factory=lambda: np.zeros(0))  #: these forces, (M,)
    rule: SlidingRule | None = None  #: by which the bound depends on the slip
    waves: RollingWaves | None = None  #: on a small window
    newton: CompiledNewton | None = None  #: of a step on a small window; not for a rule

    @cached_property
    def scale(self) -> np.ndarray:
        """Slip equivalent to a unit of each force: that of an element under the mean traction, (M,)."""
        areas = self._areas.sum(axis=1)
        scale: np.ndarray = float(self.own.max()) / np.where(areas > 0.0, areas, 1.0)
        return scale

    @cached_property
    def largest_forces(self) -> np.ndarray:
        """Largest forces that the bounds allow, (M,)."""
        largest: np.ndarray = self._areas @ self.bound.ravel()
        return largest

    @cached_property
    def _areas(self) -> np.ndarray:
        """Largest share of the traction of each element in each force, (M, ny nx)."""
        areas: np.ndarray = np.abs(self.resultants).sum(axis=1).reshape(len(self.resultants), self.bound.size)
        return areas

    @cached_property
    def border(self) -> Arrays:
        """Slips of the shifts and forces of the tractions, (M, 2 ny nx), given and largest forces, (M,).

        Forces are scaled to slips.
        """
        number, scale = len(self.given), self.scale
        rigid, resultants = (
            field.reshape(number, self.known.size) for field in (self.rigid, self.resultants)
        )
        return rigid, scale[:, None] * resultants, scale * self.given, scale * self.largest_forces

    def compute_slip(self, traction: np.ndarray, shifts: np.ndarray) -> np.ndarray:
        """s = B p + k + sum c R, m."""
        total = self.known + combine_fields(shifts, self.rigid)
        return total + self.product(traction) if traction.any() else total

    def sum_forces(self, traction: np.ndarray) -> np.ndarray:
        """Forces of the tractions, (M,)."""
        return self.resultants.reshape(len(self.given), traction.size) @ traction.ravel()

    def force_error(self, traction: np.ndarray) -> float:
        """Largest error of a given force, relative to the largest possible one; 0 where none is given."""
        if not self.given.size:
            return 0.0
        errors = np.abs(self.sum_forces(traction) - self.given) / self.largest_forces
        return float(errors.max())

    def prescribe_slip(self, fields: np.ndarray, rigid: RigidSlip, cell_area: float) -> SlipEquation:
        """The same with the given rigid slip inserted, and the rest unknown.

        `fields` are the slips of a unit of x, y and rotation, (3, 2, ny, nx).
        """
        given, unknown = rigid.complete((0.0, 0.0)), list(rigid.unknown)
        known = self.known + combine_fields(given, fields)
        if not unknown:
            return replace(self, known=known, rigid=fields[:0])
        resultants = np.zeros((2, 2, *self.bound.shape))
        resultants[0, 0] = resultants[1, 1] = cell_area
        return replace(
            self,
            known=known,
            rigid=fields[unknown],
            resultants=resultants[unknown],
            given=np.array([rigid.force[k] for k in unknown], dtype=float),
        )

    def with_shifts(self, shifts: np.ndarray) -> SlipEquation:
        """The same with the rigid shifts given instead of their forces."""
        known = self.known + combine_fields(shifts, self.rigid)
        return replace(self.without_forces(), known=known)

    def without_forces(self) -> SlipEquation:
        """The same without unknown rigid slip: forces are free."""
        nothing = self.rigid[:0]
        return replace(self, rigid=nothing, resultants=nothing, given=np.zeros(0))


@dataclass(frozen=True, eq=False)
class StickSlip:
    """A solution, or the last iterate."""

    traction: np.ndarray  #: Pa
    slip: np.ndarray  #: m
    shifts: np.ndarray  #: c, of the rigid shifts that were not given
    stick: np.ndarray  #: (ny, nx)
    residuals: tuple[float, ...]  #: violation over the largest bound, per Newton step
    products: int
    converged: bool
    sliding: Sliding | None = None  #: bounds and memories, where these depend on the slip
