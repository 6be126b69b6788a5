"""A step of friction as its elements pose it: the equation of slip on a window, and its way back to the grid.

`FrictionStep` is what all discretisations share; `PatchStep` is a step by elements of the contact's own grid.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Protocol, Self

import numpy as np

from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.rigid_slip import RigidSlip
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip

COARSE_TOLERANCE = 3e-2  #: of solutions that only start finer ones


class FrictionStep(Protocol):
    """A step of friction. Fields are over its window of elements, (..., ny, nx), or over the contact's grid.

    1. `equation` is that of the tractions on the window, for the `rigid` slip that is given or to be found;
       `rigid_fields` are the slips of a unit of x, y and rotation, m, (3, 2, ny, nx).
    2. `measure_slip` computes the slip by a product of its own, m, and what `remember` takes of that product.
    3. `share_out` spreads tractions over the grid, where forces act at `arms` (x, m); `average` takes means.
    4. A step begins from its `memory`, and `remember` is what the next one begins from. `displace` is what
       tractions at the end of the step before displace the elements of this one by, m.
    5. For derivatives, `repeat_at` is the same step to another pressure from another memory, and
       `differentiate_share` the rate of `share_out` between two `nearby` ones, `size` away on either side.
    """

    @property
    def rigid(self) -> RigidSlip: ...  # noqa: D102
    @property
    def patch(self) -> FrictionPatch: ...  # noqa: D102
    @property
    def memory(self) -> object: ...  # noqa: D102
    @property
    def equation(self) -> SlipEquation: ...  # noqa: D102
    @property
    def rigid_fields(self) -> np.ndarray: ...  # noqa: D102
    @property
    def arms(self) -> np.ndarray: ...  # noqa: D102

    def measure_slip(self, answer: StickSlip) -> tuple[np.ndarray, np.ndarray | None]: ...  # noqa: D102
    def share_out(self, traction: np.ndarray) -> np.ndarray: ...  # noqa: D102
    def average(self, fields: np.ndarray) -> np.ndarray: ...  # noqa: D102
    def displace(self, traction: np.ndarray) -> np.ndarray: ...  # noqa: D102
    def remember(self, traction: np.ndarray, displacement: np.ndarray | None = None) -> object: ...  # noqa: D102
    def repeat_at(self, contact: NormalContact, memory: object) -> Self: ...  # noqa: D102
    def differentiate_share(  # noqa: D102
        self, nearby: Sequence[Self], traction: np.ndarray, rate: np.ndarray, size: float
    ) -> np.ndarray: ...


@dataclass(frozen=True, eq=False)
class PatchStep(ABC):
    """A step by elements of the contact's own grid, on the window of a patch that moves with the contact."""

    patch: FrictionPatch
    rigid: RigidSlip
    memory: ClassVar[None] = None  #: displacements before the step do not change

    @property
    @abstractmethod
    def equation(self) -> SlipEquation:
        """The equation for the tractions on the window."""

    @property
    @abstractmethod
    def rigid_fields(self) -> np.ndarray:
        """Slip of a unit of each part of the rigid slip, m, (3, 2, ny, nx)."""

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

    def measure_slip(self, answer: StickSlip) -> tuple[np.ndarray, None]:
        """Slip over the step by a product of its own, m."""
        equation, rigid = self.equation, np.tensordot(answer.shifts, self.equation.rigid, axes=1)
        return equation.product(answer.traction) + equation.known + rigid, None

    def share_out(self, traction: np.ndarray) -> np.ndarray:
        """Tractions of the window over the grid."""
        return self.patch.place_on_grid(traction)

    def average(self, fields: np.ndarray) -> np.ndarray:
        """Fields of the window over the grid: elements are its cells."""
        return self.patch.place_on_grid(fields)

    def repeat_at(self, contact: NormalContact, memory: object) -> Self:
        """The same step to another pressure; its elements are held, which need not be those in contact."""
        return self.move_to(self.patch.hold_elements(self.patch.friction * contact.pressure))

    def displace(self, traction: np.ndarray) -> np.ndarray:
        """A step of its own follows no other one."""
        return np.zeros_like(traction)

    def remember(self, traction: np.ndarray, displacement: np.ndarray | None = None) -> None:
        """Nothing that changes."""
        return self.memory

    def differentiate_share(
        self, nearby: Sequence[Self], traction: np.ndarray, rate: np.ndarray, size: float
    ) -> np.ndarray:
        """Rate over the grid: the elements stay."""
        return self.share_out(rate)


def fill_rigid_fields(scale: float, one: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Slip of a unit of x, y and rotation at places, (3, 2, ny, nx): scale (xi - phi y, eta + phi x).

    `one` is 1 on the elements of the window.
    """
    zero = np.zeros_like(one)
    return scale * np.array([[one, zero], [zero, one], [-y, x]])


def solve_nested(step: PatchStep, *, tol: float) -> StickSlip:
    """The solution of a step, started from that on coarser patches."""
    coarse = step.patch.coarsen()
    start = None
    if coarse is not None and coarse.bound.any():
        answer = solve_nested(step.move_to(coarse), tol=COARSE_TOLERANCE)
        if answer.converged:
            start = step.patch.refine(answer.traction, coarse), answer.shifts
    return solve_stick_slip(step.equation, tol=tol, start=start)
