"""The force on a body that falls on a surface: its weight and the contact force of any law."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from traction.integrators.core.state import Memory
from traction.laws.contact_law import ContactLaw, PowerForm, Response
from traction.laws.kernels.law_values import power_response

MOST_COMPILED = 64


class FallingForce:
    """f(t, q) = F(-q) - m g with the height q of the lowest point (m) and the contact force F (N).

    Its memory is that of the contact. A memory that is only a start passes from each call to the next; a
    history remains that of the last accepted state, from which all calls in a step begin.
    """

    def __init__(self, law: ContactLaw, weight: float) -> None:
        self.law, self.weight = law, weight
        self._start = law.begin()
        self._last: tuple[tuple[float, float], Response] | None = None

    def __call__(self, t: float, q: float) -> float:
        """Net force, N."""
        return self.response(q).force - self.weight

    def response(self, q: float, v: float = 0.0) -> Response:
        """Response of the contact at height q (m) and upward velocity v (m/s); the last one is kept."""
        if self._last is None or self._last[0] != (q, v):
            found = self.law.response(-q, self._start, rate=-v)
            if not self.law.uses_history:
                self._start = found.memory
            self._last = (q, v), found
        return self._last[1]

    def jacobian(self, t: float, q: float, v: float) -> tuple[float, float]:
        """df/dq = -stiffness, and df/dv = 0."""
        return -self.response(q).stiffness, 0.0

    def energy(self, q: float) -> float:
        """Energy of the contact and of the height, J."""
        return self.response(q).energy + self.weight * q

    def energies_along(self, heights: np.ndarray) -> np.ndarray:
        """Energies of the contact (J) along a sequence of heights (m)."""
        history, energies = self.law.uses_history, np.zeros(heights.size)
        if history:
            self.memory = dict(self.law.begin())
        for n, q in enumerate(heights.tolist()):
            if q < 0.0 or history:
                energies[n] = self.response(q).energy
                self._start = self.response(q).memory
        return energies

    @property
    def memory(self) -> Memory:
        """Of the contact at the last call, or where nothing was called since, as it was set."""
        return dict(self._start if self._last is None else self._last[1].memory)

    @memory.setter
    def memory(self, memory: Memory) -> None:
        self._last = None
        if memory:
            self._start = self.law.recall(memory)


class RateFallingForce(FallingForce):
    """f(t, q, v) = F(-q, -v) - m g, for a law that depends on the rate of approach -v."""

    def __call__(self, t: float, q: float, v: float) -> float:  # type: ignore[override]
        """Net force, N."""
        return self.response(q, v).force - self.weight

    def jacobian(self, t: float, q: float, v: float) -> tuple[float, float]:
        """df/dq and df/dv."""
        found = self.response(q, v)
        return -found.stiffness, -found.viscosity


@lru_cache(maxsize=MOST_COMPILED)
def compiled_functions(form: PowerForm, weight: float) -> dict[str, Callable[..., object]]:
    """Force, jacobian, energy and gap of a body on a power law, compiled."""
    import numba

    k, n, c = form

    def elastic(t, q):  # type: ignore[no-untyped-def]
        return power_response(k, n, -q)[0] - weight

    def damped(t, q, v):  # type: ignore[no-untyped-def]
        return power_response(k, n, -q)[0] * max(0.0, 1.0 - c * v) - weight

    def jacobian(t, q, v):  # type: ignore[no-untyped-def]
        force, stiffness, _ = power_response(k, n, -q)
        factor = max(0.0, 1.0 - c * v)
        return -stiffness * factor, -force * c if factor > 0.0 else 0.0

    def energy(q):  # type: ignore[no-untyped-def]
        return power_response(k, n, -q)[2] + weight * q

    def gap(t, q):  # type: ignore[no-untyped-def]
        return q

    force = damped if c > 0.0 else elastic
    functions = {"force": force, "jacobian": jacobian, "energy": energy, "gap": gap}
    return {name: numba.njit(one) for name, one in functions.items()}
