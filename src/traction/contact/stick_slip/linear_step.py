"""The linear problem of one Newton step of stick and slip, and what preconditions it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from traction.contact.stick_slip.kernels import stick_slip_states as kernels

if TYPE_CHECKING:
    from traction.contact.stick_slip.stick_slip_solver import SlipEquation


class LinearStep:
    """Equations for the free components of the tractions and for the rigid shifts.

    Vectors hold the tractions of the window, (2, ny, nx), and then the shifts, or the residuals likewise.
    """

    def __init__(
        self, equation: SlipEquation, state: np.ndarray, normal: np.ndarray, weight: np.ndarray
    ) -> None:
        self.equation, self.state, self.normal, self.weight = equation, state, normal, weight
        self.shape = (2, *state.shape)
        self.size = 2 * state.size
        number = len(equation.given)
        self.scale = equation.scale
        self._resultants = self.scale[:, None] * equation.resultants.reshape(number, self.size)
        self._rigid = equation.rigid.reshape(number, self.size)
        self._work = np.empty(self.shape, dtype=np.float32)
        states = state, normal, weight
        if equation.upstream:
            self._damping, self._shares = np.empty((kernels.OCTAVES, *state.shape)), np.empty(self.shape)
            kernels.downstream_factors(states, equation.own, self._damping, self._shares)
        else:
            self._stiffness, self._rest = np.empty(self.shape), np.empty(state.shape)
            kernels.balance(states, equation.own, equation.rho, self._stiffness, self._rest)
        # tractions that a unit of each rigid shift would ask for, and the shifts that bring forces about
        self._pushes = np.array([self._tractions(self.free(rigid)).ravel() for rigid in equation.rigid])
        if number:
            self._shifts = _inverse(self._resultants @ self._pushes.T)

    def apply(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residual of the step for free tractions and shifts x, and the slip they make."""
        size, result = self.size, np.empty(x.size)
        traction = x[:size].reshape(self.shape)
        slip = self.equation.product(traction)
        if x.size > size:
            slip = slip + (x[size:] @ self._rigid).reshape(self.shape)
            np.matmul(self._resultants, x[:size], out=result[size:])
        kernels.free_and_weighted(
            slip, traction, self.weight, self.state, self.normal, result[:size].reshape(self.shape)
        )
        return result, slip

    def precondition(self, r: np.ndarray) -> np.ndarray:
        """Tractions, then shifts that make up the forces, by the approximate inverse."""
        size = self.size
        traction = self._tractions(r[:size].reshape(self.shape)).ravel()
        if r.size == size:
            return traction
        result = np.empty(r.size)
        result[size:] = self._shifts @ (self._resultants @ traction - r[size:])
        np.subtract(traction, result[size:] @ self._pushes, out=result[:size])
        return result

    def _tractions(self, slip: np.ndarray) -> np.ndarray:
        """About the free tractions that bring about a slip.

        A step is the half space itself, preconditioned by its inverse between diagonal factors that make the
        own influence of all elements the same, that of slip with its resistance to turning. In rolling, it
        is differentiated along x: slips are summed up from the leading edge on before it is inverted; where
        elements slip they hold back, long waves less than short ones.
        """
        equation, work, traction = self.equation, self._work, np.empty(self.shape)
        states = self.state, self.normal, self.weight
        if equation.upstream:
            alone = np.empty_like(work)
            kernels.swept_downstream(slip, states, self._damping, equation.upstream, work, alone)
            kernels.blended(equation.inverse(work), alone, states, self._shares, traction)
        else:
            kernels.scaled(slip, self.state, self._stiffness, work)
            field, factors = equation.inverse(work), (self._stiffness, self._rest)
            kernels.scaled_back(field, slip, states[:2], *factors, traction)
        return traction

    def free(self, field: np.ndarray) -> np.ndarray:
        """What of a field belongs to free components."""
        result = np.empty(self.shape)
        kernels.project(np.ascontiguousarray(field), self.state, self.normal, result)
        return result


def _inverse(matrix: np.ndarray) -> np.ndarray:
    """Inverse of a small matrix, as far as it has one."""
    if matrix.size == 1:
        return np.array([[1.0 / matrix[0, 0] if matrix[0, 0] != 0.0 else 0.0]])
    return np.linalg.pinv(matrix, rcond=1e-12)
