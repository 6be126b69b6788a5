"""Hertz's pressure between a cylinder and the modes of a body: one unknown, the force."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from traction.app.finite_elements.modal_crossing import FreeStep
from traction.errors import ConvergenceError

MOST = 50  #: corrections of the width
TIGHT = 1e-8  #: of the force, its last correction
LEAST = 1e-6  #: of the weight: below it the cylinder has lifted off


class PressedBody(Protocol):
    """Modes of a body under Hertz's pressure of a force, and what is left of its compliance."""

    @property
    def frequencies(self) -> np.ndarray:
        """Of the modes, rad/s."""
        ...

    @property
    def weight(self) -> float:
        """Of the cylinder, N/m."""
        ...

    def loads(self, place: float, force: float, /) -> np.ndarray:
        """Loads of the modes, which have unit modal masses, per force."""
        ...

    def residual(self, place: float, force: float, /) -> float:
        """Drop of the cylinder per force that the modes do not have, m2/N."""
        ...


class PressureContact:
    """The width of the patch belongs to the force at the end of the step: no lag, and no energy by it."""

    def __init__(self, body: PressedBody) -> None:
        self.body, self.frequencies = body, body.frequencies

    def at_rest(self, place: float, force: float) -> tuple[float, np.ndarray]:
        """Drop of the cylinder (m) under a force, and the loads of the modes."""
        loads = self.body.loads(place, force)
        modal = float(np.sum((loads / self.frequencies) ** 2))
        return (modal + self.body.residual(place, force)) * force, loads * force

    def meet(self, step: FreeStep) -> tuple[float, np.ndarray]:
        """Contact force (N/m) at the end of a step, and the loads of the modes."""
        least = LEAST * self.body.weight
        force = max(step.force, least)
        for _ in range(MOST):
            loads = self.body.loads(step.place, force)
            soft = float(loads @ (step.per_load * loads)) + step.rise + self.body.residual(step.place, force)
            found = (step.drop - float(loads @ step.q)) / soft
            if found <= least and force == least:
                return 0.0, np.zeros_like(loads)
            found, force = force, max(found, least)
            if abs(found - force) <= TIGHT * force:
                return force, force * loads
        raise ConvergenceError(
            f"the patch at {step.place:g} m has no width after {MOST} corrections; use more steps."
        )
