"""Contacts of wheels that feel each other through the compliance a bridge model leaves out.

With the compliance C of all wheels, R on its diagonal, the approaches to the coordinates of the bridge are
d = a + C P(a), P the forces of the contacts at their own approaches a. The stored energy
E(d) = sum E_k(a_k) + P'C P/2 has the gradient P by d and the second derivative S = (K^-1 + C)^-1, K the
stiffnesses of the contacts alone: the forces have a potential, and S is symmetric.

Between two states the mean forces F of the energy-conserving method are those with F . (d1 - d0) = E1 - E0
next to the mean P of both ends: F = P + c (d1 - d0) (Gonzalez 1996).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from traction.crossing.wheel_contact import CLOSE, MOST_STEPS, WheelContact, inside, responses_at
from traction.errors import ConvergenceError
from traction.laws.response import Memory, Response

LEAST_PART = 1e-3  #: of a Newton step


class CoupledResponse(NamedTuple):
    """Contacts in series with the compliance of all of them."""

    responses: list[Response]  #: forces, and energies with half of that of each pair
    stiffness: np.ndarray  #: S, N/m, (wheels, wheels)

    @property
    def force(self) -> np.ndarray:
        """P, N."""
        return np.array([one.force for one in self.responses])

    @property
    def energy(self) -> float:
        """E, J."""
        return sum(one.energy for one in self.responses)


def respond_coupled(
    contacts: tuple[WheelContact, ...], C: np.ndarray, whole: np.ndarray, memories: Sequence[Memory]
) -> CoupledResponse:
    """Responses to approaches `whole` (m) of contacts and compliance C (m/N), by Newton's method."""
    every = zip(contacts, np.diag(C).tolist(), whole.tolist(), memories, strict=True)
    a = np.array([inside(one, R, d, memory)[0] for one, R, d, memory in every])
    found = responses_at(contacts, a, memories)
    enough = CLOSE * np.maximum(np.abs(whole), [one.static for one in contacts])
    for _ in range(MOST_STEPS):
        F, k = _forces(found)
        off = a + C @ F - whole
        if (np.abs(off) <= enough).all():
            return _coupled(found, C, F, k)
        change, part = np.linalg.solve(np.eye(a.size) + C * k, off), 1.0
        while True:
            trial = a - part * change
            found = responses_at(contacts, trial, [one.memory for one in found])
            left = np.abs(trial + C @ _forces(found)[0] - whole).max()
            if left < np.abs(off).max() or part <= LEAST_PART:
                break
            part *= 0.5
        a = trial
    raise ConvergenceError("no approaches found of contacts that share a compliance with their bridge.")


def _forces(found: Sequence[Response]) -> tuple[np.ndarray, np.ndarray]:
    F, k = np.array([(one.force, one.stiffness) for one in found]).T
    return F, k


def _coupled(found: list[Response], C: np.ndarray, F: np.ndarray, k: np.ndarray) -> CoupledResponse:
    S = np.linalg.solve(np.eye(F.size) + k[:, None] * C, np.diag(k))
    sunk = (C @ F).tolist()
    every = zip(found, sunk, np.diag(S).tolist(), strict=True)
    shared = [
        one._replace(energy=one.energy + 0.5 * one.force * down, stiffness=own) for one, down, own in every
    ]
    return CoupledResponse(shared, 0.5 * (S + S.T))


def mean_coupled(
    before: CoupledResponse, start: np.ndarray, after: CoupledResponse, end: np.ndarray, near: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Mean forces between two states and their derivatives by the second, (wheels, wheels).

    Where all approaches change by less than `near` (m), differences of energies have too few digits: the
    mean of both ends.
    """
    change, mean = end - start, 0.5 * (before.force + after.force)
    if (np.abs(change) <= near).all():
        return mean, 0.5 * after.stiffness
    size = float(change @ change)
    c = (after.energy - before.energy - float(mean @ change)) / size
    slope = 0.5 * (after.force - before.force) - 0.5 * after.stiffness @ change - 2.0 * c * change
    return mean + c * change, 0.5 * after.stiffness + c * np.eye(change.size) + np.outer(change, slope) / size
