"""The linear problem of one Newton step of stick and slip, and its preconditioner."""

from __future__ import annotations

import math

import numpy as np

from traction.contact.stick_slip.flexible_gmres import KrylovSpace, LinearSolution, flexible_gmres
from traction.contact.stick_slip.kernels import krylov_vectors, rigid_border, rolling_step
from traction.contact.stick_slip.kernels import stick_slip_states as kernels
from traction.contact.stick_slip.slip_equation import SlipEquation


class ElementStates:
    """Stick and slip states of the elements, by `classify`."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.state = np.zeros(shape, np.int8)
        self.normal = np.zeros((2, *shape))  #: direction of the tractions in slip
        self.weight = np.zeros(shape)  #: |s|/g in slip
        self.bound = np.zeros(shape)  #: g, Pa

    def classify(self, equation: SlipEquation, traction: np.ndarray, slip: np.ndarray) -> float:
        """Set the states from tractions (Pa) and slips (m).

        Returns the largest violation of the friction law, Pa.
        """
        self.bound = equation.bound
        worst: float = kernels.classify(
            traction, slip, equation.bound, equation.rho, self.state, self.normal, self.weight
        )
        return worst


class LinearStep:
    """Equations for the free components of the tractions and for the rigid shifts, a `LinearSystem`.

    Vectors contain the tractions of the window, (2, ny, nx), and then the shifts, or the residuals likewise.
    """

    def __init__(self, equation: SlipEquation, states: ElementStates) -> None:
        self.equation, self.states = equation, states
        shape, size, number = states.state.shape, 2 * states.state.size, len(equation.given)
        self.shape, self.sizes = (2, *shape), (size + number, size)
        self._work = np.empty(self.shape, dtype=np.float32)
        if equation.upstream:
            self._alone = np.empty_like(self._work)
            self._parts = np.empty((kernels.OCTAVES, *self.shape), dtype=np.float32)
            self._damping, self._shares = np.empty((kernels.OCTAVES, *shape)), np.empty(self.shape)
            kernels.fill_downstream_factors(
                states.state, states.normal, states.weight, equation.own, self._damping, self._shares
            )
        else:
            self._stiffness, self._rest = np.empty(self.shape), np.empty(shape)
            kernels.fill_balance(
                states.state,
                states.normal,
                states.weight,
                equation.own,
                equation.rho,
                self._stiffness,
                self._rest,
            )
        if number:
            self._rigid, self.forces, self._goals, _ = equation.border
            # tractions that a unit of each rigid shift would ask for, and the shifts that bring forces about
            self._pushes = np.empty((number, size))
            for push, rigid in zip(self._pushes, equation.rigid, strict=True):
                self._invert(self.project(rigid), push.reshape(self.shape))
            self._shifts = np.zeros((number, number))
            rigid_border.invert_pushes(self.forces, self._pushes, self._shifts)

    def right_side(self, field: np.ndarray, traction: np.ndarray) -> np.ndarray:
        """Right side b from a field over the window and the error of tractions (Pa) in the given forces."""
        b = np.empty(self.sizes[0])
        b[: field.size] = field.ravel()
        for m in range(self.equation.given.size):
            found = krylov_vectors.scalar_product(self.forces[m], traction.ravel())
            b[field.size + m] = self._goals[m] - found
        return b

    def solve(self, b: np.ndarray, *, tol: float, most: int, space: KrylovSpace) -> LinearSolution:
        """Free tractions and shifts for the right side b, up to a residual of `tol`, and their slip."""
        waves, states = self.equation.waves, self.states
        if waves is None or len(b) > self.sizes[1]:
            return flexible_gmres(self, b, tol=tol, max_iterations=most, space=space)
        size = math.sqrt(krylov_vectors.scalar_product(b, b))
        if size == 0.0:
            return LinearSolution(np.zeros(self.sizes[0]), np.zeros(self.sizes[1]), 0, 0.0)
        space.begin(b, size)
        seen, factors = (states.state, states.normal, states.weight), (self._damping, self._shares)
        count, more = 0, True
        while more:
            if count + 2 > len(space.basis):
                space.grow()
            count, more = rolling_step.solve_rolling_step(
                seen, factors, waves.influence, waves.inverse, self.equation.upstream, space.vectors,
                (tol * size, most), count,
            )  # fmt: skip
        return LinearSolution(*space.combine(count), count, abs(float(space.right[count])) / size)

    def apply(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residual of the step for free tractions and shifts x, and their slip."""
        size, states = self.sizes[1], self.states
        traction, result = x[:size].reshape(self.shape), np.empty(x.size)
        slip = self.equation.product(traction)
        if x.size > size:
            rigid_border.add_rigid_slip(x, self._rigid, self.forces, slip.reshape(size), result)
        kernels.apply_states(
            slip, traction, states.weight, states.state, states.normal, result[:size].reshape(self.shape)
        )
        return result, slip.reshape(size)

    def precondition(self, r: np.ndarray, result: np.ndarray) -> None:
        """Tractions by the approximate inverse, then shifts that balance the forces."""
        size = self.sizes[1]
        self._invert(r[:size].reshape(self.shape), result[:size].reshape(self.shape))
        if r.size > size:
            rigid_border.make_up_forces(r, self.forces, self._pushes, self._shifts, result)

    def _invert(self, slip: np.ndarray, traction: np.ndarray) -> None:
        """Approximate inverse: free tractions for a given slip.

        A step is the half space itself, preconditioned by its inverse between diagonal factors that
        equalise the self-influence of all elements, including the resistance of slipping ones to turning.
        In rolling, it is differentiated along x: slips are summed from the leading edge on before it is
        inverted; slipping elements resist, to long waves less than to short ones.
        """
        state, normal, work = self.states.state, self.states.normal, self._work
        if upstream := self.equation.upstream:
            kernels.split_octaves(slip, self._parts)
            kernels.sweep_downstream(self._parts, state, normal, self._damping, upstream, work, self._alone)
            field = self.equation.inverse(work)
            kernels.blend(field, self._alone, state, normal, self._shares, traction)
        else:
            kernels.scale(slip, state, self._stiffness, work)
            field = self.equation.inverse(work)
            kernels.scale_back(field, slip, state, normal, self._stiffness, self._rest, traction)

    def project(self, field: np.ndarray) -> np.ndarray:
        """Projection of a field on the free components."""
        result = np.empty(self.shape)
        kernels.project(np.ascontiguousarray(field), self.states.state, self.states.normal, result)
        return result
