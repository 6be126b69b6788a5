"""`FrictionStep`: the equation of slip on a window of elements, and the transfer to the grid."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.interface import Carried
from traction.contact.stick_slip.lagged_friction import AT_REST, Unrest
from traction.contact.stick_slip.newton_iteration import Start, iterate_any_rho
from traction.contact.stick_slip.rigid_slip import RigidSlip
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip

COARSE_TOLERANCE = 3e-2  #: of solutions that only start finer ones


@dataclass(frozen=True, eq=False)
class FrictionStep(ABC):
    """A step of friction. Fields are over its window of elements, (..., ny, nx), or over the contact's grid.

    Unless a subclass overrides it, its elements are cells of the contact's own grid, on the window of a
    patch that moves with the contact, and it starts from constant displacements.
    """

    patch: FrictionPatch  #: the contact at the end of the step
    rigid: RigidSlip  #: given, or to be found

    @property
    @abstractmethod
    def equation(self) -> SlipEquation:
        """The equation for the tractions on the window."""

    @property
    @abstractmethod
    def rigid_fields(self) -> np.ndarray:
        """Slip of a unit of each part of the rigid slip, m, (3, 2, ny, nx)."""

    @property
    def memory(self) -> object:
        """Start of the step; see `remember`."""
        return None

    @property
    def averages(self) -> bool:
        """Whether fields over the grid are means of several elements."""
        return False

    @property
    def window_arms(self) -> np.ndarray:
        """x at which the force of each element acts, m: its centre."""
        return self.patch.mesh[0]

    @cached_property
    def arms(self) -> np.ndarray:
        """x at which the force of each cell of the grid acts, m."""
        arms = (self.patch.whole or self.patch.grid).mesh()[0].copy()
        arms[self.patch.window] = self.window_arms
        return arms

    def move_to(self, patch: FrictionPatch) -> Self:
        """The same on another patch."""
        return replace(self, patch=patch)

    def measure_slip(self, answer: StickSlip) -> tuple[np.ndarray, object]:
        """Slip over the step by a separate product, m, and the part of that product that `remember` takes."""
        return self.equation.compute_slip(answer.traction, answer.shifts), None

    def dissipate(self, answer: StickSlip, slip: np.ndarray) -> np.ndarray:
        """Work of friction over the step, J/m2, (ny, nx): tractions at its end on the slip, never below 0."""
        work: np.ndarray = np.maximum(0.0, -(answer.traction * slip).sum(axis=0))
        return work

    def place_work(self, work: np.ndarray) -> np.ndarray:
        """Work of the window over the grid, where it was done."""
        return self.share_out(work[None])[0]

    def share_out(self, traction: np.ndarray) -> np.ndarray:
        """Tractions of the window over the grid."""
        return self.patch.place_on_grid(traction)

    def average(self, fields: np.ndarray) -> np.ndarray:
        """Means of fields of the window over the cells of the grid."""
        return self.patch.place_on_grid(fields)

    def bring_to_grid(self, traction: np.ndarray, fields: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """`share_out` of tractions, and `average` of other fields."""
        return self.share_out(traction), self.average(fields)

    def find_demand(self, traction: np.ndarray, creepage: Sequence[float]) -> np.ndarray | None:
        """What elements are taken to stick and glide by; None where the equation does not depend on it."""
        return None

    def vary_demand(self, change: np.ndarray) -> Self | None:
        """The step as the demand changes; None where that changes nothing."""
        return None

    def repeat_at(self, contact: NormalContact, memory: object) -> Self:
        """The same step to another pressure, from another memory.

        Its elements are held, which need not be those in contact.
        """
        return self.move_to(self.patch.hold_elements(self.patch.bound_under(contact.pressure)))

    def last_longer(self, part: int | None, force: float, size: float) -> FrictionStep:
        """The step with its duration for a part of the rigid slip that grows by `size`, slips apart.

        The normal force grows by `size` times `force`. Itself, where the duration does not change.
        """
        return self

    def remember(self, traction: np.ndarray, product: object = None) -> object:
        """Start of a following step, with these tractions and what `measure_slip` found of them."""
        return None

    def count_unrest(self, speed: np.ndarray) -> Unrest:
        """The unrest after the step, by its slip speeds (m/s, 0 where it sticks)."""
        return AT_REST

    def keep_memory(self, start: object, remembered: Carried | None) -> object:
        """Start of a following step with the memory of friction on the window, where it has one."""
        return start

    def differentiate_share(
        self, nearby: Sequence[Self], traction: np.ndarray, rate: np.ndarray, size: float
    ) -> np.ndarray:
        """Rate of the shared tractions for a rate of tractions.

        `nearby` are steps `size` away on either side.
        """
        return self.share_out(rate)


def fill_rigid_fields(scale: float, one: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Slip of a unit of x, y and rotation at positions, (3, 2, ny, nx): scale (xi - phi y, eta + phi x).

    `one` is 1 on the elements of the window.
    """
    fields = np.zeros((3, 2, *one.shape))
    fields[0, 0] = fields[1, 1] = scale * one
    fields[2, 0], fields[2, 1] = -scale * y, scale * x
    return fields


def solve_nested(step: FrictionStep, *, tol: float, brief: bool = False) -> StickSlip:
    """The solution of a step, started from coarser patches; without fallbacks where it is to be `brief`."""
    return solve_stick_slip(step.equation, tol=tol, start=_begin_coarse(step), brief=brief)


def _begin_coarse(step: FrictionStep) -> Start | None:
    """Tractions and shifts of a coarser patch, where these are easy to find."""
    coarse = step.patch.coarsen()
    if coarse is None or not coarse.bound.any():
        return None
    wide = step.move_to(coarse)
    # where friction falls steeply, what large elements hold says little about small ones
    solve = solve_stick_slip if wide.equation.rule is None else iterate_any_rho
    answer = solve(wide.equation, tol=COARSE_TOLERANCE, start=_begin_coarse(wide))
    return (step.patch.refine(answer.traction, coarse), answer.shifts) if answer.converged else None
