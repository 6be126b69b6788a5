"""`SecondOrderSystem`: M a + C v + K q = f(t, q, v), described and checked."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.integrators.core.matrices import (
    Matrix,
    MatrixInput,
    SingularError,
    factor,
    is_positive_definite,
    matrix,
)


@dataclass(frozen=True, eq=False)
class SecondOrderSystem:
    """Mechanical system M a + C v + K q = f(t, q, v) with its initial state.

    Parameters
    ----------
    mass
        M: a number (times the unit matrix), a vector (diagonal), a square array, `tr.Banded`,
        scipy.sparse, or a function of q. Units are yours, but consistent.
    force
        f(t, q, v), f(t, q), f(t) or None; takes and returns numbers where q0 is one, otherwise vectors. A
        function compiled by numba lets small systems run wholly in compiled code. An attribute `memory`
        (a dict of arrays) is saved and restored with the state.
    q0
        Initial coordinates: a number, or a vector.
    v0
        Initial velocities.
    damping, stiffness
        C and K, in the forms of `mass`; None for zero.
    jacobian
        jacobian(t, q, v) returns df/dq, or (df/dq, df/dv); finite differences by default.
    energy
        Potential energy of the force, energy(q), with force(t, q, 0) = -d(energy)/dq; or the total energy
        of the system, energy(q, v) or energy(t, q, v).
    gap
        gap(t, q), distance of bodies that may touch, one number or several; `tr.integrate` locates their
        zeros and turning points.
    ballistic
        Accelerations are constant while all gaps are open: free flight is then exact with every method.
    mean_force
        mean_force(t, q, q1) returns a mean F of the force between two states and dF/dq1, with
        F (q1 - q) = energy(q) - energy(q1); used by the energy-conserving method.

    Raises
    ------
    InputError
        If shapes or signatures do not fit, or the mass is not positive definite.

    Examples
    --------
    A ball that falls on a spring:

    >>> system = tr.SecondOrderSystem(
    ...     mass=1.0, force=lambda t, q: -9.81 + max(0.0, -1e4 * q), q0=0.1, gap=lambda t, q: q
    ... )
    >>> h = tr.integrate(system, "rk4", t_end=0.3)
    >>> print(f"first contact at {h.contacts[0].start:.4f} s")
    first contact at 0.1428 s
    """

    mass: MatrixInput | Callable[..., MatrixInput]
    force: Callable[..., object] | None
    q0: ArrayLike
    v0: ArrayLike = 0.0
    damping: MatrixInput | None = None
    stiffness: MatrixInput | None = None
    jacobian: Callable[..., object] | None = None
    energy: Callable[..., object] | None = None
    gap: Callable[..., ArrayLike] | None = None
    ballistic: bool = False
    mean_force: Callable[..., tuple[ArrayLike, object]] | None = None

    def __post_init__(self) -> None:
        q0 = checks.finite_array("q0", self.q0).reshape(np.shape(self.q0))  # a number stays one
        if q0.ndim > 1 or q0.size == 0:
            raise InputError(f"q0 has shape {q0.shape}, expected a number or a vector of at least one.")
        v0 = checks.finite_array("v0", self.v0).reshape(np.shape(self.v0))
        if v0.ndim == 0 and q0.ndim == 1:
            v0 = np.full(q0.shape, float(v0))
        if v0.shape != q0.shape:
            raise InputError(f"v0 has shape {v0.shape}, expected {q0.shape}, the shape of q0.")
        checks.keep(self, q0=q0.copy(), v0=v0.copy())
        for name in ("force", "jacobian", "energy", "gap", "mean_force"):
            value = getattr(self, name)
            if value is not None and not callable(value):
                raise InputError(f"{name} = {checks.shown(value)} must be a function.")
        if self.force is not None and self.force_arguments not in (1, 2, 3):
            raise InputError("force must take (t), (t, q) or (t, q, v).")
        if self.energy is not None and self.energy_arguments not in (1, 2, 3):
            raise InputError("energy must take (q), (q, v) or (t, q, v).")
        for name, arguments in (
            ("jacobian", "t, q, v"), ("gap", "t, q"), ("mass", "q"), ("mean_force", "t, q, q1")
        ):  # fmt: skip
            value = getattr(self, name)
            if callable(value) and not takes(value, arguments.count(",") + 1):
                raise InputError(f"{name} must take ({arguments}).")
        if self.mean_force is not None and (self.is_scalar or self.force_arguments == 3):
            raise InputError("mean_force is for several coordinates and a force(t, q) without velocities.")
        if checks.flag("ballistic", self.ballistic) and self.gap is None:
            raise InputError("ballistic = True needs a gap, which shows when the bodies are separated.")
        if callable(self.mass):
            _require_regular(matrix("mass(q0)", self.mass(self._public(self.start[0])), self.size))
        else:
            _require_regular(self.mass_matrix)
        self.damping_matrix, self.stiffness_matrix  # noqa: B018  checked now, kept for later

    @property
    def size(self) -> int:
        """Number of degrees of freedom."""
        return int(np.size(self.q0))

    @property
    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Initial coordinates and velocities, as vectors."""
        return np.array(self.q0, dtype=float).reshape(-1), np.array(self.v0, dtype=float).reshape(-1)

    @property
    def is_scalar(self) -> bool:
        """Whether q is a number."""
        return np.ndim(self.q0) == 0

    @cached_property
    def mass_matrix(self) -> Matrix:
        """M, if it is constant."""
        return matrix("mass", self.mass, self.size)

    @cached_property
    def damping_matrix(self) -> Matrix | None:
        """C, or None."""
        return None if self.damping is None else matrix("damping", self.damping, self.size)

    @cached_property
    def stiffness_matrix(self) -> Matrix | None:
        """K, or None."""
        return None if self.stiffness is None else matrix("stiffness", self.stiffness, self.size)

    @cached_property
    def force_arguments(self) -> int:
        """Number of arguments of the force, of t, q, v; 0 without a force."""
        return 0 if self.force is None else arity(self.force)

    @cached_property
    def energy_arguments(self) -> int:
        """Number of arguments of the energy: 1 potential of the force, 2 and 3 total energy."""
        return 0 if self.energy is None else arity(self.energy)

    @property
    def is_linear(self) -> bool:
        """Whether the force is at most a load over time."""
        return self.force_arguments <= 1 and not callable(self.mass)

    def _public(self, q: np.ndarray) -> Any:
        """A vector in the form of the user's functions."""
        return float(q[0]) if self.is_scalar else q


def arity(function: Callable[..., object], default: int = 3) -> int:
    """Number of positional arguments; `default` if unknown."""
    try:
        parameters = inspect.signature(getattr(function, "py_func", function)).parameters.values()
    except (TypeError, ValueError):
        return default
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return default
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    required = [p for p in parameters if p.kind in positional and p.default is p.empty]
    return len(required)


def takes(function: Callable[..., object], count: int) -> bool:
    """Whether it can be called with so many positional arguments, as far as known."""
    try:
        inspect.signature(getattr(function, "py_func", function)).bind(*[None] * count)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _require_regular(mass: Matrix) -> None:
    """Refuse a singular mass."""
    if getattr(mass, "ndim", 2) == 1 and (mass <= 0.0).any():
        where = int(np.argmax(mass <= 0.0))
        raise SingularError(
            f"mass{f'[{where}]' if mass.size > 1 else ''} = {mass[where]} must be positive: every degree of "
            "freedom needs a mass; remove those without one, or give them a small mass."
        )
    factor(mass, "mass")
    if not is_positive_definite(mass):
        raise SingularError(
            "mass is not positive definite: some velocities would have a kinetic energy 1/2 v M v <= 0; "
            "check the signs of the matrix, and that it is symmetric."
        )
