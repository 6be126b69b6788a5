"""The linear problem of a Newton step where the bound of slipping elements depends on their slip.

Beside what is free in stick and slip (`linear_step`), the traction of a slipping element changes along n by
that of its bound: n.dp - dg(ds) = g - n.p, where dg follows the slip of the element and, through its memory,
that of all elements upstream.
"""

from __future__ import annotations

import numpy as np

from traction.contact.stick_slip.kernels import sliding_states as kernels
from traction.contact.stick_slip.kernels.sliding_states import Sliding
from traction.contact.stick_slip.linear_step import ElementStates, LinearStep
from traction.contact.stick_slip.slip_equation import SlipEquation


class SlidingStates(ElementStates):
    """Stick and slip states at bounds that depend on the slip."""

    def __init__(self, shape: tuple[int, int]) -> None:
        super().__init__(shape)
        bound, mu, yielding, plastic = (np.zeros(shape) for _ in range(4))
        self.sliding = Sliding(bound, mu, yielding, plastic, np.zeros((8, *shape)))

    def classify(self, equation: SlipEquation, traction: np.ndarray, slip: np.ndarray) -> float:
        """Set the states from tractions (Pa) and slips (m); returns the largest violation of the law, Pa."""
        self.bound = self.sliding.bound
        worst: float = kernels.classify_sliding(
            traction, slip, equation.rule, equation.rho, self.state, self.normal, self.weight, self.sliding
        )
        return worst


class SlidingStep(LinearStep):
    """Equations for free components, for the bounds of slipping elements and for the rigid shifts."""

    states: SlidingStates

    def __init__(self, equation: SlipEquation, states: SlidingStates) -> None:
        self._along = np.empty(states.state.shape)
        rates = states.sliding.rates
        hardens = np.maximum(0.0, rates[5] * rates[7]) * equation.own.mean(axis=0)
        # what flows and hardens resists by that as well
        self._compliance, self._stiffness_scale = 1.0 / equation.rho, equation.rho / (1.0 + hardens)
        assert equation.rule is not None
        self._upstream = equation.rule.upstream
        super().__init__(equation, states)

    def apply(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residual of the step for tractions and shifts x, and their slip."""
        result, slip = super().apply(x)
        size, state, normal = self.sizes[1], self.states.state, self.states.normal
        field, traction = result[:size].reshape(self.shape), x[:size].reshape(self.shape)
        self.add_bounds(slip.reshape(self.shape), field, -1.0)
        kernels.take_along_normal(traction, state, normal, self._along)
        # the residual of what is free counts the weight of all tractions
        kernels.add_along_normal(self._along, self._compliance - self.states.weight, state, normal, field)
        return result, slip

    def project(self, field: np.ndarray) -> np.ndarray:
        """What a slip leaves to be made up for: its free components, and the bounds that it changes."""
        result = super().project(field)
        self.add_bounds(field, result, -1.0)
        return result

    def add_bounds(self, slip: np.ndarray, result: np.ndarray, sign: float) -> None:
        """Add to a residual, along n and as a slip, the change of the bounds by a slip."""
        states = self.states
        kernels.follow_slip(
            np.ascontiguousarray(slip),
            self._upstream,
            states.state,
            states.normal,
            states.sliding.rates,
            self._along,
        )
        kernels.add_along_normal(self._along, sign * self._compliance, states.state, states.normal, result)

    def _invert(self, slip: np.ndarray, traction: np.ndarray) -> None:
        """Approximate inverse: free tractions for a slip, and those along n for changes of the bounds."""
        super()._invert(super().project(slip), traction)
        state, normal = self.states.state, self.states.normal
        kernels.take_along_normal(slip, state, normal, self._along)
        kernels.add_along_normal(self._along, self._stiffness_scale, state, normal, traction)
