"""Energies of a system: potential and total, in whichever form the user gave them."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from traction.errors import InputError, UndefinedError
from traction.integrators.core.matrices import product
from traction.integrators.core.motion import Motion
from traction.integrators.core.system import SecondOrderSystem

AGREEMENT = 1e-3  #: of the force with the slope of the energy, by differences
SLOPE_STEPS = np.array([1e-3, 1e-5, 1e-7, 1e-9])  #: of these differences, relative to the coordinates
TIMES = 7  #: at which a force is asked whether it depends on time

#: times at which the energies of systems were found to match their forces
_MATCHED: WeakKeyDictionary[SecondOrderSystem, set[tuple[float, float]]] = WeakKeyDictionary()


class SystemEnergy:
    """Kinetic, potential and total energy of a system."""

    def __init__(self, motion: Motion) -> None:
        self.motion = motion
        self.system = motion.system

    @property
    def known(self) -> bool:
        """Whether the potential energy of all forces is known."""
        return self.system.energy is not None or self.system.force is None

    def potential(self, t: float, q: np.ndarray) -> float:
        """Potential energy of the force alone, without 1/2 q K q."""
        system = self.system
        if system.energy is None:
            return 0.0
        if system.energy_arguments == 1:
            return self._number(system.energy(system._public(q)), t)
        return self._total(t, q, np.zeros_like(q)) - self.elastic(q)

    def total(self, t: float, q: np.ndarray, v: np.ndarray) -> float:
        """Kinetic energy, 1/2 q K q and the potential of the force."""
        if not self.known:
            raise UndefinedError("the energy is undefined: give the system energy= with its force.")
        if self.system.energy_arguments in (2, 3):
            return self._total(t, q, v)
        return self.kinetic(q, v) + self.elastic(q) + self.potential(t, q)

    def kinetic(self, q: np.ndarray, v: np.ndarray) -> float:
        """1/2 v M v."""
        return 0.5 * float(v @ self.motion.inertia(q, v))

    def elastic(self, q: np.ndarray) -> float:
        """1/2 q K q."""
        K = self.system.stiffness_matrix
        return 0.0 if K is None else 0.5 * float(q @ product(K, q))

    def require_match(self, t0: float, t_end: float) -> None:
        """Refuse an energy whose slope is not the force, at the start and at some times after it."""
        system, motion = self.system, self.motion
        matched = _MATCHED.setdefault(system, set())
        if system.energy is None or system.force is None or (t0, t_end) in matched:
            return
        q = system.start[0]
        memory = motion.memory
        for t in np.linspace(t0, t_end, TIMES):
            slope, expected, varies = self._slope(float(t), q)
            if abs(slope - expected) > AGREEMENT * abs(expected) + varies:
                raise InputError(
                    f"energy does not belong to the force: at t = {t:.6g}, q = q0 and v = 0 its slope along "
                    f"the force is {slope:.6g}, the force {expected:.6g}. Give the potential energy(q) with "
                    "force(t, q, 0) = -d(energy)/dq; of a load over time, energy(t, q, v) with its potential."
                )
        motion.memory = memory
        matched.add((t0, t_end))

    def _slope(self, t: float, q: np.ndarray) -> tuple[float, float, float]:
        """-dV along the force, the force, and its least variation over the difference, at rest.

        Of several differences the one that agrees best: the magnitude of the coordinates may say little
        about the range over which the force is constant. Bodies that just touch push at once when they are
        moved: there no difference is short enough, and the slope may be off by as much as the force varies.
        """
        force = self.motion.force(t, q, np.zeros_like(q))
        direction = force / max(float(np.abs(force).max()), 1e-300)
        expected = float(force @ direction)
        slopes = [expected]  # where rounding leaves no digits, it cannot be refused
        variations = []
        size = float(np.abs(q).max())
        for step in SLOPE_STEPS * (size if size > 0.0 else 1.0):
            up, down = (self.potential(t, q + sign * step * direction) for sign in (1.0, -1.0))
            if 1e-16 * max(abs(up), abs(down)) / step <= 0.1 * AGREEMENT * abs(expected):
                slopes.append(-(up - down) / (2.0 * step))
                beside = [q + sign * step * direction for sign in (1.0, -1.0)]
                forces = [float(self.motion.force(t, at, np.zeros_like(q)) @ direction) for at in beside]
                variations.append(max(abs(force - expected) for force in forces))
        slope = min(slopes[1:] or slopes, key=lambda slope: abs(slope - expected))
        return slope, expected, min(variations, default=0.0)

    def _total(self, t: float, q: np.ndarray, v: np.ndarray) -> float:
        system = self.system
        given = (system._public(q), system._public(v))
        assert system.energy is not None
        return self._number(
            system.energy(*given) if system.energy_arguments == 2 else system.energy(t, *given), t
        )

    def _number(self, value: object, t: float) -> float:
        values = np.asarray(value)
        number = float(values.reshape(-1)[0]) if values.size == 1 else np.nan
        if not np.isfinite(number):
            raise UndefinedError(f"energy is {value} at t = {t:.9g}; it must be one finite number.")
        return number
